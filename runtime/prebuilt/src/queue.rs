//! In-order queues.
//!
//! In: the operations of [`sinter_program::Queue`]. Out: calls of the C interface.
//!
//! *Invariant:* the handle is destroyed with the last clone and the last event of the queue.
//! Destruction waits for its commands.
#![expect(unsafe_code, reason = "owns a handle of the C interface")]

use crate::{
    error::{RuntimeError, check},
    ffi::{self, RawProfile, RawQueue},
};
use sinter_program::{MemoryKind, Profile};
use std::{ffi::c_void, ptr::null_mut, sync::Arc};

struct Handle {
    raw: *mut RawQueue,
    device: u32,
}

// SAFETY: the C interface accepts queues from any thread, also from several at once.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made by `sinter_queue_create`, and this is its only owner. Errors of commands are
        // not reported here.
        unsafe { ffi::sinter_queue_destroy(self.raw) };
    }
}

/// An in-order queue of a device. Cheap to clone.
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

    /// Index of the device.
    pub fn device(&self) -> u32 {
        self.0.device
    }

    /// Records times of all commands. Must be called before the first command.
    pub fn enable_profiling(&self) -> Result<(), RuntimeError> {
        // SAFETY: a queue.
        check(unsafe { ffi::sinter_queue_enable_profiling(self.raw()) })
    }

    /// Blocks until every command submitted so far is complete. Returns their errors once.
    pub fn wait_all(&self) -> Result<(), RuntimeError> {
        // SAFETY: a queue.
        check(unsafe { ffi::sinter_queue_wait_all(self.raw()) })
    }
}

sinter_program::queue_methods!(Queue, RuntimeError);

// SAFETY: the runtime returns memory once, aligned to a cache line if no alignment is given. Its
// queues run their commands in order, and neither a wait nor a query reports a command as complete
// that may still use memory.
unsafe impl sinter_program::Queue for Queue {
    type Error = RuntimeError;
    type Ticket = u64;
    type Device = u32;
    type Owner = u32;

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn owner(&self) -> &u32 {
        &self.0.device
    }

    fn number(device: &u32) -> u32 {
        *device
    }

    fn reaches(&self, device: &u32, _kind: MemoryKind) -> bool {
        self.device() == *device
    }

    fn allocate(device: &u32, kind: MemoryKind, size: usize) -> Result<*mut c_void, RuntimeError> {
        let mut pointer = null_mut();
        // SAFETY: writable; 0 asks for the default alignment.
        check(unsafe { ffi::sinter_malloc(*device, kind as u32, size, 0, &mut pointer) })?;
        Ok(pointer)
    }

    unsafe fn free(_device: &u32, pointer: *mut c_void) {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { ffi::sinter_free(pointer) };
    }

    unsafe fn submit_fill(&self, to: *mut c_void, pattern: &[u8], count: usize) -> Result<u64, RuntimeError> {
        let (from, mut ticket) = (pattern.as_ptr().cast(), 0);
        // SAFETY: the same contract, upheld by the caller; the pattern is readable, and the ticket
        // writable.
        check(unsafe { ffi::sinter_queue_fill(self.raw(), to, from, pattern.len(), count, &mut ticket) })?;
        Ok(ticket)
    }

    unsafe fn submit_copy(&self, to: *mut c_void, from: *const c_void, size: usize) -> Result<u64, RuntimeError> {
        let mut ticket = 0;
        // SAFETY: the same contract, upheld by the caller; the ticket is writable.
        check(unsafe { ffi::sinter_queue_memcpy(self.raw(), to, from, size, &mut ticket) })?;
        Ok(ticket)
    }

    fn depend(&self, other: &Self, ticket: u64) -> Result<(), RuntimeError> {
        // SAFETY: two queues.
        check(unsafe { ffi::sinter_queue_depend(self.raw(), other.raw(), ticket) })
    }

    fn wait(&self, ticket: u64) -> Result<(), RuntimeError> {
        // SAFETY: a queue.
        check(unsafe { ffi::sinter_queue_wait(self.raw(), ticket) })
    }

    fn settle(&self, ticket: u64) -> bool {
        self.wait(ticket).is_ok() || self.is_complete(ticket).unwrap_or(false)
    }

    fn is_complete(&self, ticket: u64) -> Result<bool, RuntimeError> {
        let mut complete = 0;
        // SAFETY: a queue, and a writable pointer.
        check(unsafe { ffi::sinter_queue_query(self.raw(), ticket, &mut complete) })?;
        Ok(complete != 0)
    }

    fn profile(&self, ticket: u64) -> Result<Profile, RuntimeError> {
        let mut raw = RawProfile { struct_size: size_of::<RawProfile>() as u32, ..RawProfile::default() };
        // SAFETY: a queue, and a struct with its size.
        check(unsafe { ffi::sinter_queue_profile(self.raw(), ticket, &mut raw) })?;
        Ok(Profile { submit: raw.submit, start: raw.start, end: raw.end })
    }
}
