//! Memory for the intermediate results of algorithms, which later calls use again.
//!
//! In: sizes. Out: memory that nothing uses. Kernels of the device and of the CPU reach it.
//! *Invariant:* memory is taken back when the commands that use it are complete, so that any thread
//! may have it next.
#![expect(unsafe_code, reason = "returns memory to drivers")]

use crate::{
    devices::{DEFAULT_ALIGNMENT, DeviceEntry},
    error::RuntimeError,
};
use sinter_driver::{DriverError, MemoryKind};
use std::{
    collections::HashMap,
    ffi::c_void,
    sync::{Arc, Mutex, PoisonError},
};

/// Bytes that are kept for later calls.
const KEPT: usize = 1 << 30;
/// Sizes are multiples, so that calls with a few more elements find memory too.
const GRANULE: usize = 4096;

struct Block {
    device: Arc<DeviceEntry>,
    kind: MemoryKind,
    size: usize,
}

/// Blocks by address, as the maps of two kinds: those that calls have, and those that are free.
#[derive(Default)]
struct Blocks {
    used: HashMap<usize, Block>,
    free: Vec<(usize, Block)>,
}

static BLOCKS: Mutex<Option<Blocks>> = Mutex::new(None);

fn with_blocks<R>(action: impl FnOnce(&mut Blocks) -> R) -> R {
    action(BLOCKS.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

impl Blocks {
    /// The smallest free block that fits and is not far larger.
    fn take(&mut self, device: &Arc<DeviceEntry>, kind: MemoryKind, size: usize) -> Option<usize> {
        let fits = |block: &Block| {
            Arc::ptr_eq(&block.device, device) && block.kind == kind && (size..=4 * size).contains(&block.size)
        };
        let fitting = self.free.iter().enumerate().filter(|(_, (_, block))| fits(block));
        let (index, _) = fitting.min_by_key(|(_, (_, block))| block.size)?;
        let (address, block) = self.free.swap_remove(index);
        self.used.insert(address, block);
        Some(address)
    }

    /// Moves a block to the free ones. Returns those that are too many: the oldest.
    fn give(&mut self, address: usize) -> Vec<(usize, Block)> {
        let Some(block) = self.used.remove(&address) else { return Vec::new() };
        self.free.push((address, block));
        let mut whole: usize = self.free.iter().map(|(_, block)| block.size).sum();
        let surplus = self.free.iter().take_while(|(_, block)| {
            let is_surplus = whole > KEPT;
            whole -= block.size;
            is_surplus
        });
        let count = surplus.count();
        self.free.drain(..count).collect()
    }
}

fn free((address, block): (usize, Block)) {
    // SAFETY: no command uses the block any more, and it was forgotten here.
    let freed = unsafe { block.device.device.memory().free(address as *mut c_void) };
    freed.unwrap_or_else(|error| tracing::warn!("memory of a parallel algorithm was lost: {error}"));
}

/// Memory of at least `size` bytes.
pub(super) fn allocate(device: &Arc<DeviceEntry>, kind: MemoryKind, size: usize) -> Result<*mut c_void, RuntimeError> {
    let size = size.max(1).next_multiple_of(GRANULE);
    if let Some(address) = with_blocks(|blocks| blocks.take(device, kind, size)) {
        return Ok(address as *mut c_void);
    }
    let memory = match device.allocate(kind, size, DEFAULT_ALIGNMENT) {
        Err(RuntimeError::Driver(error)) if matches!(*error, DriverError::OutOfMemory { .. }) => {
            with_blocks(|blocks| std::mem::take(&mut blocks.free)).into_iter().for_each(free);
            device.allocate(kind, size, DEFAULT_ALIGNMENT)
        }
        result => result,
    }?;
    let block = Block { device: Arc::clone(device), kind, size };
    with_blocks(|blocks| blocks.used.insert(memory.addr(), block));
    Ok(memory)
}

/// Takes memory back; no command uses it.
pub(super) fn release(memory: *mut c_void) {
    with_blocks(|blocks| blocks.give(memory.addr())).into_iter().for_each(free);
}

/// True if an address lies in memory that an algorithm has got and not given back.
pub(super) fn has(address: usize) -> bool {
    let around = |(start, block): (&usize, &Block)| (*start..start + block.size).contains(&address);
    with_blocks(|blocks| blocks.used.iter().any(around))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices;
    use sinter_driver::{Driver, recording::RecordingDriver};

    #[test]
    fn memory_is_used_again_for_sizes_that_are_near() {
        let drivers: [Box<dyn Driver>; 1] = [Box::new(RecordingDriver::new())];
        let found = devices::discover(&drivers, None);
        let device = &found.visible[0];
        let first = allocate(device, MemoryKind::Shared, 3 * GRANULE).expect("memory");
        let other = allocate(device, MemoryKind::Shared, 3 * GRANULE).expect("memory");
        assert_ne!(first, other);
        assert!(has(first.addr()) && has(first.addr() + 3 * GRANULE - 1) && !has(8));
        release(first);
        assert!(!has(first.addr()));
        assert_ne!(allocate(device, MemoryKind::Host, 3 * GRANULE).expect("memory"), first);
        assert_ne!(allocate(device, MemoryKind::Shared, 4 * GRANULE).expect("memory"), first);
        assert_eq!(allocate(device, MemoryKind::Shared, 3 * GRANULE - 7).expect("memory"), first);
        release(first);
        assert_eq!(allocate(device, MemoryKind::Shared, GRANULE).expect("memory"), first);
        // Not one of these: nothing happens.
        release(std::ptr::without_provenance_mut(8));
    }

    #[test]
    fn much_memory_goes_back_to_the_driver() {
        let drivers: [Box<dyn Driver>; 1] = [Box::new(RecordingDriver::new())];
        let found = devices::discover(&drivers, None);
        let block = |size| Block { device: Arc::clone(&found.visible[0]), kind: MemoryKind::Shared, size };
        let mut blocks = Blocks::default();
        let addresses = |blocks: Vec<(usize, Block)>| blocks.iter().map(|(address, _)| *address).collect::<Vec<_>>();
        for (address, size) in [(1, KEPT / 2), (2, KEPT / 2), (3, KEPT / 4), (4, 2 * KEPT)] {
            blocks.used.insert(address, block(size));
        }
        assert_eq!(addresses(blocks.give(1)), []);
        assert_eq!(addresses(blocks.give(2)), []);
        assert_eq!(addresses(blocks.give(3)), [1]);
        assert_eq!(addresses(blocks.give(4)), [2, 3, 4]);
        assert!(blocks.free.is_empty() && blocks.used.is_empty());
    }
}
