//! Features of devices that accept SPIR-V.
//!
//! *Invariant:* a feature is one row of the table `FEATURES`; no other list of features exists in
//! the project. A set never has a feature without the feature that it requires.

use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, ops::Deref};

/// A feature that not all devices have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SpirvFeature {
    /// Half precision.
    Fp16,
    /// Double precision.
    Fp64,
    /// Pointers to the generic address space.
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
    /// Sub-groups, with their ids, sizes and barrier.
    SubGroups,
    /// Votes of a sub-group: all and any.
    SubGroupVote,
    /// Reductions and scans over sub-groups, for every operation.
    SubGroupArithmetic,
    /// Shuffles in a sub-group, by index.
    SubGroupShuffle,
    /// Shuffles up and down in a sub-group.
    SubGroupShuffleRelative,
    /// Kernels can require a sub-group size.
    SubGroupSize,
    /// Reductions and scans over work-groups, for every operation.
    UniformGroupArithmetic,
    /// Control over subnormal numbers, rounding and infinities (float controls).
    FloatControls,
    /// Hints about expected values, and assumptions.
    ExpectAssume,
    /// Bit reversal.
    BitInstructions,
    /// Global variables at module scope.
    GlobalVariables,
    /// Atomic operations with system scope, shared with other devices and the host.
    SystemScope,
    /// Clocks that kernels read.
    ShaderClock,
    /// Atomic operations on 64-bit integers in the local memory of shaders.
    LocalInt64Atomics,
    /// Fences where not all items of a group are: Mesa's lavapipe takes fences for barriers.
    DivergentFences,
    /// Shaders can ask that subnormal numbers are kept, in every floating-point type.
    Subnormals,
    /// Shaders can ask that operations round to the nearest number, in every floating-point type.
    RoundToNearest,
    /// Shaders may have 16,000 bytes of private memory and more, constant tables among them.
    LargePrivateMemory,
}

/// A feature, its name in target strings, the SPIR-V extension that code with it declares, and the
/// OpenCL extension that a device with it reports. Either extension is empty if there is none.
/// Features without an OpenCL extension are queried in another way.
struct Row {
    feature: SpirvFeature,
    name: &'static str,
    spirv: &'static str,
    opencl: &'static str,
}

const fn row(feature: SpirvFeature, name: &'static str, spirv: &'static str, opencl: &'static str) -> Row {
    Row { feature, name, spirv, opencl }
}

const FEATURES: [Row; 26] = [
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
    row(SpirvFeature::ShaderClock, "shader-clock", "SPV_KHR_shader_clock", "cl_khr_kernel_clock"),
    row(SpirvFeature::LocalInt64Atomics, "local-int64-atomics", "", ""),
    row(SpirvFeature::DivergentFences, "divergent-fences", "", ""),
    row(SpirvFeature::Subnormals, "subnormals", "SPV_KHR_float_controls", ""),
    row(SpirvFeature::RoundToNearest, "round-to-nearest", "SPV_KHR_float_controls", ""),
    row(SpirvFeature::LargePrivateMemory, "large-private-memory", "", ""),
];

impl SpirvFeature {
    fn row(self) -> &'static Row {
        // The table is in the order of the variants, which a test checks.
        &FEATURES[self as usize]
    }

    /// All features, in the order of the table.
    pub fn all() -> impl Iterator<Item = SpirvFeature> {
        FEATURES.iter().map(|row| row.feature)
    }

    /// Name in target strings.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// First version of SPIR-V, times ten, with its instructions.
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

    /// SPIR-V extension that code with it declares.
    pub fn spirv_extension(self) -> Option<&'static str> {
        Some(self.row().spirv).filter(|name| !name.is_empty())
    }

    /// OpenCL extension that a device with it reports.
    pub fn opencl_extension(self) -> Option<&'static str> {
        Some(self.row().opencl).filter(|name| !name.is_empty())
    }

    /// Feature that every device with this one also has.
    pub fn needs(self) -> Option<SpirvFeature> {
        match self {
            SpirvFeature::AtomicAddF64 | SpirvFeature::AtomicMinMaxF64 => Some(SpirvFeature::Fp64),
            SpirvFeature::SubGroupVote
            | SpirvFeature::SubGroupArithmetic
            | SpirvFeature::SubGroupShuffle
            | SpirvFeature::SubGroupShuffleRelative
            | SpirvFeature::SubGroupSize => Some(SpirvFeature::SubGroups),
            SpirvFeature::LocalInt64Atomics => Some(SpirvFeature::Int64Atomics),
            _ => None,
        }
    }
}

/// The features of a device. Removing one removes those that require it; adding one adds the one
/// that it requires.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "BTreeSet<SpirvFeature>")]
pub struct SpirvFeatures(BTreeSet<SpirvFeature>);

impl SpirvFeatures {
    /// The complete set.
    pub fn all() -> Self {
        SpirvFeatures(SpirvFeature::all().collect())
    }

    pub(super) fn insert(&mut self, feature: SpirvFeature) {
        self.0.extend([Some(feature), feature.needs()].into_iter().flatten());
    }

    pub(super) fn remove(&mut self, feature: SpirvFeature) {
        self.0.retain(|other| *other != feature && other.needs() != Some(feature));
    }
}

impl From<BTreeSet<SpirvFeature>> for SpirvFeatures {
    /// Drops features whose required feature is missing, because a driver may report them anyway.
    fn from(claimed: BTreeSet<SpirvFeature>) -> Self {
        let usable = claimed.iter().filter(|feature| feature.needs().is_none_or(|need| claimed.contains(&need)));
        SpirvFeatures(usable.copied().collect())
    }
}

impl Deref for SpirvFeatures {
    type Target = BTreeSet<SpirvFeature>;

    fn deref(&self) -> &BTreeSet<SpirvFeature> {
        &self.0
    }
}

/// A change such as `-fp64`: adds or removes one feature, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureChange {
    pub(super) has: bool,
    /// `None` for all features.
    pub(super) feature: Option<SpirvFeature>,
}

impl FeatureChange {
    pub(super) fn apply(self, features: &mut SpirvFeatures) {
        match (self.has, self.feature) {
            (true, Some(feature)) => features.insert(feature),
            (false, Some(feature)) => features.remove(feature),
            (true, None) => *features = SpirvFeatures::all(),
            (false, None) => *features = SpirvFeatures::default(),
        }
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
    fn no_set_has_a_feature_without_what_it_needs() {
        for (feature, need) in SpirvFeature::all().filter_map(|feature| Some((feature, feature.needs()?))) {
            assert_eq!(need.needs(), None, "{feature:?} would need two");
            let claimed = BTreeSet::from([feature]);
            assert!(SpirvFeatures::from(claimed.clone()).is_empty(), "{feature:?}");
            let bytes = postcard::to_allocvec(&claimed).expect("bytes");
            assert_eq!(postcard::from_bytes(&bytes), Ok(SpirvFeatures::default()), "{feature:?} as bytes");
            let mut set = SpirvFeatures::default();
            set.insert(feature);
            assert!(set.contains(&need), "{feature:?}");
            set.remove(need);
            assert!(set.is_empty(), "{feature:?} without {need:?}");
        }
    }
}
