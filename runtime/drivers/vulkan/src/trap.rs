//! Traps: kernels that found that they cannot go on.
//!
//! In: the status of each kernel that has a trap. Out: the message of the first trap that was seen.
//! *Invariant:* a status is a word that only the kernel writes; it is read when a submission is
//! known to be complete. Without kernels that have traps nothing is read.

use crate::{block::Block, failure::failure};
use sinter_core::spirv::push_constants::{Facts, STATUS_SIZE};
use sinter_driver_common::{Failure, error::code, lock};
use std::sync::{
    Arc, Mutex, OnceLock, Weak,
    atomic::{AtomicU32, AtomicUsize, Ordering},
};

/// The status of one kernel.
pub(crate) struct Status {
    block: Block,
    symbol: String,
    messages: Vec<(u32, String)>,
}

impl Status {
    /// The status of a kernel whose module states facts. The memory is zeroed.
    pub(crate) fn new(block: Block, symbol: &str, facts: Facts) -> Arc<Self> {
        // SAFETY: the block has that size, and the host can access it.
        unsafe { block.mapped.write_bytes(0, STATUS_SIZE as usize) };
        Arc::new(Status { block, symbol: symbol.to_owned(), messages: facts.traps })
    }

    /// Address for kernels.
    pub(crate) fn address(&self) -> u64 {
        self.block.address
    }

    fn message(&self) -> Option<String> {
        // SAFETY: the word is alive, aligned, and written by the device as a whole.
        let number = unsafe { AtomicU32::from_ptr(self.block.mapped.cast()) }.load(Ordering::Acquire);
        let known = self.messages.iter().find(|(known, _)| *known == number);
        let text = known.map_or_else(|| format!("trap {number}"), |(_, message)| message.clone());
        (number != 0).then(|| format!("{}: {text}", self.symbol))
    }
}

/// The kernels of a device that have traps.
#[derive(Default)]
pub(crate) struct Traps {
    watched: Mutex<Vec<Weak<Status>>>,
    count: AtomicUsize,
    first: OnceLock<String>,
}

impl Traps {
    /// Looks at a status from now on.
    pub(crate) fn watch(&self, status: &Arc<Status>) {
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
