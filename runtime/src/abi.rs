//! The structs of `sinter/sinter.h`, as Rust sees them.
//!
//! *Invariant:* size and offset of every field equal those of the header; `tests/tests/abi.rs` compares both. Sizes are in
//! bytes, index 0 of a size is x, the fastest dimension. A struct that starts with `struct_size` is never read past it: what
//! was appended to `sinter_container`, `sinter_kernel`, `sinter_launch` and `sinter_statistics` is a struct of its own here, because a program that
//! was compiled before has nothing behind the first one.
#![forbid(unsafe_code)]

use sinter_core::container::SealedKernel;
use std::ffi::{c_char, c_void};

/// `SINTER_ABI_VERSION` of the header.
pub const ABI_VERSION: u32 = 1;

/// `sinter_container`: a container in the program's memory. [`ContainerIndex`] may follow.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Container {
    /// Size of this struct.
    pub struct_size: u32,
    /// [`ABI_VERSION`] of the program.
    pub abi_version: u32,
    /// The HCF payload.
    pub data: *const c_void,
    /// Its size.
    pub size: u64,
    /// Content hash of the container's images.
    pub object_id: [u8; 32],
}

/// `sinter_image`: an image in a container.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Image {
    /// First byte in the container's payload.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 digest of those bytes.
    pub digest: [u8; 32],
    /// The names that it exports, then those that it imports, each ended by a zero byte. Null if there is none.
    pub names: *const c_char,
    /// Bytes of the exported names.
    pub exports_size: u32,
    /// Bytes of the imported names.
    pub imports_size: u32,
    /// [`sinter_core::container::IMAGE_HAS_DEBUG`], or nothing.
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
    /// Checksum of the names.
    pub names_seal: u64,
    /// Checksum of this record: [`sinter_core::container::SealedImage`].
    pub seal: u64,
}

/// What follows a [`Container`] whose `struct_size` covers both.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ContainerIndex {
    /// Its images.
    pub images: *const Image,
    /// Their number.
    pub image_count: u32,
    /// Zero.
    pub reserved: u32,
    /// Checksum of the record: [`sinter_core::container::SealedContainer`].
    pub seal: u64,
}

/// A [`Container`] and what follows it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct WholeContainer {
    /// The first part.
    pub container: Container,
    /// The second part.
    pub index: ContainerIndex,
}

/// `SINTER_PARAMETER_SPECIALIZED`: a bit of [`Parameter::kind`].
pub const PARAMETER_SPECIALIZED: u32 = 0x100;

/// `sinter_parameter`: one scalar leaf of a kernel's argument block.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Offset in the block.
    pub byte_offset: u32,
    /// Size of the leaf.
    pub byte_size: u32,
    /// Field of the closure it belongs to.
    pub original_index: u32,
    /// A number of [`sinter_core::ParameterKind`], and [`PARAMETER_SPECIALIZED`].
    pub kind: u32,
}

/// `sinter_kernel`: a kernel as host code refers to it. [`KernelRequirements`] may follow, and [`KernelImage`] those.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    /// Size of this struct.
    pub struct_size: u32,
    /// Number of records at `parameters`.
    pub parameter_count: u32,
    /// The container that holds the kernel.
    pub container: *const Container,
    /// Its symbol there, NUL-terminated.
    pub symbol: *const c_char,
    /// Its parameter records.
    pub parameters: *const Parameter,
    /// Size of the argument block that a launch must pass.
    pub block_size: u64,
    /// Digest of the kernel's own IR closure; all zero means unknown.
    pub ir_hash: [u8; 32],
    /// Reserved for the runtime.
    pub slot: *mut c_void,
}

/// What follows a [`Kernel`] whose `struct_size` covers at least both.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KernelRequirements {
    /// The only work-group size that a launch may have; all 0 means any.
    pub required_group_size: [u32; 3],
    /// The sub-group size that the kernel needs; 0 means any.
    pub required_sub_group_size: u32,
}

/// What follows [`KernelRequirements`] where `struct_size` covers it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KernelImage {
    /// Number of the kernel's image among [`ContainerIndex::images`].
    pub image: u32,
    /// Bytes of the symbol.
    pub symbol_size: u32,
    /// Checksum of the symbol and the parameter records.
    pub content_seal: u64,
    /// Checksum of the record: [`sinter_core::container::SealedKernel`].
    pub seal: u64,
}

/// A [`Kernel`] and what follows it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct WholeKernel {
    /// The first part.
    pub kernel: Kernel,
    /// The second part.
    pub requirements: KernelRequirements,
    /// The third part.
    pub image: KernelImage,
}

impl Parameter {
    /// The record as its seal covers it.
    pub fn words(&self) -> [u32; 4] {
        let Parameter { byte_offset, byte_size, original_index, kind } = *self;
        [byte_offset, byte_size, original_index, kind]
    }
}

impl WholeKernel {
    /// The checksum that [`KernelImage::seal`] should be.
    pub fn seal(&self) -> u64 {
        let Kernel { struct_size, parameter_count, block_size, ir_hash, .. } = self.kernel;
        let KernelRequirements { required_group_size, required_sub_group_size } = self.requirements;
        let KernelImage { image, symbol_size, content_seal, seal: _ } = self.image;
        let sealed = SealedKernel {
            struct_size,
            parameter_count,
            block_size,
            ir_hash,
            required_group_size,
            required_sub_group_size,
            image,
            symbol_size,
            content_seal,
        };
        sealed.seal()
    }
}

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
    Device = 1,
    /// Host memory that devices can use.
    Host = 2,
    /// Memory that moves on use.
    Shared = 3,
}
