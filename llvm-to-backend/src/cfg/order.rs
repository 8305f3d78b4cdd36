//! The order of the blocks of a row function.
//!
//! In: a graph without irreducible cycles, its root and its loops. Out: its blocks. *Invariant:*
//! except for edges back to a header, the order is topological; each loop is contiguous, its header
//! first; and inside a loop the blocks that a block dominates are contiguous behind it.

use super::{
    dominators::{Graph, Tree},
    graph::BlockId,
    loop_forest::{Forest, LoopId},
};

/// Blocks in order.
#[derive(Debug)]
pub(super) struct Order {
    blocks: Vec<BlockId>,
    /// The place of each block.
    rank: Vec<Option<usize>>,
}

impl Order {
    /// The blocks reachable from `root`.
    pub(super) fn compact(graph: &Graph, root: BlockId, forest: &Forest) -> Self {
        let mut reached: Vec<_> = graph.postorder(root.0).into_iter().map(BlockId).collect();
        reached.reverse();
        let mut blocks = Vec::with_capacity(reached.len());
        Level { graph, forest, of: None }.append(root, &reached, &mut blocks);
        let mut rank = vec![None; graph.successors.len()];
        blocks.iter().enumerate().for_each(|(at, block)| rank[block.index()] = Some(at));
        Self { blocks, rank }
    }

    pub(super) fn blocks(&self) -> &[BlockId] {
        &self.blocks
    }

    pub(super) fn contains(&self, block: BlockId) -> bool {
        self.rank[block.index()].is_some()
    }

    /// The place of a block that is contained.
    pub(super) fn rank(&self, block: BlockId) -> usize {
        self.rank[block.index()].expect("the block is reachable")
    }
}

/// One level of the nesting: a loop or the whole function, with the loops in it as single nodes,
/// which their headers stand for.
struct Level<'a> {
    graph: &'a Graph,
    forest: &'a Forest,
    of: Option<LoopId>,
}

impl Level<'_> {
    /// Appends the level's `blocks`, which `first` dominates, to `order`.
    fn append(&self, first: BlockId, blocks: &[BlockId], order: &mut Vec<BlockId>) {
        let level = self.collapsed(first, blocks);
        let tree = Tree::of(&level, first.0);
        let mut children = vec![Vec::new(); self.graph.successors.len()];
        // In postorder, so that the first child lies on top of the stack below.
        for node in level.postorder(first.0) {
            tree.parent(node).into_iter().for_each(|parent| children[parent as usize].push(BlockId(node)));
        }
        let mut pending = vec![first];
        while let Some(block) = pending.pop() {
            match self.forest.headed(block).filter(|id| Some(*id) != self.of) {
                Some(id) => {
                    let inner = Level { of: Some(id), ..*self };
                    inner.append(block, &self.forest.get(id).blocks, order);
                }
                None => order.push(block),
            }
            pending.extend(&children[block.index()]);
        }
    }

    /// The graph of the level, without edges back to its header.
    fn collapsed(&self, first: BlockId, blocks: &[BlockId]) -> Graph {
        let mut level = Graph::with_nodes(self.graph.successors.len());
        for &from in blocks {
            for to in self.graph.successors[from.index()].iter().copied().map(BlockId) {
                let ends = (self.node(from), self.node(to));
                if let (Some(from), Some(to)) = ends
                    && from != to
                    && to != first
                {
                    level.edge(from.0, to.0);
                }
            }
        }
        level
    }

    /// The node of a block: itself, or the header of the loop in this level that contains it;
    /// `None` outside of the level.
    fn node(&self, block: BlockId) -> Option<BlockId> {
        let mut node = block;
        for id in self.forest.loops_of(block) {
            if Some(id) == self.of {
                return Some(node);
            }
            node = self.forest.get(id).header;
        }
        self.of.is_none().then_some(node)
    }
}
