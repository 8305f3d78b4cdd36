//! Expands arithmetic on booleans.
//!
//! In: operations on `i1` and vectors of it, which LLVM treats as integers of one bit. Out: `and`,
//! `or`, `xor` and `select`. *Invariant:* as a signed integer true is -1; a shift or quotient that
//! is defined returns its first operand.

use super::accepted::width;
use crate::device_module::DeviceModule;
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Value},
    operation::IntegerPredicate as P,
};

pub(super) fn replace<S>(m: &DeviceModule<'_, S>) {
    for instruction in m.defined().into_iter().flat_map(Value::instructions) {
        let operands = instruction.operands();
        let [a, ..] = operands[..] else { continue };
        if width(a.ty()) != Some(1) {
            continue;
        }
        let b = operands.get(1).copied().unwrap_or(a);
        if let Some(value) = instruction.insert_before(|insert| replacement(insert, instruction, a, b)) {
            instruction.replace_uses(value);
            instruction.erase();
        }
    }
}

fn replacement<'s>(insert: &Inserter<'s>, instruction: Value<'s>, a: Value<'s>, b: Value<'s>) -> Option<Value<'s>> {
    let number = |value: f64| instruction.ty().real(value);
    Some(match instruction.opcode() {
        Opcode::LLVMAdd | Opcode::LLVMSub => insert.binary(Opcode::LLVMXor, a, b),
        Opcode::LLVMMul => insert.binary(Opcode::LLVMAnd, a, b),
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr => a,
        Opcode::LLVMURem | Opcode::LLVMSRem => a.ty().zero(),
        Opcode::LLVMUIToFP => insert.select(a, number(1.0), number(0.0)),
        Opcode::LLVMSIToFP => insert.select(a, number(-1.0), number(0.0)),
        Opcode::LLVMICmp => comparison(insert, instruction.integer_predicate(), a, b),
        _ => return None,
    })
}

fn comparison<'s>(insert: &Inserter<'s>, predicate: P, a: Value<'s>, b: Value<'s>) -> Value<'s> {
    let not = |value: Value<'s>| {
        let all = insert.compare(P::LLVMIntEQ, value.ty().zero(), value.ty().zero());
        insert.binary(Opcode::LLVMXor, value, all)
    };
    let (below, at_most) =
        (|a, b| insert.binary(Opcode::LLVMAnd, not(a), b), |a, b| insert.binary(Opcode::LLVMOr, not(a), b));
    match predicate {
        P::LLVMIntEQ => not(insert.binary(Opcode::LLVMXor, a, b)),
        P::LLVMIntNE => insert.binary(Opcode::LLVMXor, a, b),
        P::LLVMIntULT | P::LLVMIntSGT => below(a, b),
        P::LLVMIntUGT | P::LLVMIntSLT => below(b, a),
        P::LLVMIntULE | P::LLVMIntSGE => at_most(a, b),
        P::LLVMIntUGE | P::LLVMIntSLE => at_most(b, a),
    }
}
