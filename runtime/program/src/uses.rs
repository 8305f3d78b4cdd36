//! Orders the commands that use one piece of memory.
//!
//! In: commands, and how they use it. Out: dependencies between queues. *Invariant:* a command starts after every earlier
//! one that wrote the memory, and a command that writes it also after every earlier one that read it.
#![forbid(unsafe_code)]

use crate::{event::Event, queue::Queue};
use std::sync::{Mutex, PoisonError};

/// What a command does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it, and may read it.
    Write,
}

/// The last commands that used a piece of memory. All older ones are complete before these are.
pub(crate) struct Uses<Q: Queue>(Mutex<Last<Q>>);

struct Last<Q: Queue> {
    write: Option<Event<Q>>,
    /// The last read of each queue since.
    reads: Vec<Event<Q>>,
}

impl<Q: Queue> Last<Q> {
    /// Threads that read at the same time may come in any order: the later ticket stays.
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

    /// What a command with this access has to wait for.
    pub(crate) fn before(&self, access: Access) -> Vec<Event<Q>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let reads = if access == Access::Write { &last.reads[..] } else { &[] };
        last.write.iter().chain(reads).cloned().collect()
    }

    /// Makes the next command of `queue` wait for what it has to.
    pub(crate) fn order(&self, queue: &Q, access: Access) -> Result<(), Q::Error> {
        self.before(access).iter().try_for_each(|event| queue.depend(event.queue(), event.ticket()))
    }

    /// Blocks until memory may be used from the host. Asynchronous errors stay with their queues, or are returned here once.
    pub(crate) fn wait(&self, access: Access) -> Result<(), Q::Error> {
        self.before(access).iter().try_for_each(Event::wait)
    }

    /// Remembers a command that was submitted.
    pub(crate) fn add(&self, event: Event<Q>, access: Access) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match access {
            Access::Write => *last = Last { write: Some(event), reads: Vec::new() },
            Access::Read => last.add_read(event),
        }
    }
}
