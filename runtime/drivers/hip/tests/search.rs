//! A library that lacks functions does not end the search for one that has them.
//!
//! In: two installations. Out: the function table of the second one. *Invariant:* the test is alone
//! in its process, which has no other stand-in loaded.

mod common;

use hip_sys::{Api, open::OpenError};
use std::{fs, path::PathBuf};

/// An installation that contains a stand-in.
fn installation(folder: &std::path::Path, flags: &[&str]) -> PathBuf {
    let lib = folder.join("lib");
    fs::create_dir_all(&lib).expect("folder");
    common::compile(&lib, flags);
    folder.to_owned()
}

#[test]
fn a_library_without_a_function_is_passed_over_and_named_if_there_is_no_other() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let lacking = installation(&folder.path().join("lacking"), &["-DWITHOUT_LAUNCH"]);
    let whole = installation(&folder.path().join("whole"), &[]);
    let Err(error) = Api::open(None, std::slice::from_ref(&lacking)) else {
        return eprintln!("skipped: this machine has AMD's library");
    };
    let OpenError::TooOld { path, symbol } = error else { panic!("{error:?}") };
    assert_eq!((path, symbol), (Some(lacking.join("lib/libamdhip64.so")), "hipModuleLaunchKernel"));
    assert!(Api::open(None, &[lacking, whole]).is_ok());
}
