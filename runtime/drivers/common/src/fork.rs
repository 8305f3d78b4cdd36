//! Tells a process from the children that it forks.
//!
//! In: calls of `fork`. Out: a generation, which differs in the child. *Invariant:* asking for it costs one load, no
//! system call: the child counts when it starts, before anything else runs in it.
//!
//! No vendor's library can be used in a child of a process that started it, and the threads of a pool do not exist there, so
//! everything made before is refused.

use std::sync::{
    Once,
    atomic::{AtomicU64, Ordering},
};

static FORKS: AtomicU64 = AtomicU64::new(0);

/// The number of forks that lie between the first process that used the driver and one of its descendants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation(u64);

impl Generation {
    /// The generation of this process.
    pub fn now() -> Self {
        count_forks();
        Generation(FORKS.load(Ordering::Relaxed))
    }

    /// Whether this process is of the generation.
    #[inline]
    pub fn is_current(self) -> bool {
        self.0 == FORKS.load(Ordering::Relaxed)
    }
}

fn count_forks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler only adds to an atomic number, which is allowed after a fork.
        let code = unsafe { libc::pthread_atfork(None, None, Some(count_fork)) };
        if code != 0 {
            tracing::warn!(code, "forks cannot be noticed: queues must not be used in a child process");
        }
    });
}

unsafe extern "C" fn count_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}
