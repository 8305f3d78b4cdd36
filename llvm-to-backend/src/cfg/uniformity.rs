//! Which values are the same for all items of a group.
//!
//! In: a [`Layout`]. Out: a [`Uniformity`]. A value diverges by its operands, or by where it stands: between a divergent
//! branch and the block where all paths from it meet again (its immediate post-dominator), items run different code,
//! unequally often. Everything there counts as divergent, and so do the phis of the block where they meet; with that,
//! no value that changes while items are apart can leave a loop as a uniform one (temporal divergence).
//! *Invariant:* items that go on compute a uniform value equally often, each time with the same result. Items that
//! never arrive anywhere again (see [`going_on`]) are left out: they end the whole group.

use super::dominators::{Tree, going_on};
use super::graph::{BlockId, Kind, ValueId, Variation};
use super::layout::Layout;

/// What may differ between the items of a group.
#[derive(Debug)]
pub(super) struct Uniformity {
    divergent: Vec<bool>,
}

/// Where the paths from a branch run apart.
#[derive(Debug)]
pub(super) struct Influence<'a, 'c> {
    layout: &'a Layout<'c>,
    going_on: Vec<bool>,
    tree: Tree,
    /// For each block entered, the least depth among the meeting points it was entered for. Meeting points of one block
    /// lie on one path to the root, so that the least depth stands for the largest region.
    entered: Vec<Option<u32>>,
}

impl<'a, 'c> Influence<'a, 'c> {
    pub(super) fn new(layout: &'a Layout<'c>) -> Self {
        let going_on = going_on(layout);
        let tree = Tree::post_dominators(layout, &going_on);
        Self { layout, going_on, tree, entered: vec![None; layout.cfg.blocks.len()] }
    }

    /// Whether `block` lies in a region entered so far. If so, the region of its own branch is part of that.
    pub(super) fn is_entered(&self, block: BlockId) -> bool {
        self.entered[block.index()].is_some()
    }

    /// Whether the branch at the end of `block` has more than one way that leads anywhere.
    pub(super) fn parts(&self, block: BlockId) -> bool {
        let mut ways = self.layout.block(block).successors.iter().filter(|to| self.going_on[to.index()]);
        let first = ways.next();
        ways.any(|way| Some(way) != first)
    }

    /// The block where all paths from the branch at the end of `block` meet again.
    pub(super) fn meeting_point(&self, block: BlockId) -> Option<BlockId> {
        let node = self.tree.parent(block.0).filter(|_| self.parts(block))?;
        self.layout.cfg.blocks.get(node as usize).map(|_| BlockId(node))
    }

    /// The blocks between the branch at the end of `block` and its meeting point, but for those of earlier calls.
    pub(super) fn enter(&mut self, block: BlockId) -> Vec<BlockId> {
        let parts = self.parts(block);
        let stop = self.meeting_point(block);
        let depth = stop.map_or(0, |stop| self.tree.depth(stop.0));
        let ways = self.layout.block(block).successors.iter().copied();
        let mut stack: Vec<_> = ways.filter(|to| parts || !self.going_on[to.index()]).collect();
        let mut blocks = Vec::new();
        while let Some(block) = stack.pop() {
            let known = self.entered[block.index()];
            if Some(block) == stop || known.is_some_and(|known| known <= depth) {
                continue;
            }
            self.entered[block.index()] = Some(depth);
            if known.is_none() {
                blocks.push(block);
            }
            stack.extend(&self.layout.block(block).successors);
        }
        blocks
    }
}

impl Uniformity {
    pub(super) fn of(layout: &Layout<'_>) -> Self {
        let mut spread = Spread::new(layout);
        while let Some(value) = spread.pending.pop() {
            spread.go_on(value);
        }
        Self { divergent: spread.divergent }
    }

    /// Whether all items that go on compute `value` equally often with equal results; of a terminator, whether they go
    /// the same way.
    pub(super) fn is_uniform(&self, value: ValueId) -> bool {
        !self.divergent[value.index()]
    }
}

/// Divergence on its way along uses and branches.
struct Spread<'a, 'c> {
    layout: &'a Layout<'c>,
    influence: Influence<'a, 'c>,
    divergent: Vec<bool>,
    pending: Vec<ValueId>,
}

impl<'a, 'c> Spread<'a, 'c> {
    /// Starts from what is divergent by itself.
    fn new(layout: &'a Layout<'c>) -> Self {
        let divergent = vec![false; layout.values() as usize];
        let mut spread = Self { layout, influence: Influence::new(layout), divergent, pending: Vec::new() };
        let parameters = layout.cfg.parameters.iter().zip(0..);
        parameters.filter(|(source, _)| **source == Variation::Divergent).for_each(|(_, id)| spread.mark(ValueId(id)));
        for (value, instruction) in layout.reached_instructions() {
            if matches!(instruction.kind, Kind::Effect | Kind::Escape(_) | Kind::Alloca) {
                spread.mark(value);
            }
        }
        spread
    }

    fn mark(&mut self, value: ValueId) {
        if !std::mem::replace(&mut self.divergent[value.index()], true) {
            self.pending.push(value);
        }
    }

    /// Goes on from a divergent value: to its users, and if it ends its block to where items part.
    fn go_on(&mut self, value: ValueId) {
        let layout = self.layout;
        layout.uses(value).iter().for_each(|used| self.mark(used.user));
        let block = layout.block_of(value).filter(|&block| layout.range(block).end == value.0 + 1);
        if let Some(block) = block.filter(|&block| !self.influence.is_entered(block)) {
            self.part(block);
        }
    }

    /// Items take different ways at the end of `block`.
    fn part(&mut self, block: BlockId) {
        for apart in self.influence.enter(block) {
            self.layout.range(apart).for_each(|position| self.mark(ValueId(position)));
        }
        let Some(meeting) = self.influence.meeting_point(block) else { return };
        let phis = self.layout.instructions(meeting).filter(|(_, i)| matches!(i.kind, Kind::Phi(_)));
        phis.for_each(|(phi, _)| self.mark(phi));
    }
}
