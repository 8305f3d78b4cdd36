//! Divides work among threads.
//!
//! In: work and a number of slots. Out: each unit run once, on the threads that take part.
//! *Invariant:* a thread takes part by claiming a free slot. The thread that finishes last, and
//! only that one, learns that all units are done.

use crate::{
    slots::{Slots, largest_piece},
    work::Work,
};
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// Work that takes less on one thread is not split, and longer work is divided among no more
/// threads than get as much each, because waking a thread takes about as long.
pub(crate) const SPLIT_FROM: Duration = Duration::from_nanos(16_384);

/// Pieces of a thread's part, if costs are not known: each can run better code than the one before
/// (`Code::current`).
const UNMEASURED_PIECES: u64 = 256;

/// Work in progress.
pub(crate) struct Job {
    work: Work,
    slots: Slots,
    /// True if a thread may claim any free slot; otherwise thread N only claims slot N.
    any_slot: bool,
    /// Number of units not known to be done.
    remaining: AtomicU64,
    units: u64,
    /// Nanoseconds that threads have spent, summed.
    spent: AtomicU64,
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

impl Job {
    /// A job for the units from `first` on, of which there is at least one, and `threads` threads.
    pub(crate) fn new(work: Work, first: u64, threads: usize) -> Self {
        let (all, estimate) = (work.units(), work.estimate());
        let units = all - first;
        let wanted = wanted(estimate, threads);
        let most = match estimate {
            Duration::MAX => (units / wanted as u64 / UNMEASURED_PIECES).max(1),
            estimate => largest_piece(all, estimate, wanted),
        };
        let slots = Slots::new(first, units, wanted, most);
        let any_slot = slots.count() < threads;
        Job { work, slots, any_slot, remaining: AtomicU64::new(units), units, spent: AtomicU64::new(0) }
    }

    /// Number of threads that can take part.
    pub(crate) fn slots(&self) -> usize {
        self.slots.count()
    }

    /// True if a slot is free.
    pub(crate) fn is_free(&self, slot: usize) -> bool {
        self.slots.is_free(slot)
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
        let others = if self.any_slot { 0..self.slots.count() } else { 0..0 };
        [preferred].into_iter().chain(others).find(|slot| self.slots.claim(*slot))
    }

    /// Runs units until none remain. Returns their number.
    fn run_from(&self, slot: usize) -> u64 {
        let mut done = 0;
        while let Some((first, last)) = self.slots.next(slot) {
            // SAFETY: the submitter guarantees the memory, and no other thread took these units.
            unsafe { self.work.run(first, last) };
            done += last - first;
        }
        self.work.release_scratch();
        done
    }
}

/// The number of threads, of `threads`, that are worth waking for work that takes `estimate`.
fn wanted(estimate: Duration, threads: usize) -> usize {
    let paying = estimate.as_nanos() / SPLIT_FROM.as_nanos();
    usize::try_from(paying).unwrap_or(usize::MAX).clamp(threads.min(2), threads)
}
