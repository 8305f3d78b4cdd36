//! The structs of `sinter/sinter.h`.
//!
//! *Invariant:* size and offset of every field equal those of the header; `tests/tests/abi.rs`
//! compares both. Sizes are in bytes; index 0 of a size is x, the fastest dimension. A struct that
//! starts with `struct_size` is never read past that size. Fields that were appended to
//! `sinter_launch` and `sinter_statistics` are separate structs here, because the structs of
//! programs that were compiled earlier end before them. The structs that stage 1 writes are in
//! [`sinter_core::records`].
#![forbid(unsafe_code)]

pub use sinter_core::records::{
    ABI_VERSION, Container, ContainerIndex, DeviceGlobal, DeviceGlobalLayout, DeviceGlobals, IMAGE_HAS_DEBUG, Image,
    ImagePlace, Kernel, KernelAspects, KernelImage, KernelRequirements, PARAMETER_SPECIALIZED, Parameter,
    WholeContainer, WholeKernel,
};
use std::ffi::{c_char, c_void};

/// `sinter_constant`: a specialization or IR constant and its value.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Constant {
    /// Mangled name, NUL-terminated.
    pub name: *const c_char,
    /// Bytes of the value.
    pub value: *const c_void,
    /// Size of the value in bytes.
    pub size: u64,
}

/// `sinter_launch`: the index space of a launch. [`LaunchConstants`] may follow.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Launch {
    /// Size of the caller's struct in bytes.
    pub struct_size: u32,
    /// Number of dimensions, 1 to 3.
    pub dimensions: u32,
    /// Number of work-items; 1 in unused dimensions. A 0 launches nothing.
    pub global_size: [u64; 3],
    /// Work-group size; all 0 lets the runtime choose.
    pub group_size: [u32; 3],
    /// Dynamic local memory per work-group, in bytes.
    pub local_memory: u32,
}

/// Second part of `sinter_launch`, present if `struct_size` covers it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct LaunchConstants {
    /// Number of elements at `constants`.
    pub constant_count: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Array of constants.
    pub constants: *const Constant,
}

/// `sinter_launch` of the current version.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct WholeLaunch {
    /// Part of the first version.
    pub launch: Launch,
    /// Part that was appended.
    pub constants: LaunchConstants,
}

/// `sinter_profile`: times of a command in nanoseconds of `CLOCK_MONOTONIC`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Size of the caller's struct in bytes.
    pub struct_size: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Time of submission to the runtime.
    pub submit: u64,
    /// Start of execution on the device.
    pub start: u64,
    /// Time of completion.
    pub end: u64,
}

/// `sinter_kernel_usage`: resources of a kernel's code.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelUsage {
    /// Size of the caller's struct in bytes.
    pub struct_size: u32,
    /// Registers of a work-item; 0 if unknown.
    pub registers: u32,
    /// Largest number of work-items in a work-group.
    pub work_group_size: u64,
    /// Local memory of a work-group in the code, in bytes.
    pub local_memory: u64,
    /// Private memory of a work-item in bytes; `u64::MAX` if unknown.
    pub private_memory: u64,
}

/// `sinter_pointer_info`: pointer attributes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PointerInfo {
    /// Size of the caller's struct in bytes.
    pub struct_size: u32,
    /// A [`MemoryKind`] as a number.
    pub kind: u32,
    /// Index of the device that owns the allocation.
    pub device: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Start of the allocation.
    pub base: *mut c_void,
    /// Size of the allocation in bytes.
    pub size: u64,
}

/// `sinter_statistics`: counters of the process. [`StatisticsTimes`] may follow.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Size of the caller's struct in bytes.
    pub struct_size: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Number of launches submitted.
    pub launches: u64,
    /// Number of kernels translated in this process.
    pub translated: u64,
    /// Number of kernels read from the disk cache.
    pub disk_hits: u64,
    /// Number of launches of a kernel that was already loaded.
    pub memory_hits: u64,
    /// Time spent in the translator, in nanoseconds.
    pub translate_nanoseconds: u64,
    /// Time spent publishing code on devices, in nanoseconds.
    pub load_nanoseconds: u64,
    /// Number of quarantined entries and failed reads or writes.
    pub cache_errors: u64,
}

/// Second part of `sinter_statistics`, present if `struct_size` covers it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatisticsTimes {
    /// Time that drivers spent assembling, in nanoseconds.
    pub assemble_nanoseconds: u64,
}

/// `sinter_statistics` of the current version.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WholeStatistics {
    /// Part of the first version.
    pub statistics: Statistics,
    /// Part that was appended.
    pub times: StatisticsTimes,
}

/// Values of `sinter_memory_kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum MemoryKind {
    /// Returned for memory that the runtime did not allocate; cannot be requested.
    Unknown = 0,
    /// USM device memory.
    Device = sinter_program::MemoryKind::Device as u32,
    /// USM host memory.
    Host = sinter_program::MemoryKind::Host as u32,
    /// USM shared memory, which migrates on use.
    Shared = sinter_program::MemoryKind::Shared as u32,
}

/// `sinter_box`: a strided box of bytes of a buffer.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteBox {
    /// Offset of the first byte.
    pub start: u64,
    /// Bytes in a row.
    pub width: u64,
    /// Rows in a plane.
    pub height: u64,
    /// Planes.
    pub depth: u64,
    /// Bytes between the starts of two rows.
    pub row_pitch: u64,
    /// Bytes between the starts of two planes.
    pub plane_pitch: u64,
}

/// `sinter_buffer_description`: shape and contents of a new buffer.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BufferDescription {
    /// Size of the caller's struct in bytes.
    pub struct_size: u32,
    /// Bits of `sinter_buffer_flag`.
    pub flags: u32,
    /// Bytes in a row, rows in a plane, planes.
    pub shape: [u64; 3],
    /// Memory of the program with the contents, or null.
    pub host: *mut c_void,
}

/// `sinter_requirement`: a box of a buffer that a command accesses.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Requirement {
    /// A `sinter_buffer`.
    pub buffer: *mut c_void,
    /// Bits of `sinter_access`.
    pub access: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Bytes that are accessed.
    pub bytes: ByteBox,
}

/// `sinter_command`: a command with requirements.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// Size of the caller's struct in bytes.
    pub struct_size: u32,
    /// A `sinter_command_kind`.
    pub kind: u32,
    /// Bits of `sinter_command_flag`.
    pub flags: u32,
    /// Number of requirements.
    pub requirement_count: u32,
    /// The requirements.
    pub requirements: *const Requirement,
    /// Kernel of a launch.
    pub kernel: *const Kernel,
    /// Sizes of a launch.
    pub launch: *const Launch,
    /// Argument block of a launch, or pattern of a fill.
    pub block: *const c_void,
    /// Size of the block in bytes.
    pub block_size: usize,
    /// First byte that a copy or a fill writes.
    pub destination: *mut c_void,
    /// First byte that a copy reads.
    pub source: *const c_void,
    /// Bytes of a copy, or patterns of a fill, in a row; rows in a plane; planes.
    pub lengths: [u64; 3],
    /// Bytes between rows, and between planes, of the destination.
    pub destination_pitches: [u64; 2],
    /// Bytes between rows, and between planes, of the source.
    pub source_pitches: [u64; 2],
    /// Function of a host task.
    pub function: Option<extern "C" fn(*mut c_void)>,
    /// Called with `data` when the ticket of a host task is complete, and after `retain`.
    pub release: Option<extern "C" fn(*mut c_void)>,
    /// Argument of the functions.
    pub data: *mut c_void,
    /// Called with `data` if a command that is no host task waits for the program.
    pub retain: Option<extern "C" fn(*mut c_void)>,
}

/// `sinter_compilation`: an attempt to make code of a kernel ready.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Compilation {
    /// Size of the struct in bytes.
    pub struct_size: u32,
    /// Index of the device.
    pub device: u32,
    /// A `sinter_reason`.
    pub reason: u32,
    /// A `sinter_source`.
    pub source: u32,
    /// A `sinter_level`.
    pub level: u32,
    /// Zero.
    pub reserved: u32,
    /// Readable name of the kernel.
    pub kernel: *const c_char,
    /// Symbol of the kernel.
    pub symbol: *const c_char,
    /// Name of the device.
    pub device_name: *const c_char,
    /// Launches that the code is for.
    pub variant: *const c_char,
    /// Message of the error, or null.
    pub failure: *const c_char,
    /// Time of the attempt.
    pub nanoseconds: u64,
    /// Time in the translator.
    pub translate_nanoseconds: u64,
    /// Time in the assembler of the device's driver.
    pub assemble_nanoseconds: u64,
    /// Time in which the driver loaded the code.
    pub load_nanoseconds: u64,
}

/// `SINTER_LEVEL_NONE`.
pub const NO_LEVEL: u32 = 3;
