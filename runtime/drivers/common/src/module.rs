//! Loaded code, and the wait for streams that may still run it.
//!
//! In: a module of the driver. Out: its unloading. *Invariant:* dropping a value unloads its
//! module, unless the context is unusable by then.

use crate::{
    context::Context,
    event::Event,
    vendor::{Handle, Vendor},
};
use std::sync::Arc;

/// A module of the driver, unloaded when dropped.
pub struct Module<V: Vendor> {
    /// Native handle of the module.
    pub handle: Handle<V::Module>,
    /// Context that the module was loaded in.
    pub context: Arc<Context<V>>,
}

impl<V: Vendor> Drop for Module<V> {
    fn drop(&mut self) {
        let Ok(_current) = self.context.enter() else { return };
        // SAFETY: no stream runs its code and nobody has a function of it. An error needs no
        // handling.
        let _ = unsafe { self.context.api.module_unload(self.handle.0) };
    }
}

/// A module that streams may still run although no kernel refers to it.
pub(crate) struct Retired<V: Vendor> {
    module: Module<V>,
    events: Vec<Arc<Event<V>>>,
}

impl<V: Vendor> Retired<V> {
    /// Keeps a module until these events are complete.
    pub(crate) fn new(module: Module<V>, events: Vec<Arc<Event<V>>>) -> Self {
        Retired { module, events }
    }

    /// True if all streams have passed their events.
    pub(crate) fn has_passed(&self) -> bool {
        let Ok(_current) = self.module.context.enter() else { return true };
        // A lost context has lost its code as well.
        self.events.iter().all(|event| event.has_passed().unwrap_or(!self.module.context.is_usable()))
    }
}
