//! Keeps the times of a queue's recent commands.
//!
//! In: state changes of tickets. Out: a [`Profile`] for each of the last [`PROFILED_TICKETS`].
//! *Invariant:* tickets are added in order without gaps, so that a ticket's index follows from its
//! number. A queue without profiling has no such list and reads no clock. The methods are cold, so
//! that they do not slow the code around them.

use sinter_driver::{PROFILED_TICKETS, Profile};
use std::collections::VecDeque;

/// Times of the recent commands.
#[derive(Debug, Default)]
pub(crate) struct Times {
    /// Ticket of the first record.
    first: u64,
    records: VecDeque<Profile>,
}

/// Time of `CLOCK_MONOTONIC` in nanoseconds.
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable, and Linux always has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

impl Times {
    fn record(&mut self, ticket: u64) -> Option<&mut Profile> {
        let place = ticket.checked_sub(self.first)?;
        self.records.get_mut(usize::try_from(place).ok()?)
    }

    /// Records the submission of a command, whose ticket follows the last one.
    #[cold]
    pub(crate) fn submitted(&mut self, ticket: u64) {
        if self.records.is_empty() {
            self.first = ticket;
        }
        if self.records.len() as u64 == PROFILED_TICKETS {
            self.records.pop_front();
            self.first += 1;
        }
        self.records.push_back(Profile { submit: now(), start: 0, end: 0 });
    }

    /// Records that a thread starts the command. Only the first of several threads counts.
    #[cold]
    pub(crate) fn started(&mut self, ticket: u64) {
        if let Some(record) = self.record(ticket)
            && record.start == 0
        {
            record.start = now();
        }
    }

    /// Records that the command is complete. A command that nobody ran, such as a dependency,
    /// starts when it ends.
    #[cold]
    pub(crate) fn ended(&mut self, ticket: u64) {
        if let Some(record) = self.record(ticket) {
            record.end = now();
            record.start = if record.start == 0 { record.end } else { record.start };
        }
    }

    /// The times of a complete command.
    pub(crate) fn get(&self, ticket: u64) -> Option<Profile> {
        let place = usize::try_from(ticket.checked_sub(self.first)?).ok()?;
        self.records.get(place).copied().filter(|record| record.end > 0)
    }
}
