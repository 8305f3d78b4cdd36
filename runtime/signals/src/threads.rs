//! Starts threads that leave the signals of the program to the threads of the program.
//!
//! In: a piece of work that starts threads. Out: its result; each of those threads blocks the
//! signals that any thread of the process may take. *Invariant:* a signal that a thread causes
//! itself is never blocked there, and the calling thread keeps its mask.
//!
//! A handler of the program, or a `sigwait` of one of its threads, would otherwise run on, or
//! compete with, a thread that the program does not know. Profilers sample the threads that use
//! processor time, so `SIGPROF` comes through.

use super::set;
use std::ptr;

/// Signals that a thread causes by an instruction, by `abort`, by an access to a file or a terminal
/// of its own, or by the time that it uses.
const OF_THE_THREAD: [i32; 12] = [
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGSEGV,
    libc::SIGSYS,
    libc::SIGTRAP,
    libc::SIGPIPE,
    libc::SIGXFSZ,
    libc::SIGTTIN,
    libc::SIGTTOU,
    libc::SIGPROF,
];

/// The signal mask to restore when dropped.
struct Mask(libc::sigset_t);

impl Drop for Mask {
    fn drop(&mut self) {
        // SAFETY: the set outlives the call, which affects only this thread.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}

fn of_others() -> libc::sigset_t {
    set(|set| {
        // SAFETY: `set` is initialised.
        unsafe { libc::sigfillset(set) };
        for signal in OF_THE_THREAD {
            // SAFETY: `set` is initialised, and `signal` is a signal number.
            unsafe { libc::sigdelset(set, signal) };
        }
    })
}

/// Runs `work`. Threads that it starts take no signals that are sent to the process.
pub fn while_starting_threads<R>(work: impl FnOnce() -> R) -> R {
    let signals = of_others();
    let _mask = Mask(set(|before| {
        // SAFETY: both sets outlive the call, which affects only this thread.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const signals, before) };
    }));
    work()
}
