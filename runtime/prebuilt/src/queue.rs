//! In-order queues.
//!
//! *Invariant:* the handle is destroyed with the last clone and the last event of the queue; this
//! waits for its commands.
#![expect(unsafe_code, reason = "owns a handle of the C interface")]

use crate::{
    error::{RuntimeError, check},
    ffi::{self, RawQueue},
    program::event::Event,
};
use std::{ptr::null_mut, sync::Arc};

struct Handle {
    raw: *mut RawQueue,
    device: u32,
}

// SAFETY: the C interface takes queues from any thread, and from several at once.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made by `sinter_queue_create`, and nothing else holds it. An error of a command
        // is not ours to report here.
        unsafe { ffi::sinter_queue_destroy(self.raw) };
    }
}

/// An in-order queue of a device. Cloning it is cheap.
#[derive(Clone)]
pub struct Queue(Arc<Handle>);

impl Queue {
    pub(crate) fn new(device: u32) -> Result<Self, RuntimeError> {
        let mut raw = null_mut();
        // SAFETY: writable.
        check(unsafe { ffi::sinter_queue_create(device, &mut raw) })?;
        Ok(Queue(Arc::new(Handle { raw, device })))
    }

    pub(crate) fn raw(&self) -> *mut RawQueue {
        self.0.raw
    }

    /// True for clones of one queue.
    pub(crate) fn is(&self, other: &Queue) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The number of its device.
    pub fn device(&self) -> u32 {
        self.0.device
    }

    /// Records times for its commands. Must precede the first command.
    pub fn enable_profiling(&self) -> Result<(), RuntimeError> {
        // SAFETY: a queue.
        check(unsafe { ffi::sinter_queue_enable_profiling(self.raw()) })
    }

    /// Later commands start only when `event` is complete.
    pub fn depend_on(&self, event: &Event) -> Result<(), RuntimeError> {
        // SAFETY: two queues.
        check(unsafe { ffi::sinter_queue_depend(self.raw(), event.queue().raw(), event.ticket()) })
    }

    /// Blocks until every command submitted so far is complete; returns their errors, once.
    pub fn wait_all(&self) -> Result<(), RuntimeError> {
        // SAFETY: a queue.
        check(unsafe { ffi::sinter_queue_wait_all(self.raw()) })
    }
}
