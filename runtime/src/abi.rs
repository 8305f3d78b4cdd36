//! The structs of `sinter/sinter.h`, as Rust sees them.
//!
//! *Invariant:* size and offset of every field equal those of the header; `tests/tests/abi.rs`
//! compares both. Sizes are in bytes, index 0 of a size is x, the fastest dimension. A struct that
//! starts with `struct_size` is never read past it: fields appended to `sinter_launch` and
//! `sinter_statistics` are structs of their own here, because a program that was compiled before
//! has nothing after the first one. The structs that stage 1 writes are in
//! [`sinter_core::records`].
#![forbid(unsafe_code)]

pub use sinter_core::records::{
    ABI_VERSION, Container, ContainerIndex, IMAGE_HAS_DEBUG, Image, ImagePlace, Kernel, KernelImage,
    KernelRequirements, PARAMETER_SPECIALIZED, Parameter, WholeContainer, WholeKernel,
};
use std::ffi::{c_char, c_void};

/// `sinter_constant`: the value of a constant.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Constant {
    /// Mangled name, NUL-terminated.
    pub name: *const c_char,
    /// The value's bytes.
    pub value: *const c_void,
    /// Their number.
    pub size: u64,
}

/// `sinter_launch`: the index space of a launch. [`LaunchConstants`] may follow.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Launch {
    /// Size of this struct.
    pub struct_size: u32,
    /// 1 to 3.
    pub dimensions: u32,
    /// Work-items; unused dimensions are 1, and a 0 launches nothing.
    pub global_size: [u64; 3],
    /// Work-items per group; all 0 leaves the choice to the runtime.
    pub group_size: [u32; 3],
    /// Dynamic local memory per group.
    pub local_memory: u32,
}

/// What follows a [`Launch`] whose `struct_size` covers both.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct LaunchConstants {
    /// Number of values at `constants`.
    pub constant_count: u32,
    /// Zero.
    pub reserved: u32,
    /// Values of constants.
    pub constants: *const Constant,
}

/// A [`Launch`] and what follows it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct WholeLaunch {
    /// The first part.
    pub launch: Launch,
    /// The second part.
    pub constants: LaunchConstants,
}

/// `sinter_profile`: when a command ran, in nanoseconds of `CLOCK_MONOTONIC`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Size of this struct.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// When the runtime took it.
    pub submit: u64,
    /// When it began on the device.
    pub start: u64,
    /// When it was complete.
    pub end: u64,
}

/// `sinter_pointer_info`: what is known about a pointer.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PointerInfo {
    /// Size of this struct.
    pub struct_size: u32,
    /// A [`MemoryKind`] number.
    pub kind: u32,
    /// Number of the device.
    pub device: u32,
    /// Zero.
    pub reserved: u32,
    /// Start of the allocation.
    pub base: *mut c_void,
    /// Size of the allocation.
    pub size: u64,
}

/// `sinter_statistics`: counters of the process. [`StatisticsTimes`] may follow.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Size of this struct.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// Launches submitted.
    pub launches: u64,
    /// Kernels compiled in this process.
    pub translated: u64,
    /// Kernels loaded from the disk cache.
    pub disk_hits: u64,
    /// Launches of a kernel that was already loaded.
    pub memory_hits: u64,
    /// Time spent in the translator, in nanoseconds.
    pub translate_nanoseconds: u64,
    /// Time spent publishing code on devices, in nanoseconds.
    pub load_nanoseconds: u64,
    /// Entries quarantined and failed reads or writes.
    pub cache_errors: u64,
}

/// What follows [`Statistics`] whose `struct_size` covers both.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatisticsTimes {
    /// Time in which drivers made machine code, in nanoseconds.
    pub assemble_nanoseconds: u64,
}

/// [`Statistics`] and what follows them.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WholeStatistics {
    /// The first part.
    pub statistics: Statistics,
    /// The second part.
    pub times: StatisticsTimes,
}

/// `sinter_memory_kind` as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum MemoryKind {
    /// Only as an answer: not allocated here.
    Unknown = 0,
    /// Device memory.
    Device = sinter_program::MemoryKind::Device as u32,
    /// Host memory that devices can use.
    Host = sinter_program::MemoryKind::Host as u32,
    /// Memory that moves on use.
    Shared = sinter_program::MemoryKind::Shared as u32,
}
