//! Gives floating-point operations the freedom that was asked for.
//!
//! *Invariant:* a library's function keeps the freedom that it was compiled with, unless it stands for an operation of the kernel.

use crate::{context::Context, device_module::DeviceModule};
use sinter_core::FloatMode;
use sinter_llvm::ir::{Opcode, Value};
use std::collections::HashSet;

/// What `-ffast-math` says about a whole function, by which LLVM's code generators fuse whatever the operations say.
const FUSING: &str = "unsafe-fp-math";
/// What the names of device builtins start with.
const BUILTINS: &str = "__acpp_sscp_";

/// Changes the freedom of every operation, if that is asked for.
pub(crate) fn float_mode<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    change_freedom(cx, m, |_| true);
}

/// The same where functions were linked to `own`. The parts of sums in a library's function cancel each other, and it looks for infinities
/// itself: it keeps the freedom that it was compiled with. A builtin that is nothing but an operation stands for that in the kernel.
pub(crate) fn float_mode_of_linked<'s, S>(cx: &Context<'_, '_>, m: &DeviceModule<'s, S>, own: &HashSet<Value<'s>>) {
    change_freedom(cx, m, |function| own.contains(&function) || is_operation(function));
}

fn change_freedom<'s, S>(cx: &Context<'_, '_>, m: &DeviceModule<'s, S>, is_free: impl Fn(Value<'s>) -> bool) {
    let functions = m.defined().into_iter();
    match cx.config().float_mode {
        FloatMode::NoContraction => functions.for_each(|function| {
            function.instructions().into_iter().for_each(split);
            function.remove_text_attribute(FUSING);
        }),
        FloatMode::Fast => {
            let free = functions.filter(|function| is_free(*function));
            free.flat_map(Value::instructions).for_each(Value::allow_everything);
        }
        _ => {}
    }
}

/// Whether a function is a builtin that returns the result of intrinsics and divisions, as that of a square root.
fn is_operation(function: Value<'_>) -> bool {
    let is_part = |instruction: Value<'_>| match instruction.opcode() {
        Opcode::LLVMRet | Opcode::LLVMFDiv => true,
        _ => instruction.callee().is_some_and(Value::is_intrinsic),
    };
    function.name().starts_with(BUILTINS) && function.instructions().into_iter().all(is_part)
}

/// Forbids fusing; an operation that the code generator may fuse as it likes becomes two.
fn split(instruction: Value<'_>) {
    instruction.forbid_contraction();
    let Some(callee) = instruction.callee().filter(|callee| callee.name().starts_with("llvm.fmuladd.")) else { return };
    let operands: Vec<_> = instruction.operands().into_iter().filter(|operand| *operand != callee).collect();
    if let Ok(operands) = <[Value<'_>; 3]>::try_from(operands) {
        let sum = instruction.insert_before(|insert| insert.multiply_then_add(operands));
        instruction.replace_uses(sum);
        instruction.erase();
    }
}
