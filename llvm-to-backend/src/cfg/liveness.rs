//! Across which barriers a value, or the content of an alloca, is still needed.
//!
//! In: the positions where something is read and where it is made. Out: the states at whose start it is live.
//! *Invariant:* the cost of one query is the blocks in which the thing is live, not the size of the function.

use super::graph::{BlockId, Kind, ValueId};
use super::layout::{Layout, Point, u32_of};

/// Answers queries about one function.
#[derive(Debug)]
pub(super) struct Liveness<'a, 'c> {
    layout: &'a Layout<'c>,
    /// The positions of the reached barriers, ascending.
    barriers: Vec<u32>,
    /// The last query that went through a block as a whole.
    seen: Vec<u32>,
    query: u32,
}

/// How far a query looks back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// Up to where the thing is made: all states in which it must be remembered.
    Definition,
    /// Up to the last barrier: the states that read it themselves.
    Barrier,
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query<'q> {
    /// The positions where the thing is made, ascending; what is needed after one is not needed before it.
    pub(super) made: &'q [u32],
    pub(super) reach: Reach,
}

/// The state of one query.
#[derive(Debug, Default)]
struct Search {
    states: Vec<u32>,
    /// Blocks to look through from their end.
    pending: Vec<BlockId>,
}

impl<'a, 'c> Liveness<'a, 'c> {
    pub(super) fn new(layout: &'a Layout<'c>) -> Self {
        let reached = layout.reached_instructions();
        let mut barriers: Vec<_> = reached.filter(|(_, i)| i.kind == Kind::Barrier).map(|(v, _)| v.0).collect();
        barriers.sort_unstable();
        Self { layout, barriers, seen: vec![0; layout.cfg.blocks.len()], query: 0 }
    }

    /// Barrier `k` is the one before state `k + 1`.
    pub(super) fn barriers(&self) -> impl Iterator<Item = ValueId> {
        self.barriers.iter().copied().map(ValueId)
    }

    /// The states at whose start `value` is live.
    pub(super) fn of_value(&mut self, value: ValueId, reach: Reach) -> Vec<u32> {
        let layout = self.layout;
        self.states(layout.uses(value).iter().map(|used| used.at), Query { made: &[value.0], reach })
    }

    /// The states from whose start one of `uses` is reached without passing a place where the thing is made. `uses`
    /// ascend.
    pub(super) fn states(&mut self, uses: impl DoubleEndedIterator<Item = Point>, query: Query<'_>) -> Vec<u32> {
        self.query += 1;
        let mut search = Search::default();
        let mut covered: Option<Point> = None;
        for at in uses.rev() {
            if covered.is_none_or(|done| done.block != at.block || at.before <= done.before) {
                covered = Some(Point { before: self.scan(at, query, &mut search), ..at });
            }
        }
        while let Some(block) = search.pending.pop() {
            self.scan(self.layout.end(block), query, &mut search);
        }
        search.states.sort_unstable();
        search.states.dedup();
        search.states
    }

    /// Looks back from `at` to the start of its block. Adds the states it meets, and the blocks where to go on; gives
    /// the position down to which it looked.
    fn scan(&mut self, at: Point, query: Query<'_>, search: &mut Search) -> u32 {
        let start = self.layout.range(at.block).start;
        let made = query.made[..query.made.partition_point(|&made| made < at.before)].last().copied();
        let made = made.filter(|&made| made >= start);
        let from = made.unwrap_or(start);
        let passed = self.barriers_before(from)..self.barriers_before(at.before);
        if query.reach == Reach::Barrier && !passed.is_empty() {
            search.states.push(u32_of(passed.end));
            return self.barriers[passed.end - 1];
        }
        search.states.extend(passed.map(|index| u32_of(index) + 1));
        if made.is_none() {
            self.go_on_before(at.block, search);
        }
        from
    }

    /// How many barriers stand before `position`.
    fn barriers_before(&self, position: u32) -> usize {
        self.barriers.partition_point(|&barrier| barrier < position)
    }

    fn go_on_before(&mut self, block: BlockId, search: &mut Search) {
        if block == BlockId(0) {
            search.states.push(0);
        }
        for &from in self.layout.predecessors(block) {
            if std::mem::replace(&mut self.seen[from.index()], self.query) != self.query {
                search.pending.push(from);
            }
        }
    }
}
