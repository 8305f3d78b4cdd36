//! Optional features of kernels.
//!
//! In: a target. Out: how each feature is there. *Invariant:* the features are one table, with the
//! names that target strings of SPIR-V have; each target answers for itself.

use serde::Serialize;
use std::fmt;

/// How a target has a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// By instructions of the device.
    Native,
    /// By code that Sinter makes of other instructions: half precision in `float`, atomic
    /// operations in loops of compare and exchange.
    Computed,
    /// Not at all: a kernel with it is refused.
    Missing,
}

/// Declares the features with their names.
macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident = $name:literal,)*) => {
        /// A feature of kernels that not every device has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum KernelFeature {
            $($(#[$doc])* $feature,)*
        }

        impl KernelFeature {
            /// All features, in the order of the table.
            pub fn all() -> impl Iterator<Item = KernelFeature> {
                [$(KernelFeature::$feature),*].into_iter()
            }

            /// Name in target strings and messages.
            pub fn name(self) -> &'static str {
                match self {
                    $(KernelFeature::$feature => $name,)*
                }
            }
        }
    };
}

features! {
    /// Half precision.
    Fp16 = "fp16",
    /// Double precision.
    Fp64 = "fp64",
    /// Atomic operations on 64-bit integers.
    Int64Atomics = "int64-atomics",
    /// Atomic operations on 64-bit integers in local memory.
    LocalInt64Atomics = "local-int64-atomics",
    /// Atomic addition of `float`.
    AtomicAddF32 = "atomic-add-f32",
    /// Atomic addition of `double`.
    AtomicAddF64 = "atomic-add-f64",
    /// Atomic minimum and maximum of `float`.
    AtomicMinMaxF32 = "atomic-min-max-f32",
    /// Atomic minimum and maximum of `double`.
    AtomicMinMaxF64 = "atomic-min-max-f64",
    /// Sub-groups, with their ids, sizes and barrier.
    SubGroups = "sub-groups",
    /// Votes of a sub-group.
    SubGroupVote = "sub-group-vote",
    /// Reductions and scans over sub-groups.
    SubGroupArithmetic = "sub-group-arithmetic",
    /// Shuffles in a sub-group.
    SubGroupShuffle = "sub-group-shuffle",
    /// Clocks that kernels read.
    ShaderClock = "shader-clock",
    /// 16,000 bytes of private memory and more for a work-item.
    LargePrivateMemory = "large-private-memory",
}

impl KernelFeature {
    /// True for atomic operations on floating-point numbers.
    pub(super) fn is_float_atomic(self) -> bool {
        use KernelFeature::*;
        matches!(self, AtomicAddF32 | AtomicAddF64 | AtomicMinMaxF32 | AtomicMinMaxF64)
    }
}

impl fmt::Display for KernelFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
