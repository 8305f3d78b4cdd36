//! Lists the devices of the process.
//!
//! *Invariant:* the runtime is queried once; indices, names and order are those of the runtime.
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
    /// Marketing name.
    pub name: String,
    /// Name of the driver: `host`, `cuda`, ...
    pub driver: String,
    /// Compute units, as the vendor defines them.
    pub compute_units: u32,
}

/// A visible device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Index, from 0.
    pub index: u32,
    info: DeviceInfo,
    target: String,
}

impl Device {
    /// Properties that the runtime reports.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Target of code for the device, such as `host:znver4`.
    pub fn target(&self) -> &str {
        &self.target
    }

    fn describe(index: u32) -> Result<Self, RuntimeError> {
        let mut units = [0; size_of::<u32>()];
        query(index, ffi::DEVICE_MAX_COMPUTE_UNITS, &mut units)?;
        let name = text(index, ffi::DEVICE_NAME)?;
        let info = DeviceInfo {
            name,
            driver: text(index, ffi::DEVICE_DRIVER_NAME)?,
            compute_units: u32::from_ne_bytes(units),
        };
        Ok(Device { index, info, target: text(index, ffi::DEVICE_TARGET)? })
    }
}

/// Queries a property. Fills `value` unless it is empty; returns the size of the property in bytes.
fn query(device: u32, what: u32, value: &mut [u8]) -> Result<usize, RuntimeError> {
    let mut required = 0;
    let place = if value.is_empty() { std::ptr::null_mut() } else { value.as_mut_ptr().cast::<c_void>() };
    // SAFETY: null, or writable for the given size.
    check(unsafe { ffi::sinter_device_get_info(device, what, place, value.len(), &mut required) })?;
    Ok(required)
}

fn text(device: u32, what: u32) -> Result<String, RuntimeError> {
    let mut bytes = vec![0; query(device, what, &mut [])?];
    query(device, what, &mut bytes)?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// Devices of the process.
#[derive(Debug, Default)]
pub struct Devices {
    /// Visible devices, in the order of their indices.
    pub visible: Vec<Device>,
}

/// The installed runtime, of which a process has one.
#[derive(Debug)]
pub struct Runtime {
    devices: Devices,
}

static GLOBAL: OnceLock<Arc<Runtime>> = OnceLock::new();

impl Runtime {
    /// The runtime; the first call reads the environment. Devices whose properties cannot be
    /// queried are not listed.
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

    /// Devices that programs may use.
    pub fn devices(&self) -> &Devices {
        &self.devices
    }

    /// Creates an in-order queue on the device at index `device`.
    pub fn create_queue(&self, device: u32) -> Result<Queue, RuntimeError> {
        Queue::new(device)
    }
}
