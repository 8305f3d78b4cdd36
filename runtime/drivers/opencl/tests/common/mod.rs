//! A driver over a stand-in for OpenCL's library, and kernels for it.
//!
//! In: the source of the stand-in, `tests/fake/opencl.c`. Out: a driver, and the calls that it
//! made. *Invariant:* each stand-in is a file of its own, so that concurrent tests share no state.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

#[path = "../../../common/tests/fake/mod.rs"]
mod fake;
mod kernels;

pub(crate) use kernels::{add_one, local, nothing};

pub(crate) use fake::{absence, launch};

use fake::StandIn;
use sinter_driver::{Device, Driver};
use sinter_driver_opencl::OpenClOptions;
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// File name of the stand-in.
const LIBRARY: &str = "libOpenCL.so.1";

/// Calls in a round of a launch of [`add_one`], a fill and a wait: two arguments and three
/// commands, the first two of which are flushed.
pub(crate) const CALLS_OF_A_ROUND: usize = 7;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/opencl.c")
}

/// Compiles the stand-in.
pub(crate) fn compile(folder: &Path, flags: &[&str]) -> PathBuf {
    fake::compile(folder, LIBRARY, &source(), flags)
}

/// A stand-in for OpenCL's library.
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

    /// The calls since the last time.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls_but("")
    }

    pub(crate) fn options(&self) -> OpenClOptions {
        OpenClOptions { library: Some(self.path.clone()), ..OpenClOptions::default() }
    }

    pub(crate) fn driver(&self) -> impl Driver {
        sinter_driver_opencl::driver(self.options())
    }

    pub(crate) fn devices(&self) -> Vec<Arc<dyn Device>> {
        self.driver().devices().expect("devices")
    }

    pub(crate) fn device(&self) -> Arc<dyn Device> {
        self.devices().remove(0)
    }
}
