//! Orders the commands that use one piece of memory.
//!
//! In: commands, and how they use it. Out: dependencies between queues. *Invariant:* a command starts after every earlier
//! one that wrote the memory, and a command that writes it also after every earlier one that read it.
#![forbid(unsafe_code)]

use super::event::Event;
use crate::{error::RuntimeError, queue::Queue};
use std::sync::{Mutex, PoisonError};

/// What a command does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// The last commands that used a piece of memory. All older ones are complete before these are.
#[derive(Default)]
pub(super) struct Uses(Mutex<Last>);

#[derive(Default)]
struct Last {
    write: Option<Event>,
    /// The last read of each queue since.
    reads: Vec<Event>,
}

impl Last {
    /// Threads that read at the same time may come in any order: the later ticket stays.
    fn add_read(&mut self, event: Event) {
        match self.reads.iter_mut().find(|read| read.queue().is(event.queue())) {
            Some(read) if read.ticket() >= event.ticket() => {}
            Some(read) => *read = event,
            None => self.reads.push(event),
        }
    }
}

impl Uses {
    /// What a command with this access has to wait for.
    pub(super) fn before(&self, access: Access) -> Vec<Event> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let reads = if access == Access::Write { &last.reads[..] } else { &[] };
        last.write.iter().chain(reads).cloned().collect()
    }

    /// Makes the next command of `queue` wait for what it has to.
    pub(super) fn order(&self, queue: &Queue, access: Access) -> Result<(), RuntimeError> {
        self.before(access).iter().try_for_each(|event| queue.depend_on(event))
    }

    /// Blocks until memory may be used from the host. Asynchronous errors stay with their queues, or are returned here once.
    pub(super) fn wait(&self, access: Access) -> Result<(), RuntimeError> {
        self.before(access).iter().try_for_each(Event::wait)
    }

    /// Remembers a command that was submitted.
    pub(super) fn add(&self, event: Event, access: Access) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match access {
            Access::Write => *last = Last { write: Some(event), reads: Vec::new() },
            Access::Read => last.add_read(event),
        }
    }
}
