//! The order in which a row comes to the blocks.
//!
//! In: a [`Flow`], the order of its blocks, and where lanes part. Out: a [`Schedule`]: how the row
//! function goes on behind each block. *Invariant:* the row comes to every block in which lanes
//! wait, before the round of the loop ends that they wait in, and before the return.
//!
//! Only branches at which no lanes part remain branches; behind any other, the row comes to all
//! successors in turn, the first in the order first. Blocks that lanes may wait in are handed on
//! from block to block until the row comes to them. The method is partial linearisation (Moll and
//! Hack, "Partial Control-Flow Linearization", PLDI 2018).

use super::{
    flow::{Flow, NoRows},
    graph::BlockId,
    loop_forest::LoopId,
    order::Order,
    rows::End,
    shapes::Shapes,
};
use std::collections::BTreeSet;

/// How the row function goes on, for each block of the `Cfg`.
#[derive(Debug)]
pub(super) struct Schedule {
    ends: Vec<Option<End>>,
    /// The first block in which lanes may wait while the row is at this one.
    elsewhere: Vec<Option<BlockId>>,
}

impl Schedule {
    pub(super) fn of(flow: &Flow<'_>, order: &Order, shapes: &Shapes) -> Result<Self, NoRows> {
        let blocks = flow.layout.cfg.blocks.len();
        let schedule = Self { ends: vec![None; blocks], elsewhere: vec![None; blocks] };
        let waiting = vec![Waiting::new(); blocks];
        let behind = vec![Waiting::new(); flow.forest.loops.len()];
        let mut planner = Planner { flow, order, shapes, waiting, behind, schedule };
        for &block in order.blocks() {
            let end = planner.end(block)?;
            planner.schedule.ends[block.index()] = Some(end);
        }
        Ok(planner.schedule)
    }

    /// The end of a block that the row comes to.
    pub(super) fn end(&self, block: BlockId) -> &End {
        self.ends[block.index()].as_ref().unwrap_or(&End::Never)
    }

    /// The first block in which lanes may wait while the row is at `block`; `None` if all lanes are
    /// here, provided that lanes are in the uniform loops around it at all.
    pub(super) fn elsewhere(&self, block: BlockId) -> Option<BlockId> {
        self.elsewhere[block.index()]
    }
}

/// Places in the order.
type Waiting = BTreeSet<usize>;

struct Planner<'a, 'c> {
    flow: &'a Flow<'c>,
    order: &'a Order,
    shapes: &'a Shapes,
    /// For each block, the places behind it in the same loops, in which lanes may wait while the
    /// row is there.
    waiting: Vec<Waiting>,
    /// For each loop, the places behind it in which lanes may wait while the row is in it.
    behind: Vec<Waiting>,
    schedule: Schedule,
}

impl Planner<'_, '_> {
    fn end(&mut self, block: BlockId) -> Result<End, NoRows> {
        let mut waiting = std::mem::take(&mut self.waiting[block.index()]);
        self.schedule.elsewhere[block.index()] = self.first(&waiting);
        if let Some(id) = self.flow.forest.headed(block) {
            self.enter(id, &mut waiting);
        }
        let inner = self.flow.forest.inner(block);
        if let Some(id) = inner.filter(|id| self.flow.latch(*id) == block) {
            if !waiting.is_empty() {
                return Err(NoRows::LeftBehind(block));
            }
            if self.shapes.is_divergent(id) {
                return self.again(id, block);
            }
        }
        self.leave(block, &waiting)
    }

    /// At the header of a loop: lanes that wait behind it do so until it ends. The latch of a
    /// divergent loop counts as a place where lanes wait, since the row must come there.
    fn enter(&mut self, id: LoopId, waiting: &mut Waiting) {
        let (flow, order) = (self.flow, self.order);
        let (inside, behind) = waiting.iter().partition(|rank| flow.forest.contains(id, order.blocks()[**rank]));
        *waiting = inside;
        self.behind[id.0].extend::<Waiting>(behind);
        let (header, latch) = (flow.forest.get(id).header, flow.latch(id));
        if self.shapes.is_divergent(id) && header != latch {
            waiting.insert(order.rank(latch));
        }
    }

    /// At the latch of a divergent loop.
    fn again(&mut self, id: LoopId, latch: BlockId) -> Result<End, NoRows> {
        let flow = self.flow;
        let leaving = flow.successors(latch).filter(|&to| !flow.forest.contains(id, to));
        let leaving: Waiting = leaving.map(|to| self.order.rank(to)).collect();
        self.behind[id.0].extend(leaving);
        let behind = std::mem::take(&mut self.behind[id.0]);
        let next = self.choose(latch, behind)?;
        let header = flow.forest.get(id).header;
        if header != latch {
            // The row comes to the latch even if all lanes have left the loop.
            self.schedule.elsewhere[latch.index()] = Some(next);
        }
        Ok(End::Again { header, next })
    }

    /// At any other block. `waiting` are the places that lanes wait in, apart from its successors.
    fn leave(&mut self, block: BlockId, waiting: &Waiting) -> Result<End, NoRows> {
        if block == self.flow.last {
            return if waiting.is_empty() { Ok(End::Return) } else { Err(NoRows::LeftBehind(block)) };
        }
        let successors: Vec<_> = self.flow.successors(block).collect();
        if successors.is_empty() {
            self.hand_on(waiting.clone());
            return Ok(End::Never);
        }
        if self.shapes.parting[block.index()] {
            let ahead = self.ahead(block, &successors, waiting);
            return Ok(End::Go(self.choose(block, ahead)?));
        }
        let next = |planner: &mut Self, to| {
            let ahead = planner.ahead(block, &[to], waiting);
            planner.choose(block, ahead)
        };
        let nexts = successors.iter().map(|&to| next(self, to)).collect::<Result<Vec<_>, _>>()?;
        if nexts.iter().all(|next| *next == nexts[0]) {
            return Ok(End::Go(nexts[0]));
        }
        let next = |to| successors.iter().position(|other| other == to).map_or(nexts[0], |at| nexts[at]);
        Ok(End::Branch(self.flow.layout.block(block).successors.iter().map(next).collect()))
    }

    /// Where lanes wait when they have gone on from `block` to some of `targets`: what waits behind
    /// a uniform loop is met where its lanes leave it.
    fn ahead(&self, block: BlockId, targets: &[BlockId], waiting: &Waiting) -> Waiting {
        let mut ahead = waiting.clone();
        ahead.extend(targets.iter().map(|&to| self.order.rank(to)));
        for id in self.flow.forest.loops_of(block).filter(|id| !self.shapes.is_divergent(*id)) {
            if targets.iter().any(|&to| !self.flow.forest.contains(id, to)) {
                ahead.extend(&self.behind[id.0]);
            }
        }
        ahead
    }

    /// The block to go on with behind `block` if lanes wait in `ahead`. Those that have left
    /// divergent loops wait until these end.
    fn choose(&mut self, block: BlockId, ahead: Waiting) -> Result<BlockId, NoRows> {
        let flow = self.flow;
        let mut staying = Waiting::new();
        for rank in ahead {
            let to = self.order.blocks()[rank];
            let mut around = flow.forest.loops_of(block).filter(|&id| self.runs_on(id, block));
            match around.find(|&id| self.shapes.is_divergent(id) && !flow.forest.contains(id, to)) {
                Some(id) => _ = self.behind[id.0].insert(rank),
                None => _ = staying.insert(rank),
            }
        }
        self.hand_on(staying).ok_or(NoRows::LeftBehind(block))
    }

    /// False for the divergent loop that `block` is the latch of.
    fn runs_on(&self, id: LoopId, block: BlockId) -> bool {
        !(self.shapes.is_divergent(id) && self.flow.latch(id) == block)
    }

    /// Goes on with the first of `ahead`, where the others still wait.
    fn hand_on(&mut self, mut ahead: Waiting) -> Option<BlockId> {
        let next = self.order.blocks()[ahead.pop_first()?];
        self.waiting[next.index()].extend(ahead);
        Some(next)
    }

    fn first(&self, waiting: &Waiting) -> Option<BlockId> {
        waiting.first().map(|&rank| self.order.blocks()[rank])
    }
}
