//! Types and numbers of OpenCL's interface.
//!
//! *Invariant:* names are those of the Khronos headers (`CL/cl.h`, `CL/cl_ext.h` of 2024-10-24), in
//! Rust's naming style.
#![allow(missing_docs, reason = "they are Khronos' names, with Khronos' meaning")]

/// Opaque pointees of the library's handles.
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
    PlatformStruct, Platform;
    DeviceStruct, Device;
    ContextStruct, Context;
    QueueStruct, Queue;
    ProgramStruct, Program;
    KernelStruct, Kernel;
    EventStruct, Event;
}

/// Numbers of `cl_platform_info`.
pub mod platform {
    pub const VERSION: u32 = 0x0901;
    pub const NAME: u32 = 0x0902;
}

/// Numbers of `cl_device_info`.
pub mod device {
    pub const TYPE: u32 = 0x1000;
    pub const VENDOR_ID: u32 = 0x1001;
    pub const MAX_COMPUTE_UNITS: u32 = 0x1002;
    pub const MAX_WORK_GROUP_SIZE: u32 = 0x1004;
    pub const MAX_WORK_ITEM_SIZES: u32 = 0x1005;
    pub const MAX_CLOCK_FREQUENCY: u32 = 0x100c;
    pub const ADDRESS_BITS: u32 = 0x100d;
    pub const MAX_MEM_ALLOC_SIZE: u32 = 0x1010;
    pub const GLOBAL_MEM_CACHELINE_SIZE: u32 = 0x101d;
    pub const GLOBAL_MEM_SIZE: u32 = 0x101f;
    pub const LOCAL_MEM_SIZE: u32 = 0x1023;
    pub const ENDIAN_LITTLE: u32 = 0x1026;
    pub const AVAILABLE: u32 = 0x1027;
    pub const SINGLE_FP_CONFIG: u32 = 0x101b;
    pub const COMPILER_AVAILABLE: u32 = 0x1028;
    pub const NAME: u32 = 0x102b;
    pub const VENDOR: u32 = 0x102c;
    pub const DRIVER_VERSION: u32 = 0x102d;
    pub const VERSION: u32 = 0x102f;
    pub const EXTENSIONS: u32 = 0x1030;
    pub const DOUBLE_FP_CONFIG: u32 = 0x1032;
    pub const MAX_GLOBAL_VARIABLE_SIZE: u32 = 0x104d;
    pub const SVM_CAPABILITIES: u32 = 0x1053;
    pub const ATOMIC_MEMORY_CAPABILITIES: u32 = 0x1063;
    pub const IL_VERSION: u32 = 0x105b;
    pub const MAX_NUM_SUB_GROUPS: u32 = 0x105c;
    pub const GENERIC_ADDRESS_SPACE_SUPPORT: u32 = 0x1069;
    /// `cl_khr_spirv_queries`.
    pub const SPIRV_EXTENSIONS: u32 = 0x12ba;
    pub const SPIRV_CAPABILITIES: u32 = 0x12bb;
    /// `cl_nv_device_attribute_query`.
    pub const WARP_SIZE: u32 = 0x4003;
    /// `cl_amd_device_attribute_query`.
    pub const WAVEFRONT_WIDTH: u32 = 0x4043;
    /// `cl_intel_required_subgroup_size`.
    pub const SUB_GROUP_SIZES: u32 = 0x4108;
    /// `cl_intel_unified_shared_memory`.
    pub const HOST_MEM_CAPABILITIES: u32 = 0x4190;
    pub const DEVICE_MEM_CAPABILITIES: u32 = 0x4191;
    pub const SHARED_MEM_CAPABILITIES: u32 = 0x4192;
    pub const SYSTEM_MEM_CAPABILITIES: u32 = 0x4194;
    /// `cl_ext_float_atomics`.
    pub const SINGLE_FP_ATOMIC_CAPABILITIES: u32 = 0x4231;
    pub const DOUBLE_FP_ATOMIC_CAPABILITIES: u32 = 0x4232;
}

/// Bits of `cl_device_type`.
pub const TYPE_CPU: u64 = 1 << 1;
pub const TYPE_GPU: u64 = 1 << 2;
pub const TYPE_ALL: u64 = 0xffff_ffff;

/// `CL_FP_DENORM`, a bit of `cl_device_fp_config`.
pub const FP_DENORM: u64 = 1 << 0;
/// Bits of `cl_device_svm_capabilities`.
pub const SVM_COARSE_GRAIN_BUFFER: u64 = 1 << 0;
pub const SVM_FINE_GRAIN_BUFFER: u64 = 1 << 1;
pub const SVM_FINE_GRAIN_SYSTEM: u64 = 1 << 2;
pub const SVM_ATOMICS: u64 = 1 << 3;
/// `CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES`.
pub const ATOMIC_SCOPE_ALL_DEVICES: u64 = 1 << 6;

/// `CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL`.
pub const MEMORY_ACCESS: u64 = 1 << 0;

/// Bits of `cl_device_fp_atomic_capabilities_ext`.
pub const GLOBAL_FP_ATOMIC_ADD: u64 = 1 << 1;
pub const GLOBAL_FP_ATOMIC_MIN_MAX: u64 = 1 << 2;
pub const LOCAL_FP_ATOMIC_ADD: u64 = 1 << 17;
pub const LOCAL_FP_ATOMIC_MIN_MAX: u64 = 1 << 18;

/// Bits of `cl_svm_mem_flags`.
pub const MEM_READ_WRITE: u64 = 1 << 0;
pub const MEM_SVM_FINE_GRAIN_BUFFER: u64 = 1 << 10;
pub const MEM_SVM_ATOMICS: u64 = 1 << 11;

/// `CL_CONTEXT_PLATFORM`.
pub const CONTEXT_PLATFORM: isize = 0x1084;

/// Numbers of `cl_command_queue_info`.
pub const QUEUE_CONTEXT: u32 = 0x1090;
pub const QUEUE_DEVICE: u32 = 0x1091;
pub const QUEUE_PROPERTIES: u32 = 0x1093;
/// Bits of `cl_command_queue_properties`.
pub const QUEUE_OUT_OF_ORDER: u64 = 1 << 0;
pub const QUEUE_PROFILING: u64 = 1 << 1;

/// `CL_PROGRAM_BINARY_SIZES`.
pub const PROGRAM_BINARY_SIZES: u32 = 0x1165;
/// `CL_PROGRAM_BINARIES`.
pub const PROGRAM_BINARIES: u32 = 0x1166;
/// `CL_PROGRAM_BUILD_LOG`.
pub const PROGRAM_BUILD_LOG: u32 = 0x1183;

/// `CL_KERNEL_NUM_ARGS`.
pub const KERNEL_NUM_ARGS: u32 = 0x1191;
/// Numbers of `cl_kernel_work_group_info`.
pub const KERNEL_WORK_GROUP_SIZE: u32 = 0x11b0;
pub const KERNEL_LOCAL_MEM_SIZE: u32 = 0x11b2;
pub const KERNEL_PREFERRED_MULTIPLE: u32 = 0x11b3;
/// Numbers of `cl_kernel_exec_info`.
pub const EXEC_INFO_SVM_PTRS: u32 = 0x11b6;
pub const EXEC_INFO_SVM_FINE_GRAIN_SYSTEM: u32 = 0x11b7;
pub const EXEC_INFO_INDIRECT_HOST: u32 = 0x4200;
pub const EXEC_INFO_INDIRECT_DEVICE: u32 = 0x4201;
pub const EXEC_INFO_INDIRECT_SHARED: u32 = 0x4202;

/// `CL_EVENT_COMMAND_EXECUTION_STATUS`.
pub const EVENT_STATUS: u32 = 0x11d3;
/// `CL_COMPLETE`.
pub const COMPLETE: i32 = 0;
/// `CL_PROFILING_COMMAND_END`.
pub const PROFILING_END: u32 = 0x1283;

/// Numbers of `cl_mem_info_intel`.
pub const ALLOC_TYPE: u32 = 0x419a;
pub const ALLOC_BASE: u32 = 0x419b;
pub const ALLOC_SIZE: u32 = 0x419c;
pub const ALLOC_DEVICE: u32 = 0x419d;
/// Numbers of `cl_unified_shared_memory_type_intel`.
pub const TYPE_HOST: u32 = 0x4197;
pub const TYPE_DEVICE: u32 = 0x4198;
pub const TYPE_SHARED: u32 = 0x4199;

/// `CL_MIGRATE_MEM_OBJECT_HOST`.
pub const MIGRATE_HOST: u64 = 1 << 0;

/// Error codes that the driver handles specially.
pub mod error {
    pub const DEVICE_NOT_FOUND: i32 = -1;
    pub const DEVICE_NOT_AVAILABLE: i32 = -2;
    pub const COMPILER_NOT_AVAILABLE: i32 = -3;
    pub const MEM_OBJECT_ALLOCATION_FAILURE: i32 = -4;
    pub const OUT_OF_RESOURCES: i32 = -5;
    pub const OUT_OF_HOST_MEMORY: i32 = -6;
    pub const PROFILING_INFO_NOT_AVAILABLE: i32 = -7;
    pub const BUILD_PROGRAM_FAILURE: i32 = -11;
    pub const EXEC_STATUS_ERROR: i32 = -14;
    pub const COMPILE_PROGRAM_FAILURE: i32 = -15;
    pub const LINK_PROGRAM_FAILURE: i32 = -17;
    pub const INVALID_VALUE: i32 = -30;
    pub const INVALID_BINARY: i32 = -42;
    pub const INVALID_BUILD_OPTIONS: i32 = -43;
    pub const INVALID_PROGRAM: i32 = -44;
    pub const INVALID_PROGRAM_EXECUTABLE: i32 = -45;
    pub const INVALID_KERNEL_NAME: i32 = -46;
    pub const INVALID_KERNEL_DEFINITION: i32 = -47;
    pub const INVALID_BUFFER_SIZE: i32 = -61;
    /// `CL_PLATFORM_NOT_FOUND_KHR` of `cl_khr_icd`.
    pub const PLATFORM_NOT_FOUND: i32 = -1001;

    /// Names of the errors from -1 down and from -30 down.
    const FIRST: [&str; 20] = [
        "CL_DEVICE_NOT_FOUND",
        "CL_DEVICE_NOT_AVAILABLE",
        "CL_COMPILER_NOT_AVAILABLE",
        "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        "CL_OUT_OF_RESOURCES",
        "CL_OUT_OF_HOST_MEMORY",
        "CL_PROFILING_INFO_NOT_AVAILABLE",
        "CL_MEM_COPY_OVERLAP",
        "CL_IMAGE_FORMAT_MISMATCH",
        "CL_IMAGE_FORMAT_NOT_SUPPORTED",
        "CL_BUILD_PROGRAM_FAILURE",
        "CL_MAP_FAILURE",
        "CL_MISALIGNED_SUB_BUFFER_OFFSET",
        "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
        "CL_COMPILE_PROGRAM_FAILURE",
        "CL_LINKER_NOT_AVAILABLE",
        "CL_LINK_PROGRAM_FAILURE",
        "CL_DEVICE_PARTITION_FAILED",
        "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
        "",
    ];
    const SECOND: [&str; 44] = [
        "CL_INVALID_VALUE",
        "CL_INVALID_DEVICE_TYPE",
        "CL_INVALID_PLATFORM",
        "CL_INVALID_DEVICE",
        "CL_INVALID_CONTEXT",
        "CL_INVALID_QUEUE_PROPERTIES",
        "CL_INVALID_COMMAND_QUEUE",
        "CL_INVALID_HOST_PTR",
        "CL_INVALID_MEM_OBJECT",
        "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
        "CL_INVALID_IMAGE_SIZE",
        "CL_INVALID_SAMPLER",
        "CL_INVALID_BINARY",
        "CL_INVALID_BUILD_OPTIONS",
        "CL_INVALID_PROGRAM",
        "CL_INVALID_PROGRAM_EXECUTABLE",
        "CL_INVALID_KERNEL_NAME",
        "CL_INVALID_KERNEL_DEFINITION",
        "CL_INVALID_KERNEL",
        "CL_INVALID_ARG_INDEX",
        "CL_INVALID_ARG_VALUE",
        "CL_INVALID_ARG_SIZE",
        "CL_INVALID_KERNEL_ARGS",
        "CL_INVALID_WORK_DIMENSION",
        "CL_INVALID_WORK_GROUP_SIZE",
        "CL_INVALID_WORK_ITEM_SIZE",
        "CL_INVALID_GLOBAL_OFFSET",
        "CL_INVALID_EVENT_WAIT_LIST",
        "CL_INVALID_EVENT",
        "CL_INVALID_OPERATION",
        "CL_INVALID_GL_OBJECT",
        "CL_INVALID_BUFFER_SIZE",
        "CL_INVALID_MIP_LEVEL",
        "CL_INVALID_GLOBAL_WORK_SIZE",
        "CL_INVALID_PROPERTY",
        "CL_INVALID_IMAGE_DESCRIPTOR",
        "CL_INVALID_COMPILER_OPTIONS",
        "CL_INVALID_LINKER_OPTIONS",
        "CL_INVALID_DEVICE_PARTITION_COUNT",
        "CL_INVALID_PIPE_SIZE",
        "CL_INVALID_DEVICE_QUEUE",
        "CL_INVALID_SPEC_ID",
        "CL_MAX_SIZE_RESTRICTION_EXCEEDED",
        "",
    ];

    /// The name of an error.
    pub fn name(code: i32) -> Option<&'static str> {
        let place = |first: i32| usize::try_from(first - code).ok();
        let found = match code {
            PLATFORM_NOT_FOUND => Some("CL_PLATFORM_NOT_FOUND_KHR"),
            -29..=-1 => FIRST.get(place(-1)?).copied(),
            _ => SECOND.get(place(-30)?).copied(),
        };
        found.filter(|name| !name.is_empty())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn names_are_those_of_the_numbers() {
            let known = [
                (DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"),
                (EXEC_STATUS_ERROR, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"),
                (-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"),
                (INVALID_VALUE, "CL_INVALID_VALUE"),
                (-46, "CL_INVALID_KERNEL_NAME"),
                (-54, "CL_INVALID_WORK_GROUP_SIZE"),
                (INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"),
                (-72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED"),
                (PLATFORM_NOT_FOUND, "CL_PLATFORM_NOT_FOUND_KHR"),
            ];
            known.into_iter().for_each(|(code, expected)| assert_eq!(name(code), Some(expected)));
            [0, 1, 600, -20, -29, -73, -1000, i32::MIN].into_iter().for_each(|code| assert_eq!(name(code), None));
        }
    }
}
