//! Moves large blocks of the program to the device ahead of their first use.
//!
//! In: the large blocks that the allocator of the program hands out, and the pointers of a launch.
//! Out: the ranges that no launch has used yet. A device that shares memory with the program moves
//! it page by page, when a kernel touches it; all at a time is faster. *Invariant:* a range is
//! returned once, and lies in the allocation of the driver that the pointer leads to.
#![expect(unsafe_code, reason = "submits commands about memory to drivers")]

use crate::{devices::DeviceEntry, queue::Queue};
use sinter_driver::Advice;
use std::{
    collections::BTreeMap,
    ffi::c_void,
    ops::Range,
    ptr::without_provenance,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Blocks that no launch has used: their bytes, by the first address.
#[derive(Debug, Default)]
struct Unused(BTreeMap<usize, usize>);

static UNUSED: Mutex<Unused> = Mutex::new(Unused(BTreeMap::new()));
/// The number of these, so that most launches need not lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);

impl Unused {
    /// Adds a block in place of those that were there before.
    fn add(&mut self, start: usize, size: usize) {
        let before = self.0.range(..start).next_back().filter(|(first, size)| *first + *size > start);
        let old: Vec<usize> =
            before.into_iter().chain(self.0.range(start..start + size)).map(|(first, _)| *first).collect();
        old.iter().for_each(|first| {
            self.0.remove(first);
        });
        self.0.insert(start, size);
    }

    /// Takes the block that an address lies in out.
    fn take(&mut self, address: usize) -> Option<(usize, usize)> {
        let (start, size) = self.0.range(..=address).next_back().map(|(start, size)| (*start, *size))?;
        if address - start >= size {
            return None;
        }
        self.0.remove(&start);
        Some((start, size))
    }
}

fn with_unused<R>(action: impl FnOnce(&mut Unused) -> R) -> R {
    let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
    let result = action(&mut unused);
    COUNT.store(unused.0.len(), Ordering::Relaxed);
    result
}

/// Notes a large block that the allocator of the program hands out.
pub(crate) fn note(start: *const c_void, size: usize) {
    if size > 0 && start.addr().checked_add(size).is_some() {
        with_unused(|unused| unused.add(start.addr(), size));
    }
}

/// Moves the large blocks that a launch is the first to use to its device.
pub(super) fn prefetch(addresses: &[usize], queue: &Queue) {
    for (start, size) in first_uses(addresses, queue.device()) {
        let start = without_provenance::<c_void>(start);
        // SAFETY: an allocation of the device, which the program must not give back before it has
        // waited for the launch that follows.
        let prefetched = unsafe { queue.driver_queue().prefetch(start, size, false) };
        // Otherwise the kernel moves it page by page.
        prefetched.map_or_else(|error| tracing::debug!("memory is not prefetched: {error}"), drop);
    }
}

/// Blocks that kernels and the program read: their ends, by the first address.
static SHARED: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());
/// Limit for the bytes of such a block, and for their number.
const MOST_SHARED: usize = 64 << 10;

/// Lets the device and the program have a copy each of blocks with pointers that a kernel follows.
/// The program reads them before each such launch, and pages would move to and fro.
pub(super) fn share(blocks: &[Range<usize>], queue: &Queue) {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    for block in blocks.iter().filter(|block| block.len() <= MOST_SHARED) {
        let is_known = shared.get(&block.start) == Some(&block.end);
        if is_known || shared.len() >= MOST_SHARED {
            continue;
        }
        shared.insert(block.start, block.end);
        let start = without_provenance::<c_void>(block.start);
        // SAFETY: a block that the program has.
        let advised = unsafe { queue.driver_queue().advise(start, block.len(), Advice::ReadMostly) };
        // Otherwise the pages move.
        advised.map_or_else(|error| tracing::debug!("memory has no advice: {error}"), drop);
    }
}

/// The parts of large blocks that the pointers of a launch lead to and that no launch has used.
fn first_uses(addresses: &[usize], device: &DeviceEntry) -> Vec<(usize, usize)> {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return Vec::new();
    }
    let taken = addresses.iter().filter_map(|address| Some((*address, with_unused(|unused| unused.take(*address))?)));
    taken.filter_map(|(address, range)| movable(address, range, device)).collect()
}

/// The part that lies in the allocation of the driver, unless it would take most of the memory of
/// the device.
fn movable(address: usize, (start, size): (usize, usize), device: &DeviceEntry) -> Option<(usize, usize)> {
    let info = device.device.memory().query_own(without_provenance::<c_void>(address))?;
    let base = info.base.addr();
    let (first, last) = (start.max(base), (start + size).min(base + info.size));
    (first < last && (last - first) as u64 <= device.info().global_memory / 2).then(|| (first, last - first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices;
    use sinter_driver::{
        Driver, MemoryKind,
        recording::{Call, RecordingDriver},
    };

    #[test]
    fn a_block_takes_the_place_of_those_before() {
        let mut unused = Unused::default();
        for (start, size) in [(100, 50), (200, 50), (300, 50), (400, 10)] {
            unused.add(start, size);
        }
        unused.add(140, 220);
        assert_eq!(unused.0.into_iter().collect::<Vec<_>>(), [(140, 220), (400, 10)]);
    }

    #[test]
    fn a_block_is_moved_at_its_first_use() {
        let drivers: [Box<dyn Driver>; 1] = [Box::new(RecordingDriver::new())];
        let found = devices::discover(&drivers, None);
        let device = &found.visible[0];
        let size = 4 << 20;
        let memory = device.allocate(MemoryKind::Shared, size, 64).expect("memory").addr();
        let uses = |one: usize, other: usize| first_uses(&[one, other], device);
        let at = without_provenance::<c_void>;
        note(at(memory), size / 2);
        // A block that was given back meanwhile: the memory of the driver ends before.
        note(at(memory + size / 2), size);
        assert_eq!(uses(memory + 64, memory + 128), [(memory, size / 2)]);
        assert_eq!(uses(memory + 64, memory + size / 2), [(memory + size / 2, size / 2)]);
        assert_eq!(uses(memory + 64, memory + size / 2), []);
        // A block that is handed out again is a new one.
        note(at(memory), size / 4);
        assert_eq!(uses(memory + size / 4, 0), []);
        assert_eq!(uses(0, memory), [(memory, size / 4)]);
    }

    #[test]
    fn a_block_with_pointers_is_shared_once() {
        let driver = RecordingDriver::new();
        let drivers: [Box<dyn Driver>; 1] = [Box::new(driver.clone())];
        let found = devices::discover(&drivers, None);
        let queue = Queue::new(&found.visible[0]).expect("queue");
        let memory = found.visible[0].allocate(MemoryKind::Shared, 4096, 64).expect("memory").addr();
        driver.take_calls();
        let (small, large) = (memory + 64..memory + 192, memory..memory + MOST_SHARED + 1);
        (0..2).for_each(|_| share(&[small.clone(), large.clone()], &queue));
        let advised = driver.calls().into_iter().filter(|call| matches!(call, Call::Advise { .. })).count();
        assert_eq!(advised, 1);
    }

    #[test]
    fn the_queue_of_the_launch_moves_it() {
        let driver = RecordingDriver::new();
        let drivers: [Box<dyn Driver>; 1] = [Box::new(driver.clone())];
        let found = devices::discover(&drivers, None);
        let queue = Queue::new(&found.visible[0]).expect("queue");
        let memory = found.visible[0].allocate(MemoryKind::Shared, 4096, 64).expect("memory").addr();
        with_unused(|unused| unused.add(memory, 4096));
        driver.take_calls();
        (0..2).for_each(|_| prefetch(&[memory + 8], &queue));
        let prefetched: Vec<_> =
            driver.calls().into_iter().filter(|call| matches!(call, Call::Prefetch { .. })).collect();
        assert_eq!(prefetched, [Call::Prefetch { queue: 0, pointer: memory, size: 4096, to_host: false }]);
    }
}
