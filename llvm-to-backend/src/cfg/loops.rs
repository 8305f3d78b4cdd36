//! Innermost loops.
//!
//! In: a [`Cfg`]. Out: its natural loops that hold no other one. *Invariant:* a loop is entered through its header only;
//! cycles with several entries are not listed.

use super::{
    dominators::Tree,
    graph::{BlockId, Cfg},
    layout::Layout,
};
use std::collections::{BTreeMap, BTreeSet};

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Loop {
    /// Its blocks, each after all of its dominators; the header first.
    pub(crate) blocks: Vec<BlockId>,
    /// The one block outside that goes to the header, and nowhere else.
    pub(crate) preheader: Option<BlockId>,
}

/// The innermost loops of `cfg`, in the order of their headers.
pub(crate) fn innermost_loops(cfg: &Cfg) -> Vec<Loop> {
    let layout = Layout::of(cfg);
    let bodies = bodies(&layout);
    let innermost = |header: &BlockId, body: &BTreeSet<BlockId>| {
        !bodies.keys().any(|other| other != header && body.contains(other))
    };
    bodies.iter().filter(|(header, body)| innermost(header, body)).map(|(h, body)| finish(&layout, *h, body)).collect()
}

/// The blocks of each loop, by header. Loops with one header are one.
fn bodies(layout: &Layout<'_>) -> BTreeMap<BlockId, BTreeSet<BlockId>> {
    let dominators = Tree::dominators(layout);
    let mut bodies: BTreeMap<BlockId, BTreeSet<BlockId>> = BTreeMap::new();
    for &latch in layout.order() {
        for &header in layout.block(latch).successors.iter().filter(|header| dominators.dominates(header.0, latch.0)) {
            collect(layout, latch, bodies.entry(header).or_insert_with(|| BTreeSet::from([header])));
        }
    }
    bodies
}

/// Adds what reaches `latch` without passing the header, which is in `body` already.
fn collect(layout: &Layout<'_>, latch: BlockId, body: &mut BTreeSet<BlockId>) {
    let mut queue = vec![latch];
    while let Some(block) = queue.pop() {
        if body.insert(block) {
            queue.extend(layout.predecessors(block));
        }
    }
}

fn finish(layout: &Layout<'_>, header: BlockId, body: &BTreeSet<BlockId>) -> Loop {
    let mut outside = layout.predecessors(header).iter().filter(|block| !body.contains(block));
    let preheader = match (outside.next(), outside.next()) {
        (Some(&only), None) => Some(only).filter(|block| layout.block(*block).successors == [header]),
        _ => None,
    };
    Loop { blocks: layout.order().iter().copied().filter(|block| body.contains(block)).collect(), preheader }
}

#[cfg(test)]
mod tests {
    use super::{super::sample::Sample, innermost_loops};

    /// Each loop as the labels of its blocks, the header first, and the label of its preheader.
    fn found(text: &str, labels: &str) -> Vec<(String, String)> {
        let sample = Sample::new(text);
        let name =
            |block| labels.split_whitespace().find(|label| sample.block(label) == block).unwrap_or("?").to_owned();
        let names = |blocks: Vec<_>| blocks.into_iter().map(name).collect::<Vec<_>>().join(" ");
        let loops = innermost_loops(&sample.cfg).into_iter();
        loops.map(|one| (names(one.blocks), one.preheader.map_or("-".to_owned(), name))).collect()
    }

    #[test]
    fn only_innermost_loops_are_listed() {
        let nest = "
    uniform n
    entry: jump -> outer
    outer: c = effect; jump -> inner
    inner: d = effect n; branch d -> then latch
    then: e = effect; jump -> latch
    latch: f = effect; branch f -> inner next
    next: branch c -> outer done
    done: return";
        let labels = "entry outer inner then latch next done";
        assert_eq!(found(nest, labels), [("inner then latch".to_owned(), "outer".to_owned())]);
    }

    #[test]
    fn a_preheader_is_the_only_way_in() {
        let two_ways = "
    uniform n
    entry: branch n -> a b
    a: jump -> head
    b: jump -> head
    head: c = effect; branch c -> head done
    done: return";
        assert_eq!(found(two_ways, "entry a b head done"), [("head".to_owned(), "-".to_owned())]);
        let shared = "
    uniform n
    entry: branch n -> head done
    head: c = effect; branch c -> head done
    done: return";
        assert_eq!(found(shared, "entry head done"), [("head".to_owned(), "-".to_owned())]);
    }

    #[test]
    fn a_cycle_with_two_entries_is_no_loop() {
        let irreducible = "
    uniform n
    entry: branch n -> a b
    a: c = effect; branch c -> b done
    b: d = effect; branch d -> a done
    done: return";
        assert_eq!(found(irreducible, "entry a b done"), []);
    }
}
