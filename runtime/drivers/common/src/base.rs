//! State of a device that its memory and its queues share.
//!
//! In: a device of a library. Out: its context, created on first use. *Invariant:* constructing a
//! `Base` creates no context; the first queue, allocation or kernel does.

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

/// A device of a vendor library, with its lazily created context.
pub(crate) struct Base<V: Vendor> {
    pub(crate) api: Arc<V>,
    /// Device ordinal in the library.
    device: i32,
    pub(crate) info: Arc<DeviceInfo>,
    /// Limits of launches and allocations.
    pub(crate) limits: Limits,
    /// The process that may use the device; a forked child may not.
    generation: Generation,
    resources: OnceLock<Arc<Resources<V>>>,
}

impl<V: Vendor> Base<V> {
    /// A device without a context so far.
    pub(crate) fn new(api: Arc<V>, device: i32, info: DeviceInfo, limits: Limits, generation: Generation) -> Arc<Self> {
        Arc::new(Base { api, device, info: Arc::new(info), limits, generation, resources: OnceLock::new() })
    }

    /// The context with its streams and code, created on first use. Several threads may create the
    /// context at once, because the library counts references.
    pub(crate) fn resources(&self) -> Result<&Arc<Resources<V>>, DriverError> {
        refuse_child(self.generation, &self.info)?;
        if let Some(resources) = self.resources.get() {
            return Ok(resources);
        }
        let made = Context::retain(&self.api, self.device, &self.info, self.limits, self.generation)?;
        Ok(self.resources.get_or_init(|| Arc::new(Resources::new(Arc::new(made)))))
    }

    /// The context, created on first use.
    pub(crate) fn context(&self) -> Result<&Arc<Context<V>>, DriverError> {
        self.resources().map(|resources| &resources.context)
    }

    /// The context if it exists and is usable; never creates one.
    pub(crate) fn known_context(&self) -> Option<&Arc<Context<V>>> {
        self.resources.get().map(|resources| &resources.context).filter(|context| context.is_usable())
    }

    /// A native handle for interoperability.
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

    /// Enables or disables access to the memory of another device. Returns true if the memory is
    /// accessible afterwards.
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
        Err(_) => context.api.clear_last_error(),
        Ok(()) => {}
    }
    Ok(enable)
}
