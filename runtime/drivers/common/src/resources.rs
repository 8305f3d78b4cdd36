//! Streams of a context, and code of dropped kernels that they may still run.
//!
//! In: streams and modules. Out: their ends. *Invariant:* a module is unloaded only after every
//! stream has passed all commands submitted before the last handle of its kernel was dropped.
//! Nobody can launch retired code, so later commands cannot use it.

use crate::{
    context::{Context, lock},
    event::Event,
    module::{Module, Retired},
    timeline::Timeline,
    vendor::Vendor,
};
use sinter_driver::DriverError;
use std::{
    mem,
    sync::{Arc, Mutex},
};

/// A context with its streams and its retired code.
pub struct Resources<V: Vendor> {
    /// Context of all streams and modules here.
    pub context: Arc<Context<V>>,
    /// Timelines of the live queues.
    timelines: Mutex<Vec<Arc<Timeline<V>>>>,
    /// Modules without a kernel that a stream may still run.
    retired: Mutex<Vec<Retired<V>>>,
}

impl<V: Vendor> Resources<V> {
    pub(crate) fn new(context: Arc<Context<V>>) -> Self {
        Resources { context, timelines: Mutex::default(), retired: Mutex::default() }
    }

    /// Registers a stream until [`Resources::close`].
    pub(crate) fn open(&self, timeline: Timeline<V>) -> Arc<Timeline<V>> {
        let timeline = Arc::new(timeline);
        self.context.add_stream(timeline.progress());
        lock(&self.timelines).push(Arc::clone(&timeline));
        timeline
    }

    /// Waits for a stream's commands and unregisters it.
    pub(crate) fn close(&self, timeline: &Arc<Timeline<V>>) {
        if self.context.is_inherited() {
            return;
        }
        timeline.finish();
        lock(&self.timelines).retain(|known| !Arc::ptr_eq(known, timeline));
        self.context.unregister_stream(timeline.progress());
        self.unload_retired();
    }

    /// Unloads a module as soon as no stream can run it.
    pub(crate) fn retire(&self, module: Module<V>) {
        match self.ends() {
            Ok(events) if events.is_empty() => drop(module),
            Ok(events) => lock(&self.retired).push(Retired::new(module, events)),
            // Without events nobody knows when the code stops running: it stays loaded until the
            // process ends.
            Err(_) => mem::forget(module),
        }
        if self.context.is_usable() {
            self.unload_retired();
        }
    }

    /// Events at the ends of the streams that are not idle.
    fn ends(&self) -> Result<Vec<Arc<Event<V>>>, DriverError> {
        let current = self.context.enter()?;
        let timelines = lock(&self.timelines).clone();
        timelines.iter().filter_map(|timeline| timeline.end(&current).transpose()).collect()
    }

    /// Unloads the code that no stream can run any more.
    pub(crate) fn unload_retired(&self) {
        let waiting = mem::take(&mut *lock(&self.retired));
        let (passed, waiting): (Vec<_>, Vec<_>) = waiting.into_iter().partition(Retired::has_passed);
        lock(&self.retired).extend(waiting);
        drop(passed);
    }
}

impl<V: Vendor> Drop for Resources<V> {
    /// Streams are left only in a forked child, where they belong to the parent. Nobody knows
    /// whether retired code still runs, so it stays loaded until the process ends.
    fn drop(&mut self) {
        mem::forget((mem::take(&mut self.timelines), mem::take(&mut self.retired)));
    }
}
