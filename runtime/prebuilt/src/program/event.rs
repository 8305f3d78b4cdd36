//! Events of submitted commands.
#![expect(unsafe_code, reason = "asks the C interface about tickets")]

use crate::{
    error::{RuntimeError, check},
    ffi,
    queue::Queue,
};

/// Times of a command, in nanoseconds of one clock (`CLOCK_MONOTONIC`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// The runtime accepted the command.
    pub submit: u64,
    /// The command started on the device.
    pub start: u64,
    /// The command ended on the device.
    pub end: u64,
}

/// A command on a queue. Cloning it is cheap; dropping the last holder of a queue waits for the
/// queue's commands.
#[derive(Clone)]
pub struct Event {
    queue: Queue,
    ticket: u64,
}

impl Event {
    pub(crate) fn new(queue: &Queue, ticket: u64) -> Self {
        Event { queue: queue.clone(), ticket }
    }

    /// The queue of the command.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Its position in the queue.
    pub fn ticket(&self) -> u64 {
        self.ticket
    }

    /// Blocks until the command is complete; returns asynchronous errors of the queue, once.
    pub fn wait(&self) -> Result<(), RuntimeError> {
        // SAFETY: a queue.
        check(unsafe { ffi::sinter_queue_wait(self.queue.raw(), self.ticket) })
    }

    /// True once the command is complete. Does not block.
    pub fn is_complete(&self) -> Result<bool, RuntimeError> {
        let mut complete = 0;
        // SAFETY: a queue, and a place that is writable.
        check(unsafe { ffi::sinter_queue_query(self.queue.raw(), self.ticket, &mut complete) })?;
        Ok(complete != 0)
    }

    /// Blocks until the command is complete, then returns its times. An error on a queue that
    /// records none, or after 65536 later tickets replaced the record.
    pub fn profile(&self) -> Result<Profile, RuntimeError> {
        let struct_size = size_of::<ffi::RawProfile>() as u32;
        let mut raw = ffi::RawProfile { struct_size, ..Default::default() };
        // SAFETY: a queue, and a struct with its size.
        check(unsafe { ffi::sinter_queue_profile(self.queue.raw(), self.ticket, &mut raw) })?;
        Ok(Profile { submit: raw.submit, start: raw.start, end: raw.end })
    }
}
