//! Progress of a stream.
//!
//! In: commands that the driver accepted, and completed tickets. Out: tickets, and the kernels that
//! may still run. *Invariant:* `completed` never exceeds the last complete ticket, and no method
//! takes a lock.

use std::{
    array,
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
};

/// Number of recent launches whose kernels are remembered, to report which may have caused a loss.
const RECENT: usize = 64;

/// Submitted and completed commands of one stream.
pub(crate) struct Progress {
    submitted: AtomicU64,
    completed: AtomicU64,
    /// Kernel numbers, at index ticket modulo `RECENT`; 0 for other commands.
    recent: [AtomicU32; RECENT],
}

impl Default for Progress {
    fn default() -> Self {
        let (submitted, completed) = (AtomicU64::new(0), AtomicU64::new(0));
        Progress { submitted, completed, recent: array::from_fn(|_| AtomicU32::new(0)) }
    }
}

impl Progress {
    /// The last ticket handed out.
    #[inline]
    pub(crate) fn last(&self) -> u64 {
        self.submitted.load(Ordering::Acquire)
    }

    /// Takes the ticket of a command that the driver has just accepted. `kernel` is the kernel's
    /// number, or 0 for other commands.
    #[inline]
    pub(crate) fn accept(&self, kernel: u32) -> u64 {
        let ticket = self.submitted.fetch_add(1, Ordering::AcqRel) + 1;
        self.recent[ticket as usize % RECENT].store(kernel, Ordering::Relaxed);
        ticket
    }

    #[inline]
    pub(crate) fn is_known_complete(&self, ticket: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= ticket
    }

    /// Records that all commands up to a ticket are complete.
    pub(crate) fn complete(&self, ticket: u64) {
        self.completed.fetch_max(ticket, Ordering::AcqRel);
    }

    /// Numbers of the kernels that are not known to be complete.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = u32> {
        let (completed, last) = (self.completed.load(Ordering::Acquire), self.last());
        let first = completed.max(last.saturating_sub(RECENT as u64)) + 1;
        let kernels = (first..=last).map(|ticket| self.recent[ticket as usize % RECENT].load(Ordering::Relaxed));
        kernels.filter(|kernel| *kernel != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_that_are_complete_are_not_to_blame() {
        let progress = Progress::default();
        let tickets = [7, 0, 9].map(|kernel| progress.accept(kernel));
        assert_eq!((tickets, progress.last()), ([1, 2, 3], 3));
        assert_eq!(progress.unfinished().collect::<Vec<_>>(), [7, 9]);
        progress.complete(1);
        assert_eq!(progress.unfinished().collect::<Vec<_>>(), [9]);
        assert!(progress.is_known_complete(1) && !progress.is_known_complete(2));
        progress.complete(3);
        progress.complete(2);
        assert!(progress.is_known_complete(3) && progress.unfinished().next().is_none());
    }

    #[test]
    fn as_many_launches_are_remembered_as_there_is_room_for() {
        let progress = Progress::default();
        assert_eq!((1..=100).map(|kernel| progress.accept(kernel)).last(), Some(100));
        assert!(progress.unfinished().eq(37..=100));
    }
}
