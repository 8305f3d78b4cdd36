//! Lists the devices of the process.
//!
//! *Invariant:* the runtime is asked once; numbers, names and order are its own.
#![expect(unsafe_code, reason = "asks the C interface about devices")]

use crate::{
    error::{RuntimeError, check},
    ffi,
    queue::Queue,
};
use std::{
    ffi::c_void,
    sync::{Arc, OnceLock},
};

/// Properties of a device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The vendor's name for it.
    pub name: String,
    /// `host`, `cuda`, ...
    pub driver: String,
    /// Compute units, in the vendor's sense.
    pub compute_units: u32,
}

/// A device that programs may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Its number, from 0 on.
    pub index: u32,
    info: DeviceInfo,
    target: String,
}

impl Device {
    /// Its properties.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// The target that its code is compiled for, such as `host:znver4`.
    pub fn target(&self) -> &str {
        &self.target
    }

    fn describe(index: u32) -> Result<Self, RuntimeError> {
        let mut units = [0; size_of::<u32>()];
        ask(index, ffi::DEVICE_MAX_COMPUTE_UNITS, &mut units)?;
        let name = text(index, ffi::DEVICE_NAME)?;
        let info = DeviceInfo {
            name,
            driver: text(index, ffi::DEVICE_DRIVER_NAME)?,
            compute_units: u32::from_ne_bytes(units),
        };
        Ok(Device { index, info, target: text(index, ffi::DEVICE_TARGET)? })
    }
}

/// Fills `value` if it is not empty; returns the size of the whole answer in bytes.
fn ask(device: u32, what: u32, value: &mut [u8]) -> Result<usize, RuntimeError> {
    let mut required = 0;
    let place = if value.is_empty() { std::ptr::null_mut() } else { value.as_mut_ptr().cast::<c_void>() };
    // SAFETY: null, or writable for the size that is given.
    check(unsafe { ffi::sinter_device_get_info(device, what, place, value.len(), &mut required) })?;
    Ok(required)
}

fn text(device: u32, what: u32) -> Result<String, RuntimeError> {
    let mut bytes = vec![0; ask(device, what, &mut [])?];
    ask(device, what, &mut bytes)?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// The devices of the process.
#[derive(Debug, Default)]
pub struct Devices {
    /// The devices that the environment lets programs use, in the order of their numbers.
    pub visible: Vec<Device>,
}

/// The runtime of the process.
#[derive(Debug)]
pub struct Runtime {
    devices: Devices,
}

static GLOBAL: OnceLock<Arc<Runtime>> = OnceLock::new();

impl Runtime {
    /// The runtime, which reads the environment on the first call. A device that cannot be
    /// described is not listed.
    pub fn global() -> Arc<Runtime> {
        Arc::clone(GLOBAL.get_or_init(|| Arc::new(Runtime { devices: Self::discover() })))
    }

    fn discover() -> Devices {
        let mut count = 0;
        // SAFETY: writable.
        let counted = check(unsafe { ffi::sinter_device_count(&mut count) });
        let indices = counted.map_or(0..0, |()| 0..count);
        Devices { visible: indices.filter_map(|index| Device::describe(index).ok()).collect() }
    }

    /// The devices.
    pub fn devices(&self) -> &Devices {
        &self.devices
    }

    /// An in-order queue of a device.
    pub fn create_queue(&self, device: u32) -> Result<Queue, RuntimeError> {
        Queue::new(device)
    }
}
