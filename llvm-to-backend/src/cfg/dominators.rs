//! Dominators and post-dominators.
//!
//! In: any graph and its root. Out: a [`Tree`]. After Cooper, Harvey and Kennedy, "A Simple, Fast
//! Dominance Algorithm" (2001). *Invariant:* nodes that the root does not reach are in no tree and
//! dominate nothing.

use super::graph::{BlockId, Kind};
use super::layout::{Layout, postorder, u32_of};

/// A tree of immediate dominators over nodes `0..n`.
#[derive(Debug)]
pub(super) struct Tree {
    root: u32,
    /// The immediate dominator; the root's is itself, `None` marks an unreachable node.
    parent: Vec<Option<u32>>,
    depth: Vec<u32>,
}

/// A directed graph with edges in both directions.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) successors: Vec<Vec<u32>>,
    pub(super) predecessors: Vec<Vec<u32>>,
}

impl Graph {
    pub(super) fn with_nodes(count: usize) -> Self {
        Self { successors: vec![Vec::new(); count], predecessors: vec![Vec::new(); count] }
    }

    pub(super) fn edge(&mut self, from: u32, to: u32) {
        self.successors[from as usize].push(to);
        self.predecessors[to as usize].push(from);
    }

    /// The reachable blocks of a function and their edges.
    pub(super) fn of_blocks(layout: &Layout<'_>) -> Self {
        let mut graph = Self::with_nodes(layout.cfg.blocks.len());
        for &block in layout.order() {
            layout.block(block).successors.iter().for_each(|to| graph.edge(block.0, to.0));
        }
        graph
    }

    /// The nodes reachable from `root` in depth-first postorder.
    pub(super) fn postorder(&self, root: u32) -> Vec<u32> {
        postorder(self.successors.len(), root, |node, k| self.successors[node as usize].get(k).copied())
    }
}

impl Tree {
    pub(super) fn of(graph: &Graph, root: u32) -> Self {
        let postorder = graph.postorder(root);
        let mut rank = vec![0; graph.successors.len()];
        postorder.iter().zip(0..).for_each(|(&node, r)| rank[node as usize] = r);
        let mut parent: Vec<Option<u32>> = vec![None; graph.successors.len()];
        parent[root as usize] = Some(root);
        let mut changed = true;
        while changed {
            changed = false;
            for &node in postorder.iter().rev().skip(1) {
                let known = graph.predecessors[node as usize].iter().copied().filter(|&p| parent[p as usize].is_some());
                let new = known.reduce(|a, b| meet(&parent, &rank, a, b));
                changed |= parent[node as usize] != new;
                parent[node as usize] = new;
            }
        }
        let mut depth = vec![0; graph.successors.len()];
        for &node in postorder.iter().rev().skip(1) {
            depth[node as usize] = parent[node as usize].map_or(0, |p| depth[p as usize] + 1);
        }
        Self { root, parent, depth }
    }

    /// The dominator tree of the reachable blocks.
    #[cfg(test)]
    pub(super) fn dominators(layout: &Layout<'_>) -> Self {
        Self::of(&Graph::of_blocks(layout), 0)
    }

    /// The post-dominator tree of the blocks from which a return or barrier is reachable, see
    /// [`going_on`].
    ///
    /// The root is a virtual node after every return. A block that reaches no return, because of an
    /// endless loop with a barrier, counts as if it could return at once.
    pub(super) fn post_dominators(layout: &Layout<'_>, going_on: &[bool]) -> Self {
        let exit = u32_of(layout.cfg.blocks.len());
        let mut graph = Graph::with_nodes(layout.cfg.blocks.len() + 1);
        let returning = reaching(layout, |block| layout.block(block).returns());
        for &block in layout.order().iter().filter(|block| going_on[block.index()]) {
            let successors = layout.block(block).successors.iter().filter(|to| going_on[to.index()]);
            successors.for_each(|to| graph.edge(to.0, block.0));
            if layout.block(block).returns() || !returning[block.index()] {
                graph.edge(exit, block.0);
            }
        }
        Self::of(&graph, exit)
    }

    /// The immediate dominator; `None` for the root and for nodes that are in no tree.
    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        self.parent[node as usize].filter(|_| node != self.root)
    }

    /// The nearest common dominator of two nodes in the tree; `None` for others.
    pub(super) fn meet(&self, mut a: u32, mut b: u32) -> Option<u32> {
        while a != b {
            match self.depth(a) >= self.depth(b) {
                true => a = self.parent(a)?,
                false => b = self.parent(b)?,
            }
        }
        self.parent[a as usize].map(|_| a)
    }

    /// The distance from the root.
    pub(super) fn depth(&self, node: u32) -> u32 {
        self.depth[node as usize]
    }

    /// True if `above` dominates `node`; a node dominates itself.
    pub(super) fn dominates(&self, above: u32, mut node: u32) -> bool {
        if self.parent[node as usize].is_none() {
            return false;
        }
        while self.depth(node) > self.depth(above) {
            node = self.parent[node as usize].expect("it has depth");
        }
        node == above
    }
}

/// The nearest common dominator.
fn meet(parent: &[Option<u32>], rank: &[u32], mut a: u32, mut b: u32) -> u32 {
    let up = |node: u32| parent[node as usize].unwrap_or(node);
    while a != b {
        while rank[a as usize] < rank[b as usize] {
            a = up(a);
        }
        while rank[b as usize] < rank[a as usize] {
            b = up(b);
        }
    }
    a
}

/// Marks the blocks from which a return or a barrier is reachable. In all others an item traps or
/// loops for ever.
pub(super) fn going_on(layout: &Layout<'_>) -> Vec<bool> {
    let barrier = |block: BlockId| layout.block(block).instructions.iter().any(|i| i.kind == Kind::Barrier);
    reaching(layout, |block| layout.block(block).returns() || barrier(block))
}

/// Marks the blocks from which a block that satisfies `goal` is reachable, these included.
fn reaching(layout: &Layout<'_>, goal: impl Fn(BlockId) -> bool) -> Vec<bool> {
    let mut found = vec![false; layout.cfg.blocks.len()];
    let mut stack: Vec<BlockId> = layout.order().iter().copied().filter(|&block| goal(block)).collect();
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut found[block.index()], true) {
            stack.extend(layout.predecessors(block));
        }
    }
    found
}
