//! Chooses the device of a thread's algorithms.
//!
//! In: the visible devices, the settings and the thread's own choice. Out: a device, and the memory
//! that its kernels can use. *Invariant:* without a choice it is the first device that can share
//! memory with the program, so that a GPU comes before the CPU. A device that cannot is never
//! chosen.
#![forbid(unsafe_code)]

use crate::{
    devices::DeviceEntry,
    error::RuntimeError,
    runtime::Runtime,
    settings::{StdparDevice, StdparOptions},
};
use sinter_core::Target;
use sinter_driver::DeviceFeatures;
use std::sync::Arc;

/// The driver whose device uses the memory of the program.
const HOST: &str = "host";

/// The memory that the kernels of a device can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All memory of the program.
    All,
    /// Shared allocations.
    Shared,
}

/// A device for algorithms.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) device: Arc<DeviceEntry>,
    pub(super) reach: Reach,
    /// True if a work-item that waits for another one does not keep that from going on.
    pub(super) progresses: bool,
}

/// The memory that kernels of a device can use; `None` if it shares none with the program.
fn reach(device: &DeviceEntry, options: &StdparOptions) -> Option<Reach> {
    let has = |feature| device.info().features.0 & feature != 0;
    if has(DeviceFeatures::USM_SYSTEM) && !options.only_shared {
        return Some(Reach::All);
    }
    has(DeviceFeatures::USM_SHARED).then_some(Reach::Shared)
}

/// True for the CPU of the host, whose kernels run without a vendor's library.
pub(super) fn is_host(device: &DeviceEntry) -> bool {
    device.info().driver == HOST
}

/// True for the host, whose work-items run one after another, or in rows of code that never waits,
/// and for NVIDIA's GPUs since Volta, the oldest that there is code for.
fn progresses(target: &Target) -> bool {
    matches!(target, Target::Host(_) | Target::Ptx(_))
}

fn unsuitable(device: &DeviceEntry) -> RuntimeError {
    RuntimeError::Unsupported {
        device: device.info().name.clone(),
        feature: "memory that it shares with the program, which parallel algorithms need".to_owned(),
    }
}

fn place(device: &Arc<DeviceEntry>, options: &StdparOptions) -> Result<Place, RuntimeError> {
    let reach = reach(device, options).ok_or_else(|| unsuitable(device))?;
    Ok(Place { device: Arc::clone(device), reach, progresses: progresses(device.device.target()) })
}

/// The device with this number.
pub(super) fn numbered(runtime: &Runtime, options: &StdparOptions, index: u32) -> Result<Place, RuntimeError> {
    place(runtime.device(index)?, options)
}

/// The device of threads that choose none.
pub(super) fn usual(runtime: &Runtime, options: &StdparOptions) -> Result<Place, RuntimeError> {
    let visible = &runtime.devices().visible;
    // The error for a number that no device has lists the reasons.
    let none = u32::try_from(visible.len()).unwrap_or(u32::MAX);
    match &options.device {
        Some(StdparDevice::Index(index)) => numbered(runtime, options, *index),
        Some(StdparDevice::Driver(name)) => {
            let named = visible.iter().find(|device| device.info().driver == *name);
            named.map_or_else(|| numbered(runtime, options, none), |device| place(device, options))
        }
        None => {
            let first = visible.iter().find_map(|device| place(device, options).ok());
            first.map_or_else(|| numbered(runtime, options, none), Ok)
        }
    }
}

/// The CPU of the host, whose kernels can use all memory, whether it is visible or not.
pub(super) fn host(runtime: &Runtime) -> Option<Place> {
    let host = runtime.fallback(HOST)?;
    Some(Place { device: Arc::clone(host), reach: Reach::All, progresses: true })
}
