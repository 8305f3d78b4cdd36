//! The places of traps among the other blocks.
//!
//! In: the edges that lanes take, and the block that returns. Out: these edges, and one from each
//! trap to the block that it comes before. *Invariant:* where lanes part to a trap, all others meet
//! again behind it. A trap is a block that ends in `unreachable`.
//!
//! Lanes that trap end the whole row. So a trap that comes first parts no lanes: what runs behind
//! it runs with all lanes again.

use super::{dominators::Graph, graph::BlockId, loop_forest::Forest, rounds::Rounds};

/// Adds an edge from each trap to the first block that all other lanes come to after they have not
/// gone to the trap, in the same round of the loop around it, or to the end of the round.
pub(super) fn with_edges(taken: &Graph, last: BlockId) -> Graph {
    let mut ordered = taken.clone();
    let is_trap = |node: u32| node != last.0 && taken.successors[node as usize].is_empty();
    let traps: Vec<_> = taken.postorder(0).into_iter().filter(|&node| is_trap(node)).collect();
    if traps.is_empty() {
        return ordered;
    }
    let returning = returning(taken, last);
    let going_on = without(taken, &returning);
    let forest = Forest::of(&going_on, 0);
    let rounds = Rounds::new(&going_on, &forest, last);
    for trap in traps {
        let sources = sources(taken, &returning, trap);
        let next = place(&forest, &rounds, &sources);
        ordered.edge(trap, next.unwrap_or(last).0);
    }
    ordered
}

/// The edges between nodes that reach the return.
fn without(taken: &Graph, returning: &[bool]) -> Graph {
    let mut graph = Graph::with_nodes(taken.successors.len());
    for (from, successors) in (0..).zip(&taken.successors) {
        successors.iter().filter(|to| returning[**to as usize]).for_each(|&to| graph.edge(from, to));
    }
    graph
}

/// The block that a trap comes before whose lanes come from `sources`.
fn place(forest: &Forest, rounds: &Rounds<'_>, sources: &[BlockId]) -> Option<BlockId> {
    let common = sources.iter().map(|&block| forest.inner(block)).reduce(|a, b| forest.common(a, b)).flatten();
    for id in forest.around(common) {
        let latch = forest.get(id).latches.first().copied();
        let meeting = rounds.meeting(Some(id), sources);
        // If other lanes may leave the loop before the trap, it comes behind the loop.
        if !sources.iter().any(|source| Some(*source) == latch) && !rounds.may_leave(id, sources, meeting) {
            return meeting.or(latch);
        }
    }
    rounds.meeting(None, sources)
}

/// Marks the nodes that reach the return.
fn returning(taken: &Graph, last: BlockId) -> Vec<bool> {
    let mut found = vec![false; taken.successors.len()];
    let mut pending = vec![last.0];
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut found[node as usize], true) {
            pending.extend(&taken.predecessors[node as usize]);
        }
    }
    found
}

/// The blocks that reach the return, from which lanes come to `trap`, or to code that shares blocks
/// with its code, without passing another such block.
fn sources(taken: &Graph, returning: &[bool], trap: u32) -> Vec<BlockId> {
    let mut seen = vec![false; taken.successors.len()];
    let mut sources = Vec::new();
    let mut pending = vec![trap];
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        if returning[node as usize] {
            sources.push(BlockId(node));
        } else {
            pending.extend(&taken.predecessors[node as usize]);
            pending.extend(&taken.successors[node as usize]);
        }
    }
    sources
}
