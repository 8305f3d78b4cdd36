//! A stand-in and its device, with the common actions of call tests.
//!
//! In: the objects to create. Out: these objects, and the calls that created them.

use crate::common::{Fake, nothing};
use sinter_driver::{Device, Kernel, MemoryKind, Queue};
use std::{ffi::c_void, sync::Arc};

pub(crate) struct Setup {
    pub(crate) fake: Fake,
    pub(crate) device: Arc<dyn Device>,
}

impl Setup {
    pub(crate) fn new() -> Self {
        Setup::over(Fake::new())
    }

    pub(crate) fn over(fake: Fake) -> Self {
        let device = fake.device();
        Setup { fake, device }
    }

    pub(crate) fn queue(&self) -> Arc<dyn Queue> {
        self.device.create_queue().expect("queue")
    }

    pub(crate) fn kernel(&self) -> Arc<dyn Kernel> {
        self.device.load(&nothing("k")).expect("load")
    }

    pub(crate) fn allocate(&self, kind: MemoryKind, size: usize) -> *mut c_void {
        self.device.memory().allocate(kind, size, 64).expect("memory")
    }

    /// Asserts the calls since the last time.
    pub(crate) fn expect(&self, calls: &[&str]) {
        assert_eq!(self.fake.calls(), calls);
    }
}
