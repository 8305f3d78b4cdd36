//! The control flow of a kernel for the analyses of rows.
//!
//! In: a `Cfg`. Out: a [`Flow`], or [`NoRows`]. *Invariant:* every block reaches the one return or
//! a trap, which is a block that ends in `unreachable`; every cycle is a loop with one latch and a
//! preheader; every loop has an exit, and a block that an exit leads to has no other predecessor
//! than blocks of the loop; a value that leaves a loop does so through a phi.
//!
//! Lanes that trap end the whole row, so branches to traps part no lanes; see
//! [`traps`](super::traps).

use super::{
    dominators::{Graph, Tree},
    graph::{BlockId, Cfg, Kind, ValueId},
    layout::Layout,
    loop_forest::{Forest, LoopId},
    rounds::Rounds,
    traps::with_edges,
};

/// Why a kernel is not run by rows.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum NoRows {
    #[error("it has {0} returns")]
    Returns(usize),
    #[error("a loop has several entries")]
    Irreducible(BlockId),
    #[error("a loop never reaches the end of the kernel")]
    Endless(BlockId),
    #[error("a loop has no preheader, or several latches")]
    Loop(BlockId),
    #[error("a block is reached from a loop and from elsewhere")]
    Exit(BlockId),
    #[error("a value leaves its loop without a phi")]
    LiveOut(BlockId),
    #[error("a block does not end in a branch")]
    Terminator(BlockId),
    /// A defect of the analyses, reported rather than translated.
    #[error("lanes that wait would be left behind")]
    LeftBehind(BlockId),
}

impl NoRows {
    /// The block that the reason lies in.
    pub(crate) fn block(&self) -> Option<BlockId> {
        match self {
            Self::Returns(_) => None,
            Self::Irreducible(block)
            | Self::Endless(block)
            | Self::Loop(block)
            | Self::Exit(block)
            | Self::LiveOut(block)
            | Self::Terminator(block)
            | Self::LeftBehind(block) => Some(*block),
        }
    }
}

/// A function in canonical form.
#[derive(Debug)]
pub(super) struct Flow<'c> {
    pub(super) layout: Layout<'c>,
    /// The edges that lanes take, without duplicates.
    pub(super) taken: Graph,
    /// The dominators over these.
    pub(super) dominators: Tree,
    /// These edges, and one from each trap to the block that it comes before.
    pub(super) ordered: Graph,
    /// The loops of `ordered`: traps belong to the loop that they come from.
    pub(super) forest: Forest,
    /// The block that returns.
    pub(super) last: BlockId,
}

impl<'c> Flow<'c> {
    pub(super) fn of(cfg: &'c Cfg) -> Result<Self, NoRows> {
        let layout = Layout::of(cfg);
        let taken = taken(&layout);
        let last = only_return(&layout, &taken)?;
        let ordered = with_edges(&taken, last);
        let forest = Forest::of(&ordered, 0);
        let dominators = Tree::of(&taken, 0);
        let flow = Self { layout, taken, dominators, ordered, forest, last };
        flow.check()?;
        Ok(flow)
    }

    /// Distinct successors.
    pub(super) fn successors(&self, block: BlockId) -> impl DoubleEndedIterator<Item = BlockId> + Clone {
        self.taken.successors[block.index()].iter().copied().map(BlockId)
    }

    /// Distinct predecessors.
    pub(super) fn predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + Clone {
        self.taken.predecessors[block.index()].iter().copied().map(BlockId)
    }

    /// The last instruction of a block.
    pub(super) fn terminator(&self, block: BlockId) -> ValueId {
        ValueId(self.layout.range(block).end - 1)
    }

    /// The only latch of a loop.
    pub(super) fn latch(&self, id: LoopId) -> BlockId {
        self.forest.get(id).latches[0]
    }

    /// The rounds of the loops for lanes that do not trap.
    pub(super) fn rounds(&self) -> Rounds<'_> {
        Rounds::new(&self.taken, &self.forest, self.last)
    }

    /// The rounds of the loops while other lanes wait to trap.
    pub(super) fn rounds_with_traps(&self) -> Rounds<'_> {
        Rounds::new(&self.ordered, &self.forest, self.last)
    }

    fn check(&self) -> Result<(), NoRows> {
        if let Some(&block) = self.forest.irreducible.first() {
            return Err(NoRows::Irreducible(block));
        }
        self.forest.ids().try_for_each(|id| self.check_loop(id))?;
        self.layout.order().iter().try_for_each(|&block| self.check_values(block))
    }

    fn check_loop(&self, id: LoopId) -> Result<(), NoRows> {
        let one = self.forest.get(id);
        let mut outside = self.predecessors(one.header).filter(|&block| !self.forest.contains(id, block));
        let preheader = outside.next().filter(|&block| self.successors(block).count() == 1);
        if preheader.is_none() || outside.next().is_some() || one.latches.len() != 1 {
            return Err(NoRows::Loop(one.header));
        }
        if one.exits.is_empty() {
            return Err(NoRows::Endless(one.header));
        }
        let shared = |to: BlockId| self.predecessors(to).any(|from| !self.forest.contains(id, from));
        one.exits.iter().find(|(_, to)| shared(*to)).map_or(Ok(()), |(_, to)| Err(NoRows::Exit(*to)))
    }

    /// Checks the uses of a block's values and its end.
    fn check_values(&self, block: BlockId) -> Result<(), NoRows> {
        let loops = self.forest.inner(block);
        for (value, _) in self.layout.instructions(block) {
            let outside = |at: BlockId| loops.is_some_and(|id| !self.forest.contains(id, at));
            if self.layout.uses(value).iter().any(|used| outside(used.at.block)) {
                return Err(NoRows::LiveOut(block));
            }
        }
        let end = self.layout.block(block).instructions.last().map(|last| &last.kind);
        let branches = matches!(end, Some(Kind::Terminator | Kind::Unreachable));
        if branches { Ok(()) } else { Err(NoRows::Terminator(block)) }
    }
}

/// The edges that lanes take. A block that only leads to an empty block with `unreachable` is a
/// trap itself, as if the two were one.
fn taken(layout: &Layout<'_>) -> Graph {
    let mut graph = Graph::with_nodes(layout.cfg.blocks.len());
    let mut seen = vec![false; layout.cfg.blocks.len()];
    let mut pending = vec![BlockId(0)];
    while let Some(block) = pending.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let mut distinct: Vec<BlockId> = Vec::new();
        for &to in &layout.block(block).successors {
            if !distinct.contains(&to) {
                distinct.push(to);
            }
        }
        if matches!(distinct[..], [only] if is_empty_trap(layout, only)) {
            continue;
        }
        distinct.iter().for_each(|to| graph.edge(block.0, to.0));
        pending.extend(distinct);
    }
    graph
}

fn is_empty_trap(layout: &Layout<'_>, block: BlockId) -> bool {
    let mut kinds = layout.block(block).instructions.iter().map(|instruction| &instruction.kind);
    let ends = matches!(kinds.next_back(), Some(Kind::Unreachable));
    ends && kinds.all(|kind| matches!(kind, Kind::Phi(_)))
}

/// The block that returns. Fails if there are several, or if a block reaches neither it nor a trap.
fn only_return(layout: &Layout<'_>, taken: &Graph) -> Result<BlockId, NoRows> {
    let reached = taken.postorder(0);
    let ends: Vec<_> = reached.iter().copied().filter(|&node| taken.successors[node as usize].is_empty()).collect();
    let ending = reaching(taken, &ends.iter().copied().map(BlockId).collect::<Vec<_>>());
    if let Some(&node) = reached.iter().rev().find(|&&node| !ending[node as usize]) {
        return Err(NoRows::Endless(BlockId(node)));
    }
    let returns: Vec<_> = ends.into_iter().map(BlockId).filter(|&block| layout.block(block).returns()).collect();
    match returns[..] {
        [only] => Ok(only),
        _ => Err(NoRows::Returns(returns.len())),
    }
}

/// Marks the nodes from which one of `goals` is reachable.
fn reaching(graph: &Graph, goals: &[BlockId]) -> Vec<bool> {
    let mut found = vec![false; graph.successors.len()];
    let mut pending: Vec<u32> = goals.iter().map(|block| block.0).collect();
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut found[node as usize], true) {
            pending.extend(&graph.predecessors[node as usize]);
        }
    }
    found
}
