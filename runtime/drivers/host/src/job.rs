//! Divides work among threads.
//!
//! In: work and a number of slots. Out: each unit run once, on the threads that take part.
//! *Invariant:* a thread takes part by claiming a free slot. The thread that finishes last, and
//! only that one, learns that all units are done.
//!
//! Each slot starts with an equal, contiguous range of units, so that the same thread touches the
//! same memory in each launch over it, as with OpenMP's static schedule. A thread that has finished
//! its own range steals from the others.

use crate::work::Work;
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// Work in progress.
pub(crate) struct Job {
    work: Work,
    slots: Box<[Slot]>,
    /// True if a thread may claim any free slot; otherwise thread N only claims slot N.
    any_slot: bool,
    /// Number of units not known to be done.
    remaining: AtomicU64,
    units: u64,
    /// Nanoseconds that threads have spent, summed.
    spent: AtomicU64,
}

/// A range of units, on a cache line of its own.
#[repr(align(128))]
struct Slot {
    taken: AtomicBool,
    next: AtomicU64,
    end: u64,
    /// Minimum number of units to take, so that the counter is modified at most a few hundred
    /// times.
    least: u64,
}

/// Result of an attempt to take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// No slot was free.
    None,
    /// Took part, and other threads are still running units.
    Left,
    /// Took part and finished last: all units are done.
    Last,
}

impl Slot {
    fn new(start: u64, end: u64) -> Self {
        let least = ((end - start) / 256).max(1);
        Slot { taken: AtomicBool::new(false), next: AtomicU64::new(start), end, least }
    }

    /// Takes units off the front: a quarter of the remaining ones, so that the last pieces are
    /// small enough to balance.
    fn take(&self) -> Option<(u64, u64)> {
        let mut first = self.next.load(Ordering::Relaxed);
        while first < self.end {
            let left = self.end - first;
            let last = first + (left / 4).max(self.least).min(left);
            match self.next.compare_exchange_weak(first, last, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some((first, last)),
                Err(now) => first = now,
            }
        }
        None
    }
}

impl Job {
    /// A job for the units from `first` on, of which there is at least one.
    pub(crate) fn new(work: Work, first: u64, threads: usize) -> Self {
        let units = work.units() - first;
        let slots = units.min(threads as u64);
        let bound = |i: u64| first + (u128::from(units) * u128::from(i) / u128::from(slots)) as u64;
        let slots: Box<[Slot]> = (0..slots).map(|i| Slot::new(bound(i), bound(i + 1))).collect();
        let any_slot = slots.len() < threads;
        Job { work, slots, any_slot, remaining: AtomicU64::new(units), units, spent: AtomicU64::new(0) }
    }

    /// Number of threads that can take part.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// True if a slot is free.
    pub(crate) fn is_free(&self, slot: usize) -> bool {
        self.slots.get(slot).is_some_and(|slot| !slot.taken.load(Ordering::Relaxed))
    }

    /// Takes part in a slot, `preferred` if possible, until no units remain.
    pub(crate) fn join(&self, preferred: usize) -> Part {
        let Some(slot) = self.enter(preferred) else {
            return Part::None;
        };
        let start = Instant::now();
        let done = self.run_from(slot);
        self.spent.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        // Acquire and release: the thread that sees zero also sees the writes of all other threads'
        // units. A thread that came too late to run a unit is never the last, or there would be
        // two.
        if done == 0 || self.remaining.fetch_sub(done, Ordering::AcqRel) != done {
            return Part::Left;
        }
        self.work.learn(self.units, Duration::from_nanos(self.spent.load(Ordering::Relaxed)));
        Part::Last
    }

    fn enter(&self, preferred: usize) -> Option<usize> {
        let try_slot = |&slot: &usize| self.slots.get(slot).is_some_and(|s| !s.taken.swap(true, Ordering::Relaxed));
        let others = if self.any_slot { 0..self.slots.len() } else { 0..0 };
        [preferred].into_iter().chain(others).find(try_slot)
    }

    /// Runs the units of a slot, then the remaining ones of the others. Returns their number.
    fn run_from(&self, slot: usize) -> u64 {
        let count = self.slots.len();
        let done = (0..count).map(|i| self.run_slot(&self.slots[(slot + i) % count])).sum();
        self.work.release_scratch();
        done
    }

    fn run_slot(&self, slot: &Slot) -> u64 {
        let mut done = 0;
        while let Some((first, last)) = slot.take() {
            // SAFETY: the submitter guarantees the memory, and no other thread took these units.
            unsafe { self.work.run(first, last) };
            done += last - first;
        }
        done
    }
}
