//! Decides which multiplications and additions are fused.
//!
//! In: floating-point operations that may be contracted. Out: fused ones (`llvm.fmuladd`) where the
//! CPU has an instruction for them and the product has no other use, and no permission to contract
//! any other. These are the rules of LLVM's code generator (`DAGCombiner::visitFADDForFMACombine`),
//! which would look at the operations that its optimiser leaves. *Invariant:* quick code and
//! optimised code fuse the same operations, because both are made after this. Operations that may
//! also be reassociated are left alone: for them there is no quick code.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
};
use sinter_llvm::{
    ir::{Opcode, Value},
    types::TypeView,
};

pub(super) fn fuse(cx: &Context<'_, '_>, m: &DeviceModule<'_, Checked>) {
    for instruction in m.defined().into_iter().flat_map(Value::instructions) {
        match product(instruction) {
            Some(place) if has_instruction(cx, instruction) => join(m, instruction, place),
            None if is_joined(instruction) && !has_instruction(cx, instruction) => split(instruction),
            _ => {}
        }
    }
    for instruction in m.defined().into_iter().flat_map(Value::instructions).filter(|i| is_exact(*i)) {
        instruction.forbid_contraction();
    }
}

/// True if nothing but contraction may change the result of an operation.
fn is_exact(instruction: Value<'_>) -> bool {
    !instruction.fast_math_flags().reassociate
}

/// True for `llvm.fmuladd`, which a code generator splits or not.
fn is_joined(instruction: Value<'_>) -> bool {
    instruction.is_call() && instruction.callee().is_some_and(|callee| callee.name().starts_with("llvm.fmuladd."))
}

/// True if the CPU adds products of this type without rounding them.
fn has_instruction(cx: &Context<'_, '_>, instruction: Value<'_>) -> bool {
    match instruction.ty().scalar().view() {
        TypeView::Float(32 | 64) => cx.machine.has_feature("fma") || cx.machine.has_feature("fma4"),
        TypeView::Float(16) => cx.machine.has_feature("avx512fp16"),
        _ => false,
    }
}

/// The operand of a sum or difference that is a product and may be fused with it.
fn product(sum: Value<'_>) -> Option<usize> {
    let may_contract = |value: Value<'_>| value.fast_math_flags().contract && is_exact(value);
    if !matches!(sum.opcode(), Opcode::LLVMFAdd | Opcode::LLVMFSub) || !may_contract(sum) {
        return None;
    }
    let operands = sum.operands();
    let is_used_once = |product: Value<'_>| product.users().len() == 1 && operands[0] != operands[1];
    operands.iter().position(|operand| {
        let is_product = operand.is_instruction() && operand.opcode() == Opcode::LLVMFMul;
        is_product && may_contract(*operand) && is_used_once(*operand) && operand.block() == sum.block()
    })
}

/// Replaces a sum or difference and the product at `place` by one operation.
fn join(m: &DeviceModule<'_, Checked>, sum: Value<'_>, place: usize) {
    let (operands, is_difference) = (sum.operands(), sum.opcode() == Opcode::LLVMFSub);
    let (product, other) = (operands[place], operands[1 - place]);
    let factors = product.operands();
    let joined = sum.insert_before(|insert| {
        let first = if is_difference && place == 1 { insert.negate(factors[0]) } else { factors[0] };
        let last = if is_difference && place == 0 { insert.negate(other) } else { other };
        insert.intrinsic(&m.module, "llvm.fmuladd", &[sum.ty()], &[first, factors[1], last])
    });
    sum.replace_uses(joined);
    sum.erase();
    product.erase();
}

/// Replaces a call of `llvm.fmuladd` by two operations.
fn split(call: Value<'_>) {
    let operands = call.operands();
    let [a, b, c] = [operands[0], operands[1], operands[2]];
    call.replace_uses(call.insert_before(|insert| insert.multiply_then_add([a, b, c])));
    call.erase();
}
