//! The control flow of one kernel as a plain value, and the plans for splitting it at its barriers
//! and for running it by rows of lanes.
//!
//! In: a [`Cfg`], read from a function. Out: a [`BarrierPlan`]: the states of a work-item, one per
//! barrier, and the values that are live across barriers. The method is that of Karrenberg and
//! Hack, "Improving Performance of OpenCL on CPUs" (CC 2012): a barrier returns the number of the
//! state that continues after it. With facts about its instructions, a [`Cfg`] also gives a
//! [`RowPlan`](rows::RowPlan): the order in which one function for many lanes runs its blocks, and
//! the values that need no vector. *Invariant:* nothing here depends on LLVM; every analysis is
//! conservative about what it cannot see.

mod dominators;
mod edges;
pub(crate) mod flow;
mod forms;
pub(crate) mod graph;
#[cfg(test)]
mod jumps;
#[cfg(test)]
mod lane_items;
#[cfg(test)]
mod lane_program;
#[cfg(test)]
mod lanes;
mod layout;
mod liveness;
mod loop_forest;
mod loops;
mod masks;
mod objects;
pub(crate) mod operation;
mod order;
mod plan;
mod plan_rows;
#[cfg(test)]
mod program;
pub(crate) mod read;
mod recompute;
mod regions;
mod rounds;
#[cfg(test)]
mod row_run;
#[cfg(test)]
mod row_tests;
pub(crate) mod rows;
#[cfg(test)]
mod sample;
mod schedule;
mod shapes;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
mod traps;
mod uniformity;

pub(crate) use graph::{Kind, ValueId, Variation};
pub(crate) use loops::{Loop, has_irreducible_cycles, innermost_loops};
pub(crate) use plan::{BarrierPlan, State, Tracking, plan};
pub(crate) use plan_rows::plan_rows;
