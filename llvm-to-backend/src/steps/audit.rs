//! Rejects code that depends on one instruction set, or on the loader or calling convention of a
//! host.
//!
//! *Invariant:* runs before the device builtins are linked, which are written for the target and
//! may contain such code.

use crate::{
    backend::first_use,
    context::Context,
    device_module::{Addressed, DeviceModule},
    failure::Outcome,
    targets::INTRINSICS,
};
use sinter_core::names::readable;
use sinter_llvm::ir::{Opcode, Value, ValueKind};

/// Prefix of the intrinsics that access variadic arguments.
const ARGUMENT_LISTS: &str = "llvm.va_";

pub(crate) fn audit<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Addressed>) -> Outcome<DeviceModule<'s, Addressed>> {
    no_assembly(cx, &m)?;
    no_foreign_intrinsics(cx, &m)?;
    no_indirect_functions(cx, &m)?;
    no_variable_arguments(cx, &m)?;
    Ok(m)
}

fn no_assembly(cx: &Context<'_, '_>, m: &DeviceModule<'_, Addressed>) -> Outcome<()> {
    let is_assembly =
        |i: &Value<'_>| i.callee().is_some_and(|callee| callee.kind() == ValueKind::LLVMInlineAsmValueKind);
    match m.defined().into_iter().flat_map(Value::instructions).find(is_assembly) {
        Some(call) => {
            let hint = "use a device builtin or an LLVM intrinsic that every target has";
            Err(cx.unsupported("inline assembly", call.location(), hint).into())
        }
        None => Ok(()),
    }
}

fn no_foreign_intrinsics(cx: &Context<'_, '_>, m: &DeviceModule<'_, Addressed>) -> Outcome<()> {
    let foreign = |name: &str| {
        name.strip_prefix("llvm.")
            .and_then(|rest| rest.split('.').next())
            .is_some_and(|family| INTRINSICS.iter().any(|families| families.contains(&family)))
    };
    match m.module.functions().into_iter().find(|f| f.is_declaration() && f.is_used() && foreign(&f.name())) {
        Some(function) => {
            let what = format!("the intrinsic `{}`", function.name());
            let hint = "it belongs to one instruction set, and device code is for all; use a device builtin";
            Err(cx.unsupported(what, first_use(function), hint).into())
        }
        None => Ok(()),
    }
}

fn no_indirect_functions(cx: &Context<'_, '_>, m: &DeviceModule<'_, Addressed>) -> Outcome<()> {
    match m.module.indirect_functions().into_iter().find(|function| function.is_used()) {
        Some(function) => {
            let what = format!(
                "the function `{}`, which the loader of a program chooses (ifunc),",
                readable(&function.name())
            );
            let hint = "call the function itself that device code is to use";
            Err(cx.unsupported(what, first_use(function), hint).into())
        }
        None => Ok(()),
    }
}

/// Variadic functions may be declared, since the target's own library may have one, but a
/// definition and the use of `va_arg` are rejected.
fn no_variable_arguments(cx: &Context<'_, '_>, m: &DeviceModule<'_, Addressed>) -> Outcome<()> {
    const HINT: &str = "pass a fixed number of arguments, or use a template with a parameter pack";
    if let Some(function) = m.defined().into_iter().find(|function| function.is_variadic()) {
        let what = format!("the variadic function `{}`", readable(&function.name()));
        return Err(cx.unsupported(what, first_use(function), HINT).into());
    }
    match m.defined().into_iter().flat_map(Value::instructions).find(|i| reads_argument_list(*i)) {
        Some(instruction) => {
            Err(cx.unsupported("a list of variable arguments (`va_list`)", instruction.location(), HINT).into())
        }
        None => Ok(()),
    }
}

fn reads_argument_list(instruction: Value<'_>) -> bool {
    instruction.opcode() == Opcode::LLVMVAArg
        || instruction.callee().is_some_and(|callee| callee.name().starts_with(ARGUMENT_LISTS))
}
