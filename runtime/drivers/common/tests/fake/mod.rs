//! Stand-ins for vendor libraries.
//!
//! In: the C source of a stand-in. Out: the loaded library and its controls. *Invariant:* each
//! stand-in is a file of its own, so that concurrent tests share no state.
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

/// Compiles a stand-in into a folder under this name.
pub(crate) fn compile(folder: &Path, name: &str, source: &Path, flags: &[&str]) -> PathBuf {
    let library = folder.join(name);
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../common/tests/fake");
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-O1", "-w", "-I"]).arg(shared);
    command.arg("-o").arg(&library).arg(source).args(flags);
    assert!(command.status().expect("a C compiler named cc").success());
    library
}

/// A loaded stand-in with its controls.
pub(crate) struct StandIn {
    pub(crate) path: PathBuf,
    library: Library,
    _folder: Option<TempDir>,
}

impl StandIn {
    /// Loads a stand-in, which is compiled only once.
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

    /// Opens a stand-in that was compiled elsewhere. Everybody who opens the same file shares its
    /// state.
    pub(crate) fn open(path: &Path) -> Self {
        // SAFETY: loading the stand-in runs no code.
        let library = unsafe { Library::new(path) }.expect("load the stand-in");
        StandIn { path: path.to_owned(), library, _folder: None }
    }

    /// The library, to call the vendor's functions directly.
    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// Sets an attribute or a behaviour of the stand-in.
    pub(crate) fn set(&self, name: &str, value: i64) {
        let name = CString::new(name).expect("no null character");
        // SAFETY: the stand-in defines the function with this type.
        let set = unsafe { self.library.get::<unsafe extern "C" fn(*const i8, i64)>(b"fake_set") };
        // SAFETY: the name is null-terminated.
        unsafe { set.expect("fake_set")(name.as_ptr(), value) };
    }

    /// Makes a function fail `times` times after `after` more successful calls.
    pub(crate) fn fail(&self, name: &str, code: u32, after: i32, times: i32) {
        let name = CString::new(name).expect("no null character");
        // SAFETY: the stand-in defines the function with this type.
        let fail = unsafe { self.library.get::<unsafe extern "C" fn(*const i8, u32, i32, i32)>(b"fake_fail") };
        // SAFETY: the name is null-terminated.
        unsafe { fail.expect("fake_fail")(name.as_ptr(), code, after, times) };
    }

    /// The calls logged since the last time, without those of one function.
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

/// The reason that a driver without devices gives.
pub(crate) fn absence(driver: &impl Driver) -> String {
    assert!(driver.devices().expect("no error").is_empty());
    driver.absence().expect("a reason")
}
