//! Everything on one GPU that this process shares: its primary context.
//!
//! In: the device. Out: a context that is current where it must be, and errors that say what became of it. *Invariant:* a context
//! that an error has spoilt is never called again, nor is one that a child process inherited.
//!
//! A call makes the context current, which costs one question to the driver. Where the thread has none, or one that a call of ours
//! for another GPU left there, it stays current; where a program that uses the driver itself has another one, ours is pushed for
//! the call and popped after it. Remembering in a thread-local what is current would be wrong as soon as the program changes it:
//! what is remembered is what we left, and the driver is asked. No context is entered while another one of ours is.

use crate::{
    api::{Api, Handle},
    error::{CudaError, Failure, code},
    features::Limits,
    fork::Generation,
    module::Retired,
    timeline::Timeline,
};
use cudarc::driver::sys::{CUctx_st, CUdevice, CUevent_st};
use sinter_driver::{DeviceInfo, DriverError};
use std::{
    cell::Cell,
    collections::BTreeMap,
    mem, ptr,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// A poisoned lock only means that a thread of the program ended under it; the data is whole at every point.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    /// The context that a call of ours left current on this thread.
    static LEFT: Cell<*mut CUctx_st> = const { Cell::new(ptr::null_mut()) };
}

/// What took the context away.
#[derive(Debug)]
struct Loss {
    kernel: Option<String>,
    reason: String,
}

/// The primary context of a device.
pub(crate) struct Context {
    pub(crate) api: Arc<Api>,
    pub(crate) device: CUdevice,
    pub(crate) handle: Handle<CUctx_st>,
    pub(crate) info: Arc<DeviceInfo>,
    pub(crate) limits: Limits,
    generation: Generation,
    lost: OnceLock<Loss>,
    /// Events that nobody uses: those without times and those with them.
    pub(crate) spare_events: [Mutex<Vec<Handle<CUevent_st>>>; 2],
    /// The queues that are alive.
    timelines: Mutex<Vec<Arc<Timeline>>>,
    /// Code that nobody can launch any more but that a stream may still run.
    retired: Mutex<Vec<Retired>>,
    /// The numbers of the kernels that were loaded, by symbol.
    kernels: Mutex<BTreeMap<String, u32>>,
}

impl Context {
    /// Retains the primary context, which takes the driver a few hundred milliseconds where it is the first to do so.
    pub(crate) fn retain(
        api: &Arc<Api>,
        device: CUdevice,
        info: &Arc<DeviceInfo>,
        limits: Limits,
        generation: Generation,
    ) -> Result<Self, DriverError> {
        refuse_child(generation, info)?;
        let mut handle = ptr::null_mut();
        // SAFETY: the device is one of the driver's, and `handle` may be written.
        unsafe { api.primary_retain(&raw mut handle, device) }.map_err(|failure| vendor(api, info, failure))?;
        Ok(Context {
            api: Arc::clone(api),
            device,
            handle: Handle(handle),
            info: Arc::clone(info),
            limits,
            generation,
            lost: OnceLock::new(),
            spare_events: Default::default(),
            timelines: Mutex::default(),
            retired: Mutex::default(),
            kernels: Mutex::default(),
        })
    }

    /// Whether this process is a child of the one that made the context.
    #[inline]
    pub(crate) fn is_inherited(&self) -> bool {
        !self.generation.is_current()
    }

    /// Whether calls can do anything.
    #[inline]
    pub(crate) fn is_usable(&self) -> bool {
        !self.is_inherited() && self.lost.get().is_none()
    }

    /// Refuses a call that could do nothing.
    #[inline]
    pub(crate) fn ready(&self) -> Result<(), DriverError> {
        if self.is_usable() { Ok(()) } else { Err(self.unusable()) }
    }

    #[cold]
    fn unusable(&self) -> DriverError {
        let device = self.info.name.clone();
        match self.lost.get() {
            Some(loss) if !self.is_inherited() => {
                DriverError::Lost { device, kernel: loss.kernel.clone(), reason: loss.reason.clone() }
            }
            _ => DriverError::Inherited { device },
        }
    }

    /// Makes the context current, for as long as the result lives at least.
    #[inline]
    pub(crate) fn enter(&self) -> Result<Current<'_>, DriverError> {
        self.ready()?;
        let mut current = ptr::null_mut();
        // SAFETY: `current` may be written.
        unsafe { self.api.context_current(&raw mut current) }.map_err(|failure| self.report(failure))?;
        let pushed = current != self.handle.0 && self.take_over(current)?;
        Ok(Current { context: self, pushed })
    }

    /// Makes the context current on a thread with another one, or with none. The answer is whether it must be popped.
    #[cold]
    fn take_over(&self, current: *mut CUctx_st) -> Result<bool, DriverError> {
        // What a thread that is ending remembers is gone already.
        let ours = current.is_null() || LEFT.try_with(Cell::get) == Ok(current);
        let taken = match ours {
            // SAFETY: the context was retained.
            true => unsafe { self.api.context_set(self.handle.0) },
            // SAFETY: the context was retained.
            false => unsafe { self.api.context_push(self.handle.0) },
        };
        taken.map_err(|failure| self.report(failure))?;
        if ours {
            // A thread that is ending pushes and pops from now on.
            let _ = LEFT.try_with(|left| left.set(self.handle.0));
        }
        Ok(!ours)
    }

    /// Makes an error of a failure, and remembers it if it is the end of the context.
    #[cold]
    pub(crate) fn report(&self, failure: Failure) -> DriverError {
        if !failure.is_sticky() {
            return vendor(&self.api, &self.info, failure);
        }
        self.lost.get_or_init(|| self.describe_loss(failure));
        self.unusable()
    }

    /// Says what ended the context and which kernels may be to blame.
    fn describe_loss(&self, failure: Failure) -> Loss {
        let mut numbers: Vec<u32> = lock(&self.timelines).iter().flat_map(|timeline| timeline.unfinished()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let names: Vec<String> = numbers.into_iter().filter_map(|number| self.kernel_name(number)).collect();
        let reason = format!("{} reported {}", failure.call, CudaError::new(&self.api, failure.code));
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
    pub(crate) fn number_kernel(&self, symbol: &str) -> u32 {
        let mut kernels = lock(&self.kernels);
        let next = kernels.len() as u32 + 1;
        *kernels.entry(symbol.to_owned()).or_insert(next)
    }

    pub(crate) fn add_timeline(&self, timeline: &Arc<Timeline>) {
        lock(&self.timelines).push(Arc::clone(timeline));
    }

    /// Forgets a queue, all of whose commands are complete.
    pub(crate) fn remove_timeline(&self, timeline: &Arc<Timeline>) {
        lock(&self.timelines).retain(|known| !Arc::ptr_eq(known, timeline));
        self.unload_retired();
    }

    /// The queues that are alive now.
    pub(crate) fn timelines(&self) -> Vec<Arc<Timeline>> {
        lock(&self.timelines).clone()
    }

    /// Keeps code until the streams have passed.
    pub(crate) fn retire(&self, retired: Retired) {
        lock(&self.retired).push(retired);
    }

    /// Unloads the code that no stream can run any more.
    pub(crate) fn unload_retired(&self) {
        let waiting = mem::take(&mut *lock(&self.retired));
        let (passed, waiting): (Vec<_>, Vec<_>) = waiting.into_iter().partition(Retired::has_passed);
        lock(&self.retired).extend(waiting);
        drop(passed);
    }
}

/// Refuses what a child process cannot do.
pub(crate) fn refuse_child(generation: Generation, info: &DeviceInfo) -> Result<(), DriverError> {
    if generation.is_current() { Ok(()) } else { Err(DriverError::Inherited { device: info.name.clone() }) }
}

/// The error for a failure that spoils nothing.
pub(crate) fn vendor(api: &Api, info: &DeviceInfo, failure: Failure) -> DriverError {
    let source = Box::new(CudaError::new(api, failure.code));
    DriverError::Vendor { device: info.name.clone(), call: failure.call, source }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.is_usable() {
            return;
        }
        for event in self.spare_events.iter().flat_map(|spare| mem::take(&mut *lock(spare))) {
            // SAFETY: nobody uses the event. An error, such as that the process is ending, leaves nothing to do.
            let _ = unsafe { self.api.event_destroy(event.0) };
        }
        // SAFETY: what refers to the context holds it. An error leaves nothing to do.
        let _ = unsafe { self.api.primary_release(self.device) };
    }
}

/// The context is current on this thread.
pub(crate) struct Current<'a> {
    context: &'a Context,
    pushed: bool,
}

impl Drop for Current<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.pushed {
            let mut popped = ptr::null_mut();
            // SAFETY: the context was pushed on this thread; `popped` may be written.
            let result = unsafe { self.context.api.context_pop(&raw mut popped) };
            debug_assert!(result.is_ok() || !self.context.is_usable());
        }
    }
}

/// Whether a query said yes, no or something else.
pub(crate) fn answer(result: Result<(), Failure>) -> Result<bool, Failure> {
    match result {
        Ok(()) => Ok(true),
        Err(failure) if failure.code == code::NOT_READY => Ok(false),
        Err(failure) => Err(failure),
    }
}
