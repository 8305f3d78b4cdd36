//! Which code belongs to a state, and which states may follow it.
//!
//! In: a [`Layout`] and its barriers. Out: [`Regions`]. *Invariant:* an item that runs from the start of a state meets the
//! end of exactly one following state, a return, or never arrives.

use super::graph::{BlockId, ValueId};
use super::layout::{Layout, Point};
use super::liveness::{Liveness, Query, Reach};
use std::collections::BTreeSet;
use std::ops::Range;

/// Where an item may arrive next, as far as a branch is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// It never arrives.
    Nowhere,
    /// Always at this barrier (counted from 1), or at the return (0).
    At(u32),
    /// At different ones.
    Several,
}

/// The states of a function.
#[derive(Debug)]
pub(super) struct Regions<'a, 'c> {
    layout: &'a Layout<'c>,
    barriers: Vec<ValueId>,
    /// For each block, where an item arrives that enters it.
    arrival: Vec<Arrival>,
}

impl Arrival {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nowhere, known) | (known, Self::Nowhere) => known,
            (a, b) if a == b => a,
            _ => Self::Several,
        }
    }
}

impl<'a, 'c> Regions<'a, 'c> {
    pub(super) fn of(layout: &'a Layout<'c>, barriers: Vec<ValueId>) -> Self {
        let arrival = vec![Arrival::Nowhere; layout.cfg.blocks.len()];
        let mut regions = Self { layout, barriers, arrival };
        let mut pending = layout.order().to_vec();
        while let Some(block) = pending.pop() {
            let found = regions.on_entering(block);
            if std::mem::replace(&mut regions.arrival[block.index()], found) != found {
                pending.extend(layout.predecessors(block));
            }
        }
        regions
    }

    fn on_entering(&self, block: BlockId) -> Arrival {
        self.first_barrier(self.layout.range(block)).map_or_else(|| self.on_leaving(block), Arrival::At)
    }

    /// Where items arrive that reach the end of `block`.
    pub(super) fn on_leaving(&self, block: BlockId) -> Arrival {
        let block = self.layout.block(block);
        let end = if block.returns() { Arrival::At(0) } else { Arrival::Nowhere };
        block.successors.iter().fold(end, |known, to| known.or(self.arrival[to.index()]))
    }

    /// The number of the first barrier at these positions.
    fn first_barrier(&self, positions: Range<u32>) -> Option<u32> {
        let index = self.barriers.partition_point(|barrier| barrier.0 < positions.start);
        let barrier = self.barriers.get(index).filter(|barrier| barrier.0 < positions.end);
        barrier.and_then(|_| u32::try_from(index + 1).ok())
    }

    /// Whether an item may arrive anywhere in `block`.
    pub(super) fn arrives_in(&self, block: BlockId) -> bool {
        self.layout.block(block).returns() || self.first_barrier(self.layout.range(block)).is_some()
    }

    /// For each state, the states that may follow.
    pub(super) fn next(&self, liveness: &mut Liveness<'_, '_>) -> Vec<BTreeSet<u32>> {
        let mut next = vec![BTreeSet::new(); self.barriers.len() + 1];
        let mut add = |ends: Vec<Point>, state: u32| {
            let query = Query { made: &[], reach: Reach::Barrier };
            for from in liveness.states(ends.into_iter(), query) {
                next[from as usize].insert(state);
            }
        };
        add(self.returns(), 0);
        for (barrier, state) in self.barriers.iter().zip(1..) {
            add(self.layout.before(*barrier).into_iter().collect(), state);
        }
        next
    }

    fn returns(&self) -> Vec<Point> {
        let returning = self.layout.order().iter().filter(|block| self.layout.block(**block).returns());
        let mut returns: Vec<_> = returning.map(|&block| self.layout.end(block)).collect();
        returns.sort_unstable();
        returns
    }

    /// The positions that run in `state`, in ascending order: from its start up to the next barriers, these included.
    #[cfg(test)]
    pub(super) fn ranges(&self, state: u32) -> Vec<Range<u32>> {
        let mut ranges = BTreeSet::new();
        let mut pending = vec![match state.checked_sub(1).and_then(|index| self.barriers.get(index as usize)) {
            Some(barrier) => self.layout.before(*barrier).map(|at| Point { before: at.before + 1, ..at }),
            None => Some(Point { block: BlockId(0), before: self.layout.range(BlockId(0)).start }),
        }];
        while let Some(start) = pending.pop() {
            let Some(start) = start else { continue };
            let end = self.layout.range(start.block).end;
            let barrier = self.first_barrier(start.before..end).map(|number| self.barriers[number as usize - 1].0);
            if !ranges.insert((start.before, barrier.map_or(end, |barrier| barrier + 1))) || barrier.is_some() {
                continue;
            }
            let successors = self.layout.block(start.block).successors.iter();
            pending.extend(successors.map(|&to| Some(Point { block: to, before: self.layout.range(to).start })));
        }
        ranges.into_iter().map(|(start, end)| start..end).collect()
    }
}
