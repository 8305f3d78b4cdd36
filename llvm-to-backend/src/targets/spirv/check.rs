//! What devices that take SPIR-V cannot run.
//!
//! *Invariant:* what passes can be made legal and written, or is refused by the legaliser or the emitter with its place.

use super::{builtins, math::DIALECT};
use crate::{
    backend::first_use,
    context::Context,
    device_module::{Bound, DeviceModule},
    failure::Outcome,
    targets::gpu::{atomics, check as gpu},
};
use sinter_core::names::readable;
use sinter_llvm::ir::Value;
use std::collections::HashSet;

/// Private memory of a work-item: more than any device has, so that only what can run nowhere is refused here.
const PRIVATE_MEMORY: u64 = 16 << 20;

pub(super) fn check(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    gpu::check(cx, &DIALECT, m)?;
    let atomics = m.defined().into_iter().flat_map(Value::instructions).filter(|i| i.is_atomic());
    atomics.into_iter().try_for_each(|instruction| atomics::fits(cx, instruction, "a device that takes SPIR-V"))?;
    no_recursion(cx, m)?;
    gpu::private_memory_fits(cx, m, PRIVATE_MEMORY)
}

/// What the optimiser made is checked like what it got.
pub(super) fn check_again<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    gpu::check_again(cx, &DIALECT, m, builtins::is_provided)
}

/// The functions that an entry point reaches must not call each other in a circle (SPIR-V, 2.16.1 "Universal Validation Rules").
fn no_recursion(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let mut done = HashSet::new();
    for function in m.defined() {
        if let Some(call) = circle(function, &mut done, &mut Vec::new()) {
            let name = readable(&call.function().name());
            let what = format!("the recursive function `{name}`");
            let hint = "devices that take SPIR-V have no stack for it; use a loop and an array";
            return Err(cx.unsupported(what, call.location().or_else(|| first_use(call.function())), hint).into());
        }
    }
    Ok(())
}

/// A call that leads back to a function on the way.
fn circle<'s>(function: Value<'s>, done: &mut HashSet<Value<'s>>, way: &mut Vec<Value<'s>>) -> Option<Value<'s>> {
    if !done.insert(function) {
        return None;
    }
    way.push(function);
    for call in function.instructions().into_iter().filter(|instruction| instruction.is_call()) {
        let Some(callee) = call.callee() else { continue };
        if way.contains(&callee) {
            return Some(call);
        }
        if callee.is_global()
            && !callee.is_declaration()
            && let Some(found) = circle(callee, done, way)
        {
            return Some(found);
        }
    }
    way.pop();
    None
}
