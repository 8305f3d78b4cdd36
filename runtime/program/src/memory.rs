//! Memory of a device, without the type of its elements.
//!
//! *Invariant:* the memory is freed once no command uses it any more, whatever the order in which things are dropped.
#![expect(unsafe_code, reason = "owns memory of devices")]

use crate::{
    mistake::Mistake,
    queue::{MemoryKind, Queue},
    uses::{Access, Uses},
};
use std::{borrow::Borrow, ffi::c_void, ptr::NonNull};

/// Memory without the type of its elements.
pub struct Memory<Q: Queue> {
    owner: Q::Owner,
    kind: MemoryKind,
    /// Dangling where the size is 0.
    pointer: NonNull<c_void>,
    size: usize,
    pub(crate) uses: Uses<Q>,
}

// SAFETY: an allocation belongs to no thread, its owner may be sent, and its uses are behind a lock.
unsafe impl<Q: Queue> Send for Memory<Q> {}
// SAFETY: as above.
unsafe impl<Q: Queue> Sync for Memory<Q> {}

impl<Q: Queue> Memory<Q> {
    pub(crate) fn new(owner: &Q::Owner, kind: MemoryKind, size: usize) -> Result<Self, Q::Error> {
        let pointer = NonNull::new(Q::allocate(owner, kind, size)?);
        // Aligned to every element that there is.
        let pointer = pointer.unwrap_or(NonNull::<u128>::dangling().cast());
        Ok(Memory { owner: owner.clone(), kind, pointer, size, uses: Uses::new() })
    }

    /// The device that it belongs to.
    pub fn device(&self) -> &Q::Device {
        self.owner.borrow()
    }

    /// Its kind.
    pub fn kind(&self) -> MemoryKind {
        self.kind
    }

    /// In bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Its first byte.
    pub fn pointer(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// The address as kernels get it.
    pub(crate) fn address(&self) -> usize {
        self.pointer.as_ptr().expose_provenance()
    }

    /// Refuses a queue of a device that cannot use the memory.
    pub(crate) fn check_queue(&self, queue: &Q) -> Result<(), Mistake> {
        if queue.reaches(self.device(), self.kind) {
            return Ok(());
        }
        Err(Mistake::OtherDevice { ours: Q::number(self.device()), theirs: Q::number(queue.owner().borrow()) })
    }

    /// Refuses to lend memory that only copies reach.
    pub(crate) fn check_host(&self) -> Result<(), Mistake> {
        if self.kind != MemoryKind::Device { Ok(()) } else { Err(Mistake::NotLent) }
    }
}

impl<Q: Queue> Drop for Memory<Q> {
    fn drop(&mut self) {
        if self.size == 0 {
            return;
        }
        // An error of a command is not ours to report here; memory whose commands cannot be waited
        // for is kept, such as that of a queue that a fork made unusable.
        let waited = self.uses.before(Access::Write).iter().all(|event| event.queue().settle(event.ticket()));
        if waited {
            // SAFETY: allocated by this device, and every command that was given it is complete.
            unsafe { Q::free(self.device(), self.pointer()) };
        }
    }
}
