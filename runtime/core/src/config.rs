//! How a kernel is to be specialised and compiled.

use crate::constant::{Constant, ConstantValue};
use serde::{Deserialize, Serialize};

/// Floating-point freedom granted to the optimiser beyond what the kernel's own instructions carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum FloatMode {
    /// Exactly the flags recorded in the container.
    #[default]
    AsCompiled,
    /// Multiplications and additions are never fused.
    NoContraction,
    /// Everything that `-ffast-math` allows.
    Fast,
}

/// Less accurate single-precision operations that some targets have instructions for. Other targets compute exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Approximations {
    /// Subnormal operands and results are zero.
    pub flush_denormals: bool,
    /// Quotients are not correctly rounded.
    pub division: bool,
    /// Square roots are not correctly rounded.
    pub square_root: bool,
}

/// How much the translator optimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum OptLevel {
    /// No optimisation: the reference for differential tests.
    O0,
    /// Everything that LLVM's O3 does with the target's cost model.
    #[default]
    O3,
}

/// The values that a kernel is specialised on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Specialization {
    /// Values of IR constants, matched by exact mangled name.
    pub constants: Vec<Constant>,
    /// Values of kernel parameters, by index of the parameter record, in ascending order.
    pub arguments: Vec<(u32, ConstantValue)>,
    /// Kernel parameters that point to the first byte of an allocation, by index of the parameter
    /// record in ascending order, each with a number that it shares with those that point to the
    /// same one.
    pub allocations: Vec<(u32, u32)>,
}

/// Everything about a translation that is neither code nor target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelConfig {
    /// Symbol of the kernel in the image.
    pub entry: String,
    /// The values that the kernel is specialised on.
    pub specialization: Specialization,
    /// Dimensions of the launch, 1 to 3. Sizes and counts of the others are 1.
    pub dimensions: u8,
    /// The work-group size (x, y, z), x fastest, where it is a compile-time constant.
    pub group_size: Option<[u32; 3]>,
    /// Work-items of a sub-group, where the kernel requires so many.
    pub sub_group_size: Option<u32>,
    /// Whether every global id and size of the launch is below 2^31.
    pub sizes_fit_i32: bool,
    /// Floating-point freedom.
    pub float_mode: FloatMode,
    /// Approximations that the target may use.
    pub approximations: Approximations,
    /// Optimisation level.
    pub opt_level: OptLevel,
}

impl KernelConfig {
    /// The least specialised configuration of a kernel.
    pub fn generic(entry: impl Into<String>) -> Self {
        KernelConfig {
            entry: entry.into(),
            specialization: Specialization::default(),
            dimensions: 3,
            group_size: None,
            sub_group_size: None,
            sizes_fit_i32: false,
            float_mode: FloatMode::default(),
            approximations: Approximations::default(),
            opt_level: OptLevel::default(),
        }
    }
}
