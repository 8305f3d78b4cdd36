//! Divides a range of units among threads.
//!
//! In: a range and a number of slots. Out: pieces of it, each handed out once. *Invariant:* a slot
//! starts with an equal, contiguous part of the range, so that the same thread touches the same
//! memory in each launch over it, as with OpenMP's static schedule; so memory that a launch touches
//! first lies near the thread that uses it later. A thread whose own part is handed out takes from
//! the others.
#![forbid(unsafe_code)]

use crate::sync::{AtomicBool, AtomicU64};
use std::{sync::atomic::Ordering, time::Duration};

/// Pieces of a thread's part, if costs are known: some units may cost far more than others.
const PIECES: u32 = 64;
/// Bounds on the time of such a piece: long beside handing it out, an exchange on a cache line that
/// other threads may want, and short beside launches that are divided.
const SHORTEST: Duration = Duration::from_micros(4);
const LONGEST: Duration = Duration::from_micros(32);

/// The largest number of units in a piece, if all `units` take `estimate` on one thread.
pub(crate) fn largest_piece(units: u64, estimate: Duration, threads: usize) -> u64 {
    let part = estimate / u32::try_from(threads).unwrap_or(u32::MAX).max(1);
    let piece = (part / PIECES).clamp(SHORTEST, LONGEST);
    let count = u128::from(units) * piece.as_nanos() / estimate.as_nanos().max(1);
    u64::try_from(count).unwrap_or(u64::MAX).max(1)
}

/// The parts of a range.
pub(crate) struct Slots(Box<[Slot]>);

/// A part, on a cache line of its own.
#[repr(align(128))]
struct Slot {
    claimed: AtomicBool,
    next: AtomicU64,
    end: u64,
    /// Minimum number of units to take.
    least: u64,
    /// Maximum number of units to take.
    most: u64,
}

impl Slot {
    fn new(start: u64, end: u64, most: u64) -> Self {
        // At most a few hundred pieces, unless each of them would take long.
        let least = ((end - start) / 256).clamp(1, most);
        Slot { claimed: AtomicBool::new(false), next: AtomicU64::new(start), end, least, most }
    }

    /// Takes units off the front: a quarter of the remaining ones or fewer, so that the last pieces
    /// are small enough to balance.
    fn take(&self) -> Option<(u64, u64)> {
        let mut first = self.next.load(Ordering::Relaxed);
        while first < self.end {
            let left = self.end - first;
            let last = first + (left / 4).clamp(self.least, self.most).min(left);
            match self.next.compare_exchange_weak(first, last, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some((first, last)),
                Err(now) => first = now,
            }
        }
        None
    }
}

impl Slots {
    /// Divides the `units` from `first` on among at most `threads` slots, in pieces of at most
    /// `most` units, which is at least 1.
    pub(crate) fn new(first: u64, units: u64, threads: usize, most: u64) -> Self {
        let count = units.min(threads as u64);
        let bound = |i: u64| first + (u128::from(units) * u128::from(i) / u128::from(count)) as u64;
        Slots((0..count).map(|i| Slot::new(bound(i), bound(i + 1), most)).collect())
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// True if nobody has claimed this slot.
    pub(crate) fn is_free(&self, slot: usize) -> bool {
        self.0.get(slot).is_some_and(|slot| !slot.claimed.load(Ordering::Relaxed))
    }

    /// Claims a slot for the calling thread. False if there is none of this number, or if another
    /// thread has it.
    pub(crate) fn claim(&self, slot: usize) -> bool {
        self.0.get(slot).is_some_and(|slot| !slot.claimed.swap(true, Ordering::Relaxed))
    }

    /// The next piece for the thread that has claimed `slot`: of its own part, then of the others.
    pub(crate) fn next(&self, slot: usize) -> Option<(u64, u64)> {
        let (before, own) = self.0.split_at(slot);
        own.iter().chain(before).find_map(Slot::take)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{cmp::Reverse, collections::BinaryHeap};

    /// Assumed cost of handing out a piece in nanoseconds: an exchange on a contended cache line.
    const TAKING: u64 = 200;

    /// Simulates `threads` threads that run units of these costs, which are known on average.
    /// Returns the time at which the last one ends, in nanoseconds, and the thread of each unit.
    fn simulate(costs: &[u64], threads: usize) -> (u64, Vec<usize>) {
        let total = Duration::from_nanos(costs.iter().sum());
        let slots = Slots::new(0, costs.len() as u64, threads, largest_piece(costs.len() as u64, total, threads));
        let mut threads_of = vec![None; costs.len()];
        let mut ready: BinaryHeap<_> = (0..slots.count()).map(|slot| Reverse((0, slot))).collect();
        let mut end = 0;
        while let Some(Reverse((now, slot))) = ready.pop() {
            let Some((first, last)) = slots.next(slot) else { continue };
            let units = first as usize..last as usize;
            let taken = &mut threads_of[units.clone()];
            assert!(taken.iter().all(Option::is_none), "a unit ran twice");
            taken.fill(Some(slot));
            let done = now + TAKING + costs[units].iter().sum::<u64>();
            end = end.max(done);
            ready.push(Reverse((done, slot)));
        }
        (end, threads_of.into_iter().map(|thread| thread.expect("a thread for each unit")).collect())
    }

    /// Costs of 4096 groups: equal ones, ones that grow, few long ones at either end, and noise.
    fn loads() -> [(&'static str, Vec<u64>); 5] {
        let costs = |cost: fn(u64) -> u64| (0..4096).map(cost).collect();
        [
            ("equal", costs(|_| 5_000)),
            ("growing", costs(|i| 10 * i)),
            ("long first", costs(|i| if i < 64 { 200_000 } else { 2_000 })),
            ("long last", costs(|i| if i >= 4032 { 200_000 } else { 2_000 })),
            ("mixed", costs(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50)),
        ]
    }

    #[test]
    fn uneven_groups_keep_all_threads_busy() {
        for threads in [2, 64] {
            for (name, costs) in loads() {
                let (total, longest) = (costs.iter().sum::<u64>(), costs.iter().max().expect("units"));
                let (ideal, found) = ((total / threads as u64).max(*longest), simulate(&costs, threads).0);
                println!("{name} on {threads}: {:.3} of the ideal", found as f64 / ideal as f64);
                assert!(found * 100 <= ideal * 106, "{name} on {threads} threads: {found} ns, at best {ideal} ns");
            }
        }
    }

    /// Launches over the same memory find it in the caches of the same threads.
    #[test]
    fn threads_stay_in_their_parts_of_equal_groups() {
        for threads in [2, 64] {
            let (_, threads_of) = simulate(&loads()[0].1, threads);
            let own = threads_of.iter().enumerate().filter(|(unit, thread)| unit * threads / 4096 == **thread);
            assert_eq!(own.count(), 4096, "{threads} threads");
        }
    }

    #[test]
    fn a_slot_is_claimed_once() {
        let slots = Slots::new(3, 2, 8, 9);
        assert_eq!(slots.count(), 2);
        assert!(slots.is_free(1) && slots.claim(1) && !slots.is_free(1));
        assert!(!slots.claim(1) && !slots.claim(2));
        assert_eq!([slots.next(1), slots.next(1), slots.next(1)], [Some((4, 5)), Some((3, 4)), None]);
    }
}
