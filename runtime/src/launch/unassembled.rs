//! Kernels that are prepared, and wait for a vendor's assembler.
//!
//! In: kernels, by the driver of their device, and the first launch that calls its assembler. Out:
//! these kernels, once. *Invariant:* it keeps no kernel of a container that is unregistered.
#![forbid(unsafe_code)]

use crate::{code::Likely, devices::DeviceEntry, forks::ForkSafe};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Kernels that wait for the first launch that calls the assembler of a driver.
#[derive(Default)]
pub(super) struct Unassembled(ForkSafe<Mutex<BTreeMap<&'static str, Assembly>>>);

/// A kernel that waits, with its device.
pub(super) type Waiting = (Arc<DeviceEntry>, Arc<Likely>);

/// The use of the assembler of a driver.
enum Assembly {
    Awaited(Vec<Waiting>),
    Begun,
}

impl Default for Assembly {
    fn default() -> Self {
        Assembly::Awaited(Vec::new())
    }
}

impl Unassembled {
    fn with<R>(&self, driver: &'static str, work: impl FnOnce(&mut Assembly) -> R) -> R {
        self.0.with(|all| work(all.lock().unwrap_or_else(PoisonError::into_inner).entry(driver).or_default()))
    }

    /// True if the assembler may be called now. Otherwise the kernel is kept until it may.
    pub(super) fn may_begin(&self, device: &Arc<DeviceEntry>, likely: &Arc<Likely>) -> bool {
        self.with(device.info().driver, |assembly| match assembly {
            Assembly::Awaited(kernels) => {
                kernels.push((Arc::clone(device), Arc::clone(likely)));
                false
            }
            Assembly::Begun => true,
        })
    }

    /// The kernels that waited until now.
    pub(super) fn begin(&self, driver: &'static str) -> Vec<Waiting> {
        match self.with(driver, |assembly| std::mem::replace(assembly, Assembly::Begun)) {
            Assembly::Awaited(kernels) => kernels,
            Assembly::Begun => Vec::new(),
        }
    }

    /// Drops the kernels of a container.
    pub(super) fn forget(&self, container: usize) {
        self.0.with(|all| {
            for assembly in all.lock().unwrap_or_else(PoisonError::into_inner).values_mut() {
                if let Assembly::Awaited(kernels) = assembly {
                    kernels.retain(|(_, likely)| likely.kernel.container != container);
                }
            }
        });
    }
}
