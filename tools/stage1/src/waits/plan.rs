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
/// Blocks that reach each other are in one loop, whose number is that of the first of them.
fn loops_without_starts(blocks: &[Block]) -> Vec<Option<usize>> {
    let is_way = |from: usize, to: usize| !blocks[from].starts() && !blocks[to].starts();
    let mut ways = vec![Vec::new(); blocks.len()];
    let mut back = ways.clone();
    for (from, block) in blocks.iter().enumerate() {
        for to in block.successors.iter().copied().filter(|to| is_way(from, *to)) {
            ways[from].push(to);
            back[to].push(from);
        }
    }
    // Kosaraju's algorithm.
    let (mut loops, mut seen) = (vec![None; blocks.len()], vec![false; blocks.len()]);
    for root in postorder(&ways).into_iter().rev() {
        let members = unseen(&back, root, &mut seen);
        if members.len() > 1 || ways[root].contains(&root) {
            let first = members.iter().min().copied();
            members.into_iter().for_each(|member| loops[member] = first);
        }
    }
    loops
}

/// All nodes, each behind those that it reaches first.
fn postorder(ways: &[Vec<usize>]) -> Vec<usize> {
    let (mut order, mut seen) = (Vec::new(), vec![false; ways.len()]);
    for root in 0..ways.len() {
        let mut open = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            open.push((root, ways[root].iter()));
        }
        while let Some((node, rest)) = open.last_mut() {
            match rest.next() {
                Some(next) if !std::mem::replace(&mut seen[*next], true) => open.push((*next, ways[*next].iter())),
                Some(_) => {}
                None => {
                    order.push(*node);
                    open.pop();
                }
            }
        }
    }
    order
}

/// The nodes that are reached from `root` and were not seen before, which are seen then.
fn unseen(ways: &[Vec<usize>], root: usize, seen: &mut [bool]) -> Vec<usize> {
    let (mut found, mut open) = (Vec::new(), vec![root]);
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            found.push(node);
            open.extend(&ways[node]);
        }
    }
    found
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

    /// The definition: blocks that reach each other, by ways that start nothing.
    fn loops_by_definition(blocks: &[Block]) -> Vec<Option<usize>> {
        let reach = |from: usize| {
            let (mut reached, mut open) = (vec![false; blocks.len()], vec![from]);
            while let Some(next) = open.pop().filter(|next| !blocks[*next].starts()) {
                for to in blocks[next].successors.iter().filter(|to| !blocks[**to].starts()) {
                    if !std::mem::replace(&mut reached[*to], true) {
                        open.push(*to);
                    }
                }
            }
            reached
        };
        let reached: Vec<_> = (0..blocks.len()).map(reach).collect();
        let partner = |block: usize| (0..blocks.len()).find(|other| reached[block][*other] && reached[*other][block]);
        (0..blocks.len()).map(|block| reached[block][block].then(|| partner(block)).flatten()).collect()
    }

    #[test]
    fn loops_are_those_of_the_definition() {
        let mut state = 1u64;
        let mut random = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % limit
        };
        for _ in 0..2000 {
            let count = 1 + random(12);
            let one = |random: &mut dyn FnMut(usize) -> usize| {
                let events = if random(5) == 0 { vec![Starts] } else { Vec::new() };
                Block { events, successors: (0..random(3)).map(|_| random(count)).collect() }
            };
            let blocks: Vec<_> = (0..count).map(|_| one(&mut random)).collect();
            assert_eq!(loops_without_starts(&blocks), loops_by_definition(&blocks), "{blocks:?}");
        }
    }

    #[test]
    fn a_function_with_very_many_blocks_needs_little_memory() {
        let last = 200_000;
        let successors = |number| if number == last { vec![0] } else { vec![number + 1] };
        let blocks: Vec<_> = (0..=last).map(|number| block(&[], &successors(number))).collect();
        assert!(loops_without_starts(&blocks).iter().all(|number| *number == Some(0)));
    }
}
