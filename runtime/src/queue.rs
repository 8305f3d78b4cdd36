//! A queue with its device.
//!
//! *Invariant:* both live as long as the queue, so that a launch looks up neither.
#![forbid(unsafe_code)]

use crate::{devices::DeviceEntry, error::RuntimeError};
use sinter_driver::{DriverError, PROFILED_TICKETS, Profile, Queue as DriverQueue, Ticket};
use std::sync::Arc;

/// An in-order queue of one device. A clone is another handle of the same queue.
#[derive(Clone)]
pub struct Queue {
    device: Arc<DeviceEntry>,
    inner: Arc<dyn DriverQueue>,
}

impl Queue {
    /// Creates a queue on `device`.
    pub fn new(device: &Arc<DeviceEntry>) -> Result<Self, RuntimeError> {
        Ok(Queue::of(device, device.device.create_queue()?))
    }

    /// Wraps a driver's queue on `device`.
    pub(crate) fn of(device: &Arc<DeviceEntry>, inner: Arc<dyn DriverQueue>) -> Self {
        Queue { device: Arc::clone(device), inner }
    }

    /// Device that runs the commands.
    #[inline]
    pub fn device(&self) -> &DeviceEntry {
        &self.device
    }

    pub(crate) fn device_handle(&self) -> &Arc<DeviceEntry> {
        &self.device
    }

    /// True if both are handles of one queue.
    pub(crate) fn is(&self, other: &Queue) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Blocks until `ticket` is complete, where an error cannot be returned. Returns false if it is
    /// not complete: a child process cannot wait for the queues of its parent.
    pub(crate) fn settle(&self, ticket: Ticket) -> bool {
        match self.inner.wait(ticket) {
            Ok(()) => true,
            Err(DriverError::Inherited { .. } | DriverError::Forked { .. }) => false,
            Err(error) => {
                tracing::warn!("a command failed, and its memory was dropped: {error}");
                matches!(self.inner.is_complete(ticket), Ok(true))
            }
        }
    }

    /// The driver's queue behind this handle.
    #[inline]
    pub fn driver_queue(&self) -> &dyn DriverQueue {
        self.inner.as_ref()
    }

    /// Makes later commands wait for `ticket` of `other`.
    pub fn depend(&self, other: &Queue, ticket: Ticket) -> Result<(), RuntimeError> {
        if self.is(other) {
            // An in-order queue never starts a command before the earlier ones are complete, so
            // only a ticket that does not exist is an error.
            return self.is_complete(ticket).map(drop);
        }
        Ok(self.inner.depend(&other.inner, ticket)?)
    }

    /// Records times of all commands. Must be called before the first command.
    pub fn enable_profiling(&self) -> Result<(), RuntimeError> {
        Ok(self.inner.enable_profiling()?)
    }

    /// Blocks until `ticket` is complete, then returns its times.
    pub fn profile(&self, ticket: Ticket) -> Result<Profile, RuntimeError> {
        let no_times = || {
            let why = "has no times: enable profiling before the first command, and ask before";
            RuntimeError::invalid("ticket", format!("{} {why} {PROFILED_TICKETS} more commands", ticket.0))
        };
        self.inner.profile(ticket)?.ok_or_else(no_times)
    }

    /// Blocks until `ticket` is complete.
    #[inline]
    pub fn wait(&self, ticket: Ticket) -> Result<(), RuntimeError> {
        Ok(self.inner.wait(ticket)?)
    }

    /// True if `ticket` is complete.
    pub fn is_complete(&self, ticket: Ticket) -> Result<bool, RuntimeError> {
        // For a ticket that does not exist a driver may return false, and the caller would poll for
        // ever.
        let last = self.inner.last();
        if ticket > last {
            let reason = format!("{} was not handed out yet; the last one is {}", ticket.0, last.0);
            return Err(RuntimeError::invalid("ticket", reason));
        }
        Ok(self.inner.is_complete(ticket)?)
    }
}
