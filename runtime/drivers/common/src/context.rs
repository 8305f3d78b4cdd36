//! The context of one GPU, shared by everything in this process that uses the GPU.
//!
//! In: the device. Out: a context that is made current where needed, and errors that record its
//! loss. *Invariant:* a context lost to a sticky error, or inherited by a child process, is never
//! called again. A thread never enters a context while it has another of our contexts entered.

use crate::{
    error::VendorError,
    fork::Generation,
    launch::Limits,
    progress::Progress,
    vendor::{Handle, Vendor},
};
use sinter_driver::{DeviceInfo, DriverError, NativeKind};
use sinter_dylib::Failure;
use sinter_signals::while_starting_threads;
use std::{
    collections::BTreeMap,
    ffi::c_void,
    mem,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// Locks a mutex and ignores poisoning: poison only means that a thread of the program ended while
/// it held the lock, and the data is consistent at every point.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The failure that ended the context, and the kernels that may have caused it.
#[derive(Debug, Clone)]
struct Loss {
    kernel: Option<String>,
    code: u32,
    reason: String,
}

/// A context of a device in this process.
pub struct Context<V: Vendor> {
    /// Bindings of the vendor library.
    pub api: Arc<V>,
    /// Device ordinal in the library.
    pub device: i32,
    /// Native handle of the context.
    pub handle: V::Context,
    /// Properties of the device.
    pub info: Arc<DeviceInfo>,
    /// Limits of launches and allocations.
    pub limits: Limits,
    generation: Generation,
    lost: OnceLock<Loss>,
    /// Events free for reuse: index 0 without timestamps, index 1 with them.
    pub(crate) spare_events: [Mutex<Vec<Handle<V::Event>>>; 2],
    /// Progress of each live queue.
    streams: Mutex<Vec<Arc<Progress>>>,
    /// Numbers of the loaded kernels, by symbol.
    kernels: Mutex<BTreeMap<String, u32>>,
}

impl<V: Vendor> Context<V> {
    /// Creates the context. This may take a few hundred milliseconds if nobody in the process has
    /// created it yet.
    pub(crate) fn retain(
        api: &Arc<V>,
        device: i32,
        info: &Arc<DeviceInfo>,
        limits: Limits,
        generation: Generation,
    ) -> Result<Self, DriverError> {
        refuse_child(generation, info)?;
        let handle = while_starting_threads(|| api.retain(device));
        let handle = handle.map_err(|failure| vendor_error(api.as_ref(), info, failure))?;
        Ok(Context {
            api: Arc::clone(api),
            device,
            handle,
            info: Arc::clone(info),
            limits,
            generation,
            lost: OnceLock::new(),
            spare_events: Default::default(),
            streams: Mutex::default(),
            kernels: Mutex::default(),
        })
    }

    /// True in a child of the process that created the context.
    #[inline]
    pub fn is_inherited(&self) -> bool {
        !self.generation.is_current()
    }

    /// True unless the context was lost or inherited.
    #[inline]
    pub fn is_usable(&self) -> bool {
        !self.is_inherited() && self.lost.get().is_none()
    }

    /// Fails if the context was lost or inherited.
    #[inline]
    pub fn ready(&self) -> Result<(), DriverError> {
        if self.is_usable() { Ok(()) } else { Err(self.unusable()) }
    }

    #[cold]
    fn unusable(&self) -> DriverError {
        let device = self.info.name.clone();
        match self.lost.get() {
            Some(loss) if !self.is_inherited() => {
                let Loss { kernel, code, reason } = loss.clone();
                DriverError::Lost { device, kernel, code, reason }
            }
            _ => DriverError::Forked { device },
        }
    }

    /// Makes the context current at least until the result is dropped.
    #[inline]
    pub fn enter(&self) -> Result<Current<'_, V>, DriverError> {
        self.ready()?;
        let undo = self.api.enter(self.device, self.handle).map_err(|failure| self.report(failure))?;
        Ok(Current { context: self, undo })
    }

    /// Converts a failure to an error, and records the loss if the failure ends the context.
    #[cold]
    pub fn report(&self, failure: Failure) -> DriverError {
        if !V::is_sticky(failure) {
            return vendor_error(self.api.as_ref(), &self.info, failure);
        }
        self.lost.get_or_init(|| self.describe_loss(failure));
        self.unusable()
    }

    /// Converts the result of a query: "not ready" is `false`, not an error.
    pub(crate) fn answer(&self, result: Result<(), Failure>) -> Result<bool, DriverError> {
        match result {
            Ok(()) => Ok(true),
            Err(failure) if V::is_not_ready(failure) => {
                self.api.clear_last_error();
                Ok(false)
            }
            Err(failure) => Err(self.report(failure)),
        }
    }

    /// Describes the failure that ended the context, with the kernels that were not known to be
    /// complete.
    fn describe_loss(&self, failure: Failure) -> Loss {
        let mut numbers: Vec<u32> = lock(&self.streams).iter().flat_map(|stream| stream.unfinished()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let names: Vec<String> = numbers.into_iter().filter_map(|number| self.kernel_name(number)).collect();
        let reason = format!("{} reported {}", failure.call, VendorError::new(&self.api, failure.code));
        let code = failure.code;
        match &names[..] {
            [] => Loss { kernel: None, code, reason },
            [name] => Loss { kernel: Some(name.clone()), code, reason },
            _ => Loss {
                kernel: None,
                code,
                reason: format!("{reason}; one of these kernels did it: `{}`", names.join("`, `")),
            },
        }
    }

    fn kernel_name(&self, wanted: u32) -> Option<String> {
        let kernels = lock(&self.kernels);
        kernels.iter().find(|(_, number)| **number == wanted).map(|(name, _)| name.clone())
    }

    /// Numbers a kernel, from 1, so that a launch can record it in one word. Kernels with the same
    /// name share a number.
    pub fn number_kernel(&self, symbol: &str) -> u32 {
        let mut kernels = lock(&self.kernels);
        let next = kernels.len() as u32 + 1;
        *kernels.entry(symbol.to_owned()).or_insert(next)
    }

    /// Registers a stream, so that its unfinished kernels are reported when the context is lost.
    pub(crate) fn add_stream(&self, progress: &Arc<Progress>) {
        lock(&self.streams).push(Arc::clone(progress));
    }

    /// Unregisters a stream, all of whose commands are complete.
    pub(crate) fn unregister_stream(&self, progress: &Arc<Progress>) {
        lock(&self.streams).retain(|known| !Arc::ptr_eq(known, progress));
    }

    /// A native handle of the device or of the context.
    pub(crate) fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        match kind {
            NativeKind::Device => Some(self.api.native_device(self.device)),
            NativeKind::Context => V::NATIVE_CONTEXTS.then(|| V::native_context(self.handle)),
            _ => None,
        }
    }
}

/// Fails in a child process, which cannot use the library.
pub(crate) fn refuse_child(generation: Generation, info: &DeviceInfo) -> Result<(), DriverError> {
    if generation.is_current() { Ok(()) } else { Err(DriverError::Forked { device: info.name.clone() }) }
}

/// The error for a failure that leaves the context usable.
pub(crate) fn vendor_error<V: Vendor>(api: &V, info: &DeviceInfo, failure: Failure) -> DriverError {
    let source = Box::new(VendorError::new(api, failure.code));
    DriverError::Vendor { device: info.name.clone(), call: failure.call, source }
}

impl<V: Vendor> Drop for Context<V> {
    fn drop(&mut self) {
        if !self.is_usable() {
            return;
        }
        for event in self.spare_events.iter().flat_map(|spare| mem::take(&mut *lock(spare))) {
            // SAFETY: nobody uses the event. An error, such as that the process is exiting, needs
            // no handling.
            let _ = unsafe { self.api.event_destroy(event.0) };
        }
        // Everything that refers to the context holds a reference to it, so nothing uses it any
        // more.
        self.api.release(self.device);
    }
}

/// Guard: the context is current on this thread until it is dropped.
pub struct Current<'a, V: Vendor> {
    context: &'a Context<V>,
    undo: Option<V::Undo>,
}

impl<V: Vendor> Current<'_, V> {
    fn leave(&self, undo: V::Undo) {
        if let Err(Failure { call, code }) = self.context.api.leave(undo) {
            tracing::debug!("{call} returned {code}: the program's context may not be current again");
        }
    }
}

impl<V: Vendor> Drop for Current<'_, V> {
    #[inline]
    fn drop(&mut self) {
        if let Some(undo) = self.undo {
            self.leave(undo);
        }
    }
}
