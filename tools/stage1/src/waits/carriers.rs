//! Functions that may be called, and may return, while a kernel runs.
//!
//! In: the host module of a unit. Out: those of its functions for which all callers are known.
//! *Invariant:* such a function is changed as its callers are, so that it waits before it touches
//! memory whose address a kernel may have; no such memory is in its frame. An exception leaves it
//! when all kernels are complete.

use sinter_llvm::{
    inkwell::{
        attributes::{Attribute, AttributeLoc},
        module::{Linkage, Module},
        values::FunctionValue,
    },
    stage1::{
        call::{Call, calls},
        flow, name,
    },
};
use std::collections::{HashMap, HashSet};

/// Start of the names of the functions in the namespace `quiet` of the headers.
pub(super) const QUIET: &str = "_ZN6sinter6stdpar5quiet";

/// True for a function whose waits may be moved.
pub(super) fn may_change(function: FunctionValue<'_>) -> bool {
    let stays = Attribute::get_named_enum_kind_id("optnone");
    function.count_basic_blocks() > 0
        && !name(function).starts_with(QUIET)
        && function.get_enum_attribute(AttributeLoc::Function, stays).is_none()
}

/// The functions that start kernels and are called by functions of this module alone.
pub(super) fn find<'ctx>(module: &Module<'ctx>, settle: FunctionValue<'ctx>) -> HashSet<FunctionValue<'ctx>> {
    let mut called: HashMap<FunctionValue<'ctx>, usize> = HashMap::new();
    let callers = module.get_functions().filter(|caller| may_change(*caller));
    for callee in callers.flat_map(calls).filter(returns_here).filter_map(|call| call.function()) {
        *called.entry(callee).or_default() += 1;
    }
    let is_carrier = |function: &FunctionValue<'ctx>| {
        matches!(function.get_linkage(), Linkage::Internal | Linkage::Private)
            && may_change(*function)
            && called.get(function).copied() == Some(flow::uses(*function))
            && calls(*function).iter().any(|call| call.function() == Some(settle))
            && flow::has_private_frame(*function)
    };
    module.get_functions().filter(is_carrier).collect()
}

/// True for a call behind which the caller may wait.
fn returns_here(call: &Call<'_>) -> bool {
    flow::is_invoke(call.instruction) || !flow::is_must_tail(call.instruction)
}
