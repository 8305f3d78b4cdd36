//! Device memory that programs free in the order of a stream.
//!
//! In: blocks that commands of a stream may still use, and sizes that later commands want. Out: a
//! block for these commands, or none. *Invariant:* the stream that freed a block gets it at once,
//! because it runs its commands in order; another stream gets it once the commands before the free
//! are complete.

use super::streams::Stream;
use crate::error::RuntimeError;
use sinter_driver::Ticket;
use std::{
    ffi::c_void,
    ptr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

/// Bytes that a device keeps.
pub(crate) const MOST_BYTES: usize = 1 << 30;

static BLOCKS: Mutex<Vec<Block>> = Mutex::new(Vec::new());

/// A block that the program has freed.
pub(crate) struct Block {
    device: u32,
    address: usize,
    size: usize,
    /// Who freed it; gone if the stream was destroyed, which waited for its commands.
    stream: Weak<Stream>,
    /// Its last command before.
    ticket: Ticket,
}

impl Block {
    fn is_of(&self, stream: &Arc<Stream>) -> bool {
        ptr::eq(self.stream.as_ptr(), Arc::as_ptr(stream))
    }

    fn is_unused(&self) -> bool {
        let is_complete = |stream: Arc<Stream>| stream.queue.driver_queue().is_complete(self.ticket);
        self.stream.upgrade().is_none_or(|stream| is_complete(stream).unwrap_or(false))
    }

    /// Returns once no command uses the block. The error is that of a command.
    pub(crate) fn wait(&self) -> Result<(), RuntimeError> {
        self.stream.upgrade().map_or(Ok(()), |stream| stream.queue.wait(self.ticket))
    }

    pub(crate) fn memory(&self) -> *mut c_void {
        ptr::with_exposed_provenance_mut(self.address)
    }
}

/// Freed blocks of all devices, the oldest first. A poisoned lock means that a thread panicked; the
/// list is changed by whole steps.
fn blocks() -> MutexGuard<'static, Vec<Block>> {
    BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True if the program has freed this block.
pub(crate) fn has(address: usize) -> bool {
    blocks().iter().any(|block| block.address == address)
}

/// The smallest block for `size` bytes that later commands of `stream` may use. Blocks of more than
/// twice that size are kept for others.
pub(crate) fn take(size: usize, stream: &Arc<Stream>) -> Option<*mut c_void> {
    let mut blocks = blocks();
    let fits = |block: &Block| (size..=size.saturating_mul(2)).contains(&block.size) && block.device == stream.device;
    let may_use = |block: &Block| block.is_of(stream) || block.is_unused();
    let suitable = blocks.iter().enumerate().filter(|(_, block)| fits(block) && may_use(block));
    let smallest = suitable.min_by_key(|(_, block)| block.size).map(|(index, _)| index)?;
    Some(blocks.remove(smallest).memory())
}

/// Keeps a block of `size` bytes that the commands of `stream` so far may use.
pub(crate) fn keep(memory: *mut c_void, size: usize, stream: &Arc<Stream>) {
    let (device, address, ticket) = (stream.device, memory.expose_provenance(), stream.last());
    blocks().push(Block { device, address, size, stream: Arc::downgrade(stream), ticket });
}

/// Removes the oldest block of a device, while it has more than `most` bytes.
pub(crate) fn remove_beyond(most: usize, device: u32) -> Option<Block> {
    let mut blocks = blocks();
    let total: usize = blocks.iter().filter(|block| block.device == device).map(|block| block.size).sum();
    let oldest = blocks.iter().position(|block| block.device == device)?;
    (total > most).then(|| blocks.remove(oldest))
}
