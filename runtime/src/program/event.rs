//! A command that was submitted.
//!
//! *Invariant:* an event is a queue and a ticket, and keeps the queue alive.
#![forbid(unsafe_code)]

use crate::{error::RuntimeError, queue::Queue};
use sinter_driver::{Profile, Ticket};

/// A command that was submitted. Dropping it changes nothing.
#[derive(Clone)]
pub struct Event {
    queue: Queue,
    ticket: Ticket,
}

impl Event {
    pub(crate) fn new(queue: &Queue, ticket: Ticket) -> Self {
        Event { queue: queue.clone(), ticket }
    }

    /// The queue that it was submitted to.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Its position in the queue.
    pub fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// Blocks until the command is complete. An asynchronous error of the queue is returned here, once.
    pub fn wait(&self) -> Result<(), RuntimeError> {
        self.queue.wait(self.ticket)
    }

    /// Whether the command is complete.
    pub fn is_complete(&self) -> Result<bool, RuntimeError> {
        self.queue.is_complete(self.ticket)
    }

    /// Blocks until the command is complete, then says when it ran, in nanoseconds of `CLOCK_MONOTONIC`. The queue must
    /// have been told to record times ([`Queue::enable_profiling`]).
    pub fn profile(&self) -> Result<Profile, RuntimeError> {
        self.queue.profile(self.ticket)
    }
}
