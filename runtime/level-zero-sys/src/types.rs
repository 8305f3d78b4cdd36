//! Types and numbers of Level Zero's interface.
//!
//! *Invariant:* every structure of the interface starts with its type and a pointer to the next
//! one; [`Structure::new`] initialises both.
#![allow(missing_docs, reason = "they are the specification's names, with its meaning")]

use std::{
    ffi::{c_char, c_void},
    mem, ptr,
};

/// Opaque pointees of the driver's handles.
macro_rules! opaque {
    ($($name:ident, $pointer:ident;)*) => {
        $(
            #[repr(C)]
            pub struct $name {
                _private: [u8; 0],
            }
            pub type $pointer = *mut $name;
        )*
    };
}

opaque! {
    DriverStruct, Driver;
    DeviceStruct, Device;
    ContextStruct, Context;
    CommandListStruct, CommandList;
    EventPoolStruct, EventPool;
    EventStruct, Event;
    ModuleStruct, Module;
    ModuleLogStruct, ModuleLog;
    KernelStruct, Kernel;
}

/// First fields of every structure: `stype` and `pNext`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Header {
    pub kind: u32,
    pub next: *mut c_void,
}

/// A structure that starts with a [`Header`] and consists of numbers, strings and pointers.
///
/// # Safety
/// The all-zero value is valid, and the first field is a [`Header`].
pub unsafe trait Structure: Sized {
    /// Value of `stype`.
    const KIND: u32;

    /// A zeroed structure with its type set and no next structure.
    fn new() -> Self {
        // SAFETY: the all-zero value is valid.
        let mut made: Self = unsafe { mem::zeroed() };
        let header: *mut Header = (&raw mut made).cast();
        // SAFETY: the structure starts with a header, which nobody else refers to.
        unsafe { header.write(Header { kind: Self::KIND, next: ptr::null_mut() }) };
        made
    }
}

macro_rules! structures {
    ($($name:ident = $kind:literal { $($field:ident: $type:ty,)* })*) => {
        $(
            #[derive(Debug, Clone, Copy)]
            #[repr(C)]
            pub struct $name {
                pub header: Header,
                $(pub $field: $type,)*
            }
            // SAFETY: the structure starts with a header and has numbers, arrays of them and raw
            // pointers.
            unsafe impl Structure for $name {
                const KIND: u32 = $kind;
            }
        )*
    };
}

structures! {
    DriverProperties = 0x1 { uuid: [u8; 16], driver_version: u32, }
    // `ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2`, whose timer resolution is in cycles per second.
    DeviceProperties = 0x0002_0006 {
        device_type: u32,
        vendor_id: u32,
        device_id: u32,
        flags: u32,
        subdevice_id: u32,
        core_clock_rate: u32,
        max_allocation: u64,
        max_hardware_contexts: u32,
        max_queue_priority: u32,
        threads_per_eu: u32,
        eu_simd_width: u32,
        eus_per_subslice: u32,
        subslices_per_slice: u32,
        slices: u32,
        timer_resolution: u64,
        timestamp_valid_bits: u32,
        kernel_timestamp_valid_bits: u32,
        uuid: [u8; 16],
        name: [c_char; 256],
    }
    ComputeProperties = 0x4 {
        max_total_group_size: u32,
        max_group_sizes: [u32; 3],
        max_group_counts: [u32; 3],
        max_local_memory: u32,
        sub_group_size_count: u32,
        sub_group_sizes: [u32; 8],
    }
    ModuleProperties = 0x5 {
        spirv_version: u32,
        flags: u32,
        fp16_flags: u32,
        fp32_flags: u32,
        fp64_flags: u32,
        max_arguments_size: u32,
        printf_buffer_size: u32,
        native_kernel_uuid: [u8; 16],
    }
    QueueGroup = 0x6 { flags: u32, max_fill_pattern: usize, queues: u32, }
    MemoryProperties = 0x7 {
        flags: u32,
        max_clock_rate: u32,
        max_bus_width: u32,
        total_size: u64,
        name: [c_char; 256],
    }
    MemoryAccess = 0x8 { host: u32, device: u32, shared_single: u32, shared_cross: u32, shared_system: u32, }
    ContextDesc = 0xd { flags: u32, }
    QueueDesc = 0xe { ordinal: u32, index: u32, flags: u32, mode: u32, priority: u32, }
    EventPoolDesc = 0x10 { flags: u32, count: u32, }
    EventDesc = 0x11 { index: u32, signal: u32, wait: u32, }
    DeviceMemoryDesc = 0x15 { flags: u32, ordinal: u32, }
    HostMemoryDesc = 0x16 { flags: u32, }
    AllocationProperties = 0x17 { memory_type: u32, id: u64, page_size: u64, }
    ModuleDesc = 0x1b {
        format: u32,
        size: usize,
        input: *const u8,
        flags: *const c_char,
        constants: *const c_void,
    }
    KernelDesc = 0x1d { flags: u32, name: *const c_char, }
    KernelProperties = 0x1e {
        arguments: u32,
        required_group: [u32; 3],
        required_sub_groups: u32,
        required_sub_group_size: u32,
        max_sub_group_size: u32,
        max_sub_groups: u32,
        local_memory: u32,
        private_memory: u32,
        spill_memory: u32,
        kernel_uuid: [u8; 16],
        module_uuid: [u8; 16],
    }
    // Of the extension `ZE_extension_float_atomics`.
    FloatAtomics = 0x0001_0003 { fp16: u32, fp32: u32, fp64: u32, }
    // Of the extension `ZE_extension_kernel_max_group_size_properties`.
    KernelMaxGroupSize = 0x0001_0013 { max_group_size: u32, }
    DriverTypeDesc = 0x0002_0021 { flags: u32, }
    // Of the extension `ZE_extension_device_usablemem_size_properties`.
    UsableMemory = 0x0002_0041 { size: u64, }
}

/// `ze_driver_extension_properties_t`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Extension {
    pub name: [c_char; 256],
    pub version: u32,
}

/// `ze_group_count_t`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct GroupCount {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

/// `ze_copy_region_t`; the width is in bytes.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct CopyRegion {
    pub x: u32,
    pub y: u32,
    pub z: u32,
    pub width: u32,
    pub height: u32,
    pub depth: u32,
}

pub const FLOAT_ATOMICS: &str = "ZE_extension_float_atomics";
pub const SUB_GROUPS: &str = "ZE_extension_subgroups";
pub const KERNEL_MAX_GROUP_SIZE: &str = "ZE_extension_kernel_max_group_size_properties";
pub const USABLE_MEMORY: &str = "ZE_extension_device_usablemem_size_properties";

/// `ZE_MAKE_VERSION`.
pub const fn version(major: u32, minor: u32) -> u32 {
    (major << 16) | minor
}

/// `ze_device_type_t`.
pub const DEVICE_GPU: u32 = 1;
pub const DEVICE_CPU: u32 = 2;

/// `ze_device_module_flag_t`.
pub const MODULE_FP16: u32 = 1;
pub const MODULE_FP64: u32 = 1 << 1;
pub const MODULE_INT64_ATOMICS: u32 = 1 << 2;

/// `ze_device_fp_atomic_ext_flag_t`: in global and in local memory.
pub const FLOAT_ADD: u32 = (1 << 1) | (1 << 17);
pub const FLOAT_MIN_MAX: u32 = (1 << 2) | (1 << 18);

/// `ZE_MEMORY_ACCESS_CAP_FLAG_RW`.
pub const ACCESS_RW: u32 = 1;

/// `ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE`.
pub const GROUP_COMPUTE: u32 = 1;
/// `ZE_COMMAND_QUEUE_FLAG_IN_ORDER`, since version 1.7.
pub const QUEUE_IN_ORDER: u32 = 1 << 1;
/// `ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS`.
pub const QUEUE_ASYNCHRONOUS: u32 = 2;

/// `ZE_EVENT_POOL_FLAG_HOST_VISIBLE`.
pub const POOL_HOST_VISIBLE: u32 = 1;
/// `ZE_EVENT_SCOPE_FLAG_HOST`.
pub const SCOPE_HOST: u32 = 1 << 2;

/// `ze_memory_advice_t`.
pub const ADVICE_SET_READ_MOSTLY: u32 = 0;
pub const ADVICE_CLEAR_READ_MOSTLY: u32 = 1;
pub const ADVICE_SET_PREFERRED_LOCATION: u32 = 2;
pub const ADVICE_CLEAR_PREFERRED_LOCATION: u32 = 3;

/// `ze_memory_type_t`.
pub const MEMORY_UNKNOWN: u32 = 0;
pub const MEMORY_DEVICE: u32 = 2;
pub const MEMORY_SHARED: u32 = 3;

/// `ze_module_format_t`.
pub const FORMAT_SPIRV: u32 = 0;
pub const FORMAT_NATIVE: u32 = 1;

/// All flags of `ze_kernel_indirect_access_flag_t`: host, device and shared memory.
pub const INDIRECT_ANY: u32 = 7;

/// All flags of `ze_init_driver_type_flag_t` except that of NPUs.
pub const DRIVERS_OF_GPUS: u32 = 1;

/// Timeout of a wait without a limit.
pub const FOREVER: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    /// Sizes and offsets from gcc 12 for `ze_api.h` of loaders 1.8 and 1.32.
    #[test]
    fn layouts_are_those_of_the_header() {
        let sizes = [
            (size_of::<DriverProperties>(), 40),
            (size_of::<DeviceProperties>(), 368),
            (size_of::<ComputeProperties>(), 88),
            (size_of::<ModuleProperties>(), 64),
            (size_of::<QueueGroup>(), 40),
            (size_of::<MemoryProperties>(), 296),
            (size_of::<MemoryAccess>(), 40),
            (size_of::<ContextDesc>(), 24),
            (size_of::<QueueDesc>(), 40),
            (size_of::<EventPoolDesc>(), 24),
            (size_of::<EventDesc>(), 32),
            (size_of::<DeviceMemoryDesc>(), 24),
            (size_of::<HostMemoryDesc>(), 24),
            (size_of::<AllocationProperties>(), 40),
            (size_of::<ModuleDesc>(), 56),
            (size_of::<KernelDesc>(), 32),
            (size_of::<KernelProperties>(), 96),
            (size_of::<FloatAtomics>(), 32),
            (size_of::<Extension>(), 260),
            (size_of::<CopyRegion>(), 24),
            (offset_of!(DeviceProperties, timer_resolution), 80),
            (offset_of!(DeviceProperties, name), 112),
            (offset_of!(KernelProperties, local_memory), 48),
            (offset_of!(ModuleDesc, input), 32),
            (offset_of!(QueueDesc, mode), 28),
        ];
        let (ours, theirs): (Vec<_>, Vec<_>) = sizes.into_iter().unzip();
        assert_eq!(ours, theirs);
    }

    #[test]
    fn structures_say_what_they_are() {
        let desc = QueueDesc::new();
        assert_eq!((desc.header.kind, desc.header.next.is_null(), desc.mode), (0xe, true, 0));
    }
}
