//! A queue whose commands may be deferred, as a driver's queue.
//!
//! In: the calls of [`Queue`]. Out: commands of the [`Backlog`]. *Invariant:* a deferred command
//! owns its arguments, and holds the pointers of its submitter, who keeps the memory until its
//! ticket is complete.
#![expect(unsafe_code, reason = "hands on launches and copies with the pointers of their submitters")]

use super::backlog::{Backlog, Held};
use sinter_core::LaunchShape;
use sinter_driver::{Advice, DriverError, Kernel, Mark, NativeKind, Profile, Queue, Rows, Ticket};
use std::{
    any::Any,
    ffi::c_void,
    sync::{Arc, OnceLock},
};

/// The commands of a queue of which some are kept back.
pub(crate) struct Deferral(pub(crate) Arc<Backlog>);

/// An address that moves to the thread of the queue.
#[derive(Clone, Copy)]
struct Address(*mut c_void);

// SAFETY: the submitter of a command guarantees the memory until the command is complete, on any
// thread.
unsafe impl Send for Address {}

impl Address {
    fn of(pointer: *const c_void) -> Self {
        Address(pointer.cast_mut())
    }

    fn get(self) -> *mut c_void {
        self.0
    }
}

/// A command that is submitted later, unless a dependency failed.
fn later(mut submit: impl FnMut(&dyn Queue) -> Result<Ticket, DriverError> + Send + 'static) -> Held {
    Box::new(move |turn| {
        turn.before?;
        Ok(submit(turn.inner.as_ref())?)
    })
}

impl Queue for Deferral {
    unsafe fn launch(
        &self,
        kernel: &Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &[u8],
    ) -> Result<Ticket, DriverError> {
        self.0.submit(
            // SAFETY: the same contract, upheld by the caller.
            |inner| unsafe { inner.launch(kernel, shape, arguments) },
            || {
                let (kernel, shape, arguments) = (Arc::clone(kernel), *shape, arguments.to_vec());
                // SAFETY: the caller keeps the memory until the ticket is complete.
                later(move |inner| unsafe { inner.launch(&kernel, &shape, &arguments) })
            },
        )
    }

    unsafe fn copy(&self, destination: *mut c_void, source: *const c_void, size: usize) -> Result<Ticket, DriverError> {
        self.0.submit(
            // SAFETY: the same contract, upheld by the caller.
            |inner| unsafe { inner.copy(destination, source, size) },
            || {
                let (to, from) = (Address::of(destination), Address::of(source));
                // SAFETY: the caller keeps both ranges until the ticket is complete.
                later(move |inner| unsafe { inner.copy(to.get(), from.get(), size) })
            },
        )
    }

    unsafe fn fill(&self, destination: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, DriverError> {
        self.0.submit(
            // SAFETY: the same contract, upheld by the caller.
            |inner| unsafe { inner.fill(destination, pattern, count) },
            || {
                let (to, pattern) = (Address::of(destination), pattern.to_vec());
                // SAFETY: the caller keeps the range until the ticket is complete.
                later(move |inner| unsafe { inner.fill(to.get(), &pattern, count) })
            },
        )
    }

    unsafe fn copy_rows(
        &self,
        destination: *mut c_void,
        source: *const c_void,
        rows: Rows,
    ) -> Result<Ticket, DriverError> {
        self.0.submit(
            // SAFETY: the same contract, upheld by the caller.
            |inner| unsafe { inner.copy_rows(destination, source, rows) },
            || {
                let (to, from) = (Address::of(destination), Address::of(source));
                // SAFETY: the caller keeps all rows until the ticket is complete.
                later(move |inner| unsafe { inner.copy_rows(to.get(), from.get(), rows) })
            },
        )
    }

    unsafe fn prefetch(&self, pointer: *const c_void, size: usize, to_host: bool) -> Result<Ticket, DriverError> {
        self.0.submit(
            // SAFETY: the same contract, upheld by the caller.
            |inner| unsafe { inner.prefetch(pointer, size, to_host) },
            || {
                let memory = Address::of(pointer);
                // SAFETY: the caller keeps the range until the ticket is complete.
                later(move |inner| unsafe { inner.prefetch(memory.get(), size, to_host) })
            },
        )
    }

    unsafe fn advise(&self, pointer: *const c_void, size: usize, advice: Advice) -> Result<Ticket, DriverError> {
        self.0.submit(
            // SAFETY: the same contract, upheld by the caller.
            |inner| unsafe { inner.advise(pointer, size, advice) },
            || {
                let memory = Address::of(pointer);
                // SAFETY: the caller keeps the range until the ticket is complete.
                later(move |inner| unsafe { inner.advise(memory.get(), size, advice) })
            },
        )
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        self.0.inner().native(kind)
    }

    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError> {
        self.0.depend(other, ticket)
    }

    fn can_wait_for(&self, other: &Arc<dyn Queue>) -> bool {
        self.0.inner().can_wait_for(other)
    }

    fn last(&self) -> Ticket {
        self.0.last()
    }

    fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError> {
        self.0.is_complete(ticket)
    }

    fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        self.0.wait(ticket)
    }

    fn enable_profiling(&self) -> Result<(), DriverError> {
        self.0.enable_profiling()
    }

    fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError> {
        self.0.profile(ticket)
    }

    fn has_marks(&self) -> bool {
        self.0.inner().has_marks()
    }

    fn mark(&self) -> Result<Option<Arc<dyn Mark>>, DriverError> {
        if !self.has_marks() {
            return Ok(None);
        }
        let made = Arc::<LateMark>::default();
        let set = |made: &LateMark, inner: &dyn Queue| {
            let _ = made.0.set(inner.mark()?);
            Ok(inner.last())
        };
        let kept = || {
            let made = Arc::clone(&made);
            later(move |inner| set(&made, inner))
        };
        self.0.submit(|inner| set(&made, inner), kept)?;
        Ok(Some(made))
    }
}

/// A mark of the driver's queue, set when the commands before it went there.
#[derive(Default)]
struct LateMark(OnceLock<Option<Arc<dyn Mark>>>);

impl LateMark {
    fn get(&self) -> Option<&Arc<dyn Mark>> {
        self.0.get()?.as_ref()
    }
}

impl Mark for LateMark {
    fn until(&self, other: &dyn Mark) -> Result<Option<f64>, DriverError> {
        self.get().map_or(Ok(None), |mark| mark.until(other))
    }

    fn as_any(&self) -> Option<&dyn Any> {
        self.get()?.as_any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::backlog::{Kind, Turn};
    use sinter_driver::{Driver, recording::RecordingDriver};

    /// An object of a command lives until the device is done with it, and no longer.
    #[test]
    fn an_owner_is_dropped_when_its_command_is_complete() {
        let driver = RecordingDriver::new();
        let queue = driver.devices().expect("devices").remove(0).create_queue().expect("queue");
        let backlog = Arc::new(Backlog::new("recording".to_owned(), queue, false, Arc::default()));
        let owned = Arc::new(());
        let watched = Arc::downgrade(&owned);
        driver.hold();
        let command = Box::new(move |turn: Turn<'_>| {
            let _lives = &owned;
            // SAFETY: nothing is written.
            Ok(unsafe { turn.inner.fill(std::ptr::dangling_mut::<u8>().cast(), b"a", 0) }?)
        });
        let ticket = backlog.hold(Kind::Owner, command).expect("command");
        backlog.resolve(ticket).expect("a ticket");
        assert!(watched.upgrade().is_some() && !backlog.is_idle());
        driver.release();
        backlog.join();
        assert!(watched.upgrade().is_none() && backlog.is_idle());
    }
}
