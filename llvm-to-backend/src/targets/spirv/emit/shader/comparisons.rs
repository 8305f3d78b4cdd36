//! Finds the comparisons of integers that have the same operands.
//!
//! In: the instructions of a function. Out: for a comparison, how many there are of its operands,
//! in either order. *Invariant:* the time grows with the number of instructions: a value may be
//! compared thousands of times.

use sinter_llvm::{
    ir::{Opcode, Value},
    operation::IntegerPredicate,
};
use std::collections::HashMap;

/// Comparisons of the same operands.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Count {
    pub(super) all: usize,
    /// Those for being equal, or not.
    pub(super) equalities: usize,
}

/// The comparisons of a function, by their operands.
#[derive(Debug, Default)]
pub(super) struct Comparisons<'s>(HashMap<[Value<'s>; 2], Count>);

impl<'s> Comparisons<'s> {
    pub(super) fn among(instructions: &[Value<'s>]) -> Self {
        let mut found: HashMap<_, Count> = HashMap::new();
        for comparison in instructions.iter().filter(|instruction| instruction.opcode() == Opcode::LLVMICmp) {
            let count = found.entry(sides(*comparison)).or_default();
            count.all += 1;
            count.equalities += usize::from(is_equality(*comparison));
        }
        Comparisons(found)
    }

    /// Those with the operands of one, itself among them.
    pub(super) fn of(&self, comparison: Value<'s>) -> Count {
        let [first, second] = sides(comparison);
        let [one, other] = [[first, second], [second, first]].map(|key| self.0.get(&key).copied().unwrap_or_default());
        Count { all: one.all + other.all, equalities: one.equalities + other.equalities }
    }
}

fn sides(comparison: Value<'_>) -> [Value<'_>; 2] {
    let operands = comparison.operands();
    [operands[0], operands[1]]
}

pub(super) fn is_equality(comparison: Value<'_>) -> bool {
    matches!(comparison.integer_predicate(), IntegerPredicate::LLVMIntEQ | IntegerPredicate::LLVMIntNE)
}

pub(super) fn is_greater(comparison: Value<'_>) -> bool {
    use IntegerPredicate::*;
    matches!(comparison.integer_predicate(), LLVMIntUGT | LLVMIntUGE | LLVMIntSGT | LLVMIntSGE)
}
