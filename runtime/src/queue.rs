//! A queue together with the device it belongs to.
//!
//! *Invariant:* both live as long as the queue, so that a launch looks up neither.
#![forbid(unsafe_code)]

use crate::{devices::DeviceEntry, error::RuntimeError};
use sinter_driver::{Queue as DriverQueue, Ticket};
use std::sync::Arc;

/// An in-order queue of one device.
pub struct Queue {
    device: Arc<DeviceEntry>,
    inner: Arc<dyn DriverQueue>,
}

impl Queue {
    /// A queue on `device`.
    pub fn new(device: &Arc<DeviceEntry>) -> Result<Self, RuntimeError> {
        Ok(Queue { device: Arc::clone(device), inner: device.device.create_queue()? })
    }

    /// The device it belongs to.
    pub fn device(&self) -> &DeviceEntry {
        &self.device
    }

    /// The driver's queue.
    pub fn driver_queue(&self) -> &dyn DriverQueue {
        self.inner.as_ref()
    }

    /// Makes later commands wait for `ticket` of `other`.
    pub fn depend(&self, other: &Queue, ticket: Ticket) -> Result<(), RuntimeError> {
        if Arc::ptr_eq(&self.inner, &other.inner) {
            // An in-order queue never starts a command before the earlier ones are complete; only a ticket that does
            // not exist is worth an error.
            return self.is_complete(ticket).map(drop);
        }
        Ok(self.inner.depend(&other.inner, ticket)?)
    }

    /// Blocks until `ticket` is complete.
    pub fn wait(&self, ticket: Ticket) -> Result<(), RuntimeError> {
        Ok(self.inner.wait(ticket)?)
    }

    /// Whether `ticket` is complete.
    pub fn is_complete(&self, ticket: Ticket) -> Result<bool, RuntimeError> {
        // A driver may answer `false`, and the caller would ask for ever.
        let last = self.inner.last();
        if ticket > last {
            let reason = format!("{} was not handed out yet; the last one is {}", ticket.0, last.0);
            return Err(RuntimeError::invalid("ticket", reason));
        }
        Ok(self.inner.is_complete(ticket)?)
    }
}
