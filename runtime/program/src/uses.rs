//! Orders the commands that use an allocation.
//!
//! In: commands and their accesses. Out: dependencies between queues. *Invariant:* a command starts
//! after every earlier one that wrote the memory, and a command that writes also after every
//! earlier one that read it.
#![forbid(unsafe_code)]

use crate::{event::Event, queue::Queue};
use std::sync::{Mutex, PoisonError};

/// Access of a command to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read only.
    Read,
    /// Write, and possibly read.
    Write,
}

/// Last commands that used an allocation. All older ones complete before these.
pub(crate) struct Uses<Q: Queue>(Mutex<Last<Q>>);

struct Last<Q: Queue> {
    write: Option<Event<Q>>,
    /// Last read of each queue since that write.
    reads: Vec<Event<Q>>,
}

impl<Q: Queue> Last<Q> {
    /// Threads that read concurrently may arrive in any order, so the later ticket is kept.
    fn add_read(&mut self, event: Event<Q>) {
        match self.reads.iter_mut().find(|read| read.queue().is(event.queue())) {
            Some(read) if read.ticket() >= event.ticket() => {}
            Some(read) => *read = event,
            None => self.reads.push(event),
        }
    }
}

impl<Q: Queue> Uses<Q> {
    pub(crate) fn new() -> Self {
        Uses(Mutex::new(Last { write: None, reads: Vec::new() }))
    }

    /// Events that a command with this access has to wait for.
    pub(crate) fn before(&self, access: Access) -> Vec<Event<Q>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let reads = if access == Access::Write { &last.reads[..] } else { &[] };
        last.write.iter().chain(reads).cloned().collect()
    }

    /// Makes the next command of `queue` wait for conflicting ones.
    pub(crate) fn order(&self, queue: &Q, access: Access) -> Result<(), Q::Error> {
        self.before(access).iter().try_for_each(|event| queue.depend(event.queue(), event.ticket()))
    }

    /// Blocks until the host may access the memory. Asynchronous errors stay with their queues, or
    /// are returned here once.
    pub(crate) fn wait(&self, access: Access) -> Result<(), Q::Error> {
        self.before(access).iter().try_for_each(Event::wait)
    }

    /// Tracks a submitted command.
    pub(crate) fn add(&self, event: Event<Q>, access: Access) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match access {
            Access::Write => *last = Last { write: Some(event), reads: Vec::new() },
            Access::Read => last.add_read(event),
        }
    }
}
