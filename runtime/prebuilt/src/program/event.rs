//! Commands that were submitted.
#![expect(unsafe_code, reason = "asks the C interface about tickets")]

use crate::{
    error::{RuntimeError, check},
    ffi,
    queue::Queue,
};

/// When a command ran, in nanoseconds of one clock (`CLOCK_MONOTONIC`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// When the runtime took the command.
    pub submit: u64,
    /// When it began on the device.
    pub start: u64,
    /// When it ended there.
    pub end: u64,
}

/// A command on a queue. Cloning it is cheap; dropping it waits for nothing unless it is the last that holds the queue.
#[derive(Clone)]
pub struct Event {
    queue: Queue,
    ticket: u64,
}

impl Event {
    pub(crate) fn new(queue: &Queue, ticket: u64) -> Self {
        Event { queue: queue.clone(), ticket }
    }

    /// The queue that it was submitted to.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Its place on the queue.
    pub fn ticket(&self) -> u64 {
        self.ticket
    }

    /// Blocks until it is complete; gives asynchronous errors of the queue, once.
    pub fn wait(&self) -> Result<(), RuntimeError> {
        // SAFETY: a queue.
        check(unsafe { ffi::sinter_queue_wait(self.queue.raw(), self.ticket) })
    }

    /// Whether it is complete.
    pub fn is_complete(&self) -> Result<bool, RuntimeError> {
        let mut complete = 0;
        // SAFETY: a queue, and a place that is writable.
        check(unsafe { ffi::sinter_queue_query(self.queue.raw(), self.ticket, &mut complete) })?;
        Ok(complete != 0)
    }

    /// When it ran, once it is complete. Its queue must record times.
    pub fn profile(&self) -> Result<Profile, RuntimeError> {
        let struct_size = size_of::<ffi::RawProfile>() as u32;
        let mut raw = ffi::RawProfile { struct_size, ..Default::default() };
        // SAFETY: a queue, and a struct with its size.
        check(unsafe { ffi::sinter_queue_profile(self.queue.raw(), self.ticket, &mut raw) })?;
        Ok(Profile { submit: raw.submit, start: raw.start, end: raw.end })
    }
}
