//! What the targets that are GPUs share.
//!
//! In: a kernel for one work-item. Out: the same without what no GPU has. *Invariant:* nothing here knows a maker; what differs is
//! said by the [`Dialect`] that a backend passes.

pub(crate) mod atomics;
pub(crate) mod c_library;
pub(crate) mod check;
pub(crate) mod constrained;
pub(crate) mod early_loads;
pub(crate) mod entry;
pub(crate) mod flavor;
pub(crate) mod group_size;
pub(crate) mod intrinsics;
pub(crate) mod line_tables;
pub(crate) mod loops;
pub(crate) mod math;
pub(crate) mod outline;
pub(crate) mod stack;
pub(crate) mod trap;
pub(crate) mod unroll;

use self::{
    c_library::{Function, Other},
    math::Operation,
};
use crate::{
    context::Context,
    device_module::{DeviceModule, Flavored},
    failure::Outcome,
    passes::template::{Kind, Naming},
};
use sinter_llvm::ir::Value;

/// The address space of global memory (LLVM, "User Guide for NVPTX Back-end" and "User Guide for AMDGPU Backend").
pub(crate) const GLOBAL_SPACE: u32 = 1;
/// Those of constant and private memory (the same sources); SPIR-V numbers them in another way.
pub(crate) const CONSTANT_SPACE: u32 = 4;
pub(crate) const PRIVATE_SPACE: u32 = 5;

/// What distinguishes GPUs of one maker in steps that all share.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// What has instructions, as errors call it.
    pub(crate) machine: &'static str,
    /// The names of the maker's library of device functions.
    pub(crate) naming: Naming,
    /// Operations that LLVM's code generator does not select, or not always.
    pub(crate) operations: &'static [Operation],
    /// Whether it selects this one of them, on values of this kind.
    pub(crate) is_selected: fn(Value<'_>, &Operation, Kind<'_>) -> bool,
    /// Functions of libm that are made in another way than elsewhere.
    pub(crate) functions: &'static [Function],
    /// Functions of libc besides those that every GPU has.
    pub(crate) others: &'static [Other],
    /// The intrinsics that the code generator selects, in lists: what follows `llvm.`, up to a dot or the end.
    pub(crate) intrinsics: &'static [&'static [&'static str]],
    /// What follows `llvm.` in the names of those that it does not select all the same.
    pub(crate) unselected: &'static [&'static str],
    /// The address spaces that there are.
    pub(crate) spaces: &'static [u32],
}

/// Replaces what no GPU of the dialect has by calls of functions that the libraries define.
pub(crate) fn call_libraries(cx: &Context<'_, '_>, dialect: &Dialect, m: &DeviceModule<'_, Flavored>) -> Outcome<()> {
    constrained::relax(cx, m)?;
    c_library::define(cx, dialect, m)?;
    math::replace_early(cx, dialect, m)?;
    group_size::define(cx, m)
}
