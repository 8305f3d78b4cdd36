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
///
/// Loops are the strongly connected components of the blocks without starts, which Kosaraju's
/// algorithm finds: each is reached backwards from its last block in the order of leaving, and so
/// has that block's number.
fn loops_without_starts(blocks: &[Block]) -> Vec<Option<usize>> {
    let quiet = |block: &usize| !blocks[*block].starts();
    let successors = |block: usize| blocks[block].successors.iter().copied().filter(quiet);
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for from in (0..blocks.len()).filter(quiet) {
        successors(from).for_each(|to| predecessors[to].push(from));
    }
    let mut number_of = vec![None; blocks.len()];
    for root in order_of_leaving(blocks.len(), quiet, successors).into_iter().rev() {
        let mut open = vec![root];
        while let Some(block) = open.pop() {
            if number_of[block].is_none() {
                number_of[block] = Some(root);
                open.extend(&predecessors[block]);
            }
        }
    }
    let mut sizes = vec![0_usize; blocks.len()];
    number_of.iter().flatten().for_each(|number| sizes[*number] += 1);
    let repeats = |block: usize, number: usize| sizes[number] > 1 || successors(block).any(|next| next == block);
    number_of.iter().enumerate().map(|(block, number)| number.filter(|number| repeats(block, *number))).collect()
}

/// The blocks of a depth-first search in the order in which it leaves them.
fn order_of_leaving<S: Iterator<Item = usize>>(
    count: usize,
    is_root: impl Fn(&usize) -> bool,
    successors: impl Fn(usize) -> S,
) -> Vec<usize> {
    let (mut left, mut seen) = (Vec::new(), vec![false; count]);
    for root in (0..count).filter(is_root) {
        let mut open = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            open.push((root, successors(root)));
        }
        while let Some((block, rest)) = open.last_mut() {
            match rest.find(|next| !seen[*next]) {
                Some(next) => {
                    seen[next] = true;
                    open.push((next, successors(next)));
                }
                None => {
                    left.push(*block);
                    open.pop();
                }
            }
        }
    }
    left
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

    /// The blocks that are reached from another one by ways that start nothing, from its successors
    /// on.
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

    #[test]
    fn blocks_share_a_loop_if_they_reach_each_other() {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut inside, mut outside) = (0, 0);
        for _ in 0..2000 {
            let count = 1 + random(12);
            let mut random_block = || {
                let events: &[Event] = if random(5) == 0 { &[Starts] } else { &[] };
                let successors: Vec<usize> = (0..random(3)).map(|_| random(count)).collect();
                block(events, &successors)
            };
            let blocks: Vec<Block> = (0..count).map(|_| random_block()).collect();
            let loops = loops_without_starts(&blocks);
            let reached: Vec<Vec<bool>> = (0..count).map(|number: usize| reached_from(&blocks, number)).collect();
            for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
                assert_eq!(loops[a].is_some(), reached[a][a], "block {a} of {blocks:?}");
                let are_one = loops[a].is_some() && loops[a] == loops[b];
                assert_eq!(are_one, reached[a][b] && reached[b][a], "blocks {a} and {b} of {blocks:?}");
                if are_one { inside += 1 } else { outside += 1 }
            }
        }
        assert!(inside > 1000 && outside > 1000, "{inside} {outside}");
    }

    #[test]
    fn long_chains_need_memory_for_their_blocks_only() {
        let count = 1 << 20;
        let blocks: Vec<Block> = (0..count).map(|number| block(&[], &[(number + 1) % count])).collect();
        let loops = loops_without_starts(&blocks);
        assert!(loops[0].is_some() && loops.iter().all(|number| *number == loops[0]));
    }

    #[test]
    fn a_loop_inside_one_with_a_start_has_its_wait_in_front() {
        let blocks =
            [block(&[Starts], &[1]), block(&[Observes], &[1, 2]), block(&[], &[0, 3]), block(&[Observes], &[])];
        assert_eq!(places(&blocks, false), [Place::AtEnd(0)]);
    }
}
