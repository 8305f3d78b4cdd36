//! Decides how a kernel is cut at its barriers.
//!
//! In: a [`Cfg`]. Out: a [`BarrierPlan`]. *Invariant:* an item that keeps the kept values and the content of the objects across a
//! barrier, and forgets everything else, goes on as if it had kept all.

use super::graph::{Cfg, ValueId};
use super::layout::Layout;
use super::liveness::{Liveness, Reach};
use super::objects::objects;
use super::recompute::Recompute;
use super::regions::{Arrival, Regions};
use super::uniformity::{Influence, Uniformity};
use std::collections::BTreeSet;

/// The states of a kernel, and what each item remembers between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BarrierPlan {
    /// State 0 is the entry; state `k` goes on right after barrier `k`. Barriers are numbered from 1 by their value;
    /// those that the entry does not reach have no number.
    pub(crate) states: Vec<State>,
    /// Whether each item needs to remember its next state.
    pub(crate) tracking: Tracking,
    /// The values that need memory of their item: every one that is live in some state, in ascending order.
    pub(crate) kept: Vec<ValueId>,
    /// The allocas that need memory of their item, because their content or their address outlives a barrier, in
    /// ascending order. Any other alloca may have a new address and undefined content in each state.
    pub(crate) objects: Vec<ValueId>,
}

/// One state: the code from its start up to the next barriers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// The barrier before this state; `None` for the entry.
    pub(crate) barrier: Option<ValueId>,
    /// The states that may follow; 0 stands for "returned". Empty if the item never gets anywhere.
    pub(crate) next: BTreeSet<u32>,
    /// The kept values that are live at the start, used here or in a later state, in ascending order. Parameters and
    /// allocas are available everywhere and never listed.
    pub(crate) live: Vec<ValueId>,
    /// The values to compute again at the start because this state uses them, and their operands, operands first.
    /// They depend on parameters and allocas only. None is in [`BarrierPlan::kept`].
    pub(crate) recomputed: Vec<ValueId>,
}

/// How the next state of a group is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tracking {
    /// All items of a group always go to the same state.
    Uniform,
    /// Items may return early or wait at different barriers: each item's next state is remembered.
    PerItem,
}

/// Cuts `cfg` at its barriers.
pub(crate) fn plan(cfg: &Cfg) -> BarrierPlan {
    let layout = Layout::of(cfg);
    let mut liveness = Liveness::new(&layout);
    let regions = Regions::of(&layout, liveness.barriers().collect());
    let mut states = empty_states(&regions, &mut liveness);
    let kept = remember(&layout, &mut liveness, &mut states);
    let objects = objects(&layout, &mut liveness, &kept);
    BarrierPlan { states, tracking: tracking(&layout, &regions), kept, objects }
}

/// The states and their order, nothing remembered yet.
fn empty_states(regions: &Regions<'_, '_>, liveness: &mut Liveness<'_, '_>) -> Vec<State> {
    let next = regions.next(liveness);
    let barriers = std::iter::once(None).chain(liveness.barriers().map(Some));
    barriers.zip(next).map(|(barrier, next)| State { barrier, next, live: vec![], recomputed: vec![] }).collect()
}

/// Fills in what each state needs; gives the values that are kept.
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

/// Uniform unless items may part at a divergent branch and arrive at different barriers, or at one of them and at the
/// return, before they meet again.
fn tracking(layout: &Layout<'_>, regions: &Regions<'_, '_>) -> Tracking {
    let uniformity = Uniformity::of(layout);
    let mut influence = Influence::new(layout);
    for &block in layout.order() {
        let uniform = layout.range(block).last().is_none_or(|terminator| uniformity.is_uniform(ValueId(terminator)));
        // A block that is entered lies in a region in which nobody arrives; so does the region of its branch.
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
