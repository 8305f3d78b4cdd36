//! A device and its context, which both its memory and its queues need.
//!
//! In: a device of a library. Out: its context, when somebody needs it. *Invariant:* making one of
//! these makes no context; the first queue, allocation or kernel does.

use crate::{
    context::{Context, refuse_child, vendor_error},
    error::code,
    fork::Generation,
    launch::Limits,
    resources::Resources,
    vendor::Vendor,
};
use sinter_driver::{DeviceInfo, DriverError, NativeKind};
use sinter_dylib::Failure;
use std::{
    ffi::c_void,
    ptr,
    sync::{Arc, OnceLock},
};

/// A device of a library.
pub(crate) struct Base<V: Vendor> {
    pub(crate) api: Arc<V>,
    /// The library's number of the device.
    device: i32,
    pub(crate) info: Arc<DeviceInfo>,
    /// The limits of launches and allocations.
    pub(crate) limits: Limits,
    /// The process that may use it.
    generation: Generation,
    resources: OnceLock<Arc<Resources<V>>>,
}

impl<V: Vendor> Base<V> {
    /// A device that nothing was made on.
    pub(crate) fn new(api: Arc<V>, device: i32, info: DeviceInfo, limits: Limits, generation: Generation) -> Arc<Self> {
        Arc::new(Base { api, device, info: Arc::new(info), limits, generation, resources: OnceLock::new() })
    }

    /// The context and what is in it. Several threads may make the context at once: the library
    /// counts.
    pub(crate) fn resources(&self) -> Result<&Arc<Resources<V>>, DriverError> {
        refuse_child(self.generation, &self.info)?;
        if let Some(resources) = self.resources.get() {
            return Ok(resources);
        }
        let made = Context::retain(&self.api, self.device, &self.info, self.limits, self.generation)?;
        Ok(self.resources.get_or_init(|| Arc::new(Resources::new(Arc::new(made)))))
    }

    /// The context, which is made if it must be.
    pub(crate) fn context(&self) -> Result<&Arc<Context<V>>, DriverError> {
        self.resources().map(|resources| &resources.context)
    }

    /// The context, if something was made on the device.
    pub(crate) fn known_context(&self) -> Option<&Arc<Context<V>>> {
        self.resources.get().map(|resources| &resources.context).filter(|context| context.is_usable())
    }

    /// A handle for the program.
    pub(crate) fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        match kind {
            NativeKind::Device => Ok(Some(self.api.native_device(self.device))),
            NativeKind::ExistingContext | NativeKind::Context if !V::NATIVE_CONTEXTS => Ok(None),
            NativeKind::ExistingContext if !self.has_context()? => Ok(Some(ptr::null_mut())),
            NativeKind::ExistingContext => Ok(self.context()?.native(NativeKind::Context)),
            NativeKind::Context => Ok(self.context()?.native(kind)),
            _ => Ok(None),
        }
    }

    fn has_context(&self) -> Result<bool, DriverError> {
        refuse_child(self.generation, &self.info)?;
        let others = || self.api.has_context(self.device);
        let exists = if self.known_context().is_some() { Ok(true) } else { others() };
        exists.map_err(|failure| self.error(failure))
    }

    fn error(&self, failure: Failure) -> DriverError {
        vendor_error(self.api.as_ref(), &self.info, failure)
    }

    /// Lets the device use memory of another one, or forbids it. The answer is whether it can now.
    pub(crate) fn set_peer_access(&self, peer: &Self, enable: bool) -> Result<bool, DriverError> {
        if ptr::eq(self, peer) {
            return Ok(true);
        }
        if !V::PEERS_ARE_FIXED {
            return set_peer_access(self.context()?, peer.context()?, enable);
        }
        refuse_child(self.generation, &self.info)?;
        self.api.can_use_peer(self.device, peer.device).map_err(|failure| self.error(failure))
    }
}

fn set_peer_access<V: Vendor>(context: &Context<V>, peer: &Context<V>, enable: bool) -> Result<bool, DriverError> {
    let possible = context.api.can_use_peer(context.device, peer.device);
    if !possible.map_err(|failure| context.report(failure))? {
        return Ok(false);
    }
    let _current = context.enter()?;
    let as_wanted =
        |failure: &Failure| matches!(failure.code, code::PEER_ACCESS_ALREADY_ENABLED | code::PEER_ACCESS_NOT_ENABLED);
    match context.api.set_peer(peer.device, peer.handle, enable) {
        Err(failure) if !as_wanted(&failure) => return Err(context.report(failure)),
        Err(_) => context.api.forgive(),
        Ok(()) => {}
    }
    Ok(enable)
}
