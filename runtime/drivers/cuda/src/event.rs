//! Places in a stream that can be asked about.
//!
//! In: a stream. Out: an event that is complete once everything submitted before it is. *Invariant:* an event belongs to one
//! place for as long as somebody holds it; then it is kept for the next, and destroyed with the context.

use crate::{
    api::Handle,
    context::{Context, answer, lock},
};
use cudarc::driver::sys::{CUevent_st, CUstream_st};
use sinter_driver::DriverError;
use std::{ptr, sync::Arc};

/// `CU_EVENT_DISABLE_TIMING`: cheaper, for events that only mark a place.
const WITHOUT_TIME: u32 = 2;

/// Whether an event keeps the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timing {
    Without,
    With,
}

/// A place in a stream.
pub(crate) struct Event {
    handle: Handle<CUevent_st>,
    timing: Timing,
    context: Arc<Context>,
}

impl Event {
    /// Marks the end of what `stream` has now. The context is current.
    pub(crate) fn record(
        context: &Arc<Context>,
        stream: Handle<CUstream_st>,
        timing: Timing,
    ) -> Result<Self, DriverError> {
        let spare = lock(&context.spare_events[timing as usize]).pop();
        let handle = spare.map_or_else(|| create(context, timing), Ok)?;
        let event = Event { handle, timing, context: Arc::clone(context) };
        // SAFETY: both belong to the context, and nobody else has the event.
        unsafe { context.api.event_record(handle.0, stream.0) }.map_err(|failure| context.report(failure))?;
        Ok(event)
    }

    pub(crate) fn handle(&self) -> Handle<CUevent_st> {
        self.handle
    }

    /// Whether the stream has passed it. The context is current.
    pub(crate) fn has_passed(&self) -> Result<bool, DriverError> {
        // SAFETY: the event was recorded and is alive.
        let asked = unsafe { self.context.api.event_query(self.handle.0) };
        answer(asked).map_err(|failure| self.context.report(failure))
    }

    /// Blocks until the stream has passed it. The context is current.
    pub(crate) fn wait(&self) -> Result<(), DriverError> {
        // SAFETY: the event was recorded and is alive.
        unsafe { self.context.api.event_synchronize(self.handle.0) }.map_err(|failure| self.context.report(failure))
    }

    /// Nanoseconds from this event to `later`, both with times and passed. The context is current.
    pub(crate) fn until(&self, later: &Event) -> Result<f64, DriverError> {
        let mut milliseconds = 0f32;
        // SAFETY: both events were recorded with times, and `milliseconds` may be written.
        let asked = unsafe { self.context.api.event_elapsed(&raw mut milliseconds, self.handle.0, later.handle.0) };
        asked.map_err(|failure| self.context.report(failure))?;
        Ok(f64::from(milliseconds) * 1e6)
    }
}

fn create(context: &Context, timing: Timing) -> Result<Handle<CUevent_st>, DriverError> {
    let flags = if timing == Timing::With { 0 } else { WITHOUT_TIME };
    let mut handle = ptr::null_mut();
    // SAFETY: the context is current, and `handle` may be written.
    unsafe { context.api.event_create(&raw mut handle, flags) }.map_err(|failure| context.report(failure))?;
    Ok(Handle(handle))
}

impl Drop for Event {
    fn drop(&mut self) {
        // In a child another thread's lock would never open.
        if !self.context.is_inherited() {
            lock(&self.context.spare_events[self.timing as usize]).push(self.handle);
        }
    }
}
