//! The time in which blocks are handed out.
//!
//! In: the events of a process. Out: its state. *Invariant:* a state other than the first two is
//! never followed by an earlier one.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Before `main`, or in a program without one of ours.
pub(crate) const EARLY: u8 = 0;
/// `main` has begun, and nothing was allocated yet.
pub(crate) const READY: u8 = 1;
/// The first allocation asks the runtime.
pub(crate) const STARTING: u8 = 2;
/// Blocks are handed out.
pub(crate) const ACTIVE: u8 = 3;
/// Blocks are not handed out any more, or never were.
pub(crate) const PLAIN: u8 = 4;

pub(crate) static STATE: AtomicU8 = AtomicU8::new(EARLY);
pub(crate) static IS_CHILD: AtomicBool = AtomicBool::new(false);

/// Replaces one state by a later one. False if the process is in another one.
pub(crate) fn advance(from: u8, to: u8) -> bool {
    STATE.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
}

/// True before the process exits.
pub(crate) fn is_running() -> bool {
    STATE.load(Ordering::Acquire) != PLAIN
}

/// True in a child process that has not called `exec`.
pub(crate) fn is_child() -> bool {
    IS_CHILD.load(Ordering::Relaxed)
}
