//! Expands constant expressions and undefined operands.
//!
//! In: instructions with constant expressions and undefined constants as operands. Out:
//! instructions with literals, globals and results of other instructions as operands. *Invariant:*
//! SPIR-V's `OpUndef` may have another value at each use, as LLVM's `undef` may and a frozen value
//! may not. It stays where it has no effect: as the aggregate of an insertion, the second operand
//! of a `shufflevector`, or an initial value of a variable. Elsewhere it becomes zero, which LLVM
//! allows. A `freeze` of an instruction's result stays and is a copy for the emitter: SPIR-V's
//! undefined results are one value, the same for all uses.

use crate::device_module::DeviceModule;
use sinter_llvm::{
    ir::{Opcode, Value, ValueKind},
    types::TypeView,
};
use std::collections::HashSet;

/// Turns every constant expression that an instruction uses into an instruction.
pub(super) fn expand<S>(m: &DeviceModule<'_, S>) {
    loop {
        let (mut bases, mut seen) = (Vec::new(), HashSet::new());
        for operand in m.defined().into_iter().flat_map(Value::instructions).flat_map(Value::operands) {
            bases.extend(base(operand).filter(|base| seen.insert(*base)));
        }
        if bases.is_empty() {
            return;
        }
        bases.into_iter().for_each(Value::expand_constant_users);
    }
}

/// A constant operand of a constant expression in `value`. Expanding its users leaves fewer
/// expressions.
fn base(value: Value<'_>) -> Option<Value<'_>> {
    match value.kind() {
        ValueKind::LLVMConstantExprValueKind => {
            let first = value.operands().first().copied()?;
            base(first).or(Some(first))
        }
        ValueKind::LLVMConstantArrayValueKind
        | ValueKind::LLVMConstantStructValueKind
        | ValueKind::LLVMConstantVectorValueKind => value.operands().into_iter().find_map(base),
        _ => None,
    }
}

/// Replaces undefined operands by zero where they have an effect.
pub(super) fn define<S>(m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        function.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMFreeze).for_each(frozen);
        define_operands(function);
    }
}

fn define_operands(function: Value<'_>) {
    let instructions = function.instructions();
    // The aggregate of an insertion has an effect if the result is frozen.
    let is_frozen = |i: &Value<'_>| i.opcode() == Opcode::LLVMFreeze && is_composite(*i);
    let freezes = instructions.iter().any(is_frozen);
    for instruction in instructions {
        for (index, operand) in instruction.operands().into_iter().enumerate() {
            if operand.is_undefined() && (freezes || !is_harmless(instruction, index)) && has_zero(operand) {
                instruction.set_operand(index, operand.ty().zero());
            }
        }
    }
}

fn has_zero(operand: Value<'_>) -> bool {
    !matches!(operand.ty().view(), TypeView::Other | TypeView::Void)
}

fn is_harmless(instruction: Value<'_>, index: usize) -> bool {
    match instruction.opcode() {
        Opcode::LLVMInsertElement | Opcode::LLVMInsertValue => index == 0,
        Opcode::LLVMShuffleVector => true,
        _ => false,
    }
}

/// A frozen constant becomes that constant, with zero for each undefined part.
fn frozen(freeze: Value<'_>) {
    let Some(operand) = freeze.operands().first().copied() else { return };
    if !operand.is_constant_value() || operand.kind() == ValueKind::LLVMConstantExprValueKind {
        return;
    }
    let value = defined(freeze, operand);
    freeze.replace_uses(value);
    freeze.erase();
}

fn defined<'s>(at: Value<'s>, constant: Value<'s>) -> Value<'s> {
    if constant.is_undefined() {
        return constant.ty().zero();
    }
    let (count, is_vector) = match constant.ty().view() {
        TypeView::Vector(_, count) => (count, true),
        TypeView::Array(_, count) => (count as u32, false),
        TypeView::Structure(members, _) => (members.len() as u32, false),
        _ => return constant,
    };
    let elements = (0u32..count).filter_map(|index| Some((index, constant.element(index)?)));
    elements.into_iter().fold(constant, |whole, (index, element)| {
        let value = defined(at, element);
        if value == element {
            return whole;
        }
        at.insert_before(|insert| match at.ty().constant_index(index.into()) {
            Some(place) if is_vector => insert.with_element(whole, value, place),
            _ => insert.with_member(whole, value, index),
        })
    })
}

fn is_composite(value: Value<'_>) -> bool {
    matches!(value.ty().view(), TypeView::Vector(..) | TypeView::Array(..) | TypeView::Structure(..))
}
