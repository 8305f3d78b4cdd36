//! Finds the devices and numbers them.
//!
//! In: drivers and the visibility mask. Out: devices in the order of the mask, or of the drivers. *Invariant:* a driver that
//! fails hides only its own devices.
#![forbid(unsafe_code)]

use crate::{
    error::RuntimeError,
    visibility::{MaskEntry, VisibilityMask},
};
use sinter_core::Target;
use sinter_driver::{Device, DeviceFeatures, DeviceInfo, Driver, Memory, MemoryKind, PointerInfo};
use std::{ffi::c_void, sync::Arc};

/// Alignment of an allocation whose caller does not care: a cache line, and the widest vector.
pub(crate) const DEFAULT_ALIGNMENT: usize = 64;

/// What a launch is checked against, copied out of the device's properties.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Work-items in a work-group.
    pub group: u64,
    /// Work-items in a work-group and dimension.
    pub sizes: [u64; 3],
    /// Local memory of a work-group in bytes.
    pub local_memory: u64,
}

/// A numbered device.
pub struct DeviceEntry {
    /// Its number.
    pub index: u32,
    /// The device.
    pub device: Arc<dyn Device>,
    /// What launches are checked against.
    pub limits: Limits,
}

impl DeviceEntry {
    fn new(index: usize, device: Arc<dyn Device>) -> Arc<Self> {
        let info = device.info();
        let limits = Limits {
            group: info.max_work_group_size,
            sizes: info.max_work_item_sizes,
            local_memory: info.local_memory,
        };
        Arc::new(DeviceEntry { index: index as u32, device, limits })
    }

    /// Its properties.
    pub fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    /// What code for it is generated for.
    pub fn target(&self) -> &Target {
        self.device.target()
    }

    /// Memory of the device; null for a size of 0. `alignment` is a power of two.
    pub(crate) fn allocate(
        &self,
        kind: MemoryKind,
        size: usize,
        alignment: usize,
    ) -> Result<*mut c_void, RuntimeError> {
        if size == 0 {
            return Ok(std::ptr::null_mut());
        }
        self.check_kind(kind)?;
        Ok(self.device.memory().allocate(kind, size, alignment)?)
    }

    /// Refuses memory that the device does not have.
    pub(crate) fn check_kind(&self, kind: MemoryKind) -> Result<(), RuntimeError> {
        let (bit, feature) = match kind {
            MemoryKind::Device => (DeviceFeatures::USM_DEVICE, "device allocations"),
            MemoryKind::Host => (DeviceFeatures::USM_HOST, "host allocations"),
            MemoryKind::Shared => (DeviceFeatures::USM_SHARED, "shared allocations"),
        };
        if self.info().features.0 & bit != 0 {
            return Ok(());
        }
        Err(RuntimeError::Unsupported { device: self.info().name.clone(), feature: feature.to_owned() })
    }
}

/// What one driver found.
pub struct DriverEntry {
    /// Name of the driver.
    pub name: &'static str,
    /// Its devices, by its own numbers.
    pub devices: Vec<Arc<dyn Device>>,
    /// Why there are none, where there are none.
    pub absence: Option<String>,
}

/// What was found.
pub struct Devices {
    /// The visible devices, by number.
    pub visible: Vec<Arc<DeviceEntry>>,
    /// Every driver of this build.
    pub drivers: Vec<DriverEntry>,
}

/// Whether the mask leaves devices of a driver. One that it does not name is not even asked: its library stays unopened.
fn is_wanted(driver: &dyn Driver, mask: Option<&VisibilityMask>) -> bool {
    mask.is_none_or(|mask| mask.0.iter().any(|entry| entry.driver == driver.name()))
}

fn ask(driver: &dyn Driver, mask: Option<&VisibilityMask>) -> DriverEntry {
    if !is_wanted(driver, mask) {
        let absence = Some("not looked for, because SINTER_VISIBILITY_MASK does not name it".to_owned());
        return DriverEntry { name: driver.name(), devices: Vec::new(), absence };
    }
    let (devices, failure) = match driver.devices() {
        Ok(devices) => (devices, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let absence = devices.is_empty().then(|| failure.or_else(|| driver.absence())).flatten();
    DriverEntry { name: driver.name(), devices, absence }
}

/// The mask, unless it names no driver at all: like any other value that cannot be used, it is then ignored.
fn usable<'m>(mask: Option<&'m VisibilityMask>, drivers: &[Box<dyn Driver>]) -> Option<&'m VisibilityMask> {
    let mask = mask?;
    if drivers.iter().any(|driver| is_wanted(driver.as_ref(), Some(mask))) {
        return Some(mask);
    }
    let asked = mask.0.iter().map(|entry| format!("`{}`", entry.driver)).collect::<Vec<_>>().join(", ");
    let names = known(drivers.iter().map(|driver| driver.name()));
    tracing::warn!(
        "SINTER_VISIBILITY_MASK ignored: there is no driver {asked}; drivers are {names}; using all devices"
    );
    None
}

/// The names of drivers for a message.
fn known(names: impl Iterator<Item = &'static str>) -> String {
    let explained = |name| if name == "host" { "host (the CPU)" } else { name };
    names.map(explained).collect::<Vec<_>>().join(", ")
}

/// Says why there is no device, which is more than the program knows.
fn warn_of_none(drivers: &[DriverEntry]) {
    let reason = |driver: &DriverEntry| Some(format!("{}: {}", driver.name, driver.absence.as_ref()?));
    let reasons = drivers.iter().filter_map(reason).collect::<Vec<_>>().join("; ");
    tracing::warn!("no device can be used ({reasons}); sinter-info shows what each driver finds");
}

/// The devices that one entry of the mask names. What it does not find is a warning.
fn select(entry: &MaskEntry, drivers: &[DriverEntry]) -> Vec<Arc<dyn Device>> {
    let Some(driver) = drivers.iter().find(|driver| driver.name == entry.driver) else {
        let names = known(drivers.iter().map(|driver| driver.name));
        tracing::warn!("SINTER_VISIBILITY_MASK: there is no driver `{}`; drivers are {names}", entry.driver);
        return Vec::new();
    };
    let Some(indices) = &entry.indices else { return driver.devices.clone() };
    let find = |index: &usize| {
        let device = driver.devices.get(*index).cloned();
        if device.is_none() {
            tracing::warn!("SINTER_VISIBILITY_MASK: driver `{}` has no device {index}", driver.name);
        }
        device
    };
    indices.iter().filter_map(find).collect()
}

/// Asks the drivers that the mask names and numbers what it leaves.
pub fn discover(drivers: &[Box<dyn Driver>], mask: Option<&VisibilityMask>) -> Devices {
    let mask = usable(mask, drivers);
    let drivers: Vec<_> = drivers.iter().map(|driver| ask(driver.as_ref(), mask)).collect();
    let chosen: Vec<_> = match mask {
        Some(mask) => mask.0.iter().flat_map(|entry| select(entry, &drivers)).collect(),
        None => drivers.iter().flat_map(|driver| driver.devices.clone()).collect(),
    };
    if chosen.is_empty() {
        warn_of_none(&drivers);
    }
    let visible = chosen.into_iter().enumerate().map(|(index, device)| DeviceEntry::new(index, device)).collect();
    Devices { visible, drivers }
}

impl Devices {
    /// The device whose allocation `pointer` points into. What was allocated here is looked for on every device before any is asked
    /// about memory of the program's, since a driver may know the memory of all its devices.
    pub fn owner(&self, pointer: *const c_void) -> Option<(&Arc<DeviceEntry>, PointerInfo)> {
        let first = |query: fn(&dyn Memory, *const c_void) -> Option<PointerInfo>| {
            self.visible.iter().find_map(|entry| Some((entry, query(entry.device.memory(), pointer)?)))
        };
        first(|memory, pointer| memory.query_own(pointer)).or_else(|| first(|memory, pointer| memory.query(pointer)))
    }

    /// The device with this number.
    pub fn get(&self, index: u32) -> Result<&Arc<DeviceEntry>, RuntimeError> {
        self.visible.get(index as usize).ok_or_else(|| RuntimeError::NoDevice {
            index,
            count: self.visible.len(),
            absences: self
                .drivers
                .iter()
                .filter_map(|d| Some(format!("{}: {}", d.name, d.absence.as_ref()?)))
                .collect(),
        })
    }
}
