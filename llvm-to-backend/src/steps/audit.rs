//! Refuses what device code must not contain because it is made for one instruction set.
//!
//! *Invariant:* runs before the device builtins are linked: those are written for the target and may hold all of it.

use crate::{
    backend::first_use,
    context::Context,
    device_module::{DeviceModule, Specialized},
    failure::Outcome,
};
use sinter_llvm::ir::{Value, ValueKind};

/// Families of intrinsics that belong to one instruction set.
const FOREIGN: [&str; 9] = ["nvvm", "amdgcn", "r600", "x86", "aarch64", "arm", "ppc", "riscv", "spv"];

pub(crate) fn audit<'s>(
    cx: &Context<'s, '_>,
    m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    no_assembly(cx, &m)?;
    no_foreign_intrinsics(cx, &m)?;
    Ok(m)
}

fn no_assembly(cx: &Context<'_, '_>, m: &DeviceModule<'_, Specialized>) -> Outcome<()> {
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

fn no_foreign_intrinsics(cx: &Context<'_, '_>, m: &DeviceModule<'_, Specialized>) -> Outcome<()> {
    let foreign = |name: &str| {
        name.strip_prefix("llvm.")
            .and_then(|rest| rest.split('.').next())
            .is_some_and(|family| FOREIGN.contains(&family))
    };
    match m.module.functions().into_iter().find(|f| f.is_declaration() && f.is_used() && foreign(&f.name())) {
        Some(function) => {
            let what = format!("the intrinsic `{}`", function.name());
            let hint =
                "it belongs to one instruction set; guard it with a query of the target, or use a device builtin";
            Err(cx.unsupported(what, first_use(function), hint).into())
        }
        None => Ok(()),
    }
}
