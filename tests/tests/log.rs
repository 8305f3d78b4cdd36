//! The log of a program about its kernels and devices.
//!
//! In: the sample `nbody` over one cache, first without code, then with full code on disk.
//! *Invariant:* a process says why a kernel runs as it does, wherever it has the code from, and who
//! chose its devices.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::programs::{execute, sinter_cc, workspace};
use std::{path::PathBuf, process::Command};
use tempfile::TempDir;

/// The sample, and the folder that it is in.
fn program() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (workspace().join("kernels/samples/nbody.cpp"), folder.path().join("nbody"));
    sinter_cc(&[&source, &"-O1", &"-std=c++17", &"-pthread", &"-o", &program]).unwrap();
    (folder, program)
}

/// The output of a process with these variables.
fn output(program: &PathBuf, folder: &TempDir, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(program);
    command.arg("256").env_remove("SINTER_VISIBILITY_MASK").env("SINTER_CACHE_DIR", folder.path().join("cache"));
    command.envs(variables.iter().copied());
    execute(&mut command, folder.path()).unwrap().output
}

#[test]
fn remarks_come_from_the_cache_too() {
    let (folder, program) = program();
    for mode in ["sync", "fallback", "require"] {
        let on_host = [("SINTER_VISIBILITY_MASK", "host"), ("SINTER_DEBUG_LEVEL", "debug"), ("SINTER_JIT_MODE", mode)];
        let log = output(&program, &folder, &on_host);
        assert!(log.contains(": rows of "), "{mode}: {log}");
    }
}

#[test]
fn the_log_names_the_variable_that_selects_devices() {
    let (folder, program) = program();
    for (name, value) in [("ONEAPI_DEVICE_SELECTOR", "native_cpu:cpu"), ("ACPP_VISIBILITY_MASK", "omp")] {
        let log = output(&program, &folder, &[(name, value), ("SINTER_DEBUG_LEVEL", "info")]);
        assert!(log.contains(&format!("{name} selects host:0\n")), "{log}");
        let quiet = output(&program, &folder, &[(name, value)]);
        assert!(!quiet.contains(name), "{quiet}");
    }
}
