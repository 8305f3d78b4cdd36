//! A command that was submitted.
//!
//! *Invariant:* an event is a queue and a ticket, and keeps the queue alive.
#![forbid(unsafe_code)]

use crate::queue::{Profile, Queue};

/// A command that was submitted. Cloning it is cheap; dropping it waits for nothing unless it is
/// the last that holds the queue.
#[derive(Clone)]
pub struct Event<Q: Queue> {
    queue: Q,
    ticket: Q::Ticket,
}

impl<Q: Queue> Event<Q> {
    pub(crate) fn new(queue: &Q, ticket: Q::Ticket) -> Self {
        Event { queue: queue.clone(), ticket }
    }

    /// The queue that it was submitted to.
    pub fn queue(&self) -> &Q {
        &self.queue
    }

    /// Its position in the queue.
    pub fn ticket(&self) -> Q::Ticket {
        self.ticket
    }

    /// Blocks until the command is complete. An asynchronous error of the queue is returned here, once.
    pub fn wait(&self) -> Result<(), Q::Error> {
        self.queue.wait(self.ticket)
    }

    /// Whether the command is complete.
    pub fn is_complete(&self) -> Result<bool, Q::Error> {
        self.queue.is_complete(self.ticket)
    }

    /// Blocks until the command is complete, then says when it ran, in nanoseconds of `CLOCK_MONOTONIC`. The queue must
    /// have been told to record times (`Queue::enable_profiling`).
    pub fn profile(&self) -> Result<Profile, Q::Error> {
        self.queue.profile(self.ticket)
    }
}
