//! The result of a translation: machine code and the facts that a launch needs about it.
//!
//! *Invariant:* a code object is inert. Loading it on a device is the driver's job, so that the
//! cache, ahead-of-time bundles and inspection tools can all handle the same value.

use crate::{byte_string, config::OptLevel, followed::Followed};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// Format of the bytes of a [`CodeObject`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum CodeFormat {
    /// A relocatable ELF object for the CPU it was compiled for.
    HostElf,
    /// PTX as text, for NVIDIA's driver.
    Ptx,
    /// Machine code of one NVIDIA GPU architecture.
    Cubin,
    /// Machine code of AMD GPUs of one target ID: an ELF shared object, "code object" in AMD's
    /// documents.
    AmdgpuElf,
    /// A SPIR-V module for kernels, in the byte order of the host.
    Spirv,
    /// Machine code of one Level Zero device, as exported by its driver.
    ZeBinary,
    /// Machine code of one OpenCL device, as exported by its driver.
    ClBinary,
    /// Compiled pipelines of one Vulkan device, as `vkGetPipelineCacheData` exports them. They are
    /// of use only beside the SPIR-V.
    VulkanPipelines,
}

impl CodeFormat {
    /// Name in messages.
    pub fn name(self) -> &'static str {
        match self {
            CodeFormat::HostElf => "code for a CPU",
            CodeFormat::Ptx => "PTX",
            CodeFormat::Cubin => "machine code of an NVIDIA GPU",
            CodeFormat::AmdgpuElf => "machine code of AMD's GPUs",
            CodeFormat::Spirv => "SPIR-V",
            CodeFormat::ZeBinary => "machine code of Level Zero",
            CodeFormat::ClBinary => "machine code of OpenCL",
            CodeFormat::VulkanPipelines => "compiled pipelines of Vulkan",
        }
    }

    /// File name extension.
    pub fn extension(self) -> &'static str {
        match self {
            CodeFormat::Ptx => "ptx",
            CodeFormat::AmdgpuElf => "co",
            CodeFormat::Spirv => "spv",
            _ => "o",
        }
    }
}

/// Place of a live kernel parameter in the argument buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Argument {
    /// Index into the kernel's parameter records.
    pub parameter: u32,
    /// Offset in the argument buffer, in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// True for an address in global memory, which some interfaces do not accept as a number.
    pub is_pointer: bool,
}

/// An integer parameter that decides control flow or addresses, so that code for one value of it
/// may be faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Candidate {
    /// Index into the kernel's parameter records.
    pub parameter: u32,
    /// The larger, the more the code may gain. A parameter of weight [`Candidate::LEAST`] scales
    /// addresses alone: only the values 0 and 1 are worth a variant.
    pub weight: u32,
}

impl Candidate {
    /// Maximum number of candidates of a kernel.
    pub const MOST: usize = 6;
    /// The smallest weight.
    pub const LEAST: u32 = 1;
}

/// Facts about the machine code that a launch needs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EntryInfo {
    /// Name of the entry symbol in the code.
    pub symbol: String,
    /// Live parameters, in ascending order of offset. A parameter that is not listed is dead.
    pub arguments: Vec<Argument>,
    /// Size of the argument buffer in bytes.
    pub argument_size: u32,
    /// Alignment of the argument buffer in bytes, a power of two.
    pub argument_align: u32,
    /// Static local memory per work-group, in bytes. Dynamic local memory follows it, so a
    /// translator rounds it up to the alignment of dynamic local memory.
    pub local_memory: u32,
    /// Memory for values of a work-item that are live across barriers, in bytes. Host code only;
    /// the driver allocates it for each item of a work-group.
    pub item_memory: u32,
    /// True if the entry has one more parameter after the arguments: a pointer to dynamic local
    /// memory, whose size the launch sets.
    pub takes_local_memory: bool,
    /// True if the code may depend on the request's allocations
    /// ([`Specialization`](crate::Specialization)) and is valid only for them. If false, it is
    /// valid for all pointers, and the same for all allocations.
    pub depends_on_allocations: bool,
    /// The memory of the program that the code may access through anything but its pointer
    /// arguments.
    pub followed: Followed,
    /// True if a work-item may wait in a loop for what another one does: the code never ends on a
    /// device whose work-items make no progress of their own.
    pub may_wait: bool,
    /// Parameters that code for one value may gain by, at most [`Candidate::MOST`], the weightiest
    /// first.
    pub candidates: Vec<Candidate>,
    /// Names of the device globals whose addresses the code gets as arguments: those after the
    /// kernel's own parameters, in this order.
    pub device_globals: Vec<String>,
    /// Names of the `__constant__` variables whose objects the code gets by value: the arguments
    /// after the addresses of device globals, in this order.
    pub constants: Vec<String>,
    /// Sentences of the translator about the code, for people.
    pub remarks: Vec<Remark>,
}

/// A sentence of a translator about its code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Remark {
    /// A decision: for host code, how many work-items run together and why not more.
    Decision(String),
    /// The code runs otherwise than the device promises, and why.
    Warning(String),
}

impl EntryInfo {
    /// True if a launch of either code is valid for the other: they differ in remarks at most.
    pub fn takes_same_launches(&self, other: &EntryInfo) -> bool {
        let without_remarks = |entry: &EntryInfo| EntryInfo { remarks: Vec::new(), ..entry.clone() };
        without_remarks(self) == without_remarks(other)
    }
}

impl Remark {
    /// The word that compilers put before such a sentence.
    pub fn kind(&self) -> &'static str {
        match self {
            Remark::Decision(_) => "remark",
            Remark::Warning(_) => "warning",
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Decision(text) | Remark::Warning(text) => f.write_str(text),
        }
    }
}

/// Input of the driver's assembler. It is kept so that another driver can assemble it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assembly {
    /// Format of `text`.
    pub format: CodeFormat,
    /// PTX or SPIR-V, as the translator returned it.
    #[serde(with = "byte_string")]
    pub text: Arc<[u8]>,
    /// Name and version of the driver that assembled it.
    pub assembler: String,
}

/// Machine code of one kernel for one target and configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeObject {
    /// Format of `bytes`.
    pub format: CodeFormat,
    /// Machine code, or input of the driver's assembler.
    #[serde(with = "byte_string")]
    pub bytes: Arc<[u8]>,
    /// Facts for launches.
    pub entry: EntryInfo,
    /// Input of the assembler, if a driver made `bytes` from it.
    pub assembly: Option<Assembly>,
    /// Optimisation level of the code: the requested one, or O3 in place of O1.
    pub level: OptLevel,
}
