//! Events that mark positions in queues.
//!
//! In: a queue. Out: a slot with the event of a marker. *Invariant:* an OpenCL event belongs to one
//! command and cannot be recorded again, so a slot takes a new event each time. A slot without a
//! marker is complete.

use crate::{
    failure::{STATUS, failure},
    library::OpenCl,
};
use opencl_sys::{
    Api,
    types::{COMPLETE, ContextStruct, EVENT_STATUS, Event, EventStruct, PROFILING_END, Queue},
};
use sinter_driver_common::{Failure, Handle, error::code};
use std::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

/// Holds the event of a marker, or none.
pub(crate) struct Slot {
    event: AtomicPtr<EventStruct>,
    pub(crate) timed: bool,
    /// Context of the device that created the slot. Events cannot be waited for in another context.
    pub(crate) context: Handle<ContextStruct>,
}

/// Enqueues a marker after everything in a queue.
///
/// # Safety
/// The queue is alive.
unsafe fn mark(api: &Api, queue: Queue) -> Result<Event, Failure> {
    let mut event = ptr::null_mut();
    // SAFETY: upheld by the caller; `event` is writable.
    unsafe { api.marker(queue, 0, ptr::null(), &raw mut event) }?;
    // SAFETY: as above. Without the flush only this queue's own waits would make the marker
    // complete.
    let flushed = unsafe { api.flush(queue) };
    flushed.map(|()| event).inspect_err(|_| release(api, event))
}

fn release(api: &Api, event: Event) {
    // SAFETY: the event is ours, and nobody else has it. An error, such as that the process is
    // exiting, needs no handling.
    let _ = unsafe { api.event_release(event) };
}

/// Succeeds if the event's command is complete; fails with its error or a "not ready" code
/// otherwise.
fn status(api: &Api, event: Event) -> Result<(), Failure> {
    let mut status = COMPLETE;
    let (size, place) = (size_of_val(&status), (&raw mut status).cast());
    // SAFETY: the event is alive, and the status has the size that is passed.
    unsafe { api.event_info(event, EVENT_STATUS, size, place, ptr::null_mut()) }?;
    match status {
        COMPLETE => Ok(()),
        ..COMPLETE => Err(failure(STATUS, status)),
        _ => Err(Failure { call: STATUS, code: code::NOT_READY }),
    }
}

/// Succeeds if a queue is idle; fails with a "not ready" code otherwise.
///
/// # Safety
/// The queue is alive.
pub(crate) unsafe fn is_idle(api: &Api, queue: Queue) -> Result<(), Failure> {
    // SAFETY: upheld by the caller.
    let event = unsafe { mark(api, queue) }?;
    let answer = status(api, event);
    release(api, event);
    answer
}

impl Slot {
    pub(crate) fn new(opencl: &OpenCl, timed: bool) -> *mut Slot {
        Box::into_raw(Box::new(Slot { event: AtomicPtr::default(), timed, context: Handle(opencl.context()) }))
    }

    pub(crate) fn get(&self) -> Option<Event> {
        Some(self.event.load(Ordering::Acquire)).filter(|event| !event.is_null())
    }

    fn replace(&self, api: &Api, event: Event) {
        let old = self.event.swap(event, Ordering::AcqRel);
        if !old.is_null() {
            release(api, old);
        }
    }

    /// Replaces the slot's event by that of a new marker.
    ///
    /// # Safety
    /// The queue is alive.
    pub(crate) unsafe fn record(&self, api: &Api, queue: Queue) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        self.replace(api, unsafe { mark(api, queue) }?);
        Ok(())
    }

    pub(crate) fn query(&self, api: &Api) -> Result<(), Failure> {
        self.get().map_or(Ok(()), |event| status(api, event))
    }

    /// Blocks until the marker is complete.
    pub(crate) fn wait(&self, api: &Api) -> Result<(), Failure> {
        let Some(event) = self.get() else { return Ok(()) };
        // SAFETY: the event is alive.
        unsafe { api.event_wait(1, &raw const event) }
    }

    /// Time when the marker completed, in nanoseconds of the device's clock.
    pub(crate) fn time(&self, api: &Api) -> Result<u64, Failure> {
        let Some(event) = self.get() else { return Ok(0) };
        let mut time = 0u64;
        let (size, place) = (size_of_val(&time), (&raw mut time).cast());
        // SAFETY: the event is alive, and the time has the size that is passed.
        unsafe { api.event_times(event, PROFILING_END, size, place, ptr::null_mut()) }?;
        Ok(time)
    }

    /// Destroys a slot and releases its event.
    ///
    /// # Safety
    /// [`Slot::new`] returned the slot, and nobody else has it.
    pub(crate) unsafe fn end(slot: *mut Slot, api: &Api) {
        // SAFETY: upheld by the caller.
        unsafe { Box::from_raw(slot) }.replace(api, ptr::null_mut());
    }
}
