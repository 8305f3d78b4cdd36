//! What a device and its memory share.
//!
//! In: a device of a library. Out: its context, when somebody needs it. *Invariant:* making one of these makes no context; the first
//! queue, allocation or kernel does.

use crate::{
    context::{Context, refuse_child},
    error::{Failure, code},
    fork::Generation,
    launch::Limits,
    vendor::Vendor,
};
use sinter_driver::{DeviceInfo, DriverError};
use std::sync::{Arc, OnceLock};

/// A device of a library.
pub struct Base<V: Vendor> {
    /// The library.
    pub api: Arc<V>,
    /// The library's number of the device.
    pub device: i32,
    /// Its properties.
    pub info: Arc<DeviceInfo>,
    /// What launches and allocations must keep to.
    pub limits: Limits,
    /// The process that may use it.
    pub generation: Generation,
    context: OnceLock<Arc<Context<V>>>,
}

impl<V: Vendor> Base<V> {
    /// A device that nothing was made on.
    pub fn new(api: &Arc<V>, device: i32, info: DeviceInfo, limits: Limits, generation: Generation) -> Arc<Self> {
        let (api, info) = (Arc::clone(api), Arc::new(info));
        Arc::new(Base { api, device, info, limits, generation, context: OnceLock::new() })
    }

    /// The context, which is made if it must be. Several threads may make it at once: the library counts.
    pub fn context(&self) -> Result<&Arc<Context<V>>, DriverError> {
        refuse_child(self.generation, &self.info)?;
        if let Some(context) = self.context.get() {
            return Ok(context);
        }
        let made = Context::retain(&self.api, self.device, &self.info, self.limits, self.generation)?;
        Ok(self.context.get_or_init(|| Arc::new(made)))
    }

    /// The context, if something was made on the device.
    pub fn known_context(&self) -> Option<&Arc<Context<V>>> {
        self.context.get().filter(|context| context.is_usable())
    }
}

/// Lets `context` use memory of `peer`, or forbids it. The answer is whether it can now.
pub fn set_peer_access<V: Vendor>(context: &Context<V>, peer: &Context<V>, enable: bool) -> Result<bool, DriverError> {
    let possible = context.api.can_use_peer(context.device, peer.device);
    if !possible.map_err(|failure| context.report(failure))? {
        return Ok(false);
    }
    let _current = context.enter()?;
    let as_wanted =
        |failure: &Failure| matches!(failure.code, code::PEER_ACCESS_ALREADY_ENABLED | code::PEER_ACCESS_NOT_ENABLED);
    match context.api.set_peer(peer, enable) {
        Err(failure) if !as_wanted(&failure) => return Err(context.report(failure)),
        Err(_) => context.api.forgive(),
        Ok(()) => {}
    }
    Ok(enable)
}
