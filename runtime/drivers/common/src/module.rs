//! Keeps loaded code for as long as a stream may run it.
//!
//! In: a module of the driver. Out: its end, when every stream has passed what it had when the last kernel handle was dropped.
//! *Invariant:* nobody can launch code that is retired, so what streams get later cannot use it.

use crate::{
    context::Context,
    event::Event,
    vendor::{Handle, Vendor},
};
use sinter_driver::DriverError;
use std::{mem, sync::Arc};

/// A module of the driver.
pub struct Module<V: Vendor> {
    /// Its handle.
    pub handle: Handle<V::Module>,
    /// What it was loaded in.
    pub context: Arc<Context<V>>,
}

impl<V: Vendor> Drop for Module<V> {
    fn drop(&mut self) {
        let Ok(_current) = self.context.enter() else { return };
        // SAFETY: no stream runs its code and nobody has a function of it. An error leaves nothing to do.
        let _ = unsafe { self.context.api.module_unload(self.handle.0) };
    }
}

/// A module that streams may still run.
pub(crate) struct Retired<V: Vendor> {
    module: Module<V>,
    events: Vec<Arc<Event<V>>>,
}

impl<V: Vendor> Retired<V> {
    /// Whether the streams have passed.
    pub(crate) fn has_passed(&self) -> bool {
        let Ok(_current) = self.module.context.enter() else { return true };
        // Where an error took the context, it took the code as well.
        self.events.iter().all(|event| event.has_passed().unwrap_or(!self.module.context.is_usable()))
    }
}

/// Ends a module as soon as that is safe.
pub(crate) fn retire<V: Vendor>(module: Module<V>) {
    let context = Arc::clone(&module.context);
    match pending(&context) {
        Ok(events) if events.is_empty() => drop(module),
        Ok(events) => context.retire(Retired { module, events }),
        // Nobody can say whether it still runs: it stays until the process ends.
        Err(_) => mem::forget(module),
    }
    if context.is_usable() {
        context.unload_retired();
    }
}

/// The ends of the streams that have something to do.
fn pending<V: Vendor>(context: &Context<V>) -> Result<Vec<Arc<Event<V>>>, DriverError> {
    let current = context.enter()?;
    context.timelines().iter().filter_map(|timeline| timeline.end(&current).transpose()).collect()
}
