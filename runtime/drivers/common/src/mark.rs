//! Marks whose distance in time can be asked for.
//!
//! In: a position in a stream. Out: nanoseconds between two such positions. *Invariant:* the
//! library is asked for a time only when the stream has passed both.

use crate::{
    context::Context,
    event::{Event, Timing},
    vendor::{Handle, Vendor},
};
use sinter_driver::{DriverError, Mark};
use std::{any::Any, sync::Arc};

/// A position in a stream.
pub(crate) struct StreamMark<V: Vendor> {
    event: Event<V>,
    context: Arc<Context<V>>,
}

impl<V: Vendor> StreamMark<V> {
    /// Marks the end of a stream.
    pub(crate) fn record(context: &Arc<Context<V>>, stream: Handle<V::Stream>) -> Result<Self, DriverError> {
        let _current = context.enter()?;
        Ok(StreamMark { event: Event::record(context, stream, Timing::With)?, context: Arc::clone(context) })
    }
}

impl<V: Vendor> Mark for StreamMark<V> {
    fn until(&self, other: &dyn Mark) -> Result<Option<f64>, DriverError> {
        let other = other.as_any().and_then(|other| other.downcast_ref::<StreamMark<V>>());
        let Some(other) = other.filter(|other| Arc::ptr_eq(&self.context, &other.context)) else { return Ok(None) };
        let _current = self.context.enter()?;
        self.event.wait()?;
        other.event.wait()?;
        self.event.until(&other.event).map(Some)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
