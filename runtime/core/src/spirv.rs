//! Devices that take SPIR-V.
//!
//! In: what a driver finds out about a device, or a text such as `opencl:1.4:-fp64`. Out: a target with the features that code for it may use.
//! *Invariant:* a feature is one row of the table `FEATURES`; nothing else in the project lists what devices offer.
//!
//! Names of extensions are those of the Khronos registries of SPIR-V and OpenCL.

use crate::nearest::nearest;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt, str::FromStr};

/// The interface that takes the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SpirvEnvironment {
    /// OpenCL 2.1 or newer.
    OpenCl,
    /// oneAPI Level Zero.
    LevelZero,
}

/// What sort of device it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum SpirvDevice {
    /// A graphics processor.
    #[default]
    Gpu,
    /// A CPU.
    Cpu,
    /// Anything else.
    Accelerator,
}

/// What some devices can do and others not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SpirvFeature {
    /// Half precision.
    Fp16,
    /// Double precision.
    Fp64,
    /// Pointers that may lead to any memory but constant memory.
    Generic,
    /// Atomic operations on 64-bit integers.
    Int64Atomics,
    /// Atomic addition of `float`.
    AtomicAddF32,
    /// Atomic addition of `double`.
    AtomicAddF64,
    /// Atomic minimum and maximum of `float`.
    AtomicMinMaxF32,
    /// Atomic minimum and maximum of `double`.
    AtomicMinMaxF64,
    /// Sub-groups, with what they tell about themselves and their barrier.
    SubGroups,
    /// Whether all or any items of a sub-group say so.
    SubGroupVote,
    /// Reductions and scans over sub-groups by every operation.
    SubGroupArithmetic,
    /// Values of other items of a sub-group.
    SubGroupShuffle,
    /// Values of items before and behind in a sub-group.
    SubGroupShuffleRelative,
    /// Kernels with the sub-group size that they ask for.
    SubGroupSize,
    /// Reductions and scans over work-groups by every operation.
    UniformGroupArithmetic,
    /// How subnormal numbers, rounding and infinities are treated can be asked for.
    FloatControls,
    /// What is likely or certain can be said.
    ExpectAssume,
    /// Bits can be reversed.
    BitInstructions,
    /// Global variables outside of kernels.
    GlobalVariables,
    /// Atomic operations that other devices and the host take part in.
    SystemScope,
}

/// A feature, its name in texts, the extension of SPIR-V that code with it names, and the extension of OpenCL that says a device has
/// it; both empty where there is none. Features without an extension of OpenCL are asked for in another way.
struct Row {
    feature: SpirvFeature,
    name: &'static str,
    spirv: &'static str,
    opencl: &'static str,
}

const fn row(feature: SpirvFeature, name: &'static str, spirv: &'static str, opencl: &'static str) -> Row {
    Row { feature, name, spirv, opencl }
}

const FEATURES: [Row; 20] = [
    row(SpirvFeature::Fp16, "fp16", "", "cl_khr_fp16"),
    row(SpirvFeature::Fp64, "fp64", "", "cl_khr_fp64"),
    row(SpirvFeature::Generic, "generic", "", ""),
    row(SpirvFeature::Int64Atomics, "int64-atomics", "", "cl_khr_int64_base_atomics"),
    row(SpirvFeature::AtomicAddF32, "atomic-add-f32", "SPV_EXT_shader_atomic_float_add", ""),
    row(SpirvFeature::AtomicAddF64, "atomic-add-f64", "SPV_EXT_shader_atomic_float_add", ""),
    row(SpirvFeature::AtomicMinMaxF32, "atomic-min-max-f32", "SPV_EXT_shader_atomic_float_min_max", ""),
    row(SpirvFeature::AtomicMinMaxF64, "atomic-min-max-f64", "SPV_EXT_shader_atomic_float_min_max", ""),
    row(SpirvFeature::SubGroups, "sub-groups", "", "cl_khr_subgroups"),
    row(SpirvFeature::SubGroupVote, "sub-group-vote", "", "cl_khr_subgroup_non_uniform_vote"),
    row(SpirvFeature::SubGroupArithmetic, "sub-group-arithmetic", "", "cl_khr_subgroup_non_uniform_arithmetic"),
    row(SpirvFeature::SubGroupShuffle, "sub-group-shuffle", "", "cl_khr_subgroup_shuffle"),
    row(SpirvFeature::SubGroupShuffleRelative, "sub-group-shuffle-relative", "", "cl_khr_subgroup_shuffle_relative"),
    row(SpirvFeature::SubGroupSize, "sub-group-size", "", "cl_intel_required_subgroup_size"),
    row(
        SpirvFeature::UniformGroupArithmetic,
        "uniform-group-arithmetic",
        "SPV_KHR_uniform_group_instructions",
        "cl_khr_work_group_uniform_arithmetic",
    ),
    row(SpirvFeature::FloatControls, "float-controls", "SPV_KHR_float_controls", ""),
    row(SpirvFeature::ExpectAssume, "expect-assume", "SPV_KHR_expect_assume", "cl_khr_expect_assume"),
    row(SpirvFeature::BitInstructions, "bit-instructions", "SPV_KHR_bit_instructions", "cl_khr_extended_bit_ops"),
    row(SpirvFeature::GlobalVariables, "global-variables", "", ""),
    row(SpirvFeature::SystemScope, "system-scope", "", ""),
];

/// A device that takes SPIR-V.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SpirvTarget {
    /// The interface that takes the code.
    pub environment: SpirvEnvironment,
    /// What sort of device it is, for code that asks.
    pub device: SpirvDevice,
    /// The newest version of SPIR-V that the interface takes, times ten: 14 for 1.4.
    pub version: u32,
    /// What code may use.
    pub features: BTreeSet<SpirvFeature>,
    /// Whether the code says which source line it comes from.
    pub line_tables: bool,
}

/// Why a text names no device that takes SPIR-V.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpirvTargetError {
    /// No interface of that name.
    #[error("no interface `{0}` takes SPIR-V; it is opencl or level-zero")]
    Environment(String),
    /// A version that is not written.
    #[error("`{0}` is not a version of SPIR-V that is written: 1.0 to 1.4")]
    Version(String),
    /// No feature of that name.
    #[error("no feature `{name}` is known{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Feature {
        /// What was asked for.
        name: String,
        /// The known one that is most like it.
        nearest: Option<String>,
    },
}

impl SpirvFeature {
    fn row(self) -> &'static Row {
        // The table is in the order of the variants, which a test checks.
        &FEATURES[self as usize]
    }

    /// All features.
    pub fn all() -> impl Iterator<Item = SpirvFeature> {
        FEATURES.iter().map(|row| row.feature)
    }

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The version of SPIR-V, times ten, that has its instructions.
    pub fn since(self) -> u32 {
        match self {
            SpirvFeature::SubGroupVote
            | SpirvFeature::SubGroupArithmetic
            | SpirvFeature::SubGroupShuffle
            | SpirvFeature::SubGroupShuffleRelative => 13,
            SpirvFeature::SubGroupSize => 11,
            _ => 10,
        }
    }

    /// The extension of SPIR-V that code with it names.
    pub fn spirv_extension(self) -> Option<&'static str> {
        Some(self.row().spirv).filter(|name| !name.is_empty())
    }

    /// The extension of OpenCL that says that a device has it.
    pub fn opencl_extension(self) -> Option<&'static str> {
        Some(self.row().opencl).filter(|name| !name.is_empty())
    }
}

impl SpirvDevice {
    const NAMES: [(SpirvDevice, &'static str); 3] =
        [(SpirvDevice::Gpu, "gpu"), (SpirvDevice::Cpu, "cpu"), (SpirvDevice::Accelerator, "accelerator")];

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

impl SpirvEnvironment {
    const NAMES: [(SpirvEnvironment, &'static str); 2] =
        [(SpirvEnvironment::OpenCl, "opencl"), (SpirvEnvironment::LevelZero, "level-zero")];

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

/// Work-items in a work-group that code for these devices is made for: what its functions of a group exchange lies in so many places.
pub const LARGEST_GROUP: u32 = 1024;
/// The newest version that is written: the newest that OpenCL and Level Zero drivers take since years.
const NEWEST: u32 = 14;

impl SpirvTarget {
    /// A device of which nothing is known but that it has every feature.
    pub fn full(environment: SpirvEnvironment) -> Self {
        let features = SpirvFeature::all().collect();
        SpirvTarget { environment, device: SpirvDevice::Gpu, version: NEWEST, features, line_tables: false }
    }

    /// The code for a GPU whose interface takes SPIR-V up to this version, times ten. `None` where it takes none that is written.
    pub fn for_device(environment: SpirvEnvironment, version: u32, features: BTreeSet<SpirvFeature>) -> Option<Self> {
        let version = version.min(NEWEST);
        let features = features.into_iter().filter(|feature| feature.since() <= version).collect();
        (version >= 10).then_some(SpirvTarget { version, features, ..SpirvTarget::full(environment) })
    }

    /// Whether code may use a feature.
    pub fn has(&self, feature: SpirvFeature) -> bool {
        self.features.contains(&feature)
    }

    fn set(&mut self, word: &str) -> Result<(), SpirvTargetError> {
        let unknown = || SpirvTargetError::Feature {
            name: word.trim_start_matches(['+', '-']).to_owned(),
            nearest: nearest(word.trim_start_matches(['+', '-']), SpirvFeature::all().map(SpirvFeature::name))
                .map(str::to_owned),
        };
        let find = |name: &str| SpirvFeature::all().find(|feature| feature.name() == name).ok_or_else(unknown);
        if let Some((device, _)) = SpirvDevice::NAMES.iter().find(|(_, name)| *name == word) {
            self.device = *device;
            return Ok(());
        }
        match word.split_at_checked(1) {
            Some(("+", "all")) => self.features = SpirvFeature::all().collect(),
            Some(("-", "all")) => self.features.clear(),
            Some(("+", name)) => drop(self.features.insert(find(name)?)),
            Some(("-", name)) => drop(self.features.remove(&find(name)?)),
            Some(("1", minor)) => {
                let minor = minor.strip_prefix('.').and_then(|minor| minor.parse().ok());
                let version = minor.map(|minor: u32| minor.saturating_add(10)).filter(|version| *version <= NEWEST);
                self.version = version.ok_or_else(|| SpirvTargetError::Version(word.to_owned()))?;
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }
}

impl FromStr for SpirvTarget {
    type Err = SpirvTargetError;

    /// Reads the interface, then words such as `1.2`, `cpu`, `-fp64`, `+fp64` and `-all`. Without them everything is there.
    fn from_str(text: &str) -> Result<Self, SpirvTargetError> {
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let found = SpirvEnvironment::NAMES.iter().find(|(_, known)| *known == name);
        let (environment, _) = found.ok_or_else(|| SpirvTargetError::Environment(name.to_owned()))?;
        let mut target = SpirvTarget::full(*environment);
        words.try_for_each(|word| target.set(word))?;
        let version = target.version;
        target.features.retain(|feature| feature.since() <= version);
        Ok(target)
    }
}

impl fmt::Display for SpirvTarget {
    /// The text that [`SpirvTarget::from_str`] reads: whatever of "all" and "none" needs fewer words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:1.{}", self.environment.name(), self.version - 10)?;
        if self.device != SpirvDevice::Gpu {
            write!(f, ":{}", self.device.name())?;
        }
        let possible = SpirvFeature::all().filter(|feature| feature.since() <= self.version);
        let (has, lacks): (Vec<_>, Vec<_>) = possible.partition(|feature| self.has(*feature));
        if has.len() < lacks.len() {
            f.write_str(":-all")?;
            return has.iter().try_for_each(|feature| write!(f, ":+{}", feature.name()));
        }
        lacks.iter().try_for_each(|feature| write!(f, ":-{}", feature.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_order_of_the_features() {
        let found: Vec<_> = SpirvFeature::all().map(|feature| feature as usize).collect();
        assert_eq!(found, (0..FEATURES.len()).collect::<Vec<_>>());
        for feature in SpirvFeature::all() {
            assert_eq!(feature.row().feature, feature);
        }
    }

    #[test]
    fn texts_round_trip() {
        for text in
            ["opencl:1.4", "opencl:1.3:cpu:-fp64", "level-zero:1.2:-fp64:-int64-atomics", "opencl:1.0:-all:+generic"]
        {
            let target: SpirvTarget = text.parse().expect("a target");
            assert_eq!(target.to_string(), text);
            assert_eq!(target.to_string().parse(), Ok(target));
        }
        assert_eq!("opencl".parse(), Ok(SpirvTarget::full(SpirvEnvironment::OpenCl)));
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| text.parse::<SpirvTarget>().expect_err("a mistake").to_string();
        assert_eq!(error("vulkan"), "no interface `vulkan` takes SPIR-V; it is opencl or level-zero");
        assert_eq!(error("opencl:+fp63"), "no feature `fp63` is known; did you mean `fp64`?");
        assert_eq!(error("opencl:1.9"), "`1.9` is not a version of SPIR-V that is written: 1.0 to 1.4");
        assert!(error("opencl:").starts_with("no feature ``"));
    }

    #[test]
    fn a_device_gets_no_newer_code_than_is_written() {
        let version = |version| SpirvTarget::for_device(SpirvEnvironment::OpenCl, version, BTreeSet::new());
        assert_eq!(version(16).map(|target| target.version), Some(14));
        assert_eq!(version(12).map(|target| target.version), Some(12));
        assert_eq!(version(0), None);
    }

    #[test]
    fn features_come_with_the_version_that_has_them() {
        let all = SpirvTarget::full(SpirvEnvironment::LevelZero).features;
        let has = |version| {
            let target = SpirvTarget::for_device(SpirvEnvironment::LevelZero, version, all.clone());
            target.is_some_and(|target| target.has(SpirvFeature::SubGroupShuffle) && target.has(SpirvFeature::Fp16))
        };
        assert!(has(13) && !has(12));
        assert!(!"opencl:1.2".parse::<SpirvTarget>().is_ok_and(|target| target.has(SpirvFeature::SubGroupVote)));
    }
}
