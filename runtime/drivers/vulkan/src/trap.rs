//! Traps: kernels that found that they cannot go on.
//!
//! In: the status of each kernel that has a trap. Out: the message of the first trap that was seen.
//! *Invariant:* a status is a word that only the kernel writes; it is read when a submission is
//! known to be complete. Without kernels that have traps nothing is read.

use crate::failure::failure;
use sinter_driver_common::{Failure, error::code, lock};
use std::sync::{
    Arc, Mutex, OnceLock, Weak,
    atomic::{AtomicUsize, Ordering},
};

/// A kernel that has a trap.
pub(crate) trait Trapping: Send + Sync {
    /// The message of the trap that happened, if one did.
    fn message(&self) -> Option<String>;
}

/// The kernels of a device that have traps.
#[derive(Default)]
pub(crate) struct Traps {
    watched: Mutex<Vec<Weak<dyn Trapping>>>,
    count: AtomicUsize,
    first: OnceLock<String>,
}

impl Traps {
    /// Looks at a status from now on.
    pub(crate) fn watch(&self, status: &Arc<dyn Trapping>) {
        let mut watched = lock(&self.watched);
        watched.retain(|known| known.strong_count() > 0);
        watched.push(Arc::downgrade(status));
        self.count.store(watched.len(), Ordering::Release);
    }

    /// Fails if a kernel has trapped.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.count.load(Ordering::Acquire) == 0 { Ok(()) } else { self.look() }
    }

    #[cold]
    fn look(&self) -> Result<(), Failure> {
        let watched = lock(&self.watched);
        let Some(message) = watched.iter().filter_map(Weak::upgrade).find_map(|status| status.message()) else {
            return Ok(());
        };
        self.first.get_or_init(|| message);
        Err(failure("vkWaitSemaphores", code::ASSERT))
    }

    /// The message of the first trap.
    pub(crate) fn text(&self) -> Option<String> {
        self.first.get().cloned()
    }
}
