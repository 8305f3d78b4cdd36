//! Configuration of a translation: specialisation and compiler options.

use crate::{
    constant::{Constant, ConstantValue},
    target::{HostTarget, Target},
};
use serde::{Deserialize, Serialize};

/// Floating-point transformations that the optimiser may do beyond the flags of the kernel's own
/// instructions.
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

/// Less accurate single-precision operations, used where a target has instructions for them. Other
/// targets compute exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Approximations {
    /// Subnormal operands and results are flushed to zero.
    pub flush_denormals: bool,
    /// Quotients are not correctly rounded.
    pub division: bool,
    /// Square roots are not correctly rounded.
    pub square_root: bool,
}

/// Optimisation level of the translator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum OptLevel {
    /// No optimisation: the reference for differential tests.
    O0,
    /// LLVM's O3 pipeline with the target's cost model.
    #[default]
    O3,
    /// Quick code: everything up to the optimiser as at O3, then few passes and fast code
    /// generation. It computes the same as code of O3, bit by bit. Where that is not certain, and
    /// on targets that gain nothing, the result is code of O3 ([`CodeObject::level`]).
    ///
    /// [`CodeObject::level`]: crate::CodeObject::level
    O1,
}

/// Vector code on host CPUs, which runs rows of work-items together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Rows {
    /// Where it is estimated to be faster.
    #[default]
    Auto,
    /// Nowhere.
    Off,
    /// Of this many work-items, wherever possible: a power of two.
    Of(u32),
}

/// Text that is no choice of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("auto, off, 4, 8, 16, 32 or 64")]
pub struct BadRows;

impl std::str::FromStr for Rows {
    type Err = BadRows;

    fn from_str(text: &str) -> Result<Self, BadRows> {
        match text.to_ascii_lowercase().as_str() {
            "auto" => Ok(Rows::Auto),
            "off" => Ok(Rows::Off),
            number => match number.parse() {
                Ok(lanes @ (4 | 8 | 16 | 32 | 64)) => Ok(Rows::Of(lanes)),
                _ => Err(BadRows),
            },
        }
    }
}

/// Sub-group size on host CPUs of kernels that require none, one of [`HostTarget::SUB_GROUPS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SubGroupSize(u32);

impl SubGroupSize {
    /// Sub-groups of one work-item, with which every kernel can run.
    pub const ONE: SubGroupSize = SubGroupSize(1);

    /// The number of work-items.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl Default for SubGroupSize {
    /// That of NVIDIA's GPUs, which many programs assume.
    fn default() -> Self {
        SubGroupSize(32)
    }
}

/// Text that is no size of sub-groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("1, 4, 8, 16, 32 or 64")]
pub struct BadSubGroupSize;

impl std::str::FromStr for SubGroupSize {
    type Err = BadSubGroupSize;

    fn from_str(text: &str) -> Result<Self, BadSubGroupSize> {
        let size = text.parse().ok().filter(|size| HostTarget::SUB_GROUPS.contains(size));
        size.map(SubGroupSize).ok_or(BadSubGroupSize)
    }
}

/// The address of an allocation that a kernel is compiled for is a multiple of this.
pub const ALLOCATION_ALIGNMENT: u32 = 16;

/// Values that a kernel is specialised on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Specialization {
    /// Values of IR constants, matched by exact mangled name.
    pub constants: Vec<Constant>,
    /// Values of kernel parameters, by index of the parameter record, in ascending order.
    pub arguments: Vec<(u32, ConstantValue)>,
    /// Kernel parameters that point to the first byte of an allocation: indices of parameter
    /// records in ascending order, each with a number that identifies the allocation. The byte's
    /// address is a multiple of [`ALLOCATION_ALIGNMENT`].
    pub allocations: Vec<(u32, u32)>,
}

/// Input of a translation except for code and target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelConfig {
    /// Symbol of the kernel in the image.
    pub entry: String,
    /// Values to compile into the kernel.
    pub specialization: Specialization,
    /// Dimensions of the launch, 1 to 3. Sizes and counts of other dimensions are 1.
    pub dimensions: u8,
    /// Work-group size (x, y, z), x fastest; `None` unless it is a compile-time constant.
    pub group_size: Option<[u32; 3]>,
    /// Sub-group size that the kernel requires, in work-items.
    pub sub_group_size: Option<u32>,
    /// Sub-group size on host CPUs of a kernel that requires none. One that cannot run so has
    /// sub-groups of one work-item.
    pub default_sub_group_size: SubGroupSize,
    /// True if every global id and size of the launch is below 2^31.
    pub sizes_fit_i32: bool,
    /// Permitted floating-point transformations.
    pub float_mode: FloatMode,
    /// Permitted approximations.
    pub approximations: Approximations,
    /// Optimisation level of the translation.
    pub opt_level: OptLevel,
    /// Vector code on host CPUs.
    pub rows: Rows,
    /// True if `__constant__` variables may become arguments by value.
    pub constants_by_value: bool,
}

impl KernelConfig {
    /// Configuration without any specialisation.
    pub fn generic(entry: impl Into<String>) -> Self {
        KernelConfig {
            entry: entry.into(),
            specialization: Specialization::default(),
            dimensions: 3,
            group_size: None,
            sub_group_size: None,
            default_sub_group_size: SubGroupSize::default(),
            sizes_fit_i32: false,
            float_mode: FloatMode::default(),
            approximations: Approximations::default(),
            opt_level: OptLevel::default(),
            rows: Rows::default(),
            constants_by_value: false,
        }
    }

    /// As for [`Target::flat_group`].
    pub fn flat_group(&self, target: &Target) -> Option<[u32; 3]> {
        target.flat_group(self.group_size, self.sub_group_size)
    }

    /// The work-group size with which the driver launches the kernel, if it is known.
    pub fn launched_group(&self, target: &Target) -> Option<[u32; 3]> {
        let flat = self.flat_group(target).map(|sizes| [sizes.into_iter().product(), 1, 1]);
        flat.or(self.group_size)
    }
}
