//! Keeps writes of ours from ending the process that they happen in.
//!
//! Writing past the file size limit (`ulimit -f`) or into a pipe without a reader sends a signal to the thread that writes,
//! and both end a process that does not expect them. In: a piece of work. Out: its result, where such a write failed with
//! `EFBIG` or `EPIPE` instead. *Invariant:* the process's handlers are left alone, and the thread has the mask and the pending
//! signals that it had before, whatever way the work ends.
//!
//! The signals are blocked, not ignored: an ignored signal is ignored in all threads, and programs write as well. Comparing
//! with the limit first would be no better, because another thread may change it, and a library that is called may write.

use std::{mem::MaybeUninit, ptr};

/// What a write sends to its thread.
const OF_WRITES: [i32; 2] = [libc::SIGXFSZ, libc::SIGPIPE];

/// A set of signals that `fill` writes.
fn set(fill: impl FnOnce(*mut libc::sigset_t)) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: writes an empty set to memory for one.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    fill(set.as_mut_ptr());
    // SAFETY: it was initialised above.
    unsafe { set.assume_init() }
}

fn of(signals: impl IntoIterator<Item = i32>) -> libc::sigset_t {
    set(|set| {
        for signal in signals {
            // SAFETY: `set` is initialised, and the number is that of a signal.
            unsafe { libc::sigaddset(set, signal) };
        }
    })
}

/// Those of [`OF_WRITES`] that are in a set, each in its place.
fn members(of: &libc::sigset_t) -> [bool; OF_WRITES.len()] {
    // SAFETY: the set is initialised, and the numbers are those of signals.
    OF_WRITES.map(|signal| unsafe { libc::sigismember(of, signal) } == 1)
}

/// Those that wait for this thread.
fn pending() -> [bool; OF_WRITES.len()] {
    members(&set(|set| {
        // SAFETY: writes to the set, and fails for no other reason than a bad address.
        unsafe { libc::sigpending(set) };
    }))
}

/// Takes a signal that waits for this thread.
fn consume(signal: i32) {
    let (signals, now) = (of([signal]), libc::timespec { tv_sec: 0, tv_nsec: 0 });
    // SAFETY: set and time outlive the call, which waits for nothing. It may be interrupted by other signals.
    while unsafe { libc::sigtimedwait(&raw const signals, ptr::null_mut(), &raw const now) } == -1
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
}

/// The state of this thread before its writes were quiet, which is restored when it is dropped.
struct Before {
    blocked: [bool; OF_WRITES.len()],
    pending: [bool; OF_WRITES.len()],
}

impl Before {
    fn new() -> Self {
        let signals = of(OF_WRITES);
        let mask = set(|before| {
            // SAFETY: both sets outlive the call, which concerns this thread only.
            unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const signals, before) };
        });
        Before { blocked: members(&mask), pending: pending() }
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        let now = pending();
        let ours = (0..OF_WRITES.len()).filter(|index| now[*index] && !self.pending[*index]);
        ours.for_each(|index| consume(OF_WRITES[index]));
        let added = (0..OF_WRITES.len()).filter(|index| !self.blocked[*index]);
        let signals = of(added.map(|index| OF_WRITES[index]));
        // SAFETY: the set outlives the call; this thread blocked these signals in `new`.
        unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const signals, ptr::null_mut()) };
    }
}

/// Runs `work`, in which a write that the system refuses is an error and nothing else. Threads that it starts behave alike.
pub fn quiet<R>(work: impl FnOnce() -> R) -> R {
    let _before = Before::new();
    work()
}
