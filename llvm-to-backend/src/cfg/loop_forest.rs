//! Natural loops and their nesting.
//!
//! In: a graph and its root. Out: a [`Forest`]. *Invariant:* a loop is entered through its header
//! only. Cycles with several entries are no loops; the targets of the edges that close them are
//! listed as irreducible.

use super::{
    dominators::{Graph, Tree},
    graph::BlockId,
};

/// Index of a loop in [`Forest::loops`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LoopId(pub(super) usize);

/// A natural loop. Loops with the same header are one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NaturalLoop {
    pub(super) header: BlockId,
    /// The blocks with an edge back to the header.
    pub(super) latches: Vec<BlockId>,
    /// Its blocks, nested loops included, header first, in reverse postorder.
    pub(super) blocks: Vec<BlockId>,
    /// The edges that leave it, from inside to outside.
    pub(super) exits: Vec<(BlockId, BlockId)>,
    /// The next loop around it.
    pub(super) parent: Option<LoopId>,
}

/// The loops of a function.
#[derive(Debug)]
pub(super) struct Forest {
    /// A loop comes after those around it.
    pub(super) loops: Vec<NaturalLoop>,
    /// The innermost loop of each block.
    inner: Vec<Option<LoopId>>,
    /// The targets of edges that go back to a block that does not dominate their source.
    pub(super) irreducible: Vec<BlockId>,
}

impl Forest {
    pub(super) fn of(graph: &Graph, root: u32) -> Self {
        let dominators = Tree::of(graph, root);
        let mut order = graph.postorder(root);
        order.reverse();
        let mut rank = vec![0; graph.successors.len()];
        order.iter().enumerate().for_each(|(at, &node)| rank[node as usize] = at);
        let mut forest = Self { loops: Vec::new(), inner: vec![None; graph.successors.len()], irreducible: Vec::new() };
        // A header comes before the blocks of its loop, so outer loops come first.
        for &header in &order {
            let back = graph.predecessors[header as usize].iter().copied();
            let back = back.filter(|&from| rank[from as usize] >= rank[header as usize]);
            let (mut latches, others): (Vec<_>, Vec<_>) = back.partition(|&from| dominators.dominates(header, from));
            latches.dedup();
            if others.iter().any(|&from| dominators.dominates(root, from)) {
                forest.irreducible.push(BlockId(header));
            }
            if !latches.is_empty() {
                forest.add(graph, BlockId(header), &latches, &rank);
            }
        }
        forest
    }

    /// Adds the loop of `header`: the blocks that reach a latch without passing the header.
    fn add(&mut self, graph: &Graph, header: BlockId, latches: &[u32], rank: &[usize]) {
        let mut inside = vec![false; graph.successors.len()];
        inside[header.index()] = true;
        let mut blocks = vec![header];
        let mut pending = latches.to_vec();
        while let Some(block) = pending.pop() {
            // Unreachable predecessors have rank 0, as the root, which no loop contains.
            if !inside[block as usize] && rank[block as usize] > 0 {
                inside[block as usize] = true;
                blocks.push(BlockId(block));
                pending.extend(&graph.predecessors[block as usize]);
            }
        }
        blocks.sort_by_key(|block| rank[block.index()]);
        let edges = blocks.iter().flat_map(|&from| graph.successors[from.index()].iter().map(move |&to| (from, to)));
        let exits = edges.filter(|(_, to)| !inside[*to as usize]).map(|(from, to)| (from, BlockId(to))).collect();
        let parent = self.inner[header.index()];
        let id = LoopId(self.loops.len());
        blocks.iter().for_each(|block| self.inner[block.index()] = Some(id));
        let latches = latches.iter().copied().map(BlockId).collect();
        self.loops.push(NaturalLoop { header, latches, blocks, exits, parent });
    }

    pub(super) fn get(&self, id: LoopId) -> &NaturalLoop {
        &self.loops[id.0]
    }

    pub(super) fn ids(&self) -> impl DoubleEndedIterator<Item = LoopId> + use<> {
        (0..self.loops.len()).map(LoopId)
    }

    /// The innermost loop of a block.
    pub(super) fn inner(&self, block: BlockId) -> Option<LoopId> {
        self.inner[block.index()]
    }

    /// A loop and those around it, innermost first.
    pub(super) fn around(&self, innermost: Option<LoopId>) -> impl Iterator<Item = LoopId> {
        std::iter::successors(innermost, |id| self.get(*id).parent)
    }

    /// The loops of a block, innermost first.
    pub(super) fn loops_of(&self, block: BlockId) -> impl Iterator<Item = LoopId> {
        self.around(self.inner(block))
    }

    pub(super) fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.loops_of(block).any(|other| other == id)
    }

    /// The loop of which `block` is the header.
    pub(super) fn headed(&self, block: BlockId) -> Option<LoopId> {
        self.inner(block).filter(|id| self.get(*id).header == block)
    }

    /// The innermost loop that contains both loops; `None` stands for the whole function.
    pub(super) fn common(&self, a: Option<LoopId>, b: Option<LoopId>) -> Option<LoopId> {
        self.around(a).find(|id| self.around(b).any(|other| other == *id))
    }
}
