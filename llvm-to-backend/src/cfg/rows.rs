//! The plan for running a kernel by rows of lanes.
//!
//! In: a `Cfg` in canonical form, its facts, and the shapes of its parameters. Out: a [`RowPlan`].
//! *Invariant:* run as the plan says, each lane executes the blocks that it executes alone, in the
//! same order, with the same values.
//!
//! Every block has a slot for its mask, and one for each phi. Running a block takes its mask and
//! clears the slot; each edge moves lanes into the slots of its target. The plan decides the order
//! of blocks, which branches remain, and which blocks are jumped over when no lane waits in them.

use super::{
    graph::{BlockId, Cfg, Kind, ValueId},
    operation::Shape,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// How a kernel runs by rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RowPlan {
    /// The shape of each value of the `Cfg`. For a phi, of its slot.
    pub(crate) shapes: Vec<Shape>,
    /// For each value: true if the base of the linear value wraps: it is cut to the width of the
    /// value, or of what is extended, and extended again.
    pub(crate) cut: Vec<bool>,
    /// Reachable blocks in the order of the row function, the entry first.
    pub(crate) blocks: Vec<RowBlock>,
}

/// One block of the row function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RowBlock {
    /// The block of the `Cfg`.
    pub(crate) block: BlockId,
    /// The lanes that run it.
    pub(crate) mask: Mask,
    /// Where to go instead if no lane waits here; `None` where running it without a lane is
    /// harmless, or cannot happen.
    pub(crate) skip: Option<BlockId>,
    /// For each successor of the block, in order: how lanes move there.
    pub(crate) edges: Vec<Edge>,
    /// Where the row goes next.
    pub(crate) end: End,
    /// The values defined in the loop that this block is the header of, which no lane needs in the
    /// next round: phis excepted.
    pub(crate) forgotten: Vec<ValueId>,
    /// The number of loops around it.
    pub(crate) depth: usize,
}

/// The lanes that run a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mask {
    /// All lanes of the row's entry.
    Entry,
    /// The lanes that waited at another block the last time the row came to it, even if it then
    /// skipped that block, which dominates this one in the row function, too.
    Of(BlockId),
    /// The lanes in the block's own slot.
    Slot,
}

/// How lanes move along one edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// False if nobody reads the target's slot for its mask.
    pub(crate) mask: bool,
    /// True if no lane can wait in the target when this edge runs: its phi slots are written whole,
    /// and its mask is replaced. Otherwise they are blended under the edge's mask, and slots of
    /// scalars are written only if the edge has a lane.
    pub(crate) whole: bool,
}

/// The next block of the row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Always this one.
    Go(BlockId),
    /// By the block's own condition, which is the same for all lanes: one for each successor of
    /// the block, in order.
    Branch(Vec<BlockId>),
    /// The end of a divergent loop: the header again while any lane waits there, else `next`.
    Again { header: BlockId, next: BlockId },
    /// Every lane has returned.
    Return,
    /// Lanes that come here never go on: the block ends in `unreachable`, or only leads to an empty
    /// block that does. Its edges move no lane.
    Never,
}

/// A plan as text, a block a paragraph: the lanes that run it, the shapes of the values that are
/// used, and how lanes and the row go on. An edge is marked `+mask` if it moves a mask, and
/// `+blend` if lanes may wait in its target.
#[derive(Debug)]
pub(crate) struct RowText<'p> {
    plan: &'p RowPlan,
    cfg: &'p Cfg,
    /// The number of the first value of each block.
    first: Vec<u32>,
    used: BTreeSet<ValueId>,
}

/// Maximum number of barriers in branches: each takes time that grows with the code.
const MOST_WAITS: usize = 64;

impl RowPlan {
    /// A block whose barrier lanes of a row may wait at while others have yet to do what each would
    /// have done by itself: these go to another barrier, or to their end, on a way of their own
    /// that comes later in the row. Work behind the meeting point of the ways does not count. Also
    /// the first of very many barriers, which are not looked at.
    pub(crate) fn waits_too_early(&self, cfg: &Cfg) -> Option<BlockId> {
        let positions: BTreeMap<_, _> = self.blocks.iter().zip(0..).map(|(row, at)| (row.block, at)).collect();
        let is =
            |id: BlockId, of: fn(&Kind) -> bool| cfg.blocks[id.index()].instructions.iter().any(|one| of(&one.kind));
        let waits = |row: &&RowBlock| row.mask != Mask::Entry && is(row.block, |kind| *kind == Kind::Barrier);
        let acts = |kind: &Kind| matches!(kind, Kind::Effect | Kind::Escape(_) | Kind::Barrier);
        // Ways back lead to barriers of a later round.
        let forward = |from: BlockId, next: &dyn Fn(BlockId) -> Vec<BlockId>| {
            let (mut found, mut pending) = (BTreeSet::new(), vec![from]);
            while let Some(at) = pending.pop() {
                let ahead = next(at).into_iter().filter(|to| positions.get(to) > positions.get(&at));
                pending.extend(ahead.filter(|to| found.insert(*to)));
            }
            found
        };
        let waiting: Vec<_> = self.blocks.iter().filter(waits).collect();
        let too_many = waiting.len() > MOST_WAITS;
        let early = waiting.into_iter().find(|row| {
            too_many || {
                let of_lanes = forward(row.block, &|at| cfg.blocks[at.index()].successors.clone());
                let of_row =
                    forward(row.block, &|at| positions.get(&at).map_or(vec![], |at: &usize| self.blocks[*at].next()));
                of_row.difference(&of_lanes).any(|other| is(*other, acts))
            }
        });
        early.map(|row| row.block)
    }

    /// The plan as text. `cfg` is the one that was planned.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests print plans"))]
    pub(crate) fn text<'p>(&'p self, cfg: &'p Cfg) -> RowText<'p> {
        let mut first = vec![cfg.parameters.len() as u32];
        let mut used = BTreeSet::new();
        for block in &cfg.blocks {
            first.push(first[first.len() - 1] + block.instructions.len() as u32);
            for instruction in &block.instructions {
                used.extend(&instruction.operands);
                if let Kind::Phi(incoming) = &instruction.kind {
                    used.extend(incoming.iter().filter_map(|(_, value)| *value));
                }
            }
        }
        RowText { plan: self, cfg, first, used }
    }
}

impl RowBlock {
    /// Where the row may go next.
    fn next(&self) -> Vec<BlockId> {
        let mut next: Vec<_> = self.skip.into_iter().collect();
        match &self.end {
            End::Go(to) | End::Again { next: to, .. } => next.push(*to),
            End::Branch(ways) => next.extend(ways),
            End::Return | End::Never => {}
        }
        next
    }
}

impl fmt::Display for RowText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "parameters:{}", self.values(0..self.first[0]))?;
        self.plan.blocks.iter().try_for_each(|block| self.block(f, block))
    }
}

impl RowText<'_> {
    /// The shapes of those of some values that are used.
    fn values(&self, numbers: std::ops::Range<u32>) -> String {
        let used = numbers.map(ValueId).filter(|value| self.used.contains(value));
        used.map(|value| format!(" v{} {}", value.0, self.plan.shapes[value.0 as usize])).collect()
    }

    fn block(&self, f: &mut fmt::Formatter<'_>, block: &RowBlock) -> fmt::Result {
        write!(f, "{}: {}", block.block, block.mask)?;
        if let Some(skip) = block.skip {
            write!(f, ", or skip to {skip}")?;
        }
        let at = block.block.0 as usize;
        let values = self.values(self.first[at]..self.first[at + 1]);
        if !values.is_empty() {
            write!(f, "\n   {values}")?;
        }
        write!(f, "\n    edges")?;
        for (to, edge) in self.cfg.blocks[at].successors.iter().zip(&block.edges) {
            let [mask, blend] =
                [(edge.mask, "+mask"), (!edge.whole, "+blend")].map(|(on, name)| if on { name } else { "" });
            write!(f, " {to}{mask}{blend}")?;
        }
        writeln!(f, "; {}", block.end)
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = if self.is_in_lines() { " in lines" } else { "" };
        match (self.step(), self.signed()) {
            (Some(step), Some(true)) => write!(f, "linear({step}){lines}"),
            (Some(step), Some(false)) => write!(f, "linear({step}, unsigned){lines}"),
            (Some(_), None) => write!(f, "same{lines}"),
            (None, _) => write!(f, "any"),
        }
    }
}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry => write!(f, "all lanes"),
            Self::Of(block) => write!(f, "lanes of {block}"),
            Self::Slot => write!(f, "own lanes"),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Go(next) => write!(f, "go to {next}"),
            Self::Branch(nexts) => {
                write!(f, "branch to")?;
                nexts.iter().try_for_each(|next| write!(f, " {next}"))
            }
            Self::Again { header, next } => write!(f, "again from {header}, then {next}"),
            Self::Return => write!(f, "return"),
            Self::Never => write!(f, "trap"),
        }
    }
}
