//! Keeps writes of ours from ending the process that they happen in.
//!
//! Writing past the file size limit (`ulimit -f`) or into a pipe without a reader sends a signal to the thread that writes,
//! and both end a process that does not expect them. In: a piece of work. Out: its result, where such a write failed with
//! `EFBIG` or `EPIPE` instead. *Invariant:* the process's handlers are left alone, and the thread has the mask and the pending
//! signals that it had before, whatever way the work ends; signals that are sent to the process stay with the process.
//!
//! The signals are blocked, not ignored: an ignored signal is ignored in all threads, and programs write as well. Comparing
//! with the limit first would be no better, because another thread may change it, and a library that is called may write.
//!
//! Threads inherit the mask of the one that starts them, and those of a vendor's library outlive the work: calls into such a
//! library are made [`aloud`]. One case remains: where the program itself blocks a signal that waits already, one of ours
//! cannot be told from it, and is left with it.

mod child;

pub use child::{Ended, hand_over};

use std::{cell::Cell, mem::MaybeUninit, ptr};

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

/// Those that wait for this thread or for any of the process.
fn pending() -> [bool; OF_WRITES.len()] {
    members(&set(|set| {
        // SAFETY: writes to the set, and fails for no other reason than a bad address.
        unsafe { libc::sigpending(set) };
    }))
}

/// Takes a signal that waits for this thread, and none that waits for the process.
fn consume(signal: i32) {
    // Linux gives a thread its own signals first, of which there is now one whoever the one was sent to that was seen to
    // wait: a thread that has one already gets no second.
    // SAFETY: names this thread and a signal that it blocks.
    unsafe { libc::pthread_kill(libc::pthread_self(), signal) };
    let (signals, now) = (of([signal]), libc::timespec { tv_sec: 0, tv_nsec: 0 });
    // SAFETY: set and time outlive the call, which waits for nothing. It may be interrupted by other signals.
    while unsafe { libc::sigtimedwait(&raw const signals, ptr::null_mut(), &raw const now) } == -1
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
}

/// The state of a thread before its writes were quiet.
#[derive(Clone, Copy)]
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

    /// Whether a signal waited for this thread: one that is not blocked is on its way to another.
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
    /// What to restore, while this thread is quiet.
    static BEFORE: Cell<Option<Before>> = const { Cell::new(None) };
}

/// Makes this thread quiet or not. Returns whether it was.
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

/// Makes this thread what it was when it is dropped.
struct Turned {
    was: bool,
}

impl Drop for Turned {
    fn drop(&mut self) {
        turn(self.was);
    }
}

/// Runs `work`, in which a write that the system refuses is an error and nothing else. Threads that it starts behave alike.
pub fn quiet<R>(work: impl FnOnce() -> R) -> R {
    let _turned = Turned { was: turn(true) };
    work()
}

/// Runs `work` with the signals that the thread had before it was [`quiet`]: for code that starts threads of its own.
pub fn aloud<R>(work: impl FnOnce() -> R) -> R {
    let _turned = Turned { was: turn(false) };
    work()
}
