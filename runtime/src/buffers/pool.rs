//! Memory of buffers, which later buffers of the same device use again.
//!
//! In: sizes; freed allocations with the events of the commands that still use them. Out:
//! allocations that nothing uses. *Invariant:* an allocation is handed out or returned to the
//! driver only after the last of its events.
#![expect(unsafe_code, reason = "returns memory to drivers")]

use super::event::{Event, Events};
use crate::error::RuntimeError;
use sinter_driver::{Device, DriverError, MemoryKind};
use std::{
    ffi::c_void,
    sync::{Mutex, PoisonError},
};

/// Bytes that a pool keeps; more is returned to the driver.
const KEPT: usize = 256 << 20;
/// Allocations that a pool keeps.
const MOST: usize = 256;

struct Free {
    address: usize,
    size: usize,
    /// Commands that still use it.
    events: Events,
}

/// Free allocations of a device.
#[derive(Default)]
pub(crate) struct Pool {
    free: Mutex<Vec<Free>>,
}

/// Alignment of a buffer: that of its elements is not known, but is at most their size. Drivers of
/// GPUs align to the largest of these anyway.
pub(super) fn alignment(size: usize) -> usize {
    const CACHE_LINE: usize = 64;
    const LARGEST: usize = 256;
    if size >= LARGEST { LARGEST } else { size.next_power_of_two().clamp(CACHE_LINE, LARGEST) }
}

/// An allocation of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allocation {
    pub(super) pointer: *mut c_void,
    size: usize,
}

// SAFETY: an address of memory that all threads may use, in the order of the graph's events.
unsafe impl Send for Allocation {}

impl Free {
    fn is_idle(&mut self) -> bool {
        self.events.retain(|event| !event.is_complete());
        self.events.is_empty()
    }

    fn release(self, device: &dyn Device) {
        let completes = |event: &Event| event.wait().is_ok() || event.is_complete();
        if !self.events.iter().map(completes).fold(true, |all, one| all & one) {
            return tracing::warn!("memory of a buffer was lost: a command that uses it cannot be waited for");
        }
        // SAFETY: the pool has forgotten the allocation, and no command uses it any more.
        let freed = unsafe { device.memory().free(self.address as *mut c_void) };
        freed.unwrap_or_else(|error| tracing::warn!("memory of a buffer was lost: {error}"));
    }
}

impl Pool {
    fn free(&self) -> std::sync::MutexGuard<'_, Vec<Free>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allocates at least `size` bytes of device memory, from the pool if it has a free allocation
    /// of at most twice the size.
    pub(super) fn allocate(&self, device: &dyn Device, size: usize) -> Result<Allocation, RuntimeError> {
        if let Some(allocation) = self.take(size) {
            return Ok(allocation);
        }
        let size = size.max(1);
        let allocate = || device.memory().allocate(MemoryKind::Device, size, alignment(size));
        let pointer = match allocate() {
            Err(DriverError::OutOfMemory { .. }) => {
                self.clear(device);
                allocate()?
            }
            result => result?,
        };
        Ok(Allocation { pointer, size })
    }

    /// The smallest free allocation that fits.
    fn take(&self, size: usize) -> Option<Allocation> {
        let mut free = self.free();
        let fits = |one: &mut Free| (size..=size.saturating_mul(2)).contains(&one.size) && one.is_idle();
        let fitting = free.iter_mut().enumerate().filter_map(|(index, one)| fits(one).then_some((one.size, index)));
        let (_, index) = fitting.min()?;
        let Free { address, size, .. } = free.swap_remove(index);
        Some(Allocation { pointer: address as *mut c_void, size })
    }

    /// Takes an allocation back. `events`: commands that still use it.
    pub(super) fn give(&self, device: &dyn Device, allocation: Allocation, events: Events) {
        let dropped = {
            let mut free = self.free();
            free.push(Free { address: allocation.pointer as usize, size: allocation.size, events });
            let whole: usize = free.iter().map(|one| one.size).sum();
            if whole <= KEPT && free.len() <= MOST { None } else { Some(free.remove(0)) }
        };
        dropped.into_iter().for_each(|one| one.release(device));
    }

    /// Returns all free memory to the driver.
    pub(super) fn clear(&self, device: &dyn Device) {
        let all = std::mem::take(&mut *self.free());
        all.into_iter().for_each(|one| one.release(device));
    }
}

#[cfg(test)]
mod tests {
    use super::{super::gate::Gate, *};
    use sinter_driver::{Driver, recording::RecordingDriver};
    use std::sync::Arc;

    #[test]
    fn a_freed_allocation_is_used_again_when_its_commands_are_complete() {
        let device = RecordingDriver::new().devices().expect("devices").remove(0);
        let pool = Pool::default();
        let first = pool.allocate(&*device, 1000).expect("memory");
        let gate = Arc::new(Gate::default());
        pool.give(&*device, first, smallvec::smallvec![Event::of_gate(&gate)]);
        let other = pool.allocate(&*device, 900).expect("memory");
        assert_ne!(first, other);
        gate.open();
        assert_eq!(pool.allocate(&*device, 900).expect("memory"), first);
        pool.give(&*device, first, Events::new());
        assert_ne!(pool.allocate(&*device, 400).expect("memory"), first);
        pool.clear(&*device);
        assert!(device.memory().query(first.pointer).is_none());
    }
}
