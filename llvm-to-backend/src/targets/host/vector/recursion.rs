//! Finds recursion in which lanes part.
//!
//! In: the plan for a function of lanes, and its calls that lead back to it. Out: true if lanes may
//! make these calls on ways of their own. *Invariant:* nothing here changes what is computed.
//!
//! Lanes that all go on together until each has come to its end keep the row filled, as in a loop.
//! Where some make one call and some another one, the number of rows grows with each level, until
//! there is one for each lane: a search in a tree takes three times as long as without rows.

use crate::cfg::{
    graph::BlockId,
    read::Graph,
    rows::{Mask, RowBlock, RowPlan},
};
use sinter_llvm::ir::Value;

/// The reason that [`parts_lanes`] is.
pub(super) const PARTS: &str = "its recursive calls part the lanes of a row";

/// True if not all recursive calls are made by the same lanes, once each. `is_recursive` is true
/// for these calls.
pub(super) fn parts_lanes<'s>(graph: &Graph<'s>, plan: &RowPlan, is_recursive: impl Fn(Value<'s>) -> bool) -> bool {
    let calls = |row: &&RowBlock| graph.block(row.block).instructions().into_iter().any(&is_recursive);
    let mut groups: Vec<_> = plan.blocks.iter().filter(calls).map(|row| lanes_of(plan, row)).collect();
    groups.sort_unstable();
    groups.dedup();
    let in_loop = |block: &BlockId| plan.blocks.iter().any(|row| row.block == *block && row.depth > 0);
    groups.len() > 1 || groups.iter().any(in_loop)
}

/// The first block that runs with the same lanes.
fn lanes_of(plan: &RowPlan, row: &RowBlock) -> BlockId {
    match row.mask {
        Mask::Entry => plan.blocks[0].block,
        Mask::Of(leader) => leader,
        Mask::Slot => row.block,
    }
}
