//! A kernel on its way to machine code, with its progress in the type.
//!
//! *Invariant:* a step takes the state that the step before it left, and leaves another wherever an order matters: no two rows of
//! the table in `steps/mod.rs` can change places (a test of that file).

use crate::call_graph::CallGraph;
use sinter_core::Argument;
use sinter_llvm::{Module, ir::Value};
use std::marker::PhantomData;

/// As read from the image, and well formed: passes may run.
#[derive(Debug)]
pub(crate) struct Parsed;
/// All that images define is in it, and nothing but the kernel is visible: queries of the launch are found wherever they are asked.
#[derive(Debug)]
pub(crate) struct Complete;
/// Queries of the launch have answers, which are folded together with the constants.
#[derive(Debug)]
pub(crate) struct Shaped;
/// Constants have values, and branches on them are gone: what they exclude need not be there.
#[derive(Debug)]
pub(crate) struct Specialized;
/// Nothing is left that the kernel does not need; who calls whom is recorded, before calls disappear.
#[derive(Debug)]
pub(crate) struct Pruned;
/// What needs its work-group is in the kernel; what is still called is called by pointer or recursively, or need not be there.
#[derive(Debug)]
pub(crate) struct Inlined;
/// Carries the target's triple, layout and attributes, which code of libraries has to match.
#[derive(Debug)]
pub(crate) struct Flavored;
/// Device builtins are defined, of code that no audit looks at.
#[derive(Debug)]
pub(crate) struct Linked;
/// Each request for local memory is a variable: passes that copy code may run.
#[derive(Debug)]
pub(crate) struct Placed;
/// The kernel is in SSA form: its accesses to memory and the parameters that it reads are known.
#[derive(Debug)]
pub(crate) struct Simplified;
/// The parameters that are read have places in the argument buffer; nobody removes one any more.
#[derive(Debug)]
pub(crate) struct Bound;
/// Nothing is left that the target cannot run.
#[derive(Debug)]
pub(crate) struct Checked;
/// Ready for code generation.
#[derive(Debug)]
pub(crate) struct Optimised;

/// What the steps learn about the kernel.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Who called whom before inlining.
    pub(crate) calls: CallGraph,
    /// The live parameters and where they lie in the argument buffer.
    pub(crate) arguments: Vec<Argument>,
    /// Size of the argument buffer.
    pub(crate) argument_size: u32,
    /// Alignment of the argument buffer.
    pub(crate) argument_align: u32,
    /// Size of static local memory.
    pub(crate) local_memory: u32,
    /// What each work-item keeps across barriers, where the target runs the items one after another.
    pub(crate) item_memory: u32,
    /// The code may be different for pointers to other allocations.
    pub(crate) depends_on_allocations: bool,
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
    /// The same module, one state further. Only steps call this.
    pub(crate) fn advance<T>(self) -> DeviceModule<'s, T> {
        let DeviceModule { module, kernel, facts, .. } = self;
        DeviceModule { module, kernel, facts, state: PhantomData }
    }

    /// The functions that have a body.
    pub(crate) fn defined(&self) -> Vec<Value<'s>> {
        self.module.functions().into_iter().filter(|f| !f.is_declaration()).collect()
    }

    /// The functions that have none, intrinsics aside, and are used.
    pub(crate) fn undefined(&self) -> Vec<Value<'s>> {
        let functions = self.module.functions().into_iter();
        functions.filter(|f| f.is_declaration() && !f.is_intrinsic() && f.is_used()).collect()
    }
}
