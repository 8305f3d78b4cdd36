//! The end of the process.
//!
//! In: what has unfinished work. Out: true once the process exits. *Invariant:* drivers of Vulkan
//! end in handlers of their own (`atexit`), after which every call crashes. So a handler that was
//! registered later, and therefore runs earlier, waits for what was submitted; from then on nothing
//! is called any more.

use sinter_driver_common::lock;
use std::sync::{
    Mutex, Weak,
    atomic::{AtomicBool, Ordering},
};

/// Longest wait for one of them, in nanoseconds: a kernel that never ends must not keep a process
/// from ending.
const PATIENCE: u64 = 2_000_000_000;

static EXITING: AtomicBool = AtomicBool::new(false);
static WATCHED: Mutex<Vec<Weak<dyn Unfinished>>> = Mutex::new(Vec::new());

/// Work that was submitted.
pub(crate) trait Unfinished: Send + Sync {
    /// Waits for it, but no longer than `patience`, in nanoseconds. In a forked child there is
    /// none.
    fn finish(&self, patience: u64);
}

/// True once nothing may be called any more.
#[inline]
pub(crate) fn is_near() -> bool {
    EXITING.load(Ordering::Acquire)
}

/// Registers the handler after a vendor's library has registered its own.
pub(crate) fn prepare() {
    // SAFETY: the handler may run at the end of any process.
    let code = unsafe { libc::atexit(at_exit) };
    if code != 0 {
        tracing::warn!(code, "the end of the process cannot be noticed");
    }
}

/// Waits for something when the process exits.
pub(crate) fn watch(unfinished: Weak<dyn Unfinished>) {
    let mut watched = lock(&WATCHED);
    watched.retain(|known| known.strong_count() > 0);
    watched.push(unfinished);
}

extern "C" fn at_exit() {
    // Several devices register the handler; the first run does everything. A thread that holds the
    // lock may have been stopped by the exit, so it is not waited for.
    if is_near() {
        return;
    }
    if let Ok(watched) = WATCHED.try_lock() {
        watched.iter().filter_map(Weak::upgrade).for_each(|unfinished| unfinished.finish(PATIENCE));
    }
    EXITING.store(true, Ordering::Release);
}
