//! Translates bitcode files without a digest after some of their bytes were changed.
//!
//! *Invariant:* whatever LLVM does with damaged input, the installed tool exits by itself: with
//! status 0 and code, or with status 1 and a message that names the file.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::damage::{IR, Random};
use sinter_translate::assemble;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

const FILES: usize = 2_000;
/// LLVM 19.1.7 is ended by a signal when it reads this bitcode.
const CRASH: &[u8] = include_bytes!("../damaged/reader_crash.bc");

/// Runs the installed tool on a file in a folder.
fn translate(folder: &Path, name: &str) -> Output {
    let of_workspace = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("dist");
    let dist = env::var_os("SINTER_DIST").map_or_else(of_workspace, PathBuf::from);
    let mut tool = Command::new(dist.join("bin/llvm-to-host-tool"));
    tool.args([name, "--kernel", "triad", "-o", "/dev/null"]).current_dir(folder).output().unwrap()
}

/// Changes one or two bytes after the magic number: more changes would be detected early by LLVM.
fn damaged(bitcode: &[u8], number: usize) -> Vec<u8> {
    let (mut bytes, mut random) = (bitcode.to_vec(), Random(0x0bad_b17c_0de5 + number as u64 * 0x9e37_79b9));
    for _ in 0..1 + random.below(2) {
        let place = 4 + random.below(bytes.len() - 4);
        random.change(&mut bytes[place]);
    }
    bytes
}

#[test]
fn a_crash_of_llvm_is_an_error_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crash.bc"), CRASH).unwrap();
    let output = translate(folder.path(), "crash.bc");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{}: {message}", output.status);
    assert!(message.contains("crash.bc: the bitcode is damaged"), "{message}");
}

#[test]
fn damaged_bitcode_ends_in_no_signal() {
    let (folder, bitcode) = (tempfile::tempdir().unwrap(), assemble(IR.as_bytes()).unwrap());
    let (next, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = &|thread: usize| {
        let name = format!("{thread}.bc");
        for number in std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|n| *n < FILES) {
            fs::write(folder.path().join(&name), damaged(&bitcode, number)).unwrap();
            let output = translate(folder.path(), &name);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            match output.status.code() {
                Some(0) => {}
                Some(1) if message.contains(&name) => _ = refused.fetch_add(1, Ordering::Relaxed),
                _ => panic!("file {number}: {}: {message}", output.status),
            }
        }
    };
    thread::scope(|scope| (0..2).for_each(|thread| _ = scope.spawn(move || work(thread))));
    assert!(refused.into_inner() > FILES / 3);
}
