//! Events that mark positions in a stream.
//!
//! In: a stream. Out: an event that completes once everything submitted before it is complete.
//! *Invariant:* an event marks one position for as long as anything holds it; then it is recycled,
//! and destroyed with the context.

use crate::{
    context::{Context, lock},
    vendor::{Handle, Vendor},
};
use sinter_driver::DriverError;
use std::sync::Arc;

/// Selects events with or without timestamps. Those without are cheaper and only mark a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timing {
    Without,
    With,
}

/// A recorded event.
pub(crate) struct Event<V: Vendor> {
    handle: Handle<V::Event>,
    timing: Timing,
    context: Arc<Context<V>>,
}

impl<V: Vendor> Event<V> {
    /// Records an event after everything submitted to `stream` so far. The context is current.
    pub(crate) fn record(
        context: &Arc<Context<V>>,
        stream: Handle<V::Stream>,
        timing: Timing,
    ) -> Result<Self, DriverError> {
        let spare = lock(&context.spare_events[timing as usize]).pop();
        let handle = spare.map_or_else(|| create(context, timing), Ok)?;
        let event = Event { handle, timing, context: Arc::clone(context) };
        // SAFETY: both belong to the context, and nobody else has the event.
        unsafe { context.api.event_record(handle.0, stream.0) }.map_err(|failure| context.report(failure))?;
        Ok(event)
    }

    pub(crate) fn handle(&self) -> Handle<V::Event> {
        self.handle
    }

    /// True if the stream has passed the event. The context is current.
    pub(crate) fn has_passed(&self) -> Result<bool, DriverError> {
        // SAFETY: the event was recorded and is alive.
        let asked = unsafe { self.context.api.event_query(self.handle.0) };
        self.context.answer(asked)
    }

    /// Blocks until the stream has passed the event. The context is current.
    pub(crate) fn wait(&self) -> Result<(), DriverError> {
        // SAFETY: the event was recorded and is alive.
        unsafe { self.context.api.event_synchronize(self.handle.0) }.map_err(|failure| self.context.report(failure))
    }

    /// Nanoseconds from this event to `later`. Both have timestamps and are complete. The context
    /// is current.
    pub(crate) fn until(&self, later: &Event<V>) -> Result<f64, DriverError> {
        // SAFETY: both events were recorded with timestamps.
        let asked = unsafe { self.context.api.event_elapsed(self.handle.0, later.handle.0) };
        Ok(f64::from(asked.map_err(|failure| self.context.report(failure))?) * 1e6)
    }
}

fn create<V: Vendor>(context: &Context<V>, timing: Timing) -> Result<Handle<V::Event>, DriverError> {
    let made = context.api.event_create(timing == Timing::With);
    made.map(Handle).map_err(|failure| context.report(failure))
}

impl<V: Vendor> Drop for Event<V> {
    fn drop(&mut self) {
        // In a forked child, a lock that another thread of the parent held is never released.
        if !self.context.is_inherited() {
            lock(&self.context.spare_events[self.timing as usize]).push(self.handle);
        }
    }
}
