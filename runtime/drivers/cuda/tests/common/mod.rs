//! A driver over a library that stands in for NVIDIA's, and kernels for both.
//!
//! In: the source of the stand-in, `tests/fake/cuda.c`. Out: a driver, and the calls that it made. *Invariant:* each stand-in is a
//! file of its own, so that tests that run at once share no state.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use libloading::Library;
use sinter_core::{Argument, CodeFormat, CodeObject, EntryInfo};
use sinter_driver::{Device, Driver, DriverError};
use sinter_driver_cuda::{CudaDriver, CudaOptions};
use std::{
    ffi::CString,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, OnceLock},
};
use tempfile::TempDir;

/// `add_one` of the conformance suite, which leaves the work-items behind its range alone.
pub(crate) const ADD_ONE: &str = r"
.version 6.0
.target sm_70
.address_size 64
.visible .entry add_one(.param .u64 data, .param .u64 items)
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %d<7>;
  ld.param.u64 %d1, [data];
  ld.param.u64 %d2, [items];
  cvta.to.global.u64 %d1, %d1;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %d3, %r1, %r2;
  cvt.u64.u32 %d4, %r3;
  add.u64 %d3, %d3, %d4;
  setp.ge.u64 %p, %d3, %d2;
  @%p ret;
  shl.b64 %d5, %d3, 3;
  add.u64 %d5, %d1, %d5;
  ld.global.u64 %d6, [%d5];
  add.u64 %d6, %d6, 1;
  st.global.u64 [%d5], %d6;
  ret;
}
";

/// A kernel that does nothing.
pub(crate) const EMPTY: &str = "
.version 6.0
.target sm_70
.address_size 64
.visible .entry empty()
{
  ret;
}
";

/// PTX with an entry whose arguments are 8 bytes each.
pub(crate) fn ptx(symbol: &str, text: &str, arguments: u32) -> CodeObject {
    let argument = |parameter: u32| Argument { parameter, offset: parameter * 8, size: 8 };
    let entry = EntryInfo {
        symbol: symbol.to_owned(),
        arguments: (0..arguments).map(argument).collect(),
        argument_size: arguments * 8,
        argument_align: 8,
        local_memory: 0,
        item_memory: 0,
    };
    CodeObject { format: CodeFormat::Ptx, bytes: Arc::from(text.as_bytes()), entry, assembly: None }
}

/// The conformance suite's kernel.
pub(crate) fn add_one() -> CodeObject {
    ptx("add_one", ADD_ONE, 2)
}

/// PTX with an entry that the stand-in knows nothing about.
pub(crate) fn nothing(symbol: &str) -> CodeObject {
    ptx(symbol, &EMPTY.replace("empty", symbol), 0)
}

/// Compiles the stand-in.
pub(crate) fn compile(folder: &Path, flags: &[&str]) -> PathBuf {
    let library = folder.join("libcuda.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/cuda.c");
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-O1", "-w", "-o"]).arg(&library).arg(source).args(flags);
    assert!(command.status().expect("a C compiler named cc").success());
    library
}

/// A stand-in for NVIDIA's library.
pub(crate) struct Fake {
    pub(crate) path: PathBuf,
    library: Library,
    _folder: TempDir,
}

impl Fake {
    pub(crate) fn new() -> Self {
        static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
        let folder = tempfile::tempdir().expect("temporary folder");
        let compiled = COMPILED.get_or_init(|| fs::read(compile(folder.path(), &[])).expect("read the stand-in"));
        let path = folder.path().join("libcuda.so");
        fs::write(&path, compiled).expect("write the stand-in");
        // SAFETY: loading the stand-in runs no code.
        let library = unsafe { Library::new(&path) }.expect("load the stand-in");
        Fake { path, library, _folder: folder }
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

    /// The calls since the last time, without questions about the current context.
    pub(crate) fn calls(&self) -> Vec<String> {
        let mut buffer = vec![0u8; 1 << 20];
        // SAFETY: the stand-in defines the function with this type.
        let take = unsafe { self.library.get::<unsafe extern "C" fn(*mut u8, usize) -> usize>(b"fake_take_log") };
        // SAFETY: the buffer has the length that is passed.
        let size = unsafe { take.expect("fake_take_log")(buffer.as_mut_ptr(), buffer.len()) };
        let text = String::from_utf8_lossy(&buffer[..size]).into_owned();
        text.lines().map(|line| line.trim().to_owned()).filter(|line| line != "cuCtxGetCurrent").collect()
    }

    pub(crate) fn options(&self) -> CudaOptions {
        CudaOptions { library: Some(self.path.clone()), ..CudaOptions::default() }
    }

    pub(crate) fn driver(&self) -> CudaDriver {
        CudaDriver::with_options(self.options())
    }

    pub(crate) fn device(&self) -> Arc<dyn Device> {
        self.driver().devices().expect("devices").remove(0)
    }
}

/// The first real GPU, or why there is none.
pub(crate) fn gpu() -> Result<Arc<dyn Device>, String> {
    let driver = CudaDriver::new();
    let mut devices = driver.devices().map_err(|error: DriverError| error.to_string())?;
    if devices.is_empty() { Err(driver.absence().unwrap_or_default()) } else { Ok(devices.remove(0)) }
}
