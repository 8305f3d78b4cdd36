//! A driver over a stand-in for NVIDIA's library, and kernels for both.
//!
//! In: the source of the stand-in, `tests/fake/cuda.c`. Out: a driver, and the calls that it made.
//! *Invariant:* each stand-in is a file of its own, so that concurrent tests share no state.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

#[path = "../../../common/tests/fake/mod.rs"]
mod fake;

pub(crate) use fake::{absence, launch};

use fake::StandIn;
use sinter_core::{Argument, CodeFormat, CodeObject, EntryInfo};
use sinter_driver::{Device, Driver, DriverError};
use sinter_driver_cuda::CudaOptions;
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// `add_one` of the conformance suite. Work-items beyond the range do nothing.
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
    let argument = |parameter: u32| Argument { parameter, offset: parameter * 8, size: 8, is_pointer: parameter == 0 };
    let entry = EntryInfo {
        symbol: symbol.to_owned(),
        arguments: (0..arguments).map(argument).collect(),
        argument_size: arguments * 8,
        argument_align: 8,
        local_memory: 0,
        item_memory: 0,
        takes_local_memory: false,
        depends_on_allocations: false,
        followed: Default::default(),
        may_wait: false,
        candidates: Vec::new(),
        device_globals: Vec::new(),
        constants: Vec::new(),
        remarks: Vec::new(),
    };
    CodeObject {
        format: CodeFormat::Ptx,
        bytes: Arc::from(text.as_bytes()),
        entry,
        assembly: None,
        level: sinter_core::OptLevel::O3,
    }
}

/// The conformance suite's kernel.
pub(crate) fn add_one() -> CodeObject {
    ptx("add_one", ADD_ONE, 2)
}

/// PTX with an empty entry that the stand-in does not interpret.
pub(crate) fn nothing(symbol: &str) -> CodeObject {
    ptx(symbol, &EMPTY.replace("empty", symbol), 0)
}

/// Calls in a round of a launch, a fill and a wait.
pub(crate) const CALLS_OF_A_ROUND: usize = 3;

/// File name of the stand-in.
const LIBRARY: &str = "libcuda.so";

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/cuda.c")
}

/// Compiles the stand-in.
pub(crate) fn compile(folder: &Path, flags: &[&str]) -> PathBuf {
    fake::compile(folder, LIBRARY, &source(), flags)
}

/// A stand-in for NVIDIA's library.
pub(crate) struct Fake(StandIn);

impl Deref for Fake {
    type Target = StandIn;

    fn deref(&self) -> &StandIn {
        &self.0
    }
}

impl Fake {
    pub(crate) fn new() -> Self {
        static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
        Fake(StandIn::new(&COMPILED, LIBRARY, &source(), &[]))
    }

    /// The calls since the last time, without queries of the current context.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls_but("cuCtxGetCurrent")
    }

    pub(crate) fn options(&self) -> CudaOptions {
        CudaOptions { library: Some(self.path.clone()), ..CudaOptions::default() }
    }

    pub(crate) fn driver(&self) -> impl Driver {
        sinter_driver_cuda::driver(self.options())
    }

    pub(crate) fn device(&self) -> Arc<dyn Device> {
        self.driver().devices().expect("devices").remove(0)
    }
}

/// The first real GPU, or the reason why there is none.
pub(crate) fn gpu() -> Result<Arc<dyn Device>, String> {
    let driver = sinter_driver_cuda::driver(CudaOptions::default());
    let mut devices = driver.devices().map_err(|error: DriverError| error.to_string())?;
    if devices.is_empty() { Err(driver.absence().unwrap_or_default()) } else { Ok(devices.remove(0)) }
}
