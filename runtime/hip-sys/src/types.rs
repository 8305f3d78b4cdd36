//! Types and numbers of HIP's interface.
//!
//! *Invariant:* a number is the same in ROCm 5, 6 and 7 unless its comment says otherwise.
#![allow(missing_docs, reason = "they are AMD's names, with AMD's meaning")]

use std::ffi::{c_int, c_uint, c_void};

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
    StreamStruct, Stream;
    EventStruct, Event;
    ModuleStruct, Module;
    FunctionStruct, Function;
}

/// `hipDeviceAttribute_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Attribute {
    CanMapHostMemory = 3,
    ClockRate = 5,
    ConcurrentManagedAccess = 9,
    ManagedMemory = 24,
    MaxBlockDimX = 26,
    MaxBlockDimY = 27,
    MaxBlockDimZ = 28,
    MaxGridDimX = 29,
    MaxGridDimY = 30,
    MaxGridDimZ = 31,
    MaxThreadsPerBlock = 56,
    MultiprocessorCount = 63,
    MaxSharedMemoryPerBlock = 74,
    WarpSize = 87,
}

/// `hipFunction_attribute`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum FunctionAttribute {
    MaxThreadsPerBlock = 0,
    SharedSizeBytes = 1,
}

/// `hipJitOption`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum JitOption {
    InfoLogBuffer = 3,
    InfoLogBufferSizeBytes = 4,
    ErrorLogBuffer = 5,
    ErrorLogBufferSizeBytes = 6,
}

/// `hipPointerAttribute_t`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct PointerAttributes {
    /// ROCm 5: 0 is host memory, and a query for unknown memory fails. Since ROCm 6: 0 is unknown
    /// memory, 1 is host memory.
    pub memory_type: c_int,
    pub device: c_int,
    pub device_pointer: *mut c_void,
    pub host_pointer: *mut c_void,
    pub is_managed: c_int,
    pub allocation_flags: c_uint,
}

/// Buffer for the properties of a device, which have 792 bytes in ROCm 5 and 1472 since ROCm 6.
#[repr(C, align(16))]
pub struct Properties(pub [u8; 8192]);

/// Offset of the target ID, `gcnArchName`, in the properties of ROCm 5. It has at most
/// [`TARGET_SIZE`] bytes.
pub const TARGET_OFFSET_5: usize = 396;
/// Offset of the target ID in the properties of ROCm 6 and 7.
pub const TARGET_OFFSET_6: usize = 1160;
pub const TARGET_SIZE: usize = 256;

/// `hipMemcpyDefault`: the library determines the direction from the pointers.
pub const COPY_DEFAULT: c_int = 4;
/// `hipCpuDeviceId`.
pub const CPU: c_int = -1;
/// `hipStreamNonBlocking`.
pub const STREAM_NON_BLOCKING: c_uint = 1;
/// `hipStreamPerThread`.
pub const STREAM_PER_THREAD: usize = 2;
/// `hipEventDisableTiming`.
pub const EVENT_WITHOUT_TIME: c_uint = 2;
/// `hipHostMallocPortable` and `hipHostRegisterPortable`: accessible to every device.
pub const HOST_PORTABLE: c_uint = 1;
/// `hipHostMallocMapped` and `hipHostRegisterMapped`: accessible to devices at its host address.
pub const HOST_MAPPED: c_uint = 2;
/// `hipHostMallocCoherent`: host and device see each other's writes while a kernel runs.
pub const HOST_COHERENT: c_uint = 0x4000_0000;
/// `hipMemAttachGlobal`: accessible to every stream.
pub const ATTACH_GLOBAL: c_uint = 1;

/// `HIP_LAUNCH_PARAM_BUFFER_POINTER`, `HIP_LAUNCH_PARAM_BUFFER_SIZE` and `HIP_LAUNCH_PARAM_END`.
pub const LAUNCH_BUFFER_POINTER: usize = 1;
pub const LAUNCH_BUFFER_SIZE: usize = 2;
pub const LAUNCH_END: usize = 3;

/// `hipLimitStackSize`.
pub const LIMIT_STACK: c_uint = 0;

/// Weight of the major version in `HIP_VERSION`.
pub const VERSION_MAJOR: c_int = 10_000_000;
/// Weight of the minor version in `HIP_VERSION`.
pub const VERSION_MINOR: c_int = 100_000;
