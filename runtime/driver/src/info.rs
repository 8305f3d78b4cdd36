//! Properties of a device.

/// What sort of device it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum DeviceKind {
    /// The host CPU.
    Cpu = 0,
    /// A graphics processor.
    Gpu = 1,
    /// Anything else.
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
    /// 64-bit atomics.
    pub const ATOMIC64: u64 = 1 << 2;
    /// Device allocations.
    pub const USM_DEVICE: u64 = 1 << 3;
    /// Host allocations.
    pub const USM_HOST: u64 = 1 << 4;
    /// Shared allocations.
    pub const USM_SHARED: u64 = 1 << 5;
    /// Any host pointer may be used in a kernel.
    pub const USM_SYSTEM: u64 = 1 << 6;
}

/// Properties of a device. Sizes are in bytes, work-group sizes in work-items, x first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Marketing name.
    pub name: String,
    /// Vendor.
    pub vendor: String,
    /// PCI vendor id, 0 if unknown.
    pub vendor_id: u32,
    /// Name of the driver it was found through.
    pub driver: &'static str,
    /// Version of that driver.
    pub driver_version: String,
    /// What sort of device it is.
    pub kind: DeviceKind,
    /// Cores or multiprocessors.
    pub compute_units: u32,
    /// Work-items in a work-group, at most.
    pub max_work_group_size: u64,
    /// Work-items in a work-group and dimension, at most.
    pub max_work_item_sizes: [u64; 3],
    /// Memory.
    pub global_memory: u64,
    /// Local memory of a work-group, at most.
    pub local_memory: u64,
    /// Largest single allocation.
    pub max_allocation: u64,
    /// Clock in MHz, 0 if unknown.
    pub clock_mhz: u32,
    /// Cache line size, 0 if unknown.
    pub cache_line: u32,
    /// Sub-group sizes that kernels can run with.
    pub sub_group_sizes: Vec<u64>,
    /// Optional features.
    pub features: DeviceFeatures,
}
