//! Structured control flow.
//!
//! In: a reducible graph of blocks in which LLVM's passes have nested all branches. Out: the same
//! with blocks for the merges and continues of SPIR-V ("Structured Control Flow", 2.11), in an
//! order in which each block follows its dominators. *Invariant:* every loop and every branch has
//! merge blocks of its own, without other code in them; a graph that is not nested is an error,
//! never code with other behaviour.

use crate::targets::spirv::limits::NESTING;
use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

/// The end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The item returns.
    Leave,
    /// One successor.
    Go(usize),
    /// Two successors: if the block's condition holds, and otherwise.
    Choose(usize, usize),
}

/// A merge instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merge {
    /// The head of a loop, with merge and continue block.
    Loop(usize, usize),
    /// A branch, with its merge block.
    Selection(usize),
}

/// A graph of blocks. Those of the function come first, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    pub(super) ends: Vec<End>,
    pub(super) merges: HashMap<usize, Merge>,
    /// The blocks that have the code of the heads of loops, and those heads.
    moved: HashMap<usize, usize>,
    /// The predecessors of each block that are reached.
    before: Vec<Vec<usize>>,
}

/// The reason why a graph cannot be structured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unstructured {
    /// A loop without an exit.
    Endless,
    /// Branches that cross.
    Crossed,
    /// Constructs in each other, deeper than a module may have them.
    TooDeep,
}

/// Dominators, or postdominators of the reversed graph. Those of the graph as it was: a block that
/// was added since has the dominators of its parent, and changes those of no other block but by
/// itself.
struct Dominators {
    parents: Vec<Option<usize>>,
    depths: Vec<usize>,
}

/// The blocks that each block dominates, as ranges of one order.
struct Ranges {
    order: Vec<usize>,
    /// Where the range of each block begins and ends.
    ranges: Vec<Range<usize>>,
}

fn successors(end: End) -> Vec<usize> {
    match end {
        End::Leave => vec![],
        End::Go(next) => vec![next],
        End::Choose(yes, no) => vec![yes, no],
    }
}

/// Reverse postorder from `start`.
fn order(edges: &[Vec<usize>], start: usize) -> Vec<usize> {
    let (mut seen, mut done) = (vec![false; edges.len()], Vec::new());
    let mut open = vec![(start, edges[start].clone())];
    seen[start] = true;
    while let Some((node, rest)) = open.last_mut() {
        match rest.pop() {
            Some(next) if !seen[next] => {
                seen[next] = true;
                open.push((next, edges[next].clone()));
            }
            Some(_) => {}
            None => {
                done.push(*node);
                open.pop();
            }
        }
    }
    done.reverse();
    done
}

impl Dominators {
    /// As Cooper, Harvey and Kennedy compute them ("A Simple, Fast Dominance Algorithm").
    fn of(edges: &[Vec<usize>], start: usize) -> Self {
        let order = order(edges, start);
        let mut positions = vec![usize::MAX; edges.len()];
        order.iter().enumerate().for_each(|(position, node)| positions[*node] = position);
        let mut before = vec![Vec::new(); edges.len()];
        for node in &order {
            edges[*node].iter().for_each(|next| before[*next].push(*node));
        }
        let mut parents = vec![None; edges.len()];
        parents[start] = Some(start);
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().skip(1) {
                let known = before[*node].iter().copied().filter(|node| parents[*node].is_some());
                let found = known.reduce(|a, b| meet(&parents, &positions, a, b));
                if parents[*node] != found {
                    (parents[*node], changed) = (found, true);
                }
            }
        }
        let mut depths = vec![0; edges.len()];
        for node in order.iter().skip(1) {
            depths[*node] = parents[*node].map_or(0, |parent| depths[parent] + 1);
        }
        Dominators { parents, depths }
    }

    fn dominates(&self, above: usize, mut node: usize) -> bool {
        while node != above && self.depths[node] > self.depths[above] {
            let Some(parent) = self.parents[node] else { return false };
            node = parent;
        }
        node == above
    }

    /// Notes the next block that was added.
    fn add(&mut self, parent: usize) {
        self.parents.push(Some(parent));
        self.depths.push(self.depths[parent] + 1);
    }

    /// The nearest block that dominates both.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let deeper = if self.depths[a] > self.depths[b] { &mut a } else { &mut b };
            let Some(parent) = self.parents[*deeper].filter(|parent| parent != deeper) else { break };
            *deeper = parent;
        }
        a
    }

    fn ranges(&self) -> Ranges {
        let count = self.parents.len();
        let mut children = vec![Vec::new(); count];
        let mut open = Vec::new();
        for (node, parent) in self.parents.iter().enumerate() {
            match parent {
                Some(parent) if *parent == node => open.push((node, false)),
                Some(parent) => children[*parent].push(node),
                None => {}
            }
        }
        let (mut order, mut ranges) = (Vec::new(), vec![0..0; count]);
        while let Some((node, done)) = open.pop() {
            if done {
                ranges[node].end = order.len();
                continue;
            }
            ranges[node].start = order.len();
            order.push(node);
            open.push((node, true));
            open.extend(children[node].iter().map(|child| (*child, false)));
        }
        Ranges { order, ranges }
    }
}

impl Ranges {
    fn dominates(&self, above: usize, node: usize) -> bool {
        self.ranges[above].contains(&self.ranges[node].start) && !self.ranges[node].is_empty()
    }

    /// The blocks that `head` dominates and `end` does not.
    fn between(&self, head: usize, end: usize) -> impl Iterator<Item = usize> + '_ {
        let (all, behind) = (self.ranges[head].clone(), self.ranges[end].clone());
        let behind = if self.dominates(head, end) { behind } else { all.end..all.end };
        (all.start..behind.start).chain(behind.end..all.end).map(|at| self.order[at])
    }
}

fn meet(parents: &[Option<usize>], positions: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while positions[a] > positions[b] {
            a = parents[a].unwrap_or(a);
        }
        while positions[b] > positions[a] {
            b = parents[b].unwrap_or(b);
        }
    }
    a
}

impl Graph {
    pub(super) fn new(ends: Vec<End>) -> Self {
        Graph { ends, ..Graph::default() }
    }

    /// The block of the function whose code a block has; `None` for one without code. The function
    /// has `count` blocks.
    pub(super) fn content(&self, node: usize, count: usize) -> Option<usize> {
        let own = (node < count && !matches!(self.merges.get(&node), Some(Merge::Loop(..)))).then_some(node);
        self.moved.get(&node).copied().or(own)
    }

    fn edges(&self) -> Vec<Vec<usize>> {
        self.ends.iter().map(|end| successors(*end)).collect()
    }

    fn dominators(&self) -> Dominators {
        Dominators::of(&self.edges(), 0)
    }

    /// Blocks in an order in which each follows its dominators.
    pub(super) fn order(&self) -> Vec<usize> {
        order(&self.edges(), 0)
    }

    fn redirect(&mut self, node: usize, old: usize, new: usize) {
        if !successors(self.ends[node]).contains(&old) {
            return;
        }
        let moved = |next| if next == old { new } else { next };
        self.ends[node] = match self.ends[node] {
            End::Leave => End::Leave,
            End::Go(next) => End::Go(moved(next)),
            End::Choose(yes, no) => End::Choose(moved(yes), moved(no)),
        };
        self.before[old].retain(|other| *other != node);
        self.before[new].push(node);
    }

    fn add(&mut self, end: End) -> usize {
        let node = self.ends.len();
        self.ends.push(end);
        self.before.push(Vec::new());
        successors(end).into_iter().for_each(|next| self.before[next].push(node));
        node
    }

    /// Structures the graph. The blocks of the function keep their numbers.
    pub(super) fn structured(mut self) -> Result<Self, Unstructured> {
        for end in &mut self.ends {
            if let End::Choose(yes, no) = *end
                && yes == no
            {
                *end = End::Go(yes);
            }
        }
        self.before = vec![Vec::new(); self.ends.len()];
        for node in self.order() {
            successors(self.ends[node]).into_iter().for_each(|next| self.before[next].push(node));
        }
        let mut dominators = self.dominators();
        let mut heads = self.heads(&dominators);
        // Inner loops first.
        heads.sort_by_key(|head| std::cmp::Reverse(dominators.depths[*head]));
        for head in heads {
            self.make_loop(head, &mut dominators)?;
        }
        self.make_selections()?;
        Ok(self)
    }

    fn heads(&self, dominators: &Dominators) -> Vec<usize> {
        let nodes = 0..self.ends.len();
        let is_head = |node: &usize| self.before[*node].iter().any(|from| dominators.dominates(*node, *from));
        nodes.filter(is_head).collect()
    }

    /// The blocks of the loop with this head.
    fn body(&self, head: usize, latches: &[usize]) -> BTreeSet<usize> {
        let mut body = BTreeSet::from([head]);
        let mut open = latches.to_vec();
        while let Some(node) = open.pop() {
            if body.insert(node) {
                open.extend(&self.before[node]);
            }
        }
        body
    }

    /// Gives a loop a head without code, a continue block and a merge block. The head keeps its
    /// number; its code moves to the block behind it.
    fn make_loop(&mut self, head: usize, dominators: &mut Dominators) -> Result<(), Unstructured> {
        let code = self.add(End::Leave);
        self.ends[code] = self.ends[head];
        self.ends[head] = End::Go(code);
        self.before[code].push(head);
        for next in successors(self.ends[code]) {
            self.before[next].iter_mut().filter(|from| **from == head).for_each(|from| *from = code);
        }
        dominators.add(head);
        self.moved.insert(code, head);
        let latches: Vec<_> =
            self.before[head].iter().copied().filter(|latch| dominators.dominates(head, *latch)).collect();
        let mut body = self.body(head, &latches);
        // Merge blocks of inner loops that lead only back into this one are reached through it.
        let inner: Vec<usize> = self
            .merges
            .iter()
            .filter(|(node, _)| body.contains(node))
            .flat_map(|(_, merge)| match merge {
                Merge::Loop(merge, _) => vec![*merge],
                Merge::Selection(_) => vec![],
            })
            .collect();
        body.extend(inner);
        let exits: BTreeSet<usize> =
            body.iter().flat_map(|node| successors(self.ends[*node])).filter(|next| !body.contains(next)).collect();
        let exit = match exits.iter().collect::<Vec<_>>().as_slice() {
            [] => return Err(Unstructured::Endless),
            [exit] => **exit,
            _ => return Err(Unstructured::Crossed),
        };
        if body.iter().any(|node| self.ends[*node] == End::Leave) {
            return Err(Unstructured::Crossed);
        }
        let (next, merge) = (self.add(End::Go(head)), self.add(End::Go(exit)));
        (0..2).for_each(|_| dominators.add(head));
        latches.into_iter().for_each(|latch| self.redirect(latch, head, next));
        body.into_iter().for_each(|node| self.redirect(node, exit, merge));
        self.merges.insert(head, Merge::Loop(merge, next));
        Ok(())
    }

    /// The loops, the outer ones first: head, merge and continue block.
    fn loops(&self, dominators: &Dominators) -> Vec<(usize, usize, usize)> {
        let mut loops: Vec<_> = self
            .merges
            .iter()
            .filter_map(|(head, merge)| match merge {
                Merge::Loop(merge, next) => Some((*head, *merge, *next)),
                Merge::Selection(_) => None,
            })
            .collect();
        loops.sort_by_key(|(head, ..)| (dominators.depths[*head], *head));
        loops
    }

    /// The innermost loop around each block.
    fn innermost(loops: &[(usize, usize, usize)], ranges: &Ranges) -> HashMap<usize, (usize, usize, usize)> {
        let mut found = HashMap::new();
        for known in loops {
            found.extend(ranges.between(known.0, known.1).map(|node| (node, *known)));
        }
        found
    }

    fn make_selections(&mut self) -> Result<(), Unstructured> {
        let mut dominators = self.dominators();
        let ranges = dominators.ranges();
        let innermost = Self::innermost(&self.loops(&dominators), &ranges);
        let mut joins = HashMap::new();
        let mut choices: Vec<_> =
            self.order().into_iter().filter(|node| matches!(self.ends[*node], End::Choose(..))).collect();
        choices.sort_by_key(|node| std::cmp::Reverse(dominators.depths[*node]));
        // Merge blocks that are added to inner branches are no ends of outer ones.
        for node in &choices {
            let around = innermost.get(node).copied();
            joins.entry(around).or_insert_with(|| match around {
                Some((head, merge, next)) => {
                    self.joins(&ranges.between(head, merge).collect::<Vec<_>>(), Some((merge, next)))
                }
                None => self.joins(&self.order(), None),
            });
        }
        for node in choices {
            let around = innermost.get(&node).copied();
            let leaves = |next: usize| around.is_some_and(|(_, merge, after)| next == merge || next == after);
            // A branch out of a loop needs no merge, unless both successors stay.
            if successors(self.ends[node]).into_iter().any(leaves) {
                continue;
            }
            let end = joins.get(&around).and_then(|joins| joins.get(&node)).copied().ok_or(Unstructured::Crossed)?;
            // Where the ways meet in the head of a loop, its own way back is none of them.
            let is_way = |from: &usize| dominators.dominates(node, *from) && !dominators.dominates(end, *from);
            let from: Vec<_> = self.before[end].iter().copied().filter(is_way).collect();
            let merge = self.add(End::Go(end));
            dominators.add(from.iter().copied().reduce(|a, b| dominators.common(a, b)).unwrap_or(node));
            from.into_iter().for_each(|from| self.redirect(from, end, merge));
            self.merges.insert(node, Merge::Selection(merge));
        }
        self.check()
    }

    /// The blocks where all ways from each of these blocks meet; ways out of the loop around them,
    /// to its merge and continue blocks `out`, do not count.
    fn joins(&self, nodes: &[usize], out: Option<(usize, usize)>) -> HashMap<usize, usize> {
        let numbers: HashMap<usize, usize> = nodes.iter().enumerate().map(|(at, node)| (*node, at)).collect();
        let end = nodes.len();
        let mut back = vec![Vec::new(); end + 1];
        for (from, node) in nodes.iter().enumerate() {
            let leaves = |next: &usize| out.is_some_and(|(merge, after)| *next == merge || *next == after);
            let ways = successors(self.ends[*node]);
            let stays: Vec<_> = ways.iter().copied().filter(|next| !leaves(next)).collect();
            // A block that only leads out of the loop has no way to the end of its own.
            if ways.is_empty() || out.is_some() && stays.is_empty() {
                back[end].push(from);
            }
            stays.iter().filter_map(|next| numbers.get(next)).for_each(|next| back[*next].push(from));
        }
        let dominators = Dominators::of(&back, end);
        let joined = |(at, node): (usize, &usize)| {
            dominators.parents[at].filter(|joined| *joined != end).map(|joined| (*node, nodes[joined]))
        };
        nodes.iter().enumerate().filter_map(joined).collect()
    }

    /// Checks that no branch crosses the border of a construct.
    fn check(&self) -> Result<(), Unstructured> {
        let dominators = self.dominators();
        let ranges = dominators.ranges();
        let innermost = Self::innermost(&self.loops(&dominators), &ranges);
        for (head, merge) in &self.merges {
            let end = match merge {
                Merge::Loop(merge, _) | Merge::Selection(merge) => *merge,
            };
            let inside = |node: usize| ranges.dominates(*head, node) && !ranges.dominates(end, node);
            for node in ranges.between(*head, end) {
                for next in successors(self.ends[node]) {
                    let around = innermost.get(&node);
                    let leaves = around.is_some_and(|(_, merge, after)| next == *merge || next == *after);
                    let again = matches!(merge, Merge::Loop(_, after) if node == *after && next == *head);
                    if !inside(next) && next != end && !leaves && !again {
                        return Err(Unstructured::Crossed);
                    }
                }
            }
        }
        if self.nesting(&ranges) > NESTING { Err(Unstructured::TooDeep) } else { Ok(()) }
    }

    /// The largest number of constructs around a block.
    fn nesting(&self, ranges: &Ranges) -> usize {
        let around = |(head, merge): (&usize, &Merge)| match merge {
            Merge::Loop(merge, _) | Merge::Selection(merge) => ranges.between(*head, *merge).collect::<Vec<_>>(),
        };
        let mut counts = vec![0; self.ends.len()];
        self.merges.iter().flat_map(around).for_each(|node| counts[node] += 1);
        counts.into_iter().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn structured(ends: &[End]) -> Result<Graph, Unstructured> {
        Graph::new(ends.to_vec()).structured()
    }

    #[test]
    fn nested_branches_have_merges_of_their_own() {
        let graph = structured(&[End::Choose(1, 3), End::Choose(2, 3), End::Go(3), End::Leave]).expect("nested");
        let [Merge::Selection(outer), Merge::Selection(inner)] = [graph.merges[&0], graph.merges[&1]] else {
            panic!("branches are no loops");
        };
        assert!(outer != inner && graph.ends[inner] == End::Go(outer) && graph.ends[outer] == End::Go(3));
    }

    #[test]
    fn a_loop_is_left_at_its_end() {
        let graph = structured(&[End::Go(1), End::Go(2), End::Choose(3, 1), End::Leave]).expect("a loop");
        assert_eq!(graph.merges[&1], Merge::Loop(6, 5));
        assert_eq!((graph.ends[1], graph.content(4, 4), graph.content(1, 4)), (End::Go(4), Some(1), None));
        assert_eq!((graph.ends[2], graph.ends[5], graph.ends[6]), (End::Choose(6, 5), End::Go(1), End::Go(3)));
    }

    #[test]
    fn a_branch_in_a_loop_that_may_leave_it_has_no_merge() {
        let ends = [End::Go(1), End::Choose(2, 5), End::Choose(3, 4), End::Go(4), End::Choose(1, 5), End::Leave];
        let graph = structured(&ends).expect("a loop");
        let Merge::Loop(merge, next) = graph.merges[&1] else { panic!("a loop") };
        let Merge::Selection(inner) = graph.merges[&2] else { panic!("a branch") };
        assert_eq!((graph.ends[inner], graph.ends[4]), (End::Go(4), End::Choose(next, merge)));
        assert_eq!((graph.merges.len(), graph.ends[merge]), (2, End::Go(5)));
    }

    #[test]
    fn ways_may_meet_in_the_head_of_a_loop() {
        let ends = [End::Choose(2, 1), End::Go(2), End::Choose(2, 3), End::Leave];
        let graph = structured(&ends).expect("a branch in front of a loop");
        let Merge::Selection(merge) = graph.merges[&0] else { panic!("a branch") };
        let Merge::Loop(_, next) = graph.merges[&2] else { panic!("a loop") };
        assert_eq!((graph.ends[merge], graph.ends[1], graph.ends[next]), (End::Go(2), End::Go(merge), End::Go(2)));
    }

    #[test]
    fn more_constructs_in_each_other_than_a_module_may_have_are_refused() {
        let nested = |depth: usize| {
            let choices = (0..depth).map(|at| End::Choose(at + 1, depth + 1));
            structured(&choices.chain([End::Go(depth + 1), End::Leave]).collect::<Vec<_>>())
        };
        assert!(nested(NESTING).is_ok());
        assert!(matches!(nested(NESTING + 1), Err(Unstructured::TooDeep)));
    }

    #[test]
    fn thousands_of_branches_have_merges_of_their_own() {
        // In time that grows with the square of their number, this test would take minutes.
        let count = 20_000;
        let one = |at: usize| [End::Choose(2 * at + 1, 2 * at + 2), End::Go(2 * at + 2)];
        let ends: Vec<_> = (0..count).flat_map(one).chain([End::Leave]).collect();
        let graph = structured(&ends).expect("nested");
        assert_eq!(graph.merges.len(), count);
        for at in 0..count {
            let Merge::Selection(merge) = graph.merges[&(2 * at)] else { panic!("a branch") };
            assert!(graph.ends[merge] == End::Go(2 * at + 2) && graph.ends[2 * at + 1] == End::Go(merge));
        }
    }

    #[test]
    fn other_graphs_are_errors() {
        assert_eq!(structured(&[End::Go(0)]).err(), Some(Unstructured::Endless));
        let crossed = [End::Choose(1, 2), End::Choose(3, 4), End::Choose(3, 4), End::Go(5), End::Go(5), End::Leave];
        assert_eq!(structured(&crossed).err(), Some(Unstructured::Crossed));
    }
}
