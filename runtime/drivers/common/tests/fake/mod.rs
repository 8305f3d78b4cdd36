//! Libraries that stand in for vendors' libraries.
//!
//! In: the C source of one. Out: a library that is loaded, with what it can be told. *Invariant:* each stand-in is a file of its own, so
//! that tests that run at once share no state.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use libloading::Library;
use sinter_core::LaunchShape;
use sinter_driver::{Driver, DriverError, Kernel, Queue, Ticket};
use std::{
    ffi::CString,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, OnceLock},
};
use tempfile::TempDir;

/// Compiles a stand-in into a folder, under this name.
pub(crate) fn compile(folder: &Path, name: &str, source: &Path, flags: &[&str]) -> PathBuf {
    let library = folder.join(name);
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../common/tests/fake");
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-O1", "-w", "-I"]).arg(shared);
    command.arg("-o").arg(&library).arg(source).args(flags);
    assert!(command.status().expect("a C compiler named cc").success());
    library
}

/// A library that stands in for a vendor's.
pub(crate) struct StandIn {
    pub(crate) path: PathBuf,
    library: Library,
    _folder: Option<TempDir>,
}

impl StandIn {
    /// Loads a stand-in, which is compiled once.
    pub(crate) fn new(compiled: &OnceLock<Vec<u8>>, name: &str, source: &Path, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let compile = || fs::read(compile(folder.path(), name, source, flags)).expect("read the stand-in");
        let compiled = compiled.get_or_init(compile);
        let path = folder.path().join(name);
        fs::write(&path, compiled).expect("write the stand-in");
        // SAFETY: loading the stand-in runs no code.
        let library = unsafe { Library::new(&path) }.expect("load the stand-in");
        StandIn { path, library, _folder: Some(folder) }
    }

    /// A stand-in that was compiled elsewhere, which whoever loads the same file shares.
    pub(crate) fn open(path: &Path) -> Self {
        // SAFETY: loading the stand-in runs no code.
        let library = unsafe { Library::new(path) }.expect("load the stand-in");
        StandIn { path: path.to_owned(), library, _folder: None }
    }

    /// The library itself, for the functions of the vendor.
    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// Chooses an attribute or a behaviour.
    pub(crate) fn set(&self, name: &str, value: i64) {
        let name = CString::new(name).expect("no null character");
        // SAFETY: the stand-in defines the function with this type.
        let set = unsafe { self.library.get::<unsafe extern "C" fn(*const i8, i64)>(b"fake_set") };
        // SAFETY: the name ends with a null character.
        unsafe { set.expect("fake_set")(name.as_ptr(), value) };
    }

    /// Lets a function fail `times` times after `after` more calls that do not.
    pub(crate) fn fail(&self, name: &str, code: u32, after: i32, times: i32) {
        let name = CString::new(name).expect("no null character");
        // SAFETY: the stand-in defines the function with this type.
        let fail = unsafe { self.library.get::<unsafe extern "C" fn(*const i8, u32, i32, i32)>(b"fake_fail") };
        // SAFETY: the name ends with a null character.
        unsafe { fail.expect("fake_fail")(name.as_ptr(), code, after, times) };
    }

    /// The calls since the last time, without those of one function.
    pub(crate) fn calls_but(&self, left_out: &str) -> Vec<String> {
        let mut buffer = vec![0u8; 1 << 20];
        // SAFETY: the stand-in defines the function with this type.
        let take = unsafe { self.library.get::<unsafe extern "C" fn(*mut u8, usize) -> usize>(b"fake_take_log") };
        // SAFETY: the buffer has the length that is passed.
        let size = unsafe { take.expect("fake_take_log")(buffer.as_mut_ptr(), buffer.len()) };
        let text = String::from_utf8_lossy(&buffer[..size]).into_owned();
        text.lines().map(|line| line.trim().to_owned()).filter(|line| line != left_out).collect()
    }
}

/// Launches a kernel without arguments.
pub(crate) fn launch(queue: &dyn Queue, kernel: &Arc<dyn Kernel>) -> Result<Ticket, DriverError> {
    let shape = LaunchShape { global: [64, 1, 1], group: [64, 1, 1], local_memory: 0 };
    // SAFETY: the kernel has no arguments.
    unsafe { queue.launch(kernel, &shape, &[]) }
}

/// Why a driver has no devices.
pub(crate) fn absence(driver: &impl Driver) -> String {
    assert!(driver.devices().expect("no error").is_empty());
    driver.absence().expect("a reason")
}
