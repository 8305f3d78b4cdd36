//! The end of the process.
//!
//! In: uses of devices that a vendor's library runs. Out: permission. Such a library ends with the
//! process, while other threads may go on. *Invariant:* once the process has begun to exit, no
//! algorithm begins to use such a device, and those that use one are waited for, for a while. They
//! go on to the CPU of the host.
#![expect(unsafe_code, reason = "registers a function that runs at the exit of the process")]

use crate::forks;
use std::{
    sync::{
        Once,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// The longest time that the exit waits: kernels may be endless.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_micros(100);

static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
static USES: AtomicUsize = AtomicUsize::new(0);
/// The process that has used a device, by its generation. The threads of a child that it forks are
/// others.
static USER: AtomicU64 = AtomicU64::new(0);

/// A device is in use until this is dropped.
#[derive(Debug)]
pub(super) struct Use(());

impl Use {
    /// `None` once the process has begun to exit.
    pub(super) fn begin() -> Option<Self> {
        USES.fetch_add(1, Ordering::SeqCst);
        let own = Use(());
        (!has_begun()).then_some(own)
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        USES.fetch_sub(1, Ordering::SeqCst);
    }
}

/// True once the process has begun to exit, if a vendor's library may be in use.
pub(super) fn has_begun() -> bool {
    HAS_BEGUN.load(Ordering::SeqCst)
}

/// Called when a device is chosen, after its library has started: functions that are registered
/// later run earlier.
pub(super) fn expect() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        USER.store(forks::generation(), Ordering::Relaxed);
        register();
    });
}

/// Called when a kernel of such a device is complete: a library may start a part of itself with the
/// first one.
pub(super) fn expect_again() {
    static ONCE: Once = Once::new();
    ONCE.call_once(register);
}

fn register() {
    // SAFETY: the function takes no arguments, and lives as long as this library.
    if unsafe { libc::atexit(at_exit) } != 0 {
        tracing::warn!("the exit of the process cannot be noticed: algorithms must end before");
    }
}

extern "C" fn at_exit() {
    HAS_BEGUN.store(true, Ordering::SeqCst);
    let end = Instant::now() + PATIENCE;
    let is_own = USER.load(Ordering::Relaxed) == forks::generation();
    while is_own && USES.load(Ordering::SeqCst) != 0 && Instant::now() < end {
        thread::sleep(PAUSE);
    }
}
