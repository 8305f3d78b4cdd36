//! Launches that wait for their submission.
//!
//! In: launches that are recorded, with their arguments. Out: the commands, and the blocks that
//! they use. *Invariant:* arguments stay as they are until the commands are complete.

use crate::block::Block;
use ash::vk;

/// Submissions under way from which on launches are collected.
pub(crate) const AHEAD: usize = 4;
/// Most launches of a batch.
pub(crate) const MOST_LAUNCHES: usize = 32;
/// Alignment of arguments in their block, in bytes.
const ALIGNMENT: u64 = 64;

/// Commands that are recorded and not submitted.
pub(crate) struct Batch {
    pub(crate) commands: vk::CommandBuffer,
    /// Blocks that the commands use.
    pub(crate) kept: Vec<Block>,
    pub(crate) launches: usize,
    /// Bytes that are used of the last block, which has arguments; `None` without such a block.
    used: Option<u64>,
}

impl Batch {
    /// A batch without commands.
    pub(crate) fn new(commands: vk::CommandBuffer) -> Self {
        Batch { commands, kept: Vec::new(), launches: 0, used: None }
    }

    /// Keeps blocks that commands use.
    pub(crate) fn keep(&mut self, blocks: Vec<Block>) {
        if !blocks.is_empty() {
            self.kept.extend(blocks);
            self.used = None;
        }
    }

    /// Copies arguments to a block, and returns their address for kernels; `make` makes a block of
    /// at least so many bytes. Without arguments there is no block.
    pub(crate) fn pass<E>(&mut self, arguments: &[u8], make: impl FnOnce(u64) -> Result<Block, E>) -> Result<u64, E> {
        let size = (arguments.len() as u64).next_multiple_of(ALIGNMENT);
        if size == 0 {
            return Ok(0);
        }
        let has_room = |block: &Block| self.used.is_some_and(|used| used + size <= block.size);
        if !self.kept.last().is_some_and(has_room) {
            self.kept.push(make(size)?);
            self.used = Some(0);
        }
        let start = self.used.unwrap_or(0);
        let block = &self.kept[self.kept.len() - 1];
        // SAFETY: the block has these bytes, which nothing uses yet.
        unsafe { block.mapped.add(start as usize).copy_from_nonoverlapping(arguments.as_ptr(), arguments.len()) };
        self.used = Some(start + size);
        Ok(block.address + start)
    }
}
