//! A kernel during its translation, with its progress as a type parameter.
//!
//! *Invariant:* a step takes the state that the previous step left, and leaves another one wherever
//! the order matters: no two rows of the table in `steps/mod.rs` can be swapped (checked by a test
//! there).

use crate::call_graph::CallGraph;
use sinter_core::{Argument, Candidate, Followed, Remark};
use sinter_llvm::{Module, ir::Value};
use std::marker::PhantomData;

/// Read from the image and well formed: passes may run.
#[derive(Debug)]
pub(crate) struct Parsed;
/// Contains the definitions of all images, and only the kernel is visible: all queries of the
/// launch are in the module.
#[derive(Debug)]
pub(crate) struct Complete;
/// Queries of the launch are replaced; the results are folded together with the constants.
#[derive(Debug)]
pub(crate) struct Shaped;
/// Constants have values, and branches on them are folded: code that they exclude need not be
/// defined.
#[derive(Debug)]
pub(crate) struct Specialized;
/// Unreached functions are removed; the call graph is recorded before inlining removes calls.
#[derive(Debug)]
pub(crate) struct Pruned;
/// Functions that need the work-group are inlined into the kernel; remaining calls are indirect,
/// recursive or to functions that need no inlining.
#[derive(Debug)]
pub(crate) struct Inlined;
/// Device globals are parameters of the kernel: its parameters are complete.
#[derive(Debug)]
pub(crate) struct Addressed;
/// Has the target's triple, layout and attributes, which library code has to match.
#[derive(Debug)]
pub(crate) struct Flavored;
/// Device builtins are defined, with code that is exempt from the audit.
#[derive(Debug)]
pub(crate) struct Linked;
/// Each request for local memory is a variable: passes may duplicate code.
#[derive(Debug)]
pub(crate) struct Placed;
/// The kernel is in SSA form: its memory accesses and live parameters are known.
#[derive(Debug)]
pub(crate) struct Simplified;
/// Live parameters have offsets in the argument buffer; no later step removes a parameter.
#[derive(Debug)]
pub(crate) struct Bound;
/// Contains only what the target can run.
#[derive(Debug)]
pub(crate) struct Checked;
/// Ready for code generation.
#[derive(Debug)]
pub(crate) struct Optimised;

/// Results of the steps beside the module.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The call graph before inlining.
    pub(crate) calls: CallGraph,
    /// The live parameters and their offsets in the argument buffer.
    pub(crate) arguments: Vec<Argument>,
    /// Size of the argument buffer in bytes.
    pub(crate) argument_size: u32,
    /// Alignment of the argument buffer in bytes.
    pub(crate) argument_align: u32,
    /// Size of static local memory in bytes.
    pub(crate) local_memory: u32,
    /// Bytes that each work-item keeps across barriers, where the target runs the items one after
    /// another.
    pub(crate) item_memory: u32,
    /// True if the code was compiled for this set of allocations and may be wrong for pointers to
    /// others.
    pub(crate) depends_on_allocations: bool,
    /// The memory that the code may access through anything but its pointer parameters.
    pub(crate) followed: Followed,
    /// True if a work-item may wait for another one.
    pub(crate) may_wait: bool,
    /// Parameters that code for one value may gain by.
    pub(crate) candidates: Vec<Candidate>,
    /// Names of the device globals that the kernel uses: its parameters after those of the source.
    pub(crate) device_globals: Vec<String>,
    /// Those that device code only reads, and that may be passed by value: numbers in
    /// `device_globals`, and the sizes of their objects in bytes.
    pub(crate) readable: Vec<(usize, u64)>,
    /// Names of the device globals that are passed by value, after all others.
    pub(crate) constants: Vec<String>,
    /// Decisions about the code, for people.
    pub(crate) remarks: Vec<Remark>,
    /// True if the code is quick: the code generator must be fast too.
    pub(crate) is_quick: bool,
}

/// A kernel in state `S`.
#[derive(Debug)]
pub(crate) struct DeviceModule<'s, S> {
    pub(crate) module: Module<'s>,
    pub(crate) kernel: Value<'s>,
    pub(crate) facts: Facts,
    state: PhantomData<S>,
}

impl<'s> DeviceModule<'s, Parsed> {
    pub(crate) fn new(module: Module<'s>, kernel: Value<'s>, facts: Facts) -> Self {
        DeviceModule { module, kernel, facts, state: PhantomData }
    }
}

impl<'s, S> DeviceModule<'s, S> {
    /// Moves the module to its next state. Only steps call this.
    pub(crate) fn advance<T>(self) -> DeviceModule<'s, T> {
        let DeviceModule { module, kernel, facts, .. } = self;
        DeviceModule { module, kernel, facts, state: PhantomData }
    }

    /// The functions that have a body.
    pub(crate) fn defined(&self) -> Vec<Value<'s>> {
        self.module.functions().into_iter().filter(|f| !f.is_declaration()).collect()
    }

    /// The used functions without a body, except intrinsics.
    pub(crate) fn undefined(&self) -> Vec<Value<'s>> {
        let functions = self.module.functions().into_iter();
        functions.filter(|f| f.is_declaration() && !f.is_intrinsic() && f.is_used()).collect()
    }
}
