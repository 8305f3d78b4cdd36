//! The differences between GPUs in steps that all share, as a table.
//!
//! *Invariant:* plain data: a backend fills one in, and the code that reads it knows no vendor.

use crate::passes::template::{Kind, Naming};
use sinter_llvm::ir::Value;

/// A function of libm and its body. An empty body calls the library's function of that name; a body of one word names an
/// intrinsic.
pub(crate) type Function = (&'static str, &'static str);
/// A function of libc: name, type and definition.
pub(crate) type Other = (&'static str, &'static str, &'static str);

/// An operation on scalars.
#[derive(Debug)]
pub(crate) struct Operation {
    /// What follows `llvm.` in the intrinsic's name.
    pub(crate) name: &'static str,
    /// Its computation, as [`add_elementwise`](crate::passes::template::Text::add_elementwise) takes it.
    pub(crate) exact: &'static str,
    /// The same in approximate instructions, for `float`; empty where there is none. `{z}` is `.ftz` where subnormals are
    /// flushed.
    pub(crate) fast: &'static str,
}

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
