//! Discovers the devices and numbers them.
//!
//! In: drivers and the visibility mask. Out: devices in the order of the mask, or of the drivers.
//! *Invariant:* a driver that fails hides only its own devices.
#![forbid(unsafe_code)]

use crate::{
    buffers::side::DeviceSide,
    device_globals::DeviceGlobals,
    error::RuntimeError,
    settings::visibility::{self, MaskEntry, VisibilityMask},
};
use sinter_core::Target;
use sinter_driver::{Device, DeviceFeatures, DeviceInfo, Driver, Memory, MemoryKind, PointerInfo};
use std::{
    ffi::c_void,
    sync::{Arc, Mutex, PoisonError},
};

/// Default alignment of allocations in bytes: a cache line, and the widest vector.
pub(crate) const DEFAULT_ALIGNMENT: usize = 64;

/// Device limits that every launch is checked against, copied from the device's properties.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum work-items in a work-group.
    pub group: u64,
    /// Maximum work-items in a work-group per dimension.
    pub sizes: [u64; 3],
    /// Local memory of a work-group in bytes.
    pub local_memory: u64,
}

/// A visible device with its index.
pub struct DeviceEntry {
    /// Position in the order of the visibility mask, from 0.
    pub index: u32,
    /// The driver's object.
    pub device: Arc<dyn Device>,
    /// Copy of the limits that launches are checked against.
    pub limits: Limits,
    /// Memory and a queue for transfers of buffers.
    pub(crate) buffers: DeviceSide,
    /// Device globals that kernels or copies have used.
    pub(crate) globals: DeviceGlobals,
}

impl DeviceEntry {
    fn new(index: usize, device: Arc<dyn Device>) -> Arc<Self> {
        let info = device.info();
        let limits = Limits {
            group: info.max_work_group_size,
            sizes: info.max_work_item_sizes,
            local_memory: info.local_memory,
        };
        let (buffers, globals) = (DeviceSide::default(), DeviceGlobals::default());
        Arc::new(DeviceEntry { index: index as u32, device, limits, buffers, globals })
    }

    /// Properties that the driver reports.
    pub fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    /// Target that code for the device is translated for.
    pub fn target(&self) -> &Target {
        self.device.target()
    }

    /// Allocates USM; null for a size of 0. `alignment` is a power of two.
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

    /// Rejects a kind of USM that the device does not support.
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

/// Result of asking one driver for devices.
pub struct DriverEntry {
    /// Name as in the visibility mask.
    pub name: &'static str,
    /// Its devices, in the driver's own order.
    pub devices: Vec<Arc<dyn Device>>,
    /// Reason why there are no devices.
    pub absence: Option<String>,
    /// True if the driver was not asked, because the mask does not name it.
    pub is_hidden: bool,
}

/// Result of device discovery.
pub struct Devices {
    /// Visible devices, by index.
    pub visible: Vec<Arc<DeviceEntry>>,
    /// All drivers of this build.
    pub drivers: Vec<DriverEntry>,
    /// Messages about words of the mask that select nothing.
    pub warnings: Vec<String>,
    /// Environment variable that the mask was read from.
    pub mask: Option<&'static str>,
    /// Parts of devices that the program asked for. They stay until the process ends, as devices
    /// do.
    parts: Mutex<Vec<(Part, &'static Arc<DeviceEntry>)>>,
}

/// Index of the first part of a device: above those of all devices.
pub const FIRST_PART: u32 = 1 << 16;

/// Index of the one device that may be used although it is not visible.
const HIDDEN: usize = FIRST_PART as usize - 1;

/// The compute units of a part of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// A run of the parent's.
    Run {
        /// The first one.
        first: u32,
        /// Number of compute units.
        count: u32,
    },
    /// Those of a NUMA node, by its place among the parent's nodes.
    Node(u32),
}

/// A part of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Index of the device or part that it is a part of.
    pub parent: u32,
    /// The compute units that it has.
    pub units: Units,
    /// How the program divided the parent, as a number of its own.
    pub partition: u32,
}

/// Lists a driver's devices. If the mask hides them all, the driver's library is not opened.
fn list_devices(driver: &dyn Driver, mask: Option<&VisibilityMask>) -> DriverEntry {
    if let Some(mask) = mask.filter(|mask| !mask.wants(driver.name())) {
        let absence = Some(format!("not looked for, because {} does not name it", mask.variable));
        return DriverEntry { name: driver.name(), devices: Vec::new(), absence, is_hidden: true };
    }
    let (devices, failure) = match driver.devices() {
        Ok(devices) => (devices, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let absence = devices.is_empty().then(|| failure.or_else(|| driver.absence())).flatten();
    DriverEntry { name: driver.name(), devices, absence, is_hidden: false }
}

/// Joins names of drivers for a message.
fn known(names: impl Iterator<Item = &'static str>) -> String {
    let explained = |name| if name == "host" { "host (the CPU)" } else { name };
    names.map(explained).collect::<Vec<_>>().join(", ")
}

/// Reason why a driver that was asked has no device.
fn reason(driver: &DriverEntry) -> Option<String> {
    let absence = driver.absence.as_ref().filter(|_| !driver.is_hidden)?;
    Some(format!("{}: {absence}", driver.name))
}

/// Logs why there is no device; the program sees only that there is none.
fn warn_of_none(drivers: &[DriverEntry]) {
    let reasons = drivers.iter().filter_map(reason).collect::<Vec<_>>().join("; ");
    let reasons = if reasons.is_empty() { reasons } else { format!(" ({reasons})") };
    tracing::warn!("no device can be used{reasons}; sinter-info shows what each driver finds");
}

/// Devices that the indices of an entry refer to, in an ordered mask.
fn candidates<'d>(entry: &MaskEntry, drivers: &'d [DriverEntry]) -> Vec<&'d Arc<dyn Device>> {
    let of = drivers.iter().filter(|driver| entry.may_be_of(driver.name)).flat_map(|driver| &driver.devices);
    of.filter(|device| entry.kind.is_none_or(|kind| kind == device.info().kind)).collect()
}

/// Number of devices that an entry can choose from. In an unordered mask, indices are those of the
/// drivers.
fn count(mask: &VisibilityMask, entry: &MaskEntry, drivers: &[DriverEntry]) -> usize {
    if mask.is_ordered {
        return candidates(entry, drivers).len();
    }
    let of = drivers.iter().filter(|driver| entry.may_be_of(driver.name));
    of.map(|driver| driver.devices.len()).max().unwrap_or_default()
}

/// Reasons why an entry selects less than it says. A driver without devices is not one, because
/// masks name alternatives.
fn miss(mask: &VisibilityMask, entry: &MaskEntry, drivers: &[DriverEntry]) -> Vec<String> {
    let names = || known(drivers.iter().map(|driver| driver.name));
    if !drivers.iter().any(|driver| entry.may_be_of(driver.name)) {
        let word = MaskEntry { indices: None, ..entry.clone() };
        return vec![format!("`{word}` selects nothing: valid are {}, gpu and cpu", names())];
    }
    let word = MaskEntry { indices: None, kind: entry.kind.filter(|_| entry.driver.is_none()), ..entry.clone() };
    let count = count(mask, entry, drivers);
    let numbers = if count == 0 { "none".to_owned() } else { format!("{count}, numbered from 0") };
    let missing = entry.indices.iter().flatten().filter(|index| **index >= count);
    let missing = missing.map(|index| format!("`{word}` has no device {index}: it has {numbers}"));
    let no_such = entry.driver.is_some() && entry.kind.is_some() && count > 0 && candidates(entry, drivers).is_empty();
    missing.chain(no_such.then(|| format!("`{word}` has no device of the kind that is asked for"))).collect()
}

/// Messages about words of the mask that select nothing, each with valid alternatives.
fn misses(mask: &VisibilityMask, drivers: &[DriverEntry]) -> Vec<String> {
    let bad = mask.bad_words.iter().map(ToString::to_string);
    let missing = mask.entries.iter().flat_map(|entry| miss(mask, entry, drivers));
    bad.chain(missing).map(|text| format!("{}: {text}", mask.variable)).collect()
}

/// Devices that one entry of an ordered mask selects.
fn select(entry: &MaskEntry, drivers: &[DriverEntry]) -> Vec<Arc<dyn Device>> {
    let devices = candidates(entry, drivers);
    match &entry.indices {
        None => devices.into_iter().cloned().collect(),
        Some(indices) => indices.iter().filter_map(|index| devices.get(*index).copied().cloned()).collect(),
    }
}

/// Devices that an unordered mask selects, in the order of the drivers.
fn leave(mask: &VisibilityMask, drivers: &[DriverEntry]) -> Vec<Arc<dyn Device>> {
    let numbered =
        drivers.iter().flat_map(|driver| driver.devices.iter().enumerate().map(move |(i, d)| (driver, i, d)));
    let is_left = |driver: &DriverEntry, index, device: &Arc<dyn Device>| {
        let has = |entry: &MaskEntry| entry.has(driver.name, device.info().kind, index);
        mask.entries.iter().any(has) && !mask.hidden.iter().any(has)
    };
    numbered.filter(|(driver, index, device)| is_left(driver, *index, device)).map(|(.., d)| Arc::clone(d)).collect()
}

fn chosen(mask: &VisibilityMask, drivers: &[DriverEntry]) -> Vec<Arc<dyn Device>> {
    let devices = match mask.is_ordered {
        true => mask.entries.iter().flat_map(|entry| select(entry, drivers)).collect(),
        false => leave(mask, drivers),
    };
    let names = devices.iter().filter_map(|device| selector(drivers, device)).collect::<Vec<_>>().join(";");
    tracing::info!("{} selects {}", mask.variable, if names.is_empty() { "no device" } else { &names });
    devices
}

/// Value of `SINTER_VISIBILITY_MASK` that selects only this device.
fn selector(drivers: &[DriverEntry], device: &Arc<dyn Device>) -> Option<String> {
    let place = |driver: &DriverEntry| driver.devices.iter().position(|known| Arc::ptr_eq(known, device));
    drivers.iter().find_map(|driver| Some(visibility::selector(driver.name, place(driver)?)))
}

/// Asks the drivers that the mask names, and numbers the devices that it selects.
pub fn discover(drivers: &[Box<dyn Driver>], mask: Option<&VisibilityMask>) -> Devices {
    let drivers: Vec<_> = drivers.iter().map(|driver| list_devices(driver.as_ref(), mask)).collect();
    let warnings = mask.map(|mask| misses(mask, &drivers)).unwrap_or_default();
    warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
    let chosen: Vec<_> = match mask {
        Some(mask) => chosen(mask, &drivers),
        None => drivers.iter().flat_map(|driver| driver.devices.clone()).collect(),
    };
    if chosen.is_empty() {
        warn_of_none(&drivers);
    }
    let visible = chosen.into_iter().enumerate().map(|(index, device)| DeviceEntry::new(index, device)).collect();
    Devices { visible, drivers, warnings, mask: mask.map(|mask| mask.variable), parts: Mutex::default() }
}

/// A device of some of the compute units of `parent`.
fn divided(parent: &DeviceEntry, units: Units) -> Result<Arc<dyn Device>, RuntimeError> {
    let (all, nodes) = (parent.info().compute_units, parent.device.node_count());
    match units {
        Units::Run { first, count } if count == 0 || first.checked_add(count).is_none_or(|end| end > all) => {
            let reason = format!("{count} from {first} on is not a part of the {all} compute units");
            Err(RuntimeError::invalid("units", reason))
        }
        Units::Run { count, .. } => Ok(parent.device.part(count)?),
        Units::Node(node) if nodes > 0 && node >= nodes => {
            Err(RuntimeError::invalid("node", format!("{node} is not below {nodes}, the number of NUMA nodes")))
        }
        Units::Node(node) => Ok(parent.device.part_of_node(node)?),
    }
}

impl Devices {
    /// The device that owns the allocation around `pointer`. Searches allocations of the runtime on
    /// every device before it asks drivers about other memory, since a driver may know the memory
    /// of all its devices.
    pub fn owner(&self, pointer: *const c_void) -> Option<(&Arc<DeviceEntry>, PointerInfo)> {
        let first = |query: fn(&dyn Memory, *const c_void) -> Option<PointerInfo>| {
            self.visible.iter().find_map(|entry| Some((entry, query(entry.device.memory(), pointer)?)))
        };
        first(|memory, pointer| memory.query_own(pointer)).or_else(|| first(|memory, pointer| memory.query(pointer)))
    }

    /// A device that the program cannot choose.
    pub(crate) fn hidden(device: Arc<dyn Device>) -> Arc<DeviceEntry> {
        DeviceEntry::new(HIDDEN, device)
    }

    /// Value of `SINTER_VISIBILITY_MASK` that selects only this device.
    pub fn selector(&self, entry: &DeviceEntry) -> String {
        selector(&self.drivers, &entry.device).unwrap_or_default()
    }

    /// The device at `index`. The error lists the reasons for missing devices.
    pub fn get(&self, index: u32) -> Result<&Arc<DeviceEntry>, RuntimeError> {
        if let Some((_, entry)) = self.part(index) {
            return Ok(entry);
        }
        self.visible.get(index as usize).ok_or_else(|| RuntimeError::NoDevice {
            index,
            count: self.visible.len(),
            mask: self.mask,
            reasons: self.reasons(),
        })
    }

    /// The part of a device at `index`; `None` for a whole device and for no device.
    pub fn part(&self, index: u32) -> Option<(Part, &Arc<DeviceEntry>)> {
        let place = index.checked_sub(FIRST_PART)?;
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.get(place as usize).copied()
    }

    /// Index of a part of a device. The same part has the same index each time.
    pub fn divide(&self, part: Part) -> Result<u32, RuntimeError> {
        let parent = self.get(part.parent)?;
        let device = divided(parent, part.units)?;
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = parts.iter().position(|(known, _)| *known == part);
        let place = known.unwrap_or_else(|| {
            let entry = DeviceEntry::new(FIRST_PART as usize + parts.len(), device);
            parts.push((part, Box::leak(Box::new(entry))));
            parts.len() - 1
        });
        Ok(FIRST_PART + place as u32)
    }

    /// Reasons for missing devices: those of the mask, then those of drivers.
    fn reasons(&self) -> Vec<String> {
        self.warnings.iter().cloned().chain(self.drivers.iter().filter_map(reason)).collect()
    }
}
