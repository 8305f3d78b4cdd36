//! A submitted command.
//!
//! *Invariant:* an event is a queue and a ticket, and keeps the queue alive.
#![forbid(unsafe_code)]

use crate::queue::{Profile, Queue};

/// A submitted command. Cheap to clone. Dropping it does not wait, unless it holds the last handle
/// of the queue.
#[derive(Clone)]
pub struct Event<Q: Queue> {
    queue: Q,
    ticket: Q::Ticket,
}

impl<Q: Queue> Event<Q> {
    pub(crate) fn new(queue: &Q, ticket: Q::Ticket) -> Self {
        Event { queue: queue.clone(), ticket }
    }

    /// Queue that runs the command.
    pub fn queue(&self) -> &Q {
        &self.queue
    }

    /// Position in the queue.
    pub fn ticket(&self) -> Q::Ticket {
        self.ticket
    }

    /// Blocks until the command is complete. Returns an asynchronous error of the queue once.
    pub fn wait(&self) -> Result<(), Q::Error> {
        self.queue.wait(self.ticket)
    }

    /// True if the command is complete. Does not block.
    pub fn is_complete(&self) -> Result<bool, Q::Error> {
        self.queue.is_complete(self.ticket)
    }

    /// Blocks until the command is complete, then returns its times in nanoseconds of
    /// `CLOCK_MONOTONIC`. Requires `Queue::enable_profiling`.
    pub fn profile(&self) -> Result<Profile, Q::Error> {
        self.queue.profile(self.ticket)
    }
}
