//! Events that are completed by the program rather than by a device.
//!
//! A gate stands in the dependency graph for a host accessor, until that is destroyed, and for a
//! command that a thread submits later. It is a queue with one ticket, so that commands depend on
//! it as on any other. *Invariant:* it is opened once, and stays open.
#![expect(unsafe_code, reason = "implements the commands of a queue, which it refuses")]

use crate::error::RuntimeError;
use sinter_core::LaunchShape;
use sinter_driver::{DriverError, Kernel, Profile, Queue, Ticket};
use std::{
    any::Any,
    ffi::c_void,
    sync::{
        Arc, Condvar, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, ThreadId},
};

/// Reason why a wait of a host task was refused.
pub(crate) const SELF_WAIT: &str = "a host task waits for its own queue, which waits for the host task";

/// An event that a call of [`Gate::open`] completes.
#[derive(Default)]
pub(crate) struct Gate {
    /// Thread that holds the host accessor for which the gate stands.
    holder: Option<ThreadId>,
    /// Thread that runs the command for which the gate stands.
    runner: OnceLock<ThreadId>,
    is_open: AtomicBool,
    /// Error of the command that the gate stands for, until a wait returns it.
    failure: Mutex<Option<RuntimeError>>,
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

    /// Says that this thread runs the command for which the gate stands.
    pub(crate) fn run_here(&self) {
        let _ = self.runner.set(thread::current().id());
    }

    /// Refuses a wait of the host task for which the gate stands, and which would wait for itself.
    pub(crate) fn check_waiter(&self) -> Result<(), DriverError> {
        if self.is_open() || self.runner.get() != Some(&thread::current().id()) {
            return Ok(());
        }
        Err(DriverError::Asynchronous { device: "the host".to_owned(), reason: SELF_WAIT.to_owned() })
    }

    /// Completes the event.
    pub(crate) fn open(&self, result: Result<(), RuntimeError>) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        *failure = result.err();
        self.is_open.store(true, Ordering::Release);
        self.opened.notify_all();
    }

    /// Blocks until the gate is open, and returns the failure once.
    pub(crate) fn pass(&self) -> Result<(), RuntimeError> {
        self.check_waiter()?;
        let held = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = |_: &mut Option<_>| !self.is_open.load(Ordering::Acquire);
        let mut failure = self.opened.wait_while(held, closed).unwrap_or_else(PoisonError::into_inner);
        failure.take().map_or(Ok(()), Err)
    }

    /// Blocks until the gate is open, and leaves the failure to [`Gate::pass`].
    pub(crate) fn stay(&self) {
        let held = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = |_: &mut Option<_>| !self.is_open.load(Ordering::Acquire);
        drop(self.opened.wait_while(held, closed).unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Acquire)
    }

    /// True if there is a failure that no wait has returned.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
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
        self.check_waiter()?;
        self.stay();
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
