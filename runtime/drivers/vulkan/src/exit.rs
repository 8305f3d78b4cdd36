//! The end of the process.
//!
//! In: timelines with unfinished work. Out: true once the process exits. *Invariant:* drivers of
//! Vulkan end in handlers of their own (`atexit`), after which every call crashes. So a handler that
//! was registered later, and therefore runs earlier, waits for what was submitted; from then on
//! nothing is called any more.

use crate::position::Timeline;
use sinter_driver_common::lock;
use std::sync::{
    Mutex, Weak,
    atomic::{AtomicBool, Ordering},
};

/// Longest wait for one timeline, in nanoseconds: a kernel that never ends must not keep a process
/// from ending.
const PATIENCE: u64 = 2_000_000_000;

static EXITING: AtomicBool = AtomicBool::new(false);
static TIMELINES: Mutex<Vec<Weak<Timeline>>> = Mutex::new(Vec::new());

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

/// Waits for a timeline when the process exits.
pub(crate) fn watch(timeline: Weak<Timeline>) {
    let mut timelines = lock(&TIMELINES);
    timelines.retain(|known| known.strong_count() > 0);
    timelines.push(timeline);
}

extern "C" fn at_exit() {
    // Several devices register the handler; the first run does everything. A thread that holds the
    // lock may have been stopped by the exit, so it is not waited for.
    if is_near() {
        return;
    }
    if let Ok(timelines) = TIMELINES.try_lock() {
        // A forked child has none of its own.
        for timeline in timelines.iter().filter_map(Weak::upgrade).filter(|timeline| timeline.logical.is_usable()) {
            timeline.wait_for(timeline.last(), PATIENCE).ok();
        }
    }
    EXITING.store(true, Ordering::Release);
}
