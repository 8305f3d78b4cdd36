//! Which values are computed again after a barrier instead of kept.
//!
//! In: a [`Layout`]. Out: for a value, the computation that gives it from what is always there. *Invariant:* a
//! computation is at most [`LIMIT`] instructions and depends on parameters and the addresses of allocas alone.

use super::graph::{Kind, ValueId};
use super::layout::Layout;
use std::collections::HashSet;

/// Loading a kept value costs about five cycles and a slot in the memory of each item; eight simple instructions that
/// partly run at once cost about the same.
const LIMIT: u32 = 8;

/// Values that need not be kept.
#[derive(Debug)]
pub(super) struct Recompute<'a, 'c> {
    layout: &'a Layout<'c>,
    /// How many instructions give the value; 0 for what is always there, `None` for what must be kept.
    cost: Vec<Option<u32>>,
}

impl<'a, 'c> Recompute<'a, 'c> {
    pub(super) fn of(layout: &'a Layout<'c>) -> Self {
        let mut cost = vec![None; layout.values() as usize];
        cost[..layout.cfg.parameters.len()].fill(Some(0));
        for (value, instruction) in layout.reached_instructions() {
            cost[value.index()] = match instruction.kind {
                Kind::Alloca => Some(0),
                Kind::Cheap => {
                    let mut operands = instruction.operands.iter();
                    let total = operands.try_fold(1, |sum, operand| Some(sum + cost[operand.index()]?));
                    total.filter(|&total| total <= LIMIT)
                }
                _ => None,
            };
        }
        Self { layout, cost }
    }

    /// Whether `value` is never kept because parameters and allocas give it.
    pub(super) fn can_give(&self, value: ValueId) -> bool {
        self.cost[value.index()].is_some()
    }

    /// Whether `value` is there without any computation: a parameter or an alloca.
    pub(super) fn is_given(&self, value: ValueId) -> bool {
        self.cost[value.index()] == Some(0)
    }

    /// `values` and the computations they depend on, operands first.
    pub(super) fn in_order(&self, values: &[ValueId]) -> Vec<ValueId> {
        let mut order = Vec::new();
        let mut seen = HashSet::new();
        values.iter().for_each(|&value| self.add(value, &mut seen, &mut order));
        order
    }

    /// As deep as [`LIMIT`] at most.
    fn add(&self, value: ValueId, seen: &mut HashSet<ValueId>, order: &mut Vec<ValueId>) {
        if self.is_given(value) || !seen.insert(value) {
            return;
        }
        let operands = self.layout.instruction(value).into_iter().flat_map(|i| &i.operands);
        operands.for_each(|&operand| self.add(operand, seen, order));
        order.push(value);
    }
}
