//! Loaded code, and its wait for the streams that may run it.
//!
//! In: a module of the driver. Out: its end. *Invariant:* a module is unloaded when its value is
//! dropped, unless the context is of no use any more.

use crate::{
    context::Context,
    event::Event,
    vendor::{Handle, Vendor},
};
use std::sync::Arc;

/// A module of the driver.
pub struct Module<V: Vendor> {
    /// The driver's handle.
    pub handle: Handle<V::Module>,
    /// The context that it was loaded in.
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
    /// A module that waits for these events.
    pub(crate) fn new(module: Module<V>, events: Vec<Arc<Event<V>>>) -> Self {
        Retired { module, events }
    }

    /// True if the streams have passed.
    pub(crate) fn has_passed(&self) -> bool {
        let Ok(_current) = self.module.context.enter() else { return true };
        // Where an error took the context, it took the code as well.
        self.events.iter().all(|event| event.has_passed().unwrap_or(!self.module.context.is_usable()))
    }
}
