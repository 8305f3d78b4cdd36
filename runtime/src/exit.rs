//! The end of the process.
//!
//! In: uses of devices that a vendor's library runs. Out: permission. Such a library ends with the
//! process, while other threads may go on. *Invariant:* once the process has begun to exit, no
//! parallel algorithm and no job of the background begins to use such a device, and those that use
//! one are waited for, for a while. Algorithms go on to the CPU of the host.
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

/// The longest time that the exit waits for kernels, which may be endless, and for compilations.
const PATIENCE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];
const PAUSE: Duration = Duration::from_micros(100);

static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
static USES: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
/// The process that has used a device, by its generation. The threads of a child that it forks are
/// others.
static USER: AtomicU64 = AtomicU64::new(0);

/// The use of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Launch,
    Compilation,
}

/// A device is in use until this is dropped.
#[derive(Debug)]
pub(crate) struct Use(Purpose);

impl Use {
    /// `None` once the process has begun to exit.
    pub(crate) fn begin(purpose: Purpose) -> Option<Self> {
        USES[purpose as usize].fetch_add(1, Ordering::SeqCst);
        let own = Use(purpose);
        (!has_begun()).then_some(own)
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        USES[self.0 as usize].fetch_sub(1, Ordering::SeqCst);
    }
}

/// True once the process has begun to exit, if a vendor's library may be in use.
pub(crate) fn has_begun() -> bool {
    HAS_BEGUN.load(Ordering::SeqCst)
}

/// A moment at which a vendor's library may have started a part of itself, and registered functions
/// for the end of the process. Ours runs before those that were registered before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The devices of the library are known.
    Found,
    /// A device was chosen, and has a queue.
    Chosen,
    /// Code was assembled for a launch.
    Assembled,
    /// A kernel is complete.
    Complete,
}

/// Called at such a moment. Only the first one of its kind counts.
pub(crate) fn expect(moment: Moment) {
    static FIRST: Once = Once::new();
    static EACH: [Once; 4] = [const { Once::new() }; 4];
    FIRST.call_once(|| USER.store(forks::generation(), Ordering::Relaxed));
    EACH[moment as usize].call_once(register);
}

fn register() {
    // SAFETY: the function takes no arguments, and lives as long as this library.
    if unsafe { libc::atexit(at_exit) } != 0 {
        tracing::warn!("the exit of the process cannot be noticed: algorithms must end before");
    }
}

extern "C" fn at_exit() {
    HAS_BEGUN.store(true, Ordering::SeqCst);
    let (start, is_own) = (Instant::now(), USER.load(Ordering::Relaxed) == forks::generation());
    let waits_for = |purpose: usize| USES[purpose].load(Ordering::SeqCst) != 0 && start.elapsed() < PATIENCE[purpose];
    while is_own && (0..PATIENCE.len()).any(waits_for) {
        thread::sleep(PAUSE);
    }
}
