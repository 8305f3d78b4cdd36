//! The blocks that lanes pass before the end of one round of a loop.
//!
//! In: a graph of blocks, its loops and the block that returns. Out: the post-dominators in one
//! round of each loop, which ends where lanes leave it or go back to its header, and those of the
//! whole function. *Invariant:* blocks from which no lane comes to the end of the round do not
//! count.

use super::{
    dominators::{Graph, Tree},
    graph::BlockId,
    layout::u32_of,
    loop_forest::{Forest, LoopId},
};
use std::{cell::OnceCell, collections::BTreeSet};

/// The post-dominator trees of the loops of a function, made when asked for.
#[derive(Debug)]
pub(super) struct Rounds<'g> {
    graph: &'g Graph,
    forest: &'g Forest,
    last: BlockId,
    /// That of the whole function, then those of the loops.
    trees: Vec<OnceCell<Tree>>,
}

impl<'g> Rounds<'g> {
    pub(super) fn new(graph: &'g Graph, forest: &'g Forest, last: BlockId) -> Self {
        let trees = (0..=forest.loops.len()).map(|_| OnceCell::new()).collect();
        Self { graph, forest, last, trees }
    }

    /// True if all lanes that run `block`, in a round of its innermost loop, run `behind` in the
    /// same round. Both blocks are in no other loops.
    pub(super) fn always_reach(&self, block: BlockId, behind: BlockId) -> bool {
        self.tree(self.forest.inner(block)).dominates(behind.0, block.0)
    }

    /// The first block in the loop `level`, but in no nested one, that all lanes from `blocks` run
    /// later in the same round.
    pub(super) fn meeting(&self, level: Option<LoopId>, blocks: &[BlockId]) -> Option<BlockId> {
        let tree = self.tree(level);
        let above = |&block: &BlockId| tree.parent(block.0);
        let mut at = blocks.iter().map(above).reduce(|a, b| tree.meet(a?, b?)).flatten();
        while let Some(node) = at.filter(|&node| node != self.end()) {
            if self.forest.inner(BlockId(node)) == level {
                return Some(BlockId(node));
            }
            at = tree.parent(node);
        }
        None
    }

    /// True if a branch at the end of `block`, whose lanes part, lets lanes leave the loop in
    /// different rounds.
    pub(super) fn parts_rounds(&self, block: BlockId, id: LoopId) -> bool {
        let tree = self.tree(Some(id));
        let meeting = tree.parent(block.0).map(BlockId);
        tree.dominates(self.end(), block.0) && self.may_leave(id, &[block], meeting)
    }

    /// True if lanes from `blocks` can leave a loop in the same round before they come to
    /// `meeting`.
    pub(super) fn may_leave(&self, id: LoopId, blocks: &[BlockId], meeting: Option<BlockId>) -> bool {
        let header = self.forest.get(id).header;
        let mut seen = BTreeSet::new();
        let mut pending = blocks.to_vec();
        while let Some(at) = pending.pop() {
            for to in self.successors(at) {
                if !self.forest.contains(id, to) {
                    return true;
                }
                if Some(to) != meeting && to != header && seen.insert(to) {
                    pending.push(to);
                }
            }
        }
        false
    }

    fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        self.graph.successors[block.index()].iter().copied().map(BlockId)
    }

    /// The node for the end of a round.
    fn end(&self) -> u32 {
        u32_of(self.graph.successors.len())
    }

    fn tree(&self, id: Option<LoopId>) -> &Tree {
        self.trees[id.map_or(0, |id| id.0 + 1)].get_or_init(|| Tree::of(&self.reversed(id), self.end()))
    }

    /// The edges of one round, reversed.
    fn reversed(&self, id: Option<LoopId>) -> Graph {
        let end = self.end();
        let mut graph = Graph::with_nodes(self.graph.successors.len() + 1);
        let Some(id) = id else {
            graph.edge(end, self.last.0);
            for (from, successors) in (0..).zip(&self.graph.successors) {
                successors.iter().for_each(|&to| graph.edge(to, from));
            }
            return graph;
        };
        let one = self.forest.get(id);
        for &from in &one.blocks {
            for to in self.successors(from) {
                let ends = to == one.header || !self.forest.contains(id, to);
                graph.edge(if ends { end } else { to.0 }, from.0);
            }
        }
        graph
    }
}
