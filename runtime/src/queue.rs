//! A queue with its device.
//!
//! *Invariant:* both live as long as the queue, so that a launch looks up neither.
//! A queue that has had a host task submits through a [`Deferral`].

mod backlog;
mod deferral;
mod tickets;

use crate::{devices::DeviceEntry, error::RuntimeError};
use backlog::Backlog;
use deferral::Deferral;
use sinter_driver::{DriverError, PROFILED_TICKETS, Profile, Queue as DriverQueue, Ticket};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

pub(crate) use backlog::HostTask;

/// State that the handles of a queue share.
#[derive(Default)]
struct Shared {
    deferral: OnceLock<Deferral>,
    is_profiled: AtomicBool,
}

/// An in-order queue of one device. A clone is another handle of the same queue.
#[derive(Clone)]
pub struct Queue {
    device: Arc<DeviceEntry>,
    inner: Arc<dyn DriverQueue>,
    shared: Arc<Shared>,
}

impl Queue {
    /// Creates a queue on `device`.
    pub fn new(device: &Arc<DeviceEntry>) -> Result<Self, RuntimeError> {
        Ok(Queue::of(device, device.device.create_queue()?))
    }

    /// Wraps a driver's queue on `device`.
    pub(crate) fn of(device: &Arc<DeviceEntry>, inner: Arc<dyn DriverQueue>) -> Self {
        Queue { device: Arc::clone(device), inner, shared: Arc::default() }
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
        match self.driver_queue().wait(ticket) {
            Ok(()) => true,
            Err(DriverError::Inherited { .. } | DriverError::Forked { .. }) => false,
            Err(error) => {
                tracing::warn!("a command failed, and its memory was dropped: {error}");
                matches!(self.driver_queue().is_complete(ticket), Ok(true))
            }
        }
    }

    /// The driver's queue behind this handle.
    #[inline]
    pub fn driver_queue(&self) -> &dyn DriverQueue {
        match self.shared.deferral.get() {
            None => self.inner.as_ref(),
            Some(deferral) => deferral,
        }
    }

    fn backlog(&self) -> &Arc<Backlog> {
        let make = || {
            let is_profiled = self.shared.is_profiled.load(Ordering::Acquire);
            Deferral(Arc::new(Backlog::new(self.device.info().name.clone(), Arc::clone(&self.inner), is_profiled)))
        };
        &self.shared.deferral.get_or_init(make).0
    }

    /// Runs `task` on a thread of the queue once the earlier commands are complete; later ones
    /// start when it has returned. It is dropped when its ticket is complete.
    pub(crate) fn host_task(&self, task: HostTask) -> Result<Ticket, RuntimeError> {
        // A queue that was made before a fork refuses the task as it refuses commands.
        self.inner.is_complete(self.inner.last())?;
        Ok(self.backlog().host_task(task)?)
    }

    /// Waits for all commands, and for the thread of the host tasks to end.
    pub(crate) fn finish(&self) -> Result<(), RuntimeError> {
        let result = self.wait(self.driver_queue().last());
        if let Some(deferral) = self.shared.deferral.get() {
            deferral.0.join();
        }
        result
    }

    /// Makes later commands wait for `ticket` of `other`.
    pub fn depend(&self, other: &Queue, ticket: Ticket) -> Result<(), RuntimeError> {
        if self.is(other) {
            // An in-order queue never starts a command before the earlier ones are complete, so
            // only a ticket that does not exist is an error.
            return self.is_complete(ticket).map(drop);
        }
        match other.shared.deferral.get().map(|deferral| &deferral.0) {
            None => Ok(self.wait_in_driver(&other.inner, ticket)?),
            Some(backlog) => match backlog.resolved(ticket)? {
                Some(inner) => Ok(self.wait_in_driver(&other.inner, inner)?),
                None => Ok(self.backlog().depend_on_deferred(Arc::clone(backlog), ticket)?),
            },
        }
    }

    fn wait_in_driver(&self, other: &Arc<dyn DriverQueue>, ticket: Ticket) -> Result<(), DriverError> {
        match self.shared.deferral.get() {
            None => self.inner.depend(other, ticket),
            Some(deferral) => deferral.depend(other, ticket),
        }
    }

    /// Records times of all commands. Must be called before the first command.
    pub fn enable_profiling(&self) -> Result<(), RuntimeError> {
        self.driver_queue().enable_profiling()?;
        self.shared.is_profiled.store(true, Ordering::Release);
        Ok(())
    }

    /// Blocks until `ticket` is complete, then returns its times.
    pub fn profile(&self, ticket: Ticket) -> Result<Profile, RuntimeError> {
        let no_times = || {
            let why = "has no times: enable profiling before the first command, and ask before";
            RuntimeError::invalid("ticket", format!("{} {why} {PROFILED_TICKETS} more commands", ticket.0))
        };
        self.driver_queue().profile(ticket)?.ok_or_else(no_times)
    }

    /// Blocks until `ticket` is complete.
    #[inline]
    pub fn wait(&self, ticket: Ticket) -> Result<(), RuntimeError> {
        Ok(self.driver_queue().wait(ticket)?)
    }

    /// True if `ticket` is complete.
    pub fn is_complete(&self, ticket: Ticket) -> Result<bool, RuntimeError> {
        // For a ticket that does not exist a driver may return false, and the caller would poll for
        // ever.
        let last = self.driver_queue().last();
        if ticket > last {
            let reason = format!("{} was not handed out yet; the last one is {}", ticket.0, last.0);
            return Err(RuntimeError::invalid("ticket", reason));
        }
        Ok(self.driver_queue().is_complete(ticket)?)
    }
}
