//! The result of a translation: machine code and what a launch must know about it.
//!
//! *Invariant:* a code object is inert. Publishing it on a device is the driver's job, so the cache, ahead-of-time
//! bundles and inspection tools all handle the same value.

use crate::byte_string;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the bytes of a [`CodeObject`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum CodeFormat {
    /// A relocatable ELF object for the CPU it was compiled for.
    HostElf,
    /// PTX text for NVIDIA's driver.
    Ptx,
    /// Machine code of one NVIDIA GPU architecture.
    Cubin,
    /// Machine code of AMD GPUs of one target ID: an ELF shared object, "code object" in AMD's documents.
    AmdgpuElf,
    /// A SPIR-V module for kernels, in the byte order of the host.
    Spirv,
    /// Machine code of one device of Level Zero, as its driver gives it out.
    ZeBinary,
    /// Machine code of one device of OpenCL, as its driver gives it out.
    ClBinary,
}

impl CodeFormat {
    /// What it is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            CodeFormat::HostElf => "code for a CPU",
            CodeFormat::Ptx => "PTX",
            CodeFormat::Cubin => "machine code of an NVIDIA GPU",
            CodeFormat::AmdgpuElf => "machine code of AMD's GPUs",
            CodeFormat::Spirv => "SPIR-V",
            CodeFormat::ZeBinary => "machine code of Level Zero",
            CodeFormat::ClBinary => "machine code of OpenCL",
        }
    }

    /// The extension of a file with such code.
    pub fn extension(self) -> &'static str {
        match self {
            CodeFormat::Ptx => "ptx",
            CodeFormat::AmdgpuElf => "co",
            CodeFormat::Spirv => "spv",
            _ => "o",
        }
    }
}

/// Where one kernel parameter that the code still reads goes in the argument buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Argument {
    /// Index into the kernel's parameter records.
    pub parameter: u32,
    /// Offset in the argument buffer, in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Whether it is an address in global memory, which some interfaces do not take as a number.
    pub is_pointer: bool,
}

/// What a launch must know about the machine code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EntryInfo {
    /// Name of the entry symbol in the code.
    pub symbol: String,
    /// The live parameters, in ascending order of offset. A parameter without an entry is not read.
    pub arguments: Vec<Argument>,
    /// Size of the argument buffer in bytes.
    pub argument_size: u32,
    /// Alignment of the argument buffer in bytes, a power of two.
    pub argument_align: u32,
    /// Statically allocated local memory per work-group, in bytes. Dynamic local memory follows it, so a translator
    /// rounds it up to the alignment that dynamic local memory has.
    pub local_memory: u32,
    /// Memory that a work-item keeps across barriers, in bytes. Host code only; the driver gives a work-group that
    /// much for each of its items.
    pub item_memory: u32,
    /// Whether the entry has one more parameter, behind the arguments: a pointer to dynamic local memory, whose size the launch says.
    pub takes_local_memory: bool,
    /// The code may be different, and is right only, for the request's allocations
    /// ([`Specialization`](crate::Specialization)). If false, it is the same and right for all
    /// pointers.
    pub depends_on_allocations: bool,
}

/// What a device's driver made machine code from. It is kept so that another driver can do so again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assembly {
    /// What `text` is.
    pub format: CodeFormat,
    /// What the translator returned.
    #[serde(with = "byte_string")]
    pub text: Arc<[u8]>,
    /// The driver that made the code of it, with its version.
    pub assembler: String,
}

/// Machine code of one kernel for one target and configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeObject {
    /// What `bytes` are.
    pub format: CodeFormat,
    /// The machine code.
    #[serde(with = "byte_string")]
    pub bytes: Arc<[u8]>,
    /// What a launch must know.
    pub entry: EntryInfo,
    /// What `bytes` were made from, where a device's driver made them.
    pub assembly: Option<Assembly>,
}
