//! Describes a GPU by the attributes that need no context.
//!
//! In: a device of the driver. Out: its properties and limits. *Invariant:* querying creates no
//! context, so it takes microseconds.

use crate::api::Api;
use cudarc::driver::sys::{CUdevice, CUdevice_attribute_enum as Attribute};
use sinter_driver::{DeviceFeatures, DeviceInfo, DeviceKind};
use sinter_driver_common::Failure;
use std::ffi::CStr;

pub(crate) use sinter_driver_common::Limits;

/// NVIDIA's PCI vendor ID.
const VENDOR_ID: u32 = 0x10de;
/// Size of a cache line in bytes, four sectors of 32 (CUDA C++ Best Practices Guide, "Coalesced
/// Access to Global Memory").
const CACHE_LINE: u32 = 128;
/// Work-items in a warp.
pub(crate) const WARP: u32 = 32;

/// Properties of a device on which nothing was created yet.
pub(crate) struct Found {
    pub(crate) device: CUdevice,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: Limits,
    /// Compute capability times ten.
    pub(crate) sm: u32,
}

/// Queries attributes of one device.
struct Attributes<'a> {
    api: &'a Api,
    device: CUdevice,
}

impl Attributes<'_> {
    fn signed(&self, attribute: Attribute) -> Result<i32, Failure> {
        let mut value = 0;
        // SAFETY: the device is one of the driver's, and `value` is writable.
        unsafe { self.api.device_attribute(&raw mut value, attribute, self.device) }?;
        Ok(value)
    }

    fn number(&self, attribute: Attribute) -> Result<u32, Failure> {
        self.signed(attribute).map(|value| u32::try_from(value).unwrap_or(0))
    }

    /// True if an attribute is set. Attributes that an old driver does not know count as absent.
    fn has(&self, attribute: Attribute) -> bool {
        self.signed(attribute).is_ok_and(|value| value != 0)
    }

    fn numbers(&self, attributes: [Attribute; 3]) -> Result<[u32; 3], Failure> {
        let [x, y, z] = attributes;
        Ok([self.number(x)?, self.number(y)?, self.number(z)?])
    }

    fn limits(&self) -> Result<Limits, Failure> {
        use Attribute::*;
        let local_memory = self.number(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?;
        let most = self.number(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).unwrap_or(0);
        let grid = [
            CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
            CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
            CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
        ];
        let group = [
            CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
            CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
            CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
        ];
        Ok(Limits {
            group: self.number(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            group_sizes: self.numbers(group)?,
            grid: self.numbers(grid)?.map(u64::from),
            local_memory,
            most_local_memory: most.max(local_memory),
            processors: self.number(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?.max(1),
            registers: self.number(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)?
                / self.number(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?.max(1),
            // Without concurrent access the host must not touch managed memory while a kernel runs,
            // and no SYCL program promises that.
            managed: self.has(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY)
                && self.has(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS),
            prefetch: self.has(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS),
        })
    }

    fn features(&self, limits: &Limits) -> DeviceFeatures {
        use Attribute::*;
        let when = |condition: bool, feature: u64| if condition { feature } else { 0 };
        // Every GPU from Volta on has these, and no older one is supported.
        let numbers = DeviceFeatures::FP64 | DeviceFeatures::FP16 | DeviceFeatures::SUBNORMALS;
        let always = numbers | DeviceFeatures::ATOMIC64 | DeviceFeatures::USM_DEVICE | DeviceFeatures::TIMES;
        let host =
            self.has(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) && self.has(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
        DeviceFeatures(
            always
                | when(host, DeviceFeatures::USM_HOST)
                | when(limits.managed, DeviceFeatures::USM_SHARED)
                | when(self.has(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS), DeviceFeatures::USM_SYSTEM),
        )
    }

    fn name(&self) -> Result<String, Failure> {
        let mut name = [0u8; 256];
        // SAFETY: the buffer has the length that is passed, less its last byte, which stays 0.
        unsafe { self.api.device_name(name.as_mut_ptr().cast(), name.len() as i32 - 1, self.device) }?;
        let name = CStr::from_bytes_until_nul(&name).map(CStr::to_string_lossy);
        Ok(name.map_or_else(|_| "NVIDIA GPU".to_owned(), String::from))
    }

    fn memory(&self) -> Result<u64, Failure> {
        let mut bytes = 0usize;
        // SAFETY: the device is one of the driver's, and `bytes` is writable.
        unsafe { self.api.device_memory(&raw mut bytes, self.device) }?;
        Ok(bytes as u64)
    }
}

/// Describes a device of a driver that supports CUDA `version`.
pub(crate) fn describe(api: &Api, device: CUdevice, version: &str) -> Result<Found, Failure> {
    let attributes = Attributes { api, device };
    let (limits, memory) = (attributes.limits()?, attributes.memory()?);
    let major = attributes.number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = attributes.number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    let info = DeviceInfo {
        name: attributes.name()?,
        vendor: "NVIDIA".to_owned(),
        vendor_id: VENDOR_ID,
        driver: "cuda",
        driver_version: version.to_owned(),
        kind: DeviceKind::Gpu,
        compute_units: limits.processors,
        max_work_group_size: limits.group.into(),
        max_work_item_sizes: limits.group_sizes.map(u64::from),
        global_memory: memory,
        local_memory: limits.most_local_memory.into(),
        max_allocation: memory,
        // CUDA 13 reports 0 for some GPUs.
        clock_mhz: attributes.number(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE).unwrap_or(0) / 1000,
        cache_line: CACHE_LINE,
        sub_group_sizes: vec![WARP.into()],
        features: attributes.features(&limits),
    };
    Ok(Found { device, info, limits, sm: major * 10 + minor })
}
