//! Operands that are no values of their own.
//!
//! In: instructions with constant expressions and undefined constants as operands. Out: instructions with literals, globals and results of
//! other instructions. *Invariant:* SPIR-V's `OpUndef` may be another value at each use, as LLVM's `undef` may and a frozen value may not.
//! It stays where nothing sees it: what elements and members are put into, the second operand of a `shufflevector`, initial
//! values of variables. Elsewhere what is undefined is zero, which LLVM allows. A `freeze` of an instruction's result stays and is
//! a copy for the emitter: what SPIR-V leaves undefined in a result is one value, the same for all uses.

use crate::device_module::DeviceModule;
use sinter_llvm::{
    ir::{Opcode, Value, ValueKind},
    types::TypeView,
};
use std::collections::HashSet;

/// Makes every constant expression that an instruction uses an instruction.
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

/// A constant that a constant expression in `value` is made of. Expanding its users leaves fewer expressions.
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

/// Gives what is undefined a value where it matters.
pub(super) fn define<S>(m: &DeviceModule<'_, S>) {
    for instruction in m.defined().into_iter().flat_map(Value::instructions) {
        if instruction.opcode() == Opcode::LLVMFreeze {
            frozen(instruction);
            continue;
        }
        for (index, operand) in instruction.operands().into_iter().enumerate() {
            if operand.is_undefined() && !is_harmless(instruction, index) && has_zero(operand) {
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

/// A frozen constant is that constant, or zero where it is undefined, also in parts.
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
    let TypeView::Vector(_, count) = constant.ty().view() else { return constant };
    let elements: Vec<_> = (0..count).filter_map(|index| constant.element(index)).collect();
    if !elements.iter().any(|element| element.is_undefined()) {
        return constant;
    }
    at.insert_before(|insert| {
        (0u64..).zip(elements).fold(constant.ty().zero(), |vector, (index, element)| {
            match at.ty().constant_index(index) {
                Some(index) if !element.is_undefined() => insert.with_element(vector, element, index),
                _ => vector,
            }
        })
    })
}
