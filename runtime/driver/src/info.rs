//! Properties of a device.

use crate::DriverError;
use std::ffi::c_void;

/// Type of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum DeviceKind {
    /// The host CPU.
    Cpu = 0,
    /// A graphics processor.
    Gpu = 1,
    /// Any other type.
    Other = 2,
}

/// Optional features of a device, as bits of `sinter_device_feature`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DeviceFeatures(pub u64);

impl DeviceFeatures {
    /// Double precision.
    pub const FP64: u64 = 1 << 0;
    /// Half precision.
    pub const FP16: u64 = 1 << 1;
    /// Atomic operations on 64-bit integers.
    pub const ATOMIC64: u64 = 1 << 2;
    /// USM device allocations.
    pub const USM_DEVICE: u64 = 1 << 3;
    /// USM host allocations.
    pub const USM_HOST: u64 = 1 << 4;
    /// USM shared allocations.
    pub const USM_SHARED: u64 = 1 << 5;
    /// Kernels may access any host memory (USM system allocations).
    pub const USM_SYSTEM: u64 = 1 << 6;
    /// Arithmetic of `float` keeps subnormal numbers, which may count as zeros elsewhere.
    pub const SUBNORMALS: u64 = 1 << 7;
    /// Commands of queues have times.
    pub const TIMES: u64 = 1 << 8;
}

/// Properties of a device. Sizes are in bytes, work-group sizes in work-items, x first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Marketing name.
    pub name: String,
    /// Name of the vendor.
    pub vendor: String,
    /// PCI vendor ID, 0 if unknown.
    pub vendor_id: u32,
    /// Name of the driver in Sinter, as in the visibility mask.
    pub driver: &'static str,
    /// Version of the vendor's driver.
    pub driver_version: String,
    /// CPU, GPU or other.
    pub kind: DeviceKind,
    /// Number of cores or multiprocessors.
    pub compute_units: u32,
    /// Maximum work-items in a work-group.
    pub max_work_group_size: u64,
    /// Maximum work-items in a work-group per dimension.
    pub max_work_item_sizes: [u64; 3],
    /// Size of the global memory.
    pub global_memory: u64,
    /// Maximum local memory of a work-group.
    pub local_memory: u64,
    /// Maximum size of an allocation.
    pub max_allocation: u64,
    /// Clock in MHz, 0 if unknown.
    pub clock_mhz: u32,
    /// Cache line size, 0 if unknown.
    pub cache_line: u32,
    /// Sub-group sizes that kernels can run with.
    pub sub_group_sizes: Vec<u64>,
    /// Optional features that the device has.
    pub features: DeviceFeatures,
}

impl DeviceInfo {
    /// The address at which kernels access unregistered memory of the program: the program's own,
    /// on a device that reaches all memory.
    pub fn reach(&self, pointer: *mut c_void) -> Result<*mut c_void, DriverError> {
        if self.features.0 & DeviceFeatures::USM_SYSTEM != 0 {
            return Ok(pointer);
        }
        let feature = "registration of the program's memory: allocate it as host memory instead".to_owned();
        Err(DriverError::Unsupported { device: self.name.clone(), feature })
    }
}
