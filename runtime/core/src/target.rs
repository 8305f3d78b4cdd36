//! What code is generated for.
//!
//! *Invariant:* a target is a plain value that holds everything code generation depends on, and is hashed whole.

use crate::{
    amdgcn::AmdgcnTarget,
    spirv::{SpirvFeature, SpirvTarget},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The host CPU.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HostTarget {
    /// LLVM triple, for example `x86_64-unknown-linux-gnu`.
    pub triple: String,
    /// LLVM's name of the CPU, for example `znver4` or `x86-64-v3`.
    pub cpu: String,
    /// LLVM feature string, for example `+avx2,+fma,-avx512f`.
    pub features: String,
    /// Whether the code says which source line it comes from.
    pub line_tables: bool,
}

/// An NVIDIA GPU, whose driver takes PTX.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PtxTarget {
    /// The compute capability times ten: 90 for 9.0.
    pub sm: u32,
    /// The version of the PTX instruction set times ten: 85 for 8.5.
    pub isa: u32,
    /// Whether the code says which source line it comes from.
    pub line_tables: bool,
}

/// Compute capabilities and the first PTX version that has each (PTX ISA, "Release Notes"). The newest one is the newest
/// that LLVM 19 knows; newer GPUs run its PTX.
const PTX_FOR_SM: [(u32, u32); 8] = [(70, 60), (72, 61), (75, 63), (80, 70), (86, 71), (87, 74), (89, 78), (90, 78)];
/// The newest PTX version that LLVM 19 writes.
const NEWEST_PTX: u32 = 85;

impl PtxTarget {
    /// The newest code that a GPU of compute capability `sm` runs with a driver that takes PTX up to version `isa`, both
    /// times ten. `None` where there is none: the GPU is older than Volta, or the driver older than the GPU.
    pub fn for_device(sm: u32, isa: u32) -> Option<Self> {
        let isa = isa.min(NEWEST_PTX);
        let usable = PTX_FOR_SM.iter().rev().find(|(known, needs)| *known <= sm && *needs <= isa);
        usable.map(|(sm, _)| PtxTarget { sm: *sm, isa, line_tables: false })
    }
}

/// What code is generated for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Target {
    /// The host CPU.
    Host(HostTarget),
    /// An NVIDIA GPU.
    Ptx(PtxTarget),
    /// An AMD GPU.
    Amdgcn(AmdgcnTarget),
    /// A device that takes SPIR-V.
    Spirv(SpirvTarget),
}

impl Target {
    /// The first word of its text, which also names its tool: `llvm-to-<family>-tool`.
    pub fn family(&self) -> &'static str {
        match self {
            Target::Host(_) => "host",
            Target::Ptx(_) => "ptx",
            Target::Amdgcn(_) => "amdgpu",
            Target::Spirv(_) => "spirv",
        }
    }

    /// Whether the code says which source line it comes from.
    pub fn line_tables(&self) -> bool {
        match self {
            Target::Host(host) => host.line_tables,
            Target::Ptx(ptx) => ptx.line_tables,
            Target::Amdgcn(gpu) => gpu.line_tables,
            Target::Spirv(device) => device.line_tables,
        }
    }

    /// Work-items of a sub-group, where the target says it.
    pub fn sub_group_size(&self) -> Option<u32> {
        match self {
            Target::Host(_) => Some(1),
            Target::Ptx(_) => Some(32),
            Target::Amdgcn(gpu) => Some(gpu.wave.size()),
            Target::Spirv(_) => None,
        }
    }

    /// Whether there is code whose sub-groups have so many work-items. Which sizes a device has that takes SPIR-V is the driver's to say.
    pub fn makes_sub_groups_of(&self, size: u32) -> bool {
        match self {
            Target::Spirv(device) => device.has(SpirvFeature::SubGroupSize),
            _ => self.sub_group_size() == Some(size),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Host(host) => write!(f, "host:{}", host.cpu),
            Target::Ptx(ptx) => write!(f, "ptx:sm_{}", ptx.sm),
            Target::Amdgcn(gpu) => write!(f, "amdgpu:{gpu}"),
            Target::Spirv(device) => write!(f, "spirv:{device}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PtxTarget;

    #[test]
    fn ptx_is_what_gpu_driver_and_llvm_share() {
        let chosen = |sm, isa| PtxTarget::for_device(sm, isa).map(|target| (target.sm, target.isa));
        assert_eq!(chosen(90, 90), Some((90, 85)));
        assert_eq!(chosen(120, 90), Some((90, 85)));
        assert_eq!(chosen(90, 71), Some((86, 71)));
        assert_eq!(chosen(87, 71), Some((86, 71)));
        assert_eq!(chosen(80, 80), Some((80, 80)));
        assert_eq!(chosen(61, 80), None);
        assert_eq!(chosen(70, 50), None);
    }
}
