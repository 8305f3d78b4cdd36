//! Distinguishes a process from the children that it forks.
//!
//! In: calls of `fork`. Out: a generation, which differs in the child. *Invariant:* reading it
//! costs one load and no system call: a handler in the child increments it before anything else
//! runs there.
//!
//! Vendor libraries do not work in a forked child of the process that started them, and threads of
//! a pool do not exist there. Everything created before the fork is therefore refused in the child.

use std::sync::{
    Once,
    atomic::{AtomicU64, Ordering},
};

static FORKS: AtomicU64 = AtomicU64::new(0);

/// Number of forks between the first process that used the driver and this descendant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation(u64);

impl Generation {
    /// Generation of this process.
    pub fn now() -> Self {
        count_forks();
        Generation(FORKS.load(Ordering::Relaxed))
    }

    /// True if this process is of the generation.
    #[inline]
    pub fn is_current(self) -> bool {
        self.0 == FORKS.load(Ordering::Relaxed)
    }
}

fn count_forks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler only increments an atomic, which is async-signal-safe.
        let code = unsafe { libc::pthread_atfork(None, None, Some(count_fork)) };
        if code != 0 {
            tracing::warn!(code, "forks cannot be noticed: queues must not be used in a child process");
        }
    });
}

unsafe extern "C" fn count_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}
