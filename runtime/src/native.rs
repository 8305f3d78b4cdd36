//! Interoperability with vendor interfaces: native handles of devices, queues and kernels, and
//! queues made from native ones.
//!
//! In: devices, queues, launches, handles. Out: handles, queues. *Invariant:* the runtime keeps
//! ownership of handles that it returns, and the program of handles that it passes in. A device
//! without a vendor interface returns an error.
#![expect(unsafe_code, reason = "takes handles of vendors' interfaces")]

use crate::{devices::DeviceEntry, error::RuntimeError, queue::Queue};
use sinter_driver::{Kernel, Limit, NativeKind};
use std::{ffi::c_void, sync::Arc};

/// Name of a kind of handle in messages.
fn kind_name(kind: NativeKind) -> &'static str {
    match kind {
        NativeKind::Device => "native handle of a device",
        NativeKind::Context | NativeKind::ExistingContext => "native handle of a context",
        NativeKind::Stream => "native handle of a queue",
        NativeKind::Module => "native handle of a module",
        NativeKind::Function => "native handle of a kernel",
        _ => "native handle of this kind",
    }
}

impl DeviceEntry {
    fn handle(&self, kind: NativeKind, found: Option<*mut c_void>) -> Result<*mut c_void, RuntimeError> {
        let (device, feature) = (self.info().name.clone(), kind_name(kind).to_owned());
        found.ok_or(RuntimeError::Unsupported { device, feature })
    }

    /// Native handle of the device, or of its context.
    pub fn native(&self, kind: NativeKind) -> Result<*mut c_void, RuntimeError> {
        self.handle(kind, self.device.native(kind)?)
    }

    /// Enables or disables access of kernels on this device to memory of `other`. Returns true if
    /// they have access now. A device always has access to its own memory.
    pub fn set_peer_access(&self, other: &DeviceEntry, enable: bool) -> Result<bool, RuntimeError> {
        if Arc::ptr_eq(&self.device, &other.device) {
            return Ok(true);
        }
        Ok(self.device.set_peer_access(other.device.as_ref(), enable)?)
    }

    /// Sets a limit for kernels that are launched from now on. False if the device has none that
    /// can be set.
    pub fn set_limit(&self, limit: Limit, value: usize) -> Result<bool, RuntimeError> {
        Ok(self.device.set_limit(limit, value)?)
    }
}

impl Queue {
    /// Wraps a queue that the program made with the vendor's interface, such as a `CUstream`.
    ///
    /// # Safety
    /// `handle` is a live queue of the vendor's interface on this device, and outlives the result
    /// and its clones.
    pub unsafe fn from_native(device: &Arc<DeviceEntry>, handle: *mut c_void) -> Result<Self, RuntimeError> {
        // SAFETY: the same contract, upheld by the caller.
        let inner = unsafe { device.device.adopt_queue(handle) }?;
        Ok(Queue::of(device, inner))
    }

    /// Native handle of the queue, or of the object that it belongs to.
    pub fn native(&self, kind: NativeKind) -> Result<*mut c_void, RuntimeError> {
        match self.driver_queue().native(kind) {
            Some(handle) => Ok(handle),
            None => self.device().native(kind),
        }
    }

    /// Native handle of a kernel that is loaded on this queue's device.
    pub(crate) fn native_kernel(&self, kernel: &dyn Kernel, kind: NativeKind) -> Result<*mut c_void, RuntimeError> {
        self.device().handle(kind, kernel.native(kind))
    }
}
