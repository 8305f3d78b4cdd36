//! A kernel on its way to machine code, with its progress in the type.
//!
//! *Invariant:* a step takes the state that the step before it left; a wrong order in `translate.rs` does not compile.

use crate::call_graph::CallGraph;
use sinter_core::Argument;
use sinter_llvm::{Module, ir::Value};
use std::marker::PhantomData;

/// As read from the image.
#[derive(Debug)]
pub(crate) struct Generic;
/// Constants have values; nothing but the kernel is visible.
#[derive(Debug)]
pub(crate) struct Specialized;
/// Carries the target's triple, layout and attributes.
#[derive(Debug)]
pub(crate) struct Flavored;
/// Device builtins are defined.
#[derive(Debug)]
pub(crate) struct Linked;
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

impl<'s> DeviceModule<'s, Generic> {
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
