//! Plans how a kernel is split at its barriers.
//!
//! In: a [`Cfg`]. Out: a [`BarrierPlan`]. *Invariant:* an item that preserves only the kept values
//! and the content of the objects across a barrier behaves as if it had preserved everything.

use super::graph::{Cfg, ValueId};
use super::layout::Layout;
use super::liveness::{Liveness, Reach};
use super::objects::objects;
use super::recompute::Recompute;
use super::regions::{Arrival, Regions};
use super::uniformity::{Influence, Uniformity};
use std::collections::BTreeSet;

/// The states of a kernel, and what each item preserves between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BarrierPlan {
    /// State 0 is the entry; state `k` continues right after barrier `k`. Barriers are numbered
    /// from 1 by their value; unreachable ones have no number.
    pub(crate) states: Vec<State>,
    /// Says if each item must store its next state.
    pub(crate) tracking: Tracking,
    /// Values live across a barrier, which need memory, in ascending order.
    pub(crate) kept: Vec<ValueId>,
    /// The kept values of which all items of a group have the same whenever they wait, in ascending
    /// order: one memory per group does. Empty unless the tracking is uniform.
    pub(crate) shared: Vec<ValueId>,
    /// Allocas that need memory per work-item, because their content or address is live across a
    /// barrier, in ascending order. Any other alloca may have a new address and undefined content
    /// in each state.
    pub(crate) objects: Vec<ValueId>,
}

/// One state: the code from its start up to the next barriers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// The barrier before this state; `None` for the entry.
    pub(crate) barrier: Option<ValueId>,
    /// The states that may follow; 0 stands for "returned". Empty if no item returns or reaches a
    /// barrier.
    pub(crate) next: BTreeSet<u32>,
    /// The kept values that are live into this state, in ascending order. Parameters and allocas
    /// are available everywhere and never listed.
    pub(crate) live: Vec<ValueId>,
    /// The values to recompute at the start because this state uses them, with their operands,
    /// operands first. They depend on parameters and allocas only. None is in
    /// [`BarrierPlan::kept`].
    pub(crate) recomputed: Vec<ValueId>,
}

/// How the next state of a group is determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tracking {
    /// Uniform: all items of a group always go to the same state.
    Uniform,
    /// Divergent: items may return early or wait at different barriers, so each item stores its
    /// next state.
    PerItem,
}

/// Splits `cfg` at its barriers.
pub(crate) fn plan(cfg: &Cfg) -> BarrierPlan {
    let layout = Layout::of(cfg);
    let mut liveness = Liveness::new(&layout);
    let regions = Regions::of(&layout, liveness.barriers().collect());
    let mut states = empty_states(&regions, &mut liveness);
    let kept = remember(&layout, &mut liveness, &mut states);
    let objects = objects(&layout, &mut liveness, &kept);
    let uniformity = Uniformity::of(&layout);
    let tracking = tracking(&layout, &regions, &uniformity);
    let is_shared = |value: &ValueId| tracking == Tracking::Uniform && uniformity.is_uniform(*value);
    let shared = kept.iter().copied().filter(is_shared).collect();
    BarrierPlan { states, tracking, kept, shared, objects }
}

/// The states and their order, with nothing kept yet.
fn empty_states(regions: &Regions<'_, '_>, liveness: &mut Liveness<'_, '_>) -> Vec<State> {
    let next = regions.next(liveness);
    let barriers = std::iter::once(None).chain(liveness.barriers().map(Some));
    barriers.zip(next).map(|(barrier, next)| State { barrier, next, live: vec![], recomputed: vec![] }).collect()
}

/// Fills in the live and recomputed values of each state; returns the values that are kept.
fn remember(layout: &Layout<'_>, liveness: &mut Liveness<'_, '_>, states: &mut [State]) -> Vec<ValueId> {
    let mut kept = Vec::new();
    if states.len() == 1 {
        return kept;
    }
    let recompute = Recompute::of(layout);
    let mut values: Vec<_> = layout.reached_instructions().map(|(value, _)| value).collect();
    values.sort_unstable();
    for value in values.into_iter().filter(|&value| !recompute.is_given(value)) {
        if recompute.can_give(value) {
            let readers = liveness.of_value(value, Reach::Barrier);
            readers.iter().for_each(|&state| states[state as usize].recomputed.push(value));
        } else {
            let readers = liveness.of_value(value, Reach::Definition);
            readers.iter().for_each(|&state| states[state as usize].live.push(value));
            kept.extend((!readers.is_empty()).then_some(value));
        }
    }
    states.iter_mut().for_each(|state| state.recomputed = recompute.in_order(&state.recomputed));
    kept
}

/// Uniform unless items may diverge at a branch and reach different barriers, or a barrier and the
/// return, before they reconverge.
fn tracking(layout: &Layout<'_>, regions: &Regions<'_, '_>, uniformity: &Uniformity) -> Tracking {
    let mut influence = Influence::new(layout);
    for &block in layout.order() {
        let uniform = layout.range(block).last().is_none_or(|terminator| uniformity.is_uniform(ValueId(terminator)));
        // No item reaches a barrier or return in an entered block's region, nor in that of its
        // branch.
        if uniform || influence.is_entered(block) || !influence.parts(block) {
            continue;
        }
        let decides = regions.on_leaving(block) == Arrival::Several;
        if decides && influence.enter(block).into_iter().any(|apart| regions.arrives_in(apart)) {
            return Tracking::PerItem;
        }
    }
    Tracking::Uniform
}
