//! How lanes move along the edges of a row function.
//!
//! In: a [`Schedule`] and its [`Masks`]. Out: an [`Edge`] for each edge. *Invariant:* an edge is
//! written whole only if no lane can wait in its target while the row is at its source.

use super::{
    flow::Flow,
    graph::BlockId,
    masks::Masks,
    order::Order,
    rows::{Edge, End, Mask},
    schedule::Schedule,
};

/// The edges of each block of the `Cfg`, in the order of its successors.
pub(super) fn edges(flow: &Flow<'_>, order: &Order, schedule: &Schedule, masks: &Masks) -> Vec<Vec<Edge>> {
    let row = Row { flow, schedule, masks };
    let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); flow.layout.cfg.blocks.len()];
    for &block in order.blocks() {
        let edge = Edge { mask: false, whole: false };
        edges[block.index()] = vec![edge; flow.layout.block(block).successors.len()];
    }
    for &to in order.blocks() {
        let occupied = row.while_lanes_wait(to);
        for from in flow.predecessors(to) {
            let successors = &flow.layout.block(from).successors;
            let several = successors.iter().enumerate().filter(|(_, other)| **other == to).map(|(at, _)| at);
            for (nth, at) in several.enumerate() {
                let whole = nth == 0 && !occupied[from.index()];
                edges[from.index()][at] = Edge { mask: masks.mask(to) == Mask::Slot, whole };
            }
        }
    }
    edges
}

struct Row<'a, 'c> {
    flow: &'a Flow<'c>,
    schedule: &'a Schedule,
    masks: &'a Masks,
}

impl Row<'_, '_> {
    /// Marks the blocks that the row can come to after lanes have moved to `to`, before it comes
    /// there.
    fn while_lanes_wait(&self, to: BlockId) -> Vec<bool> {
        let mut found = vec![false; self.flow.layout.cfg.blocks.len()];
        let mut pending: Vec<BlockId> = self.flow.predecessors(to).flat_map(|from| self.with_lanes(from, to)).collect();
        while let Some(block) = pending.pop() {
            if block != to && !std::mem::replace(&mut found[block.index()], true) {
                pending.extend(self.masks.skip(block));
                match self.schedule.end(block) {
                    End::Go(next) => pending.push(*next),
                    End::Branch(nexts) => pending.extend(nexts),
                    End::Again { header, next } => pending.extend([*header, *next]),
                    End::Return | End::Never => {}
                }
            }
        }
        found
    }

    /// Where the row can go next from `from` if lanes move to `to`.
    fn with_lanes(&self, from: BlockId, to: BlockId) -> Vec<BlockId> {
        match self.schedule.end(from) {
            End::Go(next) => vec![*next],
            End::Branch(nexts) => {
                let successors = self.flow.layout.block(from).successors.iter();
                successors.zip(nexts).filter(|(other, _)| **other == to).map(|(_, next)| *next).collect()
            }
            End::Again { header, .. } if *header == to => vec![to],
            End::Again { header, next } => vec![*header, *next],
            End::Return | End::Never => Vec::new(),
        }
    }
}
