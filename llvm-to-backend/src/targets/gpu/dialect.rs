//! Table of the differences between GPUs in steps that all of them share.
//!
//! *Invariant:* plain data: a backend fills it in, and the code that reads it knows no vendor.

use crate::passes::template::{Kind, Naming};
use sinter_llvm::ir::Value;

/// A function of libm and its body. An empty body calls the vendor library's function of that name;
/// a body of one word names an intrinsic.
pub(crate) type Function = (&'static str, &'static str);
/// A function of libc: name, type and definition.
pub(crate) type Other = (&'static str, &'static str, &'static str);

/// An operation on scalars that the code generator does not select.
#[derive(Debug)]
pub(crate) struct Operation {
    /// Name of the intrinsic without `llvm.`.
    pub(crate) name: &'static str,
    /// IR that computes it, as [`add_elementwise`](crate::passes::template::Text::add_elementwise)
    /// takes it.
    pub(crate) exact: &'static str,
    /// IR that computes it approximately, for `float`; empty if there is none. `{z}` is `.ftz`
    /// where subnormals are flushed.
    pub(crate) fast: &'static str,
}

/// Differences of one vendor's GPUs in shared steps.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// Name of the machine in error messages.
    pub(crate) machine: &'static str,
    /// Naming scheme of the vendor library.
    pub(crate) naming: Naming,
    /// Operations that LLVM's code generator does not select, or not for every type.
    pub(crate) operations: &'static [Operation],
    /// True if the code generator selects one of `operations` for values of this kind.
    pub(crate) is_selected: fn(Value<'_>, &Operation, Kind<'_>) -> bool,
    /// Functions of libm with definitions of their own for this vendor.
    pub(crate) functions: &'static [Function],
    /// Functions of libc besides those that all GPUs share.
    pub(crate) others: &'static [Other],
    /// Lists of intrinsics that the code generator selects: names without `llvm.`, up to a dot or
    /// the end.
    pub(crate) intrinsics: &'static [&'static [&'static str]],
    /// Names without `llvm.` that match `intrinsics` but are not selected.
    pub(crate) unselected: &'static [&'static str],
    /// The address spaces of the target.
    pub(crate) spaces: &'static [u32],
}
