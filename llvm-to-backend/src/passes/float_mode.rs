//! Applies the float mode to floating-point operations.
//!
//! *Invariant:* a library function keeps the fast-math flags that it was compiled with, unless it
//! stands for an operation of the kernel.

use crate::{context::Context, device_module::DeviceModule};
use sinter_core::FloatMode;
use sinter_llvm::ir::{Opcode, Value};
use std::collections::HashSet;

/// Function attribute of `-ffast-math`, for which LLVM's code generators contract operations
/// regardless of their flags.
const FUSING: &str = "unsafe-fp-math";
/// Name prefix of device builtins.
const BUILTINS: &str = "__acpp_sscp_";

/// Applies the float mode of the request to all operations.
pub(crate) fn float_mode<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    change_fast_math_flags(cx, m, |_| true);
}

/// As [`float_mode`], after other functions were linked to `own`. A library function relies on
/// cancellation in its sums, and tests for infinities itself: it keeps the fast-math flags that it
/// was compiled with. A builtin that consists of a single operation stands for that operation in
/// the kernel and gets the mode.
pub(crate) fn float_mode_of_linked<'s, S>(cx: &Context<'_, '_>, m: &DeviceModule<'s, S>, own: &HashSet<Value<'s>>) {
    change_fast_math_flags(cx, m, |function| own.contains(&function) || is_operation(function));
}

fn change_fast_math_flags<'s, S>(cx: &Context<'_, '_>, m: &DeviceModule<'s, S>, is_free: impl Fn(Value<'s>) -> bool) {
    let functions = m.defined().into_iter();
    match cx.config().float_mode {
        FloatMode::NoContraction => functions.for_each(|function| {
            function.instructions().into_iter().for_each(split);
            function.remove_text_attribute(FUSING);
        }),
        FloatMode::Fast => {
            let free = functions.filter(|function| is_free(*function));
            free.flat_map(Value::instructions).for_each(Value::set_all_fast_math_flags);
        }
        _ => {}
    }
}

/// True for a builtin that only returns the result of intrinsics and divisions, such as a square
/// root.
fn is_operation(function: Value<'_>) -> bool {
    let is_part = |instruction: Value<'_>| match instruction.opcode() {
        Opcode::LLVMRet | Opcode::LLVMFDiv => true,
        _ => instruction.callee().is_some_and(Value::is_intrinsic),
    };
    function.name().starts_with(BUILTINS) && function.instructions().into_iter().all(is_part)
}

/// Forbids contraction; `llvm.fmuladd`, which allows it, is split into two operations.
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
