//! Times launches of a kernel.
//!
//! In: launches. Out: their times, which later launches note in a meter once the stream has passed
//! them. *Invariant:* nothing waits: while [`MOST`] launches are under way, further ones are not
//! timed, and neither are those whose events the library refuses.

use crate::{
    context::{Context, lock},
    event::{Event, Timing},
    vendor::{Handle, Vendor},
};
use sinter_driver::meter::Meter;
use sinter_dylib::Failure;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

/// Launches whose events are kept.
const MOST: usize = 16;

/// A launch that may not be complete.
struct Begun<V: Vendor> {
    items: u64,
    start: Event<V>,
    end: Event<V>,
}

impl<V: Vendor> Begun<V> {
    /// The time that it took; `None` if it is not complete or the library does not say. The context
    /// is current.
    fn taken(&self) -> Option<Duration> {
        let is_complete = self.end.has_passed().unwrap_or(false);
        let nanoseconds = if is_complete { self.start.until(&self.end).ok() } else { None };
        nanoseconds.map(|nanoseconds| Duration::from_nanos(nanoseconds.max(0.0).round() as u64))
    }
}

/// A meter and the launches that it will know.
pub(crate) struct Metered<V: Vendor> {
    meter: Arc<Meter>,
    begun: Mutex<VecDeque<Begun<V>>>,
}

impl<V: Vendor> Metered<V> {
    pub(crate) fn new(meter: &Arc<Meter>) -> Self {
        Metered { meter: Arc::clone(meter), begun: Mutex::default() }
    }

    /// Makes a launch of some work-items. The context is current.
    #[cold]
    pub(crate) fn launch(
        &self,
        (context, stream): (&Arc<Context<V>>, Handle<V::Stream>),
        items: u64,
        launch: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mark = || Event::record(context, stream, Timing::With).ok();
        let start = if self.has_room() { mark() } else { None };
        launch()?;
        if let Some((start, end)) = start.and_then(|start| Some((start, mark()?))) {
            lock(&self.begun).push_back(Begun { items, start, end });
        }
        Ok(())
    }

    /// Notes the launches that are complete. The context is current.
    pub(crate) fn note(&self) {
        let mut begun = lock(&self.begun);
        while let Some((items, taken)) = begun.front().and_then(|first| Some((first.items, first.taken()?))) {
            self.meter.note(items, taken);
            begun.pop_front();
        }
    }

    /// Notes the launches that are complete. True if there is room for another one.
    fn has_room(&self) -> bool {
        self.note();
        lock(&self.begun).len() < MOST
    }
}
