//! Random control flow for tests: structured code with jumps, in canonical form.
//!
//! In: arbitrary numbers. Out: the successors of blocks as LLVM leaves them after `mergereturn` and
//! `loop-simplify`. *Invariant:* one block returns; every other block without successors is a trap;
//! every loop has a preheader, one latch and exits of its own.

use super::{
    dominators::Graph,
    graph::BlockId,
    loop_forest::{Forest, LoopId},
};

/// Numbers from which a program is made; behind the last one, zeros.
#[derive(Debug)]
pub(super) struct Source<'w> {
    words: std::slice::Iter<'w, u32>,
}

impl<'w> Source<'w> {
    pub(super) fn new(words: &'w [u32]) -> Self {
        Self { words: words.iter() }
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.words.next().map_or(0, |word| *word as usize % end)
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The blocks of a program; the first one is its entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Jumps {
    pub(super) successors: Vec<Vec<usize>>,
    pub(super) last: usize,
    /// The traps without instructions.
    pub(super) empty: Vec<usize>,
}

impl Jumps {
    /// `None` if a block never ends the program.
    pub(super) fn new(source: &mut Source<'_>) -> Option<Self> {
        let mut builder = Builder { source, jumps: Self::default(), returning: Vec::new(), traps: Vec::new() };
        let entry = builder.block();
        let end = builder.statements(Some(entry), 3, &[]);
        builder.returning.extend(end);
        builder.finish();
        let jumps = builder.jumps;
        jumps.canonical(source)
    }

    pub(super) fn graph(&self) -> Graph {
        let mut graph = Graph::with_nodes(self.successors.len());
        let mut reached = vec![false; self.successors.len()];
        let mut pending = vec![0];
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut reached[block], true) {
                let mut distinct = self.successors[block].clone();
                distinct.sort_unstable();
                distinct.dedup();
                distinct.iter().for_each(|&to| graph.edge(block as u32, to as u32));
                pending.extend(distinct);
            }
        }
        graph
    }

    fn canonical(mut self, source: &mut Source<'_>) -> Option<Self> {
        self.prune();
        if !self.ends_everywhere() {
            return None;
        }
        while let Some((from, to)) = self.defect(source) {
            self.insert(&from, to);
        }
        Some(self)
    }

    /// Removes the blocks that are never reached.
    fn prune(&mut self) {
        let graph = self.graph();
        let mut kept: Vec<_> = graph.postorder(0).into_iter().map(|node| node as usize).collect();
        kept.push(self.last);
        kept.sort_unstable();
        kept.dedup();
        let place = |block: usize| kept.iter().position(|&other| other == block);
        let moved = |block: &usize| self.successors[*block].iter().filter_map(|&to| place(to)).collect();
        let successors = kept.iter().map(moved).collect();
        let last = place(self.last).unwrap();
        let empty = self.empty.iter().filter_map(|&block| place(block)).collect();
        *self = Self { successors, last, empty };
    }

    /// True if every block leads to the end of the program.
    fn ends_everywhere(&self) -> bool {
        let graph = self.graph();
        let mut ending = vec![false; self.successors.len()];
        let mut pending: Vec<_> = (0..ending.len()).filter(|&block| self.successors[block].is_empty()).collect();
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut ending[block], true) {
                pending.extend(graph.predecessors[block].iter().map(|&from| from as usize));
            }
        }
        let reached = graph.postorder(0);
        reached.contains(&(self.last as u32)) && reached.iter().all(|&node| ending[node as usize])
    }

    /// Edges that a new block must be put on, from some blocks to one.
    fn defect(&self, source: &mut Source<'_>) -> Option<(Vec<usize>, usize)> {
        let graph = self.graph();
        let forest = Forest::of(&graph, 0);
        forest.ids().rev().find_map(|id| self.defect_of(&graph, &forest, id, source))
    }

    fn defect_of(
        &self,
        graph: &Graph,
        forest: &Forest,
        id: LoopId,
        source: &mut Source<'_>,
    ) -> Option<(Vec<usize>, usize)> {
        let one = forest.get(id);
        let inside = |block: u32| forest.contains(id, BlockId(block));
        let before = |block: usize| graph.predecessors[block].iter().copied();
        let numbers = |blocks: Vec<u32>| blocks.into_iter().map(|block| block as usize).collect::<Vec<_>>();
        let header = one.header.index();
        let outside: Vec<_> = before(header).filter(|&from| !inside(from)).collect();
        if outside.len() != 1 || graph.successors[outside[0] as usize].len() != 1 {
            return Some((numbers(outside), header));
        }
        let branches = one.latches.len() == 1 && graph.successors[one.latches[0].index()].len() > 1;
        if one.latches.len() > 1 || (branches && source.chance(5)) {
            return Some((one.latches.iter().map(|latch| latch.index()).collect(), header));
        }
        let shared = |to: &usize| before(*to).any(|from| !inside(from));
        let exit = one.exits.iter().map(|(_, to)| to.index()).find(shared)?;
        Some((numbers(before(exit).filter(|&from| inside(from)).collect()), exit))
    }

    fn insert(&mut self, from: &[usize], to: usize) {
        let new = self.successors.len();
        for &block in from {
            self.successors[block].iter_mut().filter(|other| **other == to).for_each(|other| *other = new);
        }
        self.successors.push(vec![to]);
    }
}

struct Builder<'s, 'w> {
    source: &'s mut Source<'w>,
    jumps: Jumps,
    /// The blocks whose next successor is the return.
    returning: Vec<usize>,
    traps: Vec<usize>,
}

/// The blocks behind a loop and at its end.
type Targets = (usize, usize);

impl Builder<'_, '_> {
    fn block(&mut self) -> usize {
        self.jumps.successors.push(Vec::new());
        self.jumps.successors.len() - 1
    }

    fn go(&mut self, from: usize, to: &[usize]) {
        self.jumps.successors[from].extend(to);
    }

    fn statements(&mut self, mut at: Option<usize>, depth: usize, loops: &[Targets]) -> Option<usize> {
        for _ in 0..=self.source.below(3) {
            at = self.statement(at?, depth, loops);
        }
        at
    }

    /// Adds a statement behind block `at`; returns the block where it ends, if it does.
    fn statement(&mut self, at: usize, depth: usize, loops: &[Targets]) -> Option<usize> {
        let kind = if depth == 0 { 0 } else { self.source.below(100) };
        match kind {
            20..48 => return Some(self.choice(at, depth, loops)),
            48..73 => return Some(self.repetition(at, depth, loops)),
            73..84 if !loops.is_empty() => {
                let to = self.way_out(loops);
                let next = self.block();
                self.go(at, &[to, next]);
                return Some(next);
            }
            84..88 => {
                let next = self.block();
                self.returning.push(at);
                self.go(at, &[next]);
                return Some(next);
            }
            88..91 if !loops.is_empty() => {
                let to = self.way_out(loops);
                self.go(at, &[to]);
                return None;
            }
            91..94 => return Some(self.switch(at, depth, loops)),
            94..98 => return Some(self.assertion(at, depth)),
            _ => {}
        }
        let next = self.block();
        let twice = kind >= 98;
        self.go(at, &[next, next][usize::from(!twice)..]);
        Some(next)
    }

    /// `break` or `continue` of any loop.
    fn way_out(&mut self, loops: &[Targets]) -> usize {
        let (behind, end) = self.source.pick(loops);
        if self.source.chance(50) { behind } else { end }
    }

    /// `if`, often with an `else`.
    fn choice(&mut self, at: usize, depth: usize, loops: &[Targets]) -> usize {
        let (yes, join) = (self.block(), self.block());
        let no = if self.source.chance(60) { self.block() } else { join };
        self.go(at, &[yes, no]);
        for way in [yes, no].into_iter().filter(|&way| way != join) {
            if let Some(end) = self.statements(Some(way), depth - 1, loops) {
                self.go(end, &[join]);
            }
        }
        join
    }

    fn repetition(&mut self, at: usize, depth: usize, loops: &[Targets]) -> usize {
        let (header, body, end, behind) = (self.block(), self.block(), self.block(), self.block());
        self.go(at, &[header]);
        let first = self.source.chance(50);
        self.go(header, &[body, behind][..1 + usize::from(first)]);
        let mut inner = loops.to_vec();
        inner.push((behind, end));
        if let Some(last) = self.statements(Some(body), depth - 1, &inner) {
            self.go(last, &[end]);
        }
        let test = !first || self.source.chance(30);
        self.go(end, &[header, behind][..1 + usize::from(test)]);
        behind
    }

    /// Three ways, two of which may be the same.
    fn switch(&mut self, at: usize, depth: usize, loops: &[Targets]) -> usize {
        let (one, other, join) = (self.block(), self.block(), self.block());
        self.go(at, &[one, other, join]);
        if self.source.chance(30) {
            self.go(at, &[one]);
        }
        for way in [one, other] {
            if let Some(end) = self.statements(Some(way), depth - 1, loops) {
                self.go(end, &[join]);
            }
        }
        join
    }

    /// A branch to a trap, which may have code of its own.
    fn assertion(&mut self, at: usize, depth: usize) -> usize {
        let (trap, next) = (self.block(), self.block());
        self.go(at, &[trap, next]);
        let deep = if self.source.chance(30) { depth - 1 } else { 0 };
        // Without targets, code in front of a trap cannot leave it but by a return.
        let end = self.statements(Some(trap), deep, &[]);
        self.traps.extend(end);
        next
    }

    /// One return; maybe one block for all traps.
    fn finish(&mut self) {
        let last = self.block();
        self.jumps.last = last;
        for block in std::mem::take(&mut self.returning) {
            self.jumps.successors[block].insert(0, last);
        }
        if self.source.chance(50) {
            let unified = self.block();
            std::mem::take(&mut self.traps).into_iter().for_each(|trap| self.go(trap, &[unified]));
            if self.source.chance(80) {
                self.jumps.empty.push(unified);
            }
        }
    }
}
