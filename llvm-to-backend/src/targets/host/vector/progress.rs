//! Finds what lanes of a row may wait for without end.
//!
//! In: instructions, or a plan with loops. Out: those that see what other work-items write.
//! *Invariant:* nothing here changes what is computed.

use super::properties::is_update;
use crate::cfg::{
    read::Graph,
    rows::{RowBlock, RowPlan},
};
use sinter_llvm::ir::{Opcode, Value};
use std::collections::HashSet;

/// The reason that [`waits`] is.
pub(super) const WAITS: &str = "a loop may wait for what another work-item writes";

/// The instruction in a loop that sees what other work-items write, for which lanes may wait.
pub(super) fn waits<'s>(graph: &Graph<'s>, plan: &RowPlan) -> Option<Value<'s>> {
    let sees = |row: &RowBlock| graph.block(row.block).instructions().into_iter().find(|one| reads_what_changes(*one));
    plan.blocks.iter().filter(|row| row.depth > 0).find_map(sees)
}

/// True for a value that another work-item may change while this one waits.
pub(super) fn reads_what_changes(value: Value<'_>) -> bool {
    let is_fence = value.opcode() == Opcode::LLVMFence && !value.is_of_one_thread();
    is_fence || value.is_used() && observes(value, &mut HashSet::new())
}

/// True for an instruction that sees what other work-items write, or calls one. `seen` has the
/// functions that were looked at.
fn observes<'s>(value: Value<'s>, seen: &mut HashSet<Value<'s>>) -> bool {
    let is_volatile = || value.opcode() == Opcode::LLVMLoad && value.is_volatile();
    if value.is_atomic() || is_volatile() || is_update(value) {
        return true;
    }
    let callee = value.callee().filter(|callee| seen.insert(*callee));
    callee.is_some_and(|callee| callee.instructions().into_iter().any(|inner| observes(inner, seen)))
}
