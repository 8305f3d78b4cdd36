//! The lanes that run each block.
//!
//! In: a [`Schedule`], where lanes part, and the costs of blocks. Out: [`Masks`]: which blocks run
//! with the same lanes, so that they share a mask; which blocks are skipped without lanes.
//! *Invariant:* a block that must not run without a lane has one, or is skipped.

use super::{
    flow::{Flow, NoRows},
    graph::{BlockId, Kind, ValueId},
    loop_forest::LoopId,
    operation::Fact,
    order::Order,
    rounds::Rounds,
    rows::{End, Mask},
    schedule::Schedule,
    shapes::Shapes,
};
use std::ops::Range;

/// Estimated cycles that are worth a test for lanes.
const TEST: u32 = 25;

/// The masks of a function's blocks.
#[derive(Debug)]
pub(super) struct Masks {
    masks: Vec<Mask>,
    skips: Vec<Option<BlockId>>,
}

impl Masks {
    pub(super) fn of(
        flow: &Flow<'_>,
        order: &Order,
        shapes: &Shapes,
        schedule: &Schedule,
        facts: &[Fact],
    ) -> Result<Self, NoRows> {
        let blocks = flow.layout.cfg.blocks.len();
        let masks = Self { masks: vec![Mask::Slot; blocks], skips: vec![None; blocks] };
        let cost = |block| flow.layout.range(block).map(|id| facts[id as usize].cost).fold(0, u32::saturating_add);
        let mut builder = Builder {
            flow,
            rounds: flow.rounds_with_traps(),
            order,
            shapes,
            schedule,
            costs: sums(order, cost),
            needs: sums(order, |block| needs_lane(flow, schedule, facts, block).into()),
            masks,
            leaders: (0..).map(BlockId).take(blocks).collect(),
            occupied: vec![false; blocks],
            above: vec![0; order.blocks().len()],
            before: vec![Vec::new(); order.blocks().len()],
        };
        order.blocks().iter().try_for_each(|&block| builder.add(block))?;
        Ok(builder.masks)
    }

    pub(super) fn mask(&self, block: BlockId) -> Mask {
        self.masks[block.index()]
    }

    /// Where to go instead if no lane waits in `block`.
    pub(super) fn skip(&self, block: BlockId) -> Option<BlockId> {
        self.skips[block.index()]
    }
}

/// For each place in the order, the sum over all blocks before it.
fn sums(order: &Order, of: impl Fn(BlockId) -> u32) -> Vec<u32> {
    let sums = order.blocks().iter().scan(0_u32, |sum, &block| {
        *sum = sum.saturating_add(of(block));
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

/// True if a block must not run without a lane: a loop might never end, a branch goes anywhere.
fn needs_lane(flow: &Flow<'_>, schedule: &Schedule, facts: &[Fact], block: BlockId) -> bool {
    let decides = matches!(schedule.end(block), End::Branch(_) | End::Never);
    let needs = |id: ValueId, kind: &Kind| facts[id.index()].needs_lane || *kind == Kind::Barrier;
    let mut instructions = flow.layout.instructions(block);
    decides || flow.forest.headed(block).is_some() || instructions.any(|(id, one)| needs(id, &one.kind))
}

/// Goes through the blocks in order.
struct Builder<'a, 'c> {
    flow: &'a Flow<'c>,
    rounds: Rounds<'a>,
    order: &'a Order,
    shapes: &'a Shapes,
    schedule: &'a Schedule,
    /// For each place, the costs of the blocks before it.
    costs: Vec<u32>,
    /// For each place, the number of blocks before it that need a lane.
    needs: Vec<u32>,
    masks: Masks,
    /// The first of the blocks that run with the same lanes as this one.
    leaders: Vec<BlockId>,
    /// True if a lane waits in the block whenever the row comes to it.
    occupied: Vec<bool>,
    /// For each place, that of the immediate dominator in the row function.
    above: Vec<usize>,
    /// For each place, the places that the row comes from, without those behind it.
    before: Vec<Vec<usize>>,
}

impl Builder<'_, '_> {
    fn add(&mut self, block: BlockId) -> Result<(), NoRows> {
        let rank = self.order.rank(block);
        let above = self.before[rank].iter().copied().reduce(|a, b| self.meet(a, b));
        self.above[rank] = match above {
            Some(above) => above,
            None if rank == 0 => 0,
            None => return Err(NoRows::LeftBehind(block)),
        };
        self.masks.masks[block.index()] = self.mask(block);
        self.occupied[block.index()] = self.is_occupied(block);
        if !self.occupied[block.index()] && self.wants_lane(block) {
            let skip = self.schedule.elsewhere(block).ok_or(NoRows::LeftBehind(block))?;
            self.masks.skips[block.index()] = Some(skip);
        }
        self.go_on(block, rank);
        Ok(())
    }

    /// Notes where the row goes from `block`.
    fn go_on(&mut self, block: BlockId, rank: usize) {
        let mut targets: Vec<BlockId> = self.masks.skip(block).into_iter().collect();
        match self.schedule.end(block) {
            End::Go(next) | End::Again { next, .. } => targets.push(*next),
            End::Branch(nexts) => targets.extend(nexts),
            End::Return | End::Never => {}
        }
        for to in targets.into_iter().map(|to| self.order.rank(to)).filter(|&to| to > rank) {
            self.before[to].push(rank);
        }
    }

    /// The nearest common dominator in the row function.
    fn meet(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            match a > b {
                true => a = self.above[a],
                false => b = self.above[b],
            }
        }
        a
    }

    /// True if the row always comes to `above` before `block`.
    fn passes(&self, above: BlockId, block: BlockId) -> bool {
        let (above, block) = (self.order.rank(above), self.order.rank(block));
        self.meet(above, block) == above
    }

    fn mask(&mut self, block: BlockId) -> Mask {
        let entry = self.order.blocks()[0];
        let Some(like) = self.same_lanes(block) else {
            return if block == entry { Mask::Entry } else { Mask::Slot };
        };
        // Behind a branch that remains, the mask of `like` is that of all lanes only if the row has
        // come there.
        if !self.passes(like, block) {
            return Mask::Slot;
        }
        let leader = self.leaders[like.index()];
        self.leaders[block.index()] = leader;
        if leader == entry { Mask::Entry } else { Mask::Of(leader) }
    }

    /// A block before this one that runs with the same lanes, in the same round of the loops that
    /// contain both; in any round, for the block before a uniform loop and its header.
    fn same_lanes(&self, block: BlockId) -> Option<BlockId> {
        let above = BlockId(self.flow.dominators.parent(block.0)?);
        let forest = &self.flow.forest;
        match forest.headed(block) {
            Some(id) => return Some(above).filter(|_| !self.shapes.is_divergent(id)),
            None if self.comes_with_all(above, block) => return Some(above),
            None => {}
        }
        let dominators = std::iter::successors(Some(above), |at| self.flow.dominators.parent(at.0).map(BlockId));
        let level = forest.inner(block);
        let beside = dominators.into_iter().find(|at| forest.inner(*at) == level)?;
        self.rounds.always_reach(beside, block).then_some(beside)
    }

    /// True if the row comes to `block` only from `from`, and all lanes come with it.
    fn comes_with_all(&self, from: BlockId, block: BlockId) -> bool {
        if self.flow.predecessors(block).nth(1).is_some()
            || self.before[self.order.rank(block)] != [self.order.rank(from)]
        {
            return false;
        }
        let skipped = self.masks.skip(from) == Some(block);
        let targets = &self.flow.layout.block(from).successors;
        let taken = match self.schedule.end(from) {
            End::Go(_) => self.flow.successors(from).count() == 1,
            End::Branch(nexts) => targets.iter().zip(nexts).all(|(to, next)| (*to == block) == (*next == block)),
            _ => false,
        };
        taken && !skipped
    }

    fn is_occupied(&self, block: BlockId) -> bool {
        let forest = &self.flow.forest;
        let entered = |id: LoopId| {
            let before = self.flow.predecessors(block).find(|from| !forest.contains(id, *from));
            before.is_some_and(|from| self.passes(from, block) && self.hands_lanes(from, block))
        };
        match self.masks.mask(block) {
            Mask::Entry => true,
            _ if self.schedule.elsewhere(block).is_none() => true,
            Mask::Of(leader) => self.hands_lanes(leader, block),
            Mask::Slot => forest.headed(block).is_some_and(entered),
        }
    }

    /// True if a lane has waited in `from` when the row comes to `block`.
    fn hands_lanes(&self, from: BlockId, block: BlockId) -> bool {
        let beyond = |to: BlockId| self.order.rank(to) > self.order.rank(block);
        self.occupied[from.index()] || self.masks.skip(from).is_some_and(beyond)
    }

    /// True if a skip of the block jumps over code that must not run without a lane, or should not.
    fn wants_lane(&self, block: BlockId) -> bool {
        let to = self.schedule.elsewhere(block).map_or(0, |to| self.order.rank(to));
        let from = self.order.rank(block);
        let Range { start, end } = from..to.max(from);
        self.needs[end] > self.needs[start] || self.costs[end].saturating_sub(self.costs[start]) > TEST
    }
}
