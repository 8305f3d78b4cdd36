//! Parts that the GPU targets share.
//!
//! In: a kernel for one work-item. Out: the same without constructs that no GPU has. *Invariant:*
//! nothing here knows a vendor; differences come from the [`Dialect`] that a backend passes.

pub(crate) mod atomics;
pub(crate) mod c_library;
pub(crate) mod check;
pub(crate) mod constrained;
pub(crate) mod dialect;
pub(crate) mod early_loads;
pub(crate) mod entry;
pub(crate) mod flavor;
pub(crate) mod group_size;
pub(crate) mod intrinsics;
pub(crate) mod line_tables;
pub(crate) mod loops;
pub(crate) mod math;
pub(crate) mod outline;
pub(crate) mod remainders;
pub(crate) mod stack;
pub(crate) mod trap;
pub(crate) mod unroll;

use self::dialect::Dialect;
use crate::{
    context::Context,
    device_module::{DeviceModule, Flavored},
    failure::Outcome,
};

/// Maximum work-items of a work-group (CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability"; HIP, "Hardware features").
pub(crate) const LARGEST_GROUP: u32 = 1024;
/// The address space of global memory (LLVM, "User Guide for NVPTX Back-end" and "User Guide for
/// AMDGPU Backend").
pub(crate) const GLOBAL_SPACE: u32 = 1;
/// Address spaces of constant and private memory (same sources); SPIR-V uses other numbers.
pub(crate) const CONSTANT_SPACE: u32 = 4;
pub(crate) const PRIVATE_SPACE: u32 = 5;

/// Replaces operations without an instruction by calls of functions that the libraries define.
pub(crate) fn call_libraries(cx: &Context<'_, '_>, dialect: &Dialect, m: &DeviceModule<'_, Flavored>) -> Outcome<()> {
    constrained::relax(cx, m)?;
    c_library::define(cx, dialect, m)?;
    math::replace_early(cx, dialect, m)?;
    group_size::define(cx, m)
}
