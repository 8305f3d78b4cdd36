//! Hoists loop-invariant divisions.
//!
//! In: simplified code, just before vectorisation. Out: no innermost loop computes a quotient or
//! remainder of loop-invariant values; it is computed before the loop, with a divisor that cannot
//! trap. *Invariant:* a division whose condition never held yields some value, which is unused.
//! Divisions of more than 64 bits are not vectorised and stay.
//!
//! LLVM 19.1.7 miscompiles a loop such as `if (c[i]) out[i] = in[t % s + i]`: the loop vectoriser
//! takes the address of a whole vector from its first lane, where the guarded remainder was not
//! computed. LLVM's own hoisting leaves such a division in place, because it could trap.

use super::builtins::BARRIER;
use crate::cfg::{
    Loop, Variation, innermost_loops,
    read::{Graph, read},
};
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Shape, Value},
};
use std::collections::HashSet;

/// Hoists out of the innermost loops of `function`.
pub(super) fn hoist(function: Value<'_>) {
    if !function.instructions().into_iter().any(is_division) {
        return;
    }
    let graph = read(function, BARRIER, |_| Variation::Uniform);
    innermost_loops(&graph.cfg).iter().for_each(|one| hoist_from(&graph, one));
}

fn is_division(instruction: Value<'_>) -> bool {
    let divides =
        matches!(instruction.opcode(), Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem);
    divides && matches!(instruction.ty().shape(), Shape::Integer(1..=64))
}

fn hoist_from(graph: &Graph<'_>, one: &Loop) {
    let Some(end) = one.preheader.and_then(|block| graph.block(block).terminator()) else { return };
    let unchanged = unchanged(graph, one);
    if !unchanged.iter().any(|instruction| is_division(*instruction)) {
        return;
    }
    for instruction in unchanged {
        if is_division(instruction) {
            end.insert_before(|insert| make_safe(insert, instruction));
        }
        instruction.move_before(end);
    }
}

/// The loop-invariant instructions of a loop, operands first.
fn unchanged<'s>(graph: &Graph<'s>, one: &Loop) -> Vec<Value<'s>> {
    let instructions: Vec<_> = one.blocks.iter().flat_map(|block| graph.block(*block).instructions()).collect();
    let mut changing: HashSet<_> = instructions.iter().copied().collect();
    let mut unchanged = Vec::new();
    for instruction in instructions {
        let same = is_division(instruction) || instruction.is_function_of_operands() && !instruction.is_call();
        if same && !instruction.operands().iter().any(|operand| changing.contains(operand)) {
            changing.remove(&instruction);
            unchanged.push(instruction);
        }
    }
    unchanged
}

/// Replaces the divisor by 1 where the division would trap: by zero, or the lowest value by -1.
fn make_safe<'s>(insert: &Inserter<'s>, division: Value<'s>) {
    let [dividend, divisor] = [0, 1].map(|index| insert.freeze(division.operands()[index]));
    let literal = |bits| divisor.ty().constant(bits).unwrap_or(divisor);
    let mut traps = insert.equal(divisor, literal(0));
    if let (Opcode::LLVMSDiv | Opcode::LLVMSRem, Shape::Integer(width)) = (division.opcode(), divisor.ty().shape()) {
        let lowest = insert.equal(dividend, literal(1 << (width - 1)));
        traps = insert.either(traps, insert.both(lowest, insert.equal(divisor, literal(u64::MAX))));
    }
    division.set_operand(0, dividend);
    division.set_operand(1, insert.select(traps, literal(1), divisor));
}
