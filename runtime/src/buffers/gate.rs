//! Events that are completed by the program rather than by a device.
//!
//! A gate stands in the dependency graph for a host accessor, until that is destroyed. It is a
//! queue with one ticket, so that commands depend on it as on any other. *Invariant:* it is opened
//! once, and stays open.
#![expect(unsafe_code, reason = "implements the commands of a queue, which it refuses")]

use sinter_core::LaunchShape;
use sinter_driver::{DriverError, Kernel, Profile, Queue, Ticket};
use std::{
    any::Any,
    ffi::c_void,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread::{self, ThreadId},
};

/// An event that a call of [`Gate::open`] completes.
#[derive(Default)]
pub(crate) struct Gate {
    /// Thread that holds the host accessor for which the gate stands.
    holder: Option<ThreadId>,
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    /// The only ticket.
    pub(crate) const TICKET: Ticket = Ticket(1);

    /// A gate for a host accessor of this thread.
    pub(crate) fn of_this_thread() -> Self {
        Gate { holder: Some(thread::current().id()), ..Gate::default() }
    }

    /// True if only this thread can open the gate.
    pub(crate) fn is_mine(&self) -> bool {
        self.holder.is_some_and(|holder| holder == thread::current().id())
    }

    /// Completes the event.
    pub(crate) fn open(&self) {
        *self.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }

    pub(crate) fn is_open(&self) -> bool {
        *self.is_open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until the gate is open.
    pub(crate) fn pass(&self) {
        let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.opened.wait_while(is_open, |is_open| !*is_open).unwrap_or_else(PoisonError::into_inner));
    }
}

fn refused() -> DriverError {
    DriverError::Unsupported { device: "an event of the program".to_owned(), feature: "commands".to_owned() }
}

impl Queue for Gate {
    unsafe fn launch(&self, _: &Arc<dyn Kernel>, _: &LaunchShape, _: &[u8]) -> Result<Ticket, DriverError> {
        Err(refused())
    }
    unsafe fn copy(&self, _: *mut c_void, _: *const c_void, _: usize) -> Result<Ticket, DriverError> {
        Err(refused())
    }
    unsafe fn fill(&self, _: *mut c_void, _: &[u8], _: usize) -> Result<Ticket, DriverError> {
        Err(refused())
    }
    fn depend(&self, _: &Arc<dyn Queue>, _: Ticket) -> Result<(), DriverError> {
        Err(refused())
    }
    fn last(&self) -> Ticket {
        Gate::TICKET
    }
    fn is_complete(&self, _: Ticket) -> Result<bool, DriverError> {
        Ok(self.is_open())
    }
    fn wait(&self, _: Ticket) -> Result<(), DriverError> {
        self.pass();
        Ok(())
    }
    fn enable_profiling(&self) -> Result<(), DriverError> {
        Ok(())
    }
    fn profile(&self, _: Ticket) -> Result<Option<Profile>, DriverError> {
        Ok(None)
    }
    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
