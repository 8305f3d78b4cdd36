//! Turns device globals into parameters of the kernel.
//!
//! In: declared variables that stage 1 marked as device globals. Out: a pointer parameter of the
//! kernel for each one that it uses, after its own parameters, and their names in that order; the
//! runtime passes the addresses of the device. *Invariant:* no device global remains, so that code
//! has no address in it and the same code serves all devices and processes.

use crate::{
    context::Context,
    device_module::{Addressed, DeviceModule, Inlined},
    failure::Outcome,
    passes::inlining::users,
};
use sinter_core::{TranslateCause, device_global::variable_of, names::readable};
use sinter_llvm::ir::Value;

pub(crate) fn device_globals<'s>(
    cx: &Context<'s, '_>,
    mut m: DeviceModule<'s, Inlined>,
) -> Outcome<DeviceModule<'s, Addressed>> {
    let globals = m.module.globals().into_iter().filter(|global| variable_of(&global.name()).is_some());
    let (used, unused): (Vec<_>, Vec<_>) = globals.partition(|global| global.is_used());
    unused.into_iter().for_each(Value::delete_global);
    if used.is_empty() {
        return Ok(m.advance());
    }
    used.iter().try_for_each(|global| is_in_kernel(cx, &m, *global))?;
    let first = m.kernel.parameters().len();
    let kernel = m.kernel.with_added_parameters(cx.session, used.len());
    for (global, parameter) in used.into_iter().zip(kernel.parameters().into_iter().skip(first)) {
        if cx.config().constants_by_value && global.is_constant() {
            m.facts.readable.push((m.facts.device_globals.len(), global.value_type().alloc_size(cx.machine)));
        }
        m.facts.device_globals.extend(variable_of(&global.name()).map(str::to_owned));
        global.expand_constant_users();
        global.replace_uses(parameter);
        global.delete_global();
    }
    m.kernel = kernel;
    Ok(m.advance())
}

/// Rejects uses that inlining did not bring into the kernel.
fn is_in_kernel(cx: &Context<'_, '_>, m: &DeviceModule<'_, Inlined>, global: Value<'_>) -> Result<(), TranslateCause> {
    let name = || readable(variable_of(&global.name()).unwrap_or_default());
    if let Some(user) = users(global).into_iter().find(|user| user.function() != m.kernel) {
        let what = format!(
            "the device_global `{}` in `{}`, which cannot be inlined into the kernel",
            name(),
            readable(&user.function().name())
        );
        let hint = "recursive functions and functions that are called through pointers must get its address as an \
                    argument";
        return Err(cx.unsupported(what, user.location(), hint));
    }
    if global.users().into_iter().any(is_in_variable) {
        let what = format!("the address of the device_global `{}` in another variable", name());
        return Err(cx.unsupported(what, None, "take its address in the kernel"));
    }
    Ok(())
}

/// True if a constant is part of a variable's initial value.
fn is_in_variable(constant: Value<'_>) -> bool {
    !constant.is_instruction() && (constant.is_global() || constant.users().into_iter().any(is_in_variable))
}
