//! Devices whose queues are streams of a vendor library.
//!
//! In: the properties that a library reports for a device, and a [`Model`] of it. Out: the device.
//! *Invariant:* constructing one creates no context; the first queue, allocation or kernel does.

use crate::{
    base::Base,
    context::Context,
    fork::Generation,
    group_size::{GroupSizeRules, Preferred, choose},
    kernel::LoadedKernel,
    launch::Limits,
    memory::StreamMemory,
    queue::StreamQueue,
    registration,
    resources::Resources,
    timeline::Timeline,
    vendor::{Unadopted, Vendor},
};
use sinter_core::{CodeObject, Target};
use sinter_driver::{Device, DeviceInfo, DriverError, Kernel, Limit, Memory, NativeKind, Queue, RegisteredAccess};
use std::{any::Any, ffi::c_void, sync::Arc};

/// Code format of a device, and the way its code is loaded.
pub trait Model: Send + Sync + 'static {
    /// The library that runs the device.
    type Vendor: Vendor;

    /// As for [`Device::target`].
    fn target(&self) -> &Target;
    /// Preferred work-group sizes of a kernel that is not loaded, for launches that leave the size
    /// open.
    fn rules(&self, info: &DeviceInfo) -> GroupSizeRules;
    /// As for [`Device::assembler`].
    fn assembler(&self) -> Option<&str> {
        None
    }
    /// As for [`Device::open_assembler`].
    fn open_assembler(&self) {}
    /// True if the code needs no [`Model::assemble`].
    fn is_assembled(&self, _code: &CodeObject) -> bool {
        true
    }
    /// As for [`Device::assemble`]; only called for code that is not assembled.
    fn assemble(
        &self,
        _context: &Arc<Context<Self::Vendor>>,
        _code: &CodeObject,
    ) -> Result<Option<CodeObject>, DriverError> {
        Ok(None)
    }
    /// As for [`Device::load`].
    fn load(
        &self,
        resources: &Arc<Resources<Self::Vendor>>,
        code: &CodeObject,
    ) -> Result<LoadedKernel<Self::Vendor>, DriverError>;
}

/// A device as detection describes it, before anything is created on it.
pub struct Described<V, M> {
    /// Bindings of the vendor library.
    pub api: Arc<V>,
    /// Device ordinal in the library.
    pub number: i32,
    /// Properties of the device.
    pub info: DeviceInfo,
    /// Limits of launches and allocations.
    pub limits: Limits,
    /// Code format and loader of the device.
    pub model: M,
}

/// A device of a vendor library.
pub(crate) struct StreamDevice<M: Model> {
    base: Arc<Base<M::Vendor>>,
    memory: StreamMemory<M::Vendor>,
    model: M,
}

impl<M: Model> StreamDevice<M> {
    pub(crate) fn new(described: Described<M::Vendor, M>, generation: Generation) -> Self {
        let Described { api, number, info, limits, model } = described;
        let base = Base::new(api, number, info, limits, generation);
        StreamDevice { memory: StreamMemory::new(Arc::clone(&base)), base, model }
    }

    fn queue(&self, timeline: Timeline<M::Vendor>) -> Result<Arc<dyn Queue>, DriverError> {
        Ok(Arc::new(StreamQueue::new(self.base.resources()?, timeline)))
    }

    /// The error for a native queue of the program that cannot be adopted.
    fn unadopted(&self, context: &Context<M::Vendor>, reason: Unadopted) -> DriverError {
        match reason {
            Unadopted::Failed(failure) => context.report(failure),
            Unadopted::Unsupported(feature) => {
                DriverError::Unsupported { device: self.base.info.name.clone(), feature: feature.to_owned() }
            }
        }
    }
}

impl<M: Model> Device for StreamDevice<M> {
    fn info(&self) -> &DeviceInfo {
        &self.base.info
    }

    fn target(&self) -> &Target {
        self.model.target()
    }

    fn assemble(&self, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        if self.model.is_assembled(code) { Ok(None) } else { self.model.assemble(self.base.context()?, code) }
    }

    fn open_assembler(&self) {
        self.model.open_assembler();
    }

    fn assembler(&self) -> Option<&str> {
        self.model.assembler()
    }

    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.model.is_assembled(code)
    }

    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        let resources = self.base.resources()?;
        resources.unload_retired();
        Ok(Arc::new(self.model.load(resources, code)?))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        self.queue(Timeline::create(self.base.context()?)?)
    }

    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        let most = self.base.limits.group;
        choose(global, Preferred::usual(&self.model.rules(&self.base.info), most), most, &self.base.limits)
    }

    fn memory(&self) -> &dyn Memory {
        &self.memory
    }

    unsafe fn register_memory(
        &self,
        pointer: *mut c_void,
        size: usize,
        access: RegisteredAccess,
    ) -> Result<*mut c_void, DriverError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { registration::register(&self.base, pointer, size, access) }
    }

    unsafe fn unregister_memory(&self, pointer: *mut c_void) -> Result<(), DriverError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { registration::unregister(&self.base, pointer) }
    }

    fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        self.base.native(kind)
    }

    unsafe fn adopt_queue(&self, handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        let context = self.base.context()?;
        context.ready()?;
        // SAFETY: upheld by the caller.
        let stream = unsafe { context.api.stream_adopt(handle) };
        let stream = stream.map_err(|reason| self.unadopted(context, reason))?;
        // SAFETY: upheld by the caller.
        let timeline = unsafe { Timeline::adopt(context, stream) }.inspect_err(|_| {
            // SAFETY: the stream was just made, and nobody else has it.
            unsafe { context.api.stream_forget(stream) };
        })?;
        self.queue(timeline)
    }

    fn set_peer_access(&self, other: &dyn Device, enable: bool) -> Result<bool, DriverError> {
        let other = other.as_any().and_then(|other| other.downcast_ref::<Self>());
        other.map_or(Ok(false), |other| self.base.set_peer_access(&other.base, enable))
    }

    fn set_limit(&self, limit: Limit, value: usize) -> Result<bool, DriverError> {
        let context = self.base.context()?;
        let _current = context.enter()?;
        context.api.set_limit(limit, value).map_err(|failure| context.report(failure))
    }

    fn copies_from(&self, other: &dyn Device) -> bool {
        M::Vendor::COPIES_BETWEEN_DEVICES && other.as_any().is_some_and(|other| other.is::<Self>())
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
