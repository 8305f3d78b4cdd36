//! The control flow of one kernel as a plain value, and the decision where its barriers cut it.
//!
//! In: a [`Cfg`], read off a function. Out: a [`BarrierPlan`]: the states a work-item runs through, one per barrier, and what
//! it must remember between them. The method is that of Karrenberg and Hack, "Improving Performance of OpenCL on CPUs"
//! (CC 2012): a barrier returns the number of the state that continues after it.
//! *Invariant:* nothing here knows LLVM; every answer is conservative about what it cannot see.

mod dominators;
pub(crate) mod graph;
mod layout;
mod liveness;
mod loops;
mod objects;
mod plan;
#[cfg(test)]
mod program;
pub(crate) mod read;
mod recompute;
mod regions;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
mod uniformity;

pub(crate) use graph::{ValueId, Variation};
pub(crate) use loops::{Loop, innermost_loops};
pub(crate) use plan::{BarrierPlan, State, Tracking, plan};
