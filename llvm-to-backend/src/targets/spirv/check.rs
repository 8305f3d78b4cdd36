//! Refuses code that SPIR-V devices cannot run.
//!
//! *Invariant:* code that passes is either legalised and emitted, or refused by the legaliser or
//! the emitter with its place.

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

/// Maximum private memory of a work-item in bytes: more than any device has, so only kernels that
/// run nowhere are refused here.
const PRIVATE_MEMORY: u64 = 16 << 20;

pub(super) fn check(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    gpu::check(cx, &DIALECT, m)?;
    let atomics = m.defined().into_iter().flat_map(Value::instructions).filter(|i| i.is_atomic());
    atomics.into_iter().try_for_each(|instruction| atomics::fits(cx, instruction, "a device that takes SPIR-V"))?;
    no_recursion(cx, m)?;
    gpu::private_memory_fits(cx, m, PRIVATE_MEMORY)
}

/// Repeats the checks after the optimiser, which may create code that cannot be emitted.
pub(super) fn check_again<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    gpu::check_again(cx, &DIALECT, m, builtins::is_provided)
}

/// Refuses recursion, which SPIR-V forbids in functions that an entry point reaches (2.16.1
/// "Universal Validation Rules").
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

/// A function on the current call path that is called again; `None` without recursion.
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
