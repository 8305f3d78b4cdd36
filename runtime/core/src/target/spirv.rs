//! Devices that accept SPIR-V.
//!
//! In: the properties that a driver queries, or a string such as `opencl:1.4:-fp64`. Out: a target
//! with the features that code for it may use. *Invariant:* a target never has a feature without
//! the feature that it requires.
//!
//! Names of extensions are those of the Khronos registries of SPIR-V and OpenCL.

pub mod arguments;
mod feature;
pub mod push_constants;
mod text;

pub use feature::{FeatureChange, SpirvFeature, SpirvFeatures};
pub use text::{SpirvTargetError, version};

use super::{
    facts::TargetFacts,
    kernel_features::{KernelFeature, Support},
};
use crate::key::KeyFields;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Interface that loads the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SpirvEnvironment {
    /// OpenCL 2.1 or newer.
    OpenCl,
    /// oneAPI Level Zero.
    LevelZero,
    /// Vulkan 1.3: shaders instead of kernels.
    Vulkan,
}

/// Type of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum SpirvDevice {
    /// A graphics processor.
    #[default]
    Gpu,
    /// A CPU.
    Cpu,
    /// Any other type.
    Accelerator,
}

/// A device that accepts SPIR-V.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SpirvTarget {
    /// Interface that loads the code.
    pub environment: SpirvEnvironment,
    /// Type of the device, for code that queries it.
    pub device: SpirvDevice,
    /// Newest version of SPIR-V that the interface accepts, times ten: 14 for 1.4.
    pub version: u32,
    /// Features that code may use.
    pub features: SpirvFeatures,
    /// True if the code has line tables.
    pub line_tables: bool,
}

impl SpirvDevice {
    const NAMES: [(SpirvDevice, &'static str); 3] =
        [(SpirvDevice::Gpu, "gpu"), (SpirvDevice::Cpu, "cpu"), (SpirvDevice::Accelerator, "accelerator")];

    /// Name in target strings.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

impl SpirvEnvironment {
    const NAMES: [(SpirvEnvironment, &'static str); 3] = [
        (SpirvEnvironment::OpenCl, "opencl"),
        (SpirvEnvironment::LevelZero, "level-zero"),
        (SpirvEnvironment::Vulkan, "vulkan"),
    ];

    /// Name in target strings.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// Oldest and newest version of SPIR-V that are emitted, times ten. Drivers of OpenCL and Level
    /// Zero have accepted 1.4 for years; Vulkan 1.3 accepts all up to 1.6, and shaders need
    /// instructions of 1.5.
    fn versions(self) -> (u32, u32) {
        if self == SpirvEnvironment::Vulkan { (NEWEST, NEWEST) } else { (10, 14) }
    }

    /// True if devices of the interface may have the feature.
    fn may_have(self, feature: SpirvFeature) -> bool {
        let is_kernels_own = matches!(
            feature,
            SpirvFeature::Generic
                | SpirvFeature::UniformGroupArithmetic
                | SpirvFeature::ExpectAssume
                | SpirvFeature::BitInstructions
                | SpirvFeature::GlobalVariables
                | SpirvFeature::SystemScope
        );
        let is_shaders_own = matches!(
            feature,
            SpirvFeature::LocalInt64Atomics
                | SpirvFeature::DivergentFences
                | SpirvFeature::Subnormals
                | SpirvFeature::RoundToNearest
                | SpirvFeature::LargePrivateMemory
        );
        if self == SpirvEnvironment::Vulkan { !is_kernels_own } else { !is_shaders_own }
    }
}

/// Maximum work-group size that the code supports; the local memory of group functions is sized for
/// it.
pub const LARGEST_GROUP: u32 = 1024;
/// Newest version that is emitted for any interface.
const NEWEST: u32 = 15;

impl SpirvTarget {
    /// A hypothetical device with every feature.
    pub fn full(environment: SpirvEnvironment) -> Self {
        let (device, version) = (SpirvDevice::Gpu, environment.versions().1);
        let features: BTreeSet<_> = SpirvFeature::all().filter(|feature| environment.may_have(*feature)).collect();
        SpirvTarget { environment, device, version, features: features.into(), line_tables: false }
    }

    /// Target for a GPU whose interface accepts SPIR-V up to `version`, times ten. `None` if that
    /// is older than every version that can be emitted.
    pub fn for_device(environment: SpirvEnvironment, version: u32, features: BTreeSet<SpirvFeature>) -> Option<Self> {
        let (oldest, newest) = environment.versions();
        let target = SpirvTarget { features: features.into(), ..SpirvTarget::full(environment) };
        (version >= oldest).then(|| target.at_version(version.min(newest)))
    }

    /// Applies feature changes in order.
    pub fn changed(mut self, changes: &[FeatureChange]) -> Self {
        changes.iter().for_each(|change| change.apply(&mut self.features));
        let version = self.version;
        self.at_version(version)
    }

    /// Limits the version of SPIR-V to `version`, a result of [`version`]; an interface that needs
    /// a newer one keeps that.
    pub fn at_version(mut self, version: u32) -> Self {
        let (oldest, newest) = self.environment.versions();
        let version = version.clamp(oldest, newest);
        let is_usable = |feature: &SpirvFeature| feature.since() <= version && self.environment.may_have(*feature);
        let usable: BTreeSet<_> = self.features.iter().copied().filter(is_usable).collect();
        (self.version, self.features) = (version, usable.into());
        self
    }

    /// True if code may use the feature.
    pub fn has(&self, feature: SpirvFeature) -> bool {
        self.features.contains(&feature)
    }
}

impl TargetFacts for SpirvTarget {
    fn family(&self) -> &'static str {
        "spirv"
    }

    fn name(&self) -> String {
        self.to_string()
    }

    fn line_tables(&self) -> bool {
        self.line_tables
    }

    fn set_line_tables(&mut self, line_tables: bool) {
        self.line_tables = line_tables;
    }

    /// A loop of compare and exchange needs integers of the same size.
    fn support(&self, feature: KernelFeature) -> Support {
        use KernelFeature as Kernel;
        let is_shader = self.environment == SpirvEnvironment::Vulkan;
        let native = match feature {
            Kernel::Fp16 => SpirvFeature::Fp16,
            Kernel::Fp64 => SpirvFeature::Fp64,
            Kernel::Int64Atomics => SpirvFeature::Int64Atomics,
            Kernel::AtomicAddF32 => SpirvFeature::AtomicAddF32,
            Kernel::AtomicAddF64 => SpirvFeature::AtomicAddF64,
            Kernel::AtomicMinMaxF32 => SpirvFeature::AtomicMinMaxF32,
            Kernel::AtomicMinMaxF64 => SpirvFeature::AtomicMinMaxF64,
            Kernel::SubGroups => SpirvFeature::SubGroups,
            Kernel::SubGroupVote => SpirvFeature::SubGroupVote,
            Kernel::SubGroupArithmetic => SpirvFeature::SubGroupArithmetic,
            Kernel::SubGroupShuffle => SpirvFeature::SubGroupShuffle,
            Kernel::ShaderClock => SpirvFeature::ShaderClock,
            // Limits of shaders alone.
            Kernel::LocalInt64Atomics if !is_shader => SpirvFeature::Int64Atomics,
            Kernel::LocalInt64Atomics => SpirvFeature::LocalInt64Atomics,
            Kernel::LargePrivateMemory if !is_shader => return Support::Native,
            Kernel::LargePrivateMemory => SpirvFeature::LargePrivateMemory,
        };
        let has_long_loops = self.has(SpirvFeature::Fp64) && self.has(SpirvFeature::Int64Atomics);
        match feature {
            _ if self.has(native) => Support::Native,
            Kernel::Fp16 | Kernel::AtomicAddF32 | Kernel::AtomicMinMaxF32 => Support::Computed,
            Kernel::AtomicAddF64 | Kernel::AtomicMinMaxF64 if has_long_loops => Support::Computed,
            _ => Support::Missing,
        }
    }

    fn sub_group_size(&self) -> Option<u32> {
        None
    }

    fn makes_sub_groups_of(&self, _: u32) -> bool {
        self.has(SpirvFeature::SubGroupSize)
    }

    fn key_fields(&self, fields: &mut KeyFields) {
        let SpirvTarget { environment: _, device: _, version: _, features: _, line_tables } = self;
        fields.add_text("device", &self.to_string());
        fields.add_text("line-tables", &line_tables.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_gets_no_newer_code_than_is_written() {
        let version = |version| SpirvTarget::for_device(SpirvEnvironment::OpenCl, version, BTreeSet::new());
        assert_eq!(version(16).map(|target| target.version), Some(14));
        assert_eq!(version(12).map(|target| target.version), Some(12));
        assert_eq!(version(0), None);
    }

    #[test]
    fn features_come_with_the_version_that_has_them() {
        let all: BTreeSet<_> = SpirvFeature::all().collect();
        let has = |version| {
            let target = SpirvTarget::for_device(SpirvEnvironment::LevelZero, version, all.clone());
            target.is_some_and(|target| target.has(SpirvFeature::SubGroupShuffle) && target.has(SpirvFeature::Fp16))
        };
        assert!(has(13) && !has(12));
        assert!(!"opencl:1.2".parse::<SpirvTarget>().is_ok_and(|target| target.has(SpirvFeature::SubGroupVote)));
    }
}
