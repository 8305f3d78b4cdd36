//! Decides where a function waits.
//!
//! In: the blocks of a function, with their starts of kernels and what could observe these. Out:
//! the places of waits. A function may begin and end while kernels run. *Invariant:* on every way
//! from a start to an observer there is a wait, and no loop through which a way leads that starts
//! nothing has one that it did not have before.

/// Something that matters for waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A kernel was started.
    Starts,
    /// The kernel must be complete.
    Observes,
}

/// A block: its events in their order, and the numbers of its successors.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) events: Vec<Event>,
    pub(super) successors: Vec<usize>,
}

/// The place of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a block, before one of its events.
    Before(usize, usize),
    /// Before the terminator of a block.
    AtEnd(usize),
}

impl Block {
    fn starts(&self) -> bool {
        self.events.contains(&Event::Starts)
    }

    /// True if a kernel may run at the end, by the same for the beginning.
    fn ends_pending(&self, begins_pending: bool) -> bool {
        self.events.last().map_or(begins_pending, |event| *event == Event::Starts)
    }
}

/// The waits of a function, whose first block is its entry. `begins_pending`: a kernel may run when
/// it is called.
pub(super) fn places(blocks: &[Block], begins_pending: bool) -> Vec<Place> {
    let loops = loops_without_starts(blocks);
    // A wait in such a loop would be one more for each turn, so that there is one in front of it.
    let enters = |from: usize| {
        let is_other = |to: &usize| loops[*to].is_some() && loops[*to] != loops[from];
        blocks[from].successors.iter().any(is_other)
    };
    let mut pending: Vec<bool> = (0..blocks.len()).map(|block| block == 0 && begins_pending).collect();
    let mut open: Vec<usize> = (0..blocks.len()).filter(|block| pending[*block] || blocks[*block].starts()).collect();
    while let Some(block) = open.pop() {
        if !blocks[block].ends_pending(pending[block]) || enters(block) {
            continue;
        }
        for next in &blocks[block].successors {
            if !std::mem::replace(&mut pending[*next], true) {
                open.push(*next);
            }
        }
    }
    let mut places = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let mut is_pending = pending[number];
        for (index, event) in block.events.iter().enumerate() {
            if *event == Event::Observes && is_pending {
                places.push(Place::Before(number, index));
            }
            is_pending = *event == Event::Starts;
        }
        if is_pending && enters(number) {
            places.push(Place::AtEnd(number));
        }
    }
    places
}

/// For each block the number of the loop that it is in, by ways that start nothing; `None` outside.
fn loops_without_starts(blocks: &[Block]) -> Vec<Option<usize>> {
    let reached: Vec<Vec<bool>> = (0..blocks.len()).map(|block| reached_from(blocks, block)).collect();
    // Blocks that reach each other are in one loop, whose number is that of the first of them.
    let loop_of = |block: usize| {
        reached[block][block]
            .then(|| (0..blocks.len()).find(|other| reached[block][*other] && reached[*other][block]))
            .flatten()
    };
    (0..blocks.len()).map(loop_of).collect()
}

/// The blocks that are reached from another one by ways that start nothing, from its successors on.
fn reached_from(blocks: &[Block], block: usize) -> Vec<bool> {
    let mut reached = vec![false; blocks.len()];
    let mut open = vec![block];
    while let Some(next) = open.pop() {
        if blocks[next].starts() {
            continue;
        }
        for successor in &blocks[next].successors {
            if !blocks[*successor].starts() && !std::mem::replace(&mut reached[*successor], true) {
                open.push(*successor);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use Event::{Observes, Starts};

    fn block(events: &[Event], successors: &[usize]) -> Block {
        Block { events: events.to_vec(), successors: successors.to_vec() }
    }

    #[test]
    fn a_wait_stands_before_the_first_observer_only() {
        let blocks = [block(&[Observes, Starts, Starts, Observes, Observes], &[1]), block(&[Observes], &[])];
        assert_eq!(places(&blocks, false), [Place::Before(0, 3)]);
    }

    #[test]
    fn a_function_that_is_called_while_a_kernel_runs_waits_itself() {
        let blocks = [block(&[], &[1, 2]), block(&[Observes], &[1, 3]), block(&[Observes], &[3]), block(&[], &[])];
        assert_eq!(places(&blocks, false), []);
        assert_eq!(places(&blocks, true), [Place::AtEnd(0)]);
        assert_eq!(places(&[block(&[], &[1]), block(&[Observes], &[])], true), [Place::Before(1, 0)]);
    }

    #[test]
    fn both_ways_wait_where_they_part() {
        let blocks =
            [block(&[Starts], &[1, 2]), block(&[Observes], &[3]), block(&[Starts], &[3]), block(&[Observes], &[])];
        assert_eq!(places(&blocks, false), [Place::Before(1, 0), Place::Before(3, 0)]);
    }

    #[test]
    fn loops_with_a_start_on_each_way_carry_it_on() {
        let blocks = [block(&[], &[1]), block(&[Starts], &[1, 2]), block(&[Observes], &[])];
        assert_eq!(places(&blocks, false), [Place::Before(2, 0)]);
    }

    #[test]
    fn loops_with_a_way_around_the_start_do_not() {
        // 1 is the head of a loop, 2 starts a kernel now and then, 3 observes.
        let blocks = [
            block(&[], &[1]),
            block(&[], &[2, 3]),
            block(&[Starts], &[3]),
            block(&[Observes], &[1, 4]),
            block(&[], &[]),
        ];
        assert_eq!(places(&blocks, false), [Place::AtEnd(2)]);
    }

    #[test]
    fn a_loop_inside_one_with_a_start_has_its_wait_in_front() {
        let blocks =
            [block(&[Starts], &[1]), block(&[Observes], &[1, 2]), block(&[], &[0, 3]), block(&[Observes], &[])];
        assert_eq!(places(&blocks, false), [Place::AtEnd(0)]);
    }
}
