//! A library that the program has already loaded is used, regardless of the installed ones.
//!
//! In: a stand-in that reports the version of ROCm 7. Out: answers of that stand-in. *Invariant:*
//! the test is alone in its process.

mod common;

use hip_sys::Api;
use libloading::Library;

#[test]
fn what_the_program_has_loaded_is_used() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = common::compile(folder.path(), &["-Wl,-soname,libamdhip64.so.7"]);
    // SAFETY: loading the stand-in runs no code.
    let program = unsafe { Library::new(&path) }.expect("load the stand-in");
    // SAFETY: the stand-in defines the function with this type.
    let set = unsafe { program.get::<unsafe extern "C" fn(*const i8, i64)>(b"fake_set") }.expect("fake_set");
    // SAFETY: the name is null-terminated.
    unsafe { set(c"version".as_ptr(), 70_051_831) };
    let api = Api::open(None, &[]).map_err(|error| format!("{error:?}")).expect("the library is loaded");
    let mut version = 0;
    // SAFETY: `version` is writable.
    unsafe { api.runtime_version(&raw mut version) }.expect("a version");
    assert_eq!(version, 70_051_831);
}
