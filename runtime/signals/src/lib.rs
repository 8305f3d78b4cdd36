//! Keeps failed writes of the runtime from killing the program's process.
//!
//! A write past the file size limit (`ulimit -f`) or into a pipe without a reader sends a signal to
//! the writing thread; by default both kill the process. In: a piece of work. Out: its result, in
//! which such a write failed with `EFBIG` or `EPIPE` instead. *Invariant:* the process's handlers
//! are not changed, and the thread afterwards has the signal mask and pending signals that it had
//! before, however the work ends. Signals sent to the process stay pending for the process.
//!
//! The signals are blocked, not ignored: ignoring applies to all threads, and programs write as
//! well. Comparing with the limit first would not be better, because another thread may change it,
//! and a called library may write.
//!
//! Threads inherit the mask of the thread that starts them, and threads of a vendor library outlive
//! the work, so calls into such a library are made [`with_signals_restored`]. One case remains: if
//! the program itself blocks a signal that is already pending, a signal from the runtime's write
//! cannot be told apart from it, and stays pending with it.

mod child;
mod threads;

pub use child::{Ended, hand_over};
pub use threads::while_starting_threads;

use std::{cell::Cell, mem::MaybeUninit, ptr};

/// Signals that a failed write sends to its thread.
const OF_WRITES: [i32; 2] = [libc::SIGXFSZ, libc::SIGPIPE];

/// An initialised signal set, filled by `fill`.
fn set(fill: impl FnOnce(*mut libc::sigset_t)) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: writes an empty set to memory of its type.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    fill(set.as_mut_ptr());
    // SAFETY: it was initialised above.
    unsafe { set.assume_init() }
}

fn of(signals: impl IntoIterator<Item = i32>) -> libc::sigset_t {
    set(|set| {
        for signal in signals {
            // SAFETY: `set` is initialised, and `signal` is a signal number.
            unsafe { libc::sigaddset(set, signal) };
        }
    })
}

/// For each signal of [`OF_WRITES`]: true if the set contains it.
fn members(of: &libc::sigset_t) -> [bool; OF_WRITES.len()] {
    // SAFETY: the set is initialised, and these are signal numbers.
    OF_WRITES.map(|signal| unsafe { libc::sigismember(of, signal) } == 1)
}

/// For each signal of [`OF_WRITES`]: true if it is pending for this thread or for the process.
fn pending() -> [bool; OF_WRITES.len()] {
    members(&set(|set| {
        // SAFETY: writes to the set; a bad address is the only possible failure.
        unsafe { libc::sigpending(set) };
    }))
}

/// Consumes a signal that is pending for this thread, but none that is pending for the process.
fn consume(signal: i32) {
    // Linux delivers the signals of the thread before those of the process. The call below ensures
    // that the thread has one, whichever of the two was seen pending; a thread that already has one
    // does not get a second.
    // SAFETY: names this thread and a signal that it blocks.
    unsafe { libc::pthread_kill(libc::pthread_self(), signal) };
    let (signals, now) = (of([signal]), libc::timespec { tv_sec: 0, tv_nsec: 0 });
    // SAFETY: set and time outlive the call, which does not block. Other signals may interrupt it.
    while unsafe { libc::sigtimedwait(&raw const signals, ptr::null_mut(), &raw const now) } == -1
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
}

/// Signal state of a thread before it became quiet.
#[derive(Clone, Copy)]
struct Before {
    blocked: [bool; OF_WRITES.len()],
    pending: [bool; OF_WRITES.len()],
}

impl Before {
    fn new() -> Self {
        let signals = of(OF_WRITES);
        let mask = set(|before| {
            // SAFETY: both sets outlive the call, which affects only this thread.
            unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const signals, before) };
        });
        Before { blocked: members(&mask), pending: pending() }
    }

    /// True if a signal was pending for this thread: one that is not blocked is about to be
    /// delivered to another thread.
    fn waited(&self, index: usize) -> bool {
        self.blocked[index] && self.pending[index]
    }

    fn restore(self) {
        let now = pending();
        let ours = (0..OF_WRITES.len()).filter(|index| now[*index] && !self.waited(*index));
        ours.for_each(|index| consume(OF_WRITES[index]));
        let added = (0..OF_WRITES.len()).filter(|index| !self.blocked[*index]);
        let signals = of(added.map(|index| OF_WRITES[index]));
        // SAFETY: the set outlives the call; this thread blocked these signals in `new`.
        unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const signals, ptr::null_mut()) };
    }
}

thread_local! {
    /// State to restore; present while this thread is quiet.
    static BEFORE: Cell<Option<Before>> = const { Cell::new(None) };
}

/// Makes this thread quiet or not. Returns true if it was quiet before.
fn turn(quiet: bool) -> bool {
    let before = BEFORE.get();
    match (before, quiet) {
        (None, true) => BEFORE.set(Some(Before::new())),
        (Some(before), false) => {
            BEFORE.set(None);
            before.restore();
        }
        _ => {}
    }
    before.is_some()
}

/// Restores the previous state of this thread when dropped.
struct Turned {
    was: bool,
}

impl Drop for Turned {
    fn drop(&mut self) {
        turn(self.was);
    }
}

/// Runs `work` with the signals of failed writes blocked: such a write only returns an error.
/// Threads that `work` starts inherit this.
pub fn with_signals_blocked<R>(work: impl FnOnce() -> R) -> R {
    let _turned = Turned { was: turn(true) };
    work()
}

/// Runs `work` with the signal mask from before [`with_signals_blocked`]: for code that starts
/// threads of its own.
pub fn with_signals_restored<R>(work: impl FnOnce() -> R) -> R {
    let _turned = Turned { was: turn(false) };
    work()
}
