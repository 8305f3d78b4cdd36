//! Numbering, uses and reachability of a [`Cfg`].
//!
//! In: a [`Cfg`]. Out: a [`Layout`]. *Invariant:* values are numbered in block order, so that the
//! position of an instruction is also the number of its value, and a block is a range of numbers.

use super::graph::{Block, BlockId, Cfg, Instruction, Kind, ValueId};
use std::ops::Range;

/// One use of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Use {
    pub(super) user: ValueId,
    /// Point where the value must be available: at the user, or for a phi at the end of the
    /// predecessor.
    pub(super) at: Point,
}

/// A point in the code: in `block`, right before the position `before`, which may be the end of the
/// block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Point {
    pub(super) block: BlockId,
    pub(super) before: u32,
}

/// A [`Cfg`] with its numbering.
#[derive(Debug)]
pub(super) struct Layout<'c> {
    pub(super) cfg: &'c Cfg,
    /// The position of the first instruction of each block, and the end of the last one.
    first: Vec<u32>,
    /// The block of each instruction.
    block: Vec<BlockId>,
    /// The uses of value `v` are `uses[start[v]..start[v + 1]]`.
    uses: Vec<Use>,
    start: Vec<usize>,
    /// Reachable blocks, each after all of its dominators.
    order: Vec<BlockId>,
    /// Reachable predecessors of each block, without duplicates.
    predecessors: Vec<Vec<BlockId>>,
    reached: Vec<bool>,
}

impl BlockId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl ValueId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Block {
    /// True if the block returns, rather than branching or ending in `unreachable`.
    pub(super) fn returns(&self) -> bool {
        self.successors.is_empty() && self.instructions.last().is_some_and(|last| last.kind == Kind::Terminator)
    }
}

impl<'c> Layout<'c> {
    pub(super) fn of(cfg: &'c Cfg) -> Self {
        let mut first = vec![u32_of(cfg.parameters.len())];
        let mut block = Vec::new();
        for (index, b) in cfg.blocks.iter().enumerate() {
            block.resize(block.len() + b.instructions.len(), BlockId(u32_of(index)));
            first.push(first[0] + u32_of(block.len()));
        }
        let successor = |node: u32, k: usize| cfg.blocks[node as usize].successors.get(k).map(|to| to.0);
        let order: Vec<_> = postorder(cfg.blocks.len(), 0, successor).into_iter().rev().map(BlockId).collect();
        let mut reached = vec![false; cfg.blocks.len()];
        order.iter().for_each(|b| reached[b.index()] = true);
        let predecessors = predecessors(cfg, &order);
        let mut layout = Self { cfg, first, block, uses: vec![], start: vec![], order, predecessors, reached };
        layout.index_uses();
        layout
    }

    /// Groups the uses in reachable blocks by the value used.
    fn index_uses(&mut self) {
        let mut uses: Vec<(ValueId, Use)> = Vec::new();
        for &block in &self.order {
            for (user, instruction) in self.instructions(block) {
                let at = Point { block, before: user.0 };
                uses.extend(instruction.operands.iter().map(|&value| (value, Use { user, at })));
                let Kind::Phi(incoming) = &instruction.kind else { continue };
                let reached = incoming.iter().filter(|(from, _)| self.reached[from.index()]);
                uses.extend(reached.filter_map(|&(from, value)| Some((value?, Use { user, at: self.end(from) }))));
            }
        }
        uses.sort_by_key(|&(value, used)| (value, used.at, used.user));
        let values = 0..=self.values();
        self.start = values.map(|value| uses.partition_point(|(used, _)| used.0 < value)).collect();
        self.uses = uses.into_iter().map(|(_, used)| used).collect();
    }

    /// Number of values.
    pub(super) fn values(&self) -> u32 {
        self.first[self.cfg.blocks.len()]
    }

    /// Reachable blocks, each after all of its dominators.
    pub(super) fn order(&self) -> &[BlockId] {
        &self.order
    }

    pub(super) fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    pub(super) fn block(&self, id: BlockId) -> &'c Block {
        &self.cfg.blocks[id.index()]
    }

    /// Positions of a block's instructions.
    pub(super) fn range(&self, block: BlockId) -> Range<u32> {
        self.first[block.index()]..self.first[block.index() + 1]
    }

    /// Right after a block's terminator.
    pub(super) fn end(&self, block: BlockId) -> Point {
        Point { block, before: self.range(block).end }
    }

    /// Right before an instruction.
    pub(super) fn before(&self, instruction: ValueId) -> Option<Point> {
        Some(Point { block: self.block_of(instruction)?, before: instruction.0 })
    }

    /// The instructions of a block and their values.
    pub(super) fn instructions(&self, block: BlockId) -> impl Iterator<Item = (ValueId, &'c Instruction)> + use<'c> {
        self.range(block).map(ValueId).zip(&self.block(block).instructions)
    }

    /// All reachable instructions; each definition comes before its uses, except those by phis.
    pub(super) fn reached_instructions(&self) -> impl Iterator<Item = (ValueId, &'c Instruction)> {
        self.order.iter().flat_map(|&block| self.instructions(block))
    }

    /// The block of an instruction; `None` for a parameter.
    pub(super) fn block_of(&self, value: ValueId) -> Option<BlockId> {
        let index = value.index().checked_sub(self.cfg.parameters.len())?;
        Some(self.block[index])
    }

    /// The instruction that defines `value`; `None` for a parameter.
    pub(super) fn instruction(&self, value: ValueId) -> Option<&'c Instruction> {
        let block = self.block_of(value)?;
        Some(&self.block(block).instructions[(value.0 - self.first[block.index()]) as usize])
    }

    /// The uses of `value` in reachable blocks.
    pub(super) fn uses(&self, value: ValueId) -> &[Use] {
        &self.uses[self.start[value.index()]..self.start[value.index() + 1]]
    }
}

/// A count of blocks or instructions as 32 bits, the width of IDs.
pub(super) fn u32_of(count: usize) -> u32 {
    u32::try_from(count).expect("a kernel has less than 2^32 instructions")
}

/// The nodes reachable from `root` in depth-first postorder. `successor` returns the `k`-th
/// successor of a node.
pub(super) fn postorder(nodes: usize, root: u32, successor: impl Fn(u32, usize) -> Option<u32>) -> Vec<u32> {
    let mut seen = vec![false; nodes];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root as usize] = true;
    while let Some((node, next)) = stack.last_mut() {
        if let Some(to) = successor(*node, *next) {
            *next += 1;
            if !std::mem::replace(&mut seen[to as usize], true) {
                stack.push((to, 0));
            }
        } else {
            order.push(*node);
            stack.pop();
        }
    }
    order
}

fn predecessors(cfg: &Cfg, order: &[BlockId]) -> Vec<Vec<BlockId>> {
    let mut predecessors = vec![Vec::new(); cfg.blocks.len()];
    for &block in order {
        for successor in &cfg.blocks[block.index()].successors {
            let known: &mut Vec<BlockId> = &mut predecessors[successor.index()];
            // The edges of one switch are adjacent.
            if known.last() != Some(&block) {
                known.push(block);
            }
        }
    }
    predecessors
}
