//! Nests loops and branches, as shaders need, or gives loops one entry, as compilers of kernels do.
//!
//! In: a kernel with any control flow, and functions that it calls. Out: the same; for shaders,
//! with loops that have one entry and one exit, and branches that meet again before any other ends.
//! *Invariant:* only LLVM's passes change the flow; the emitter checks the result.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::Outcome,
    passes::{entries, inlining::INLINE},
};
use sinter_llvm::{
    ir::{Opcode, Value},
    types::TypeView,
};

/// `fix-irreducible` gives each loop one entry, `unify-loop-exits` one exit; `mergereturn` makes
/// one end of the function, and `structurizecfg` nests all that is left. Behind `lcssa` values
/// leave loops by phis alone.
const NEST: &str = "function(lower-switch,mergereturn,fix-irreducible,unify-loop-exits,structurizecfg,lcssa)";
/// Brings pointers into registers and finds their address spaces, at every level: shaders have no
/// generic pointers.
const FIND_SPACES: &str = "function(sroa<modify-cfg>,early-cse<>,infer-address-spaces,sroa<modify-cfg>,early-cse<>,\
    simplifycfg,infer-address-spaces)";
/// Most operations of shaders on vectors are no faster than those on their elements.
const SCALARS: &str = "function(scalarizer,dce)";
/// Joins accesses to neighbours in memory, which takes a fourth of the instructions.
const NEIGHBOURS: &str = "function(load-store-vectorizer,dce)";

/// True for a function that Sinter chose to call, and that takes values alone.
fn stays(function: &Value<'_>) -> bool {
    let is_value = |value: Value<'_>| value.address_space().is_none();
    function.has_attribute("noinline") && function.parameters().into_iter().all(is_value)
}

/// Inlines functions, but for those that would be most of the kernel, and scalarises vectors. Runs
/// before the legaliser.
pub(in super::super) fn prepare<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let others = m.defined().into_iter().filter(|function| *function != m.kernel);
    let others: Vec<_> = others.filter(|function| !stays(function)).collect();
    for function in &others {
        function.remove_attribute("noinline");
        function.remove_attribute("optnone");
        function.add_attribute("alwaysinline", 0);
    }
    if !others.is_empty() {
        m.module.run_passes(INLINE, Some(cx.machine))?;
    }
    m.module.run_passes(FIND_SPACES, Some(cx.machine))?;
    m.module.run_passes(SCALARS, Some(cx.machine))?;
    if cx.optimise() {
        m.module.run_passes(NEIGHBOURS, Some(cx.machine))?;
    }
    Ok(())
}

/// Gives each loop one entry. With several, Intel's compiler for CPUs runs work-items one by one,
/// whose sub-groups then exchange nothing.
pub(super) fn enter_once<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    entries::enter_once(&m.module, m.defined(), cx.machine)
}

/// Nests the control flow of the kernel and its functions.
pub(super) fn nest<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let ends = |i: &Value<'_>| i.opcode() == Opcode::LLVMUnreachable;
    // No execution gets there, so that it may as well return.
    for end in m.defined().into_iter().flat_map(Value::instructions).filter(ends) {
        let returned = end.function().return_type();
        end.insert_before(|insert| match returned.view() {
            TypeView::Void => insert.leave(),
            _ => insert.give(returned.undefined()),
        });
        end.erase();
    }
    m.module.run_passes(NEST, Some(cx.machine))?;
    Ok(())
}
