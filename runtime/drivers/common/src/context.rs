//! Everything on one GPU that this process shares: its context.
//!
//! In: the device. Out: a context that is current where it must be, and errors that say what became of it. *Invariant:* a context
//! that an error has spoilt is never called again, nor is one that a child process inherited. No context is entered while another one
//! of ours is.

use crate::{
    error::VendorError,
    fork::Generation,
    launch::Limits,
    progress::Progress,
    vendor::{Handle, Vendor},
};
use sinter_driver::{DeviceInfo, DriverError, NativeKind};
use sinter_dylib::Failure;
use std::{
    collections::BTreeMap,
    ffi::c_void,
    mem,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// A poisoned lock only means that a thread of the program ended under it; the data is whole at every point.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What took the context away.
#[derive(Debug)]
struct Loss {
    kernel: Option<String>,
    reason: String,
}

/// The context of a device.
pub struct Context<V: Vendor> {
    /// The library.
    pub api: Arc<V>,
    /// The library's number of the device.
    pub device: i32,
    /// What the library calls the context.
    pub handle: V::Context,
    /// The device's properties.
    pub info: Arc<DeviceInfo>,
    /// What launches and allocations must keep to.
    pub limits: Limits,
    generation: Generation,
    lost: OnceLock<Loss>,
    /// Events that nobody uses: those without times and those with them.
    pub(crate) spare_events: [Mutex<Vec<Handle<V::Event>>>; 2],
    /// Those of the queues that are alive.
    streams: Mutex<Vec<Arc<Progress>>>,
    /// The numbers of the kernels that were loaded, by symbol.
    kernels: Mutex<BTreeMap<String, u32>>,
}

impl<V: Vendor> Context<V> {
    /// Makes the context, which may take the library a few hundred milliseconds where it is the first to do so.
    pub(crate) fn retain(
        api: &Arc<V>,
        device: i32,
        info: &Arc<DeviceInfo>,
        limits: Limits,
        generation: Generation,
    ) -> Result<Self, DriverError> {
        refuse_child(generation, info)?;
        let handle = api.retain(device).map_err(|failure| vendor_error(api.as_ref(), info, failure))?;
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

    /// Whether this process is a child of the one that made the context.
    #[inline]
    pub fn is_inherited(&self) -> bool {
        !self.generation.is_current()
    }

    /// Whether calls can do anything.
    #[inline]
    pub fn is_usable(&self) -> bool {
        !self.is_inherited() && self.lost.get().is_none()
    }

    /// Refuses a call that could do nothing.
    #[inline]
    pub fn ready(&self) -> Result<(), DriverError> {
        if self.is_usable() { Ok(()) } else { Err(self.unusable()) }
    }

    #[cold]
    fn unusable(&self) -> DriverError {
        let device = self.info.name.clone();
        match self.lost.get() {
            Some(loss) if !self.is_inherited() => {
                DriverError::Lost { device, kernel: loss.kernel.clone(), reason: loss.reason.clone() }
            }
            _ => DriverError::Forked { device },
        }
    }

    /// Makes the context current, for as long as the result lives at least.
    #[inline]
    pub fn enter(&self) -> Result<Current<'_, V>, DriverError> {
        self.ready()?;
        let undo = self.api.enter(self.device, self.handle).map_err(|failure| self.report(failure))?;
        Ok(Current { context: self, undo })
    }

    /// Makes an error of a failure, and remembers it if it is the end of the context.
    #[cold]
    pub fn report(&self, failure: Failure) -> DriverError {
        if !V::is_sticky(failure) {
            return vendor_error(self.api.as_ref(), &self.info, failure);
        }
        self.lost.get_or_init(|| self.describe_loss(failure));
        self.unusable()
    }

    /// The answer of a query, which fails where the stream is not there yet.
    pub(crate) fn answer(&self, result: Result<(), Failure>) -> Result<bool, DriverError> {
        match result {
            Ok(()) => Ok(true),
            Err(failure) if V::is_not_ready(failure) => {
                self.api.forgive();
                Ok(false)
            }
            Err(failure) => Err(self.report(failure)),
        }
    }

    /// Says what ended the context and which kernels may be to blame.
    fn describe_loss(&self, failure: Failure) -> Loss {
        let mut numbers: Vec<u32> = lock(&self.streams).iter().flat_map(|stream| stream.unfinished()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let names: Vec<String> = numbers.into_iter().filter_map(|number| self.kernel_name(number)).collect();
        let reason = format!("{} reported {}", failure.call, VendorError::new(&self.api, failure.code));
        match &names[..] {
            [] => Loss { kernel: None, reason },
            [name] => Loss { kernel: Some(name.clone()), reason },
            _ => Loss {
                kernel: None,
                reason: format!("{reason}; one of these kernels did it: `{}`", names.join("`, `")),
            },
        }
    }

    fn kernel_name(&self, wanted: u32) -> Option<String> {
        let kernels = lock(&self.kernels);
        kernels.iter().find(|(_, number)| **number == wanted).map(|(name, _)| name.clone())
    }

    /// Numbers a kernel, from 1, so that a launch can note it in one word. Kernels of one name share their number.
    pub fn number_kernel(&self, symbol: &str) -> u32 {
        let mut kernels = lock(&self.kernels);
        let next = kernels.len() as u32 + 1;
        *kernels.entry(symbol.to_owned()).or_insert(next)
    }

    /// Counts a stream's kernels among those that may be to blame for a loss.
    pub(crate) fn add_stream(&self, progress: &Arc<Progress>) {
        lock(&self.streams).push(Arc::clone(progress));
    }

    /// Forgets a stream, all of whose commands are complete.
    pub(crate) fn forget_stream(&self, progress: &Arc<Progress>) {
        lock(&self.streams).retain(|known| !Arc::ptr_eq(known, progress));
    }

    /// A handle for the program, of the device or the context.
    pub(crate) fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        match kind {
            NativeKind::Device => Some(self.api.native_device(self.device)),
            NativeKind::Context => V::NATIVE_CONTEXTS.then(|| V::native_context(self.handle)),
            _ => None,
        }
    }
}

/// Refuses what a child process cannot do.
pub(crate) fn refuse_child(generation: Generation, info: &DeviceInfo) -> Result<(), DriverError> {
    if generation.is_current() { Ok(()) } else { Err(DriverError::Forked { device: info.name.clone() }) }
}

/// The error for a failure that spoils nothing.
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
            // SAFETY: nobody uses the event. An error, such as that the process is ending, leaves nothing to do.
            let _ = unsafe { self.api.event_destroy(event.0) };
        }
        // What refers to the context holds it.
        self.api.release(self.device);
    }
}

/// The context is current on this thread.
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
