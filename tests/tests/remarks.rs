//! Remarks of the translator in the log of a program.
//!
//! In: the sample `nbody` over one cache, first without code, then with full code on disk.
//! *Invariant:* a process says why a kernel runs as it does, wherever it has the code from.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::programs::{execute, sinter_cc, workspace};
use std::process::Command;

#[test]
fn remarks_come_from_the_cache_too() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (workspace().join("kernels/samples/nbody.cpp"), folder.path().join("nbody"));
    sinter_cc(&[&source, &"-O1", &"-std=c++17", &"-pthread", &"-o", &program]).unwrap();
    for mode in ["sync", "fallback", "require"] {
        let mut command = Command::new(&program);
        command.arg("256").env("SINTER_VISIBILITY_MASK", "host").env("SINTER_CACHE_DIR", folder.path().join("cache"));
        command.env("SINTER_DEBUG_LEVEL", "debug").env("SINTER_JIT_MODE", mode);
        let log = execute(&mut command, folder.path()).unwrap().output;
        assert!(log.contains(": rows of "), "{mode}: {log}");
    }
}
