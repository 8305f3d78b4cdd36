//! Result codes of Level Zero.
//!
//! In: a number of `ze_result_t`. Out: its name and meaning. *Invariant:* the numbers are those of
//! specification 1.17, unchanged since 1.0.
#![allow(missing_docs, reason = "they are the specification's names")]

pub const NOT_READY: u32 = 1;
pub const DEVICE_LOST: u32 = 0x7000_0001;
pub const OUT_OF_HOST_MEMORY: u32 = 0x7000_0002;
pub const OUT_OF_DEVICE_MEMORY: u32 = 0x7000_0003;
pub const MODULE_BUILD_FAILURE: u32 = 0x7000_0004;
pub const MODULE_LINK_FAILURE: u32 = 0x7000_0005;
pub const DEVICE_REQUIRES_RESET: u32 = 0x7000_0006;
pub const DEVICE_IN_LOW_POWER_STATE: u32 = 0x7000_0007;
pub const INSUFFICIENT_PERMISSIONS: u32 = 0x7001_0000;
pub const NOT_AVAILABLE: u32 = 0x7001_0001;
pub const DEPENDENCY_UNAVAILABLE: u32 = 0x7002_0000;
pub const UNINITIALIZED: u32 = 0x7800_0001;
pub const UNSUPPORTED_VERSION: u32 = 0x7800_0002;
pub const UNSUPPORTED_FEATURE: u32 = 0x7800_0003;
pub const INVALID_ARGUMENT: u32 = 0x7800_0004;
pub const INVALID_NULL_HANDLE: u32 = 0x7800_0005;
pub const HANDLE_OBJECT_IN_USE: u32 = 0x7800_0006;
pub const INVALID_NULL_POINTER: u32 = 0x7800_0007;
pub const INVALID_SIZE: u32 = 0x7800_0008;
pub const UNSUPPORTED_SIZE: u32 = 0x7800_0009;
pub const UNSUPPORTED_ALIGNMENT: u32 = 0x7800_000a;
pub const INVALID_SYNCHRONIZATION_OBJECT: u32 = 0x7800_000b;
pub const INVALID_ENUMERATION: u32 = 0x7800_000c;
pub const UNSUPPORTED_ENUMERATION: u32 = 0x7800_000d;
pub const INVALID_NATIVE_BINARY: u32 = 0x7800_000f;
pub const INVALID_KERNEL_NAME: u32 = 0x7800_0011;
pub const INVALID_GROUP_SIZE_DIMENSION: u32 = 0x7800_0013;
pub const INVALID_GLOBAL_WIDTH_DIMENSION: u32 = 0x7800_0014;
pub const INVALID_KERNEL_ARGUMENT_INDEX: u32 = 0x7800_0015;
pub const INVALID_KERNEL_ARGUMENT_SIZE: u32 = 0x7800_0016;
pub const INVALID_KERNEL_ATTRIBUTE_VALUE: u32 = 0x7800_0017;
pub const INVALID_MODULE_UNLINKED: u32 = 0x7800_0018;
pub const INVALID_COMMAND_LIST_TYPE: u32 = 0x7800_0019;
pub const OVERLAPPING_REGIONS: u32 = 0x7800_001a;
pub const UNKNOWN: u32 = 0x7fff_fffe;

/// Code, name and meaning of each result.
const TABLE: &[(u32, &str, &str)] = &[
    (NOT_READY, "ZE_RESULT_NOT_READY", "it is not complete yet"),
    (DEVICE_LOST, "ZE_RESULT_ERROR_DEVICE_LOST", "the device hung, was reset or removed, or its driver was updated"),
    (OUT_OF_HOST_MEMORY, "ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY", "the host has too little memory for the call"),
    (OUT_OF_DEVICE_MEMORY, "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY", "the device has too little memory for the call"),
    (MODULE_BUILD_FAILURE, "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE", "the code could not be built"),
    (MODULE_LINK_FAILURE, "ZE_RESULT_ERROR_MODULE_LINK_FAILURE", "the code could not be linked"),
    (DEVICE_REQUIRES_RESET, "ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET", "the device has to be reset"),
    (DEVICE_IN_LOW_POWER_STATE, "ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE", "the device sleeps"),
    (INSUFFICIENT_PERMISSIONS, "ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS", "this user may not do that"),
    (NOT_AVAILABLE, "ZE_RESULT_ERROR_NOT_AVAILABLE", "it is absent or in use elsewhere"),
    (DEPENDENCY_UNAVAILABLE, "ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE", "a library that the driver needs is missing"),
    (UNINITIALIZED, "ZE_RESULT_ERROR_UNINITIALIZED", "no driver was started"),
    (UNSUPPORTED_VERSION, "ZE_RESULT_ERROR_UNSUPPORTED_VERSION", "loader and driver do not fit together"),
    (UNSUPPORTED_FEATURE, "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE", "the driver cannot do that"),
    (INVALID_ARGUMENT, "ZE_RESULT_ERROR_INVALID_ARGUMENT", "an argument of the call is wrong"),
    (INVALID_NULL_HANDLE, "ZE_RESULT_ERROR_INVALID_NULL_HANDLE", "a handle is null"),
    (HANDLE_OBJECT_IN_USE, "ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE", "the device still uses it"),
    (INVALID_NULL_POINTER, "ZE_RESULT_ERROR_INVALID_NULL_POINTER", "a pointer is null"),
    (INVALID_SIZE, "ZE_RESULT_ERROR_INVALID_SIZE", "a size is wrong"),
    (UNSUPPORTED_SIZE, "ZE_RESULT_ERROR_UNSUPPORTED_SIZE", "the device cannot do that in this size"),
    (UNSUPPORTED_ALIGNMENT, "ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT", "the device cannot align that"),
    (INVALID_SYNCHRONIZATION_OBJECT, "ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT", "an event handle is not valid"),
    (INVALID_ENUMERATION, "ZE_RESULT_ERROR_INVALID_ENUMERATION", "a number stands for nothing"),
    (
        UNSUPPORTED_ENUMERATION,
        "ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION",
        "the device does not know what a number stands for",
    ),
    (INVALID_NATIVE_BINARY, "ZE_RESULT_ERROR_INVALID_NATIVE_BINARY", "the machine code is not for this device"),
    (INVALID_KERNEL_NAME, "ZE_RESULT_ERROR_INVALID_KERNEL_NAME", "the code has no kernel of this name"),
    (
        INVALID_GROUP_SIZE_DIMENSION,
        "ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION",
        "kernel or device take no such work-group",
    ),
    (
        INVALID_GLOBAL_WIDTH_DIMENSION,
        "ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION",
        "the kernel takes no such range",
    ),
    (INVALID_KERNEL_ARGUMENT_INDEX, "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX", "the kernel has fewer arguments"),
    (INVALID_KERNEL_ARGUMENT_SIZE, "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE", "an argument has another size"),
    (
        INVALID_KERNEL_ATTRIBUTE_VALUE,
        "ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE",
        "the kernel lacks this property",
    ),
    (
        INVALID_MODULE_UNLINKED,
        "ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED",
        "the code imports what it was not linked with",
    ),
    (INVALID_COMMAND_LIST_TYPE, "ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE", "the list takes no such commands"),
    (OVERLAPPING_REGIONS, "ZE_RESULT_ERROR_OVERLAPPING_REGIONS", "both places overlap"),
    (UNKNOWN, "ZE_RESULT_ERROR_UNKNOWN", "the driver says no more"),
];

/// Name in the specification and meaning of a result code.
pub fn describe(code: u32) -> Option<(&'static str, &'static str)> {
    TABLE.iter().find(|(number, ..)| *number == code).map(|(_, name, meaning)| (*name, *meaning))
}
