//! What a device and its memory share.
//!
//! In: a device of a library. Out: its context, when somebody needs it. *Invariant:* making one of these makes no context; the first
//! queue, allocation or kernel does.

use crate::{
    context::{Context, refuse_child, vendor_error},
    error::code,
    fork::Generation,
    group_size::{Habits, Preferred, choose},
    kernel::LoadedKernel,
    launch::Limits,
    queue::StreamQueue,
    timeline::Timeline,
    vendor::Vendor,
};
use sinter_driver::{DeviceInfo, DriverError, Kernel, NativeKind, Queue};
use sinter_dylib::Failure;
use std::{
    ffi::c_void,
    ptr,
    sync::{Arc, OnceLock},
};

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
    pub(crate) fn known_context(&self) -> Option<&Arc<Context<V>>> {
        self.context.get().filter(|context| context.is_usable())
    }

    /// A kernel of the context.
    pub fn load(
        &self,
        load: impl FnOnce(&Arc<Context<V>>) -> Result<LoadedKernel<V>, DriverError>,
    ) -> Result<Arc<dyn Kernel>, DriverError> {
        let context = self.context()?;
        context.unload_retired();
        Ok(Arc::new(load(context)?))
    }

    /// A queue on a stream of its own.
    pub fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        Ok(Arc::new(StreamQueue::new(Timeline::create(self.context()?)?)))
    }

    /// A queue on a stream of the program's.
    ///
    /// # Safety
    /// As for [`Device::adopt_queue`](sinter_driver::Device::adopt_queue).
    pub unsafe fn adopt_queue(&self, stream: *mut V::Stream) -> Result<Arc<dyn Queue>, DriverError> {
        // SAFETY: passed on to the caller.
        let timeline = unsafe { Timeline::adopt(self.context()?, stream) }?;
        Ok(Arc::new(StreamQueue::new(timeline)))
    }

    /// A group size for a launch of which nothing is known but its range.
    pub fn choose_group_size(&self, habits: &Habits, global: [u64; 3]) -> [u32; 3] {
        let most = self.limits.group;
        choose(global, Preferred::usual(habits, most), most, &self.limits)
    }

    /// A handle for the program.
    pub fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        match kind {
            NativeKind::Device => Ok(Some(self.api.native_device(self.device))),
            NativeKind::ExistingContext if !self.has_context()? => Ok(Some(ptr::null_mut())),
            NativeKind::Context | NativeKind::ExistingContext => Ok(V::native_context(self.context()?.handle)),
            _ => Ok(None),
        }
    }

    fn has_context(&self) -> Result<bool, DriverError> {
        refuse_child(self.generation, &self.info)?;
        let others = || self.api.has_context(self.device);
        let exists = if self.known_context().is_some() { Ok(true) } else { others() };
        exists.map_err(|failure| vendor_error(self.api.as_ref(), &self.info, failure))
    }

    /// Lets the device use memory of another one, or forbids it. The answer is whether it can now.
    pub fn set_peer_access(&self, peer: &Self, enable: bool) -> Result<bool, DriverError> {
        if ptr::eq(self, peer) { Ok(true) } else { set_peer_access(self.context()?, peer.context()?, enable) }
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
    match context.api.set_peer(peer, enable) {
        Err(failure) if !as_wanted(&failure) => return Err(context.report(failure)),
        Err(_) => context.api.forgive(),
        Ok(()) => {}
    }
    Ok(enable)
}
