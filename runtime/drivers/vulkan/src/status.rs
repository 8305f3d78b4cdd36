//! The status of a kernel: a word that says which trap happened.
//!
//! In: memory that host and kernels access, and the messages that a module states. Out: the message
//! of a trap that happened. *Invariant:* only the kernel writes the word after it was zeroed.

use crate::{block::Block, trap::Trapping};
use sinter_core::spirv::push_constants::{Facts, STATUS_SIZE};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
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
}

impl Trapping for Status {
    fn message(&self) -> Option<String> {
        // SAFETY: the word is alive, aligned, and written by the device as a whole.
        let number = unsafe { AtomicU32::from_ptr(self.block.mapped.cast()) }.load(Ordering::Acquire);
        let known = self.messages.iter().find(|(known, _)| *known == number);
        let text = known.map_or_else(|| format!("trap {number}"), |(_, message)| message.clone());
        (number != 0).then(|| format!("{}: {text}", self.symbol))
    }
}
