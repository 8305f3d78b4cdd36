//! Innermost loops.
//!
//! In: a [`Cfg`]. Out: its natural loops without a nested loop, and if there are other cycles.
//! *Invariant:* a loop is entered through its header only; irreducible cycles are not listed.

use super::{
    dominators::Graph,
    graph::{BlockId, Cfg},
    layout::Layout,
    loop_forest::{Forest, NaturalLoop},
};

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Loop {
    /// Its blocks, header first, each after all of its dominators.
    pub(crate) blocks: Vec<BlockId>,
    /// The only block outside the loop that branches to the header, if that is its only successor.
    pub(crate) preheader: Option<BlockId>,
}

/// The innermost loops of `cfg`.
pub(crate) fn innermost_loops(cfg: &Cfg) -> Vec<Loop> {
    let layout = Layout::of(cfg);
    let forest = Forest::of(&Graph::of_blocks(&layout), 0);
    let innermost = forest.ids().filter(|id| !forest.loops.iter().any(|one| one.parent == Some(*id)));
    innermost.map(|id| finish(&layout, forest.get(id))).collect()
}

/// True if `cfg` has a cycle with several entries.
pub(crate) fn has_irreducible_cycles(cfg: &Cfg) -> bool {
    !Forest::of(&Graph::of_blocks(&Layout::of(cfg)), 0).irreducible.is_empty()
}

fn finish(layout: &Layout<'_>, one: &NaturalLoop) -> Loop {
    let mut outside = layout.predecessors(one.header).iter().filter(|block| !one.blocks.contains(block));
    let preheader = match (outside.next(), outside.next()) {
        (Some(&only), None) => Some(only).filter(|block| layout.block(*block).successors == [one.header]),
        _ => None,
    };
    Loop { blocks: one.blocks.clone(), preheader }
}

#[cfg(test)]
mod tests {
    use super::{super::sample::Sample, has_irreducible_cycles, innermost_loops};

    /// Each loop as the labels of its blocks, header first, and the label of its preheader.
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
        assert!(has_irreducible_cycles(&Sample::new(irreducible).cfg));
        assert!(!has_irreducible_cycles(&Sample::new(&irreducible.replace("branch n -> a b", "jump -> a")).cfg));
    }
}
