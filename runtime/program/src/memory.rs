//! Untyped device memory.
//!
//! *Invariant:* the memory is freed only when no command uses it any more, in whatever order
//! objects are dropped.
#![expect(unsafe_code, reason = "owns memory of devices")]

use crate::{
    mistake::Mistake,
    queue::{MemoryKind, Queue},
    uses::{Access, Uses},
};
use std::{borrow::Borrow, ffi::c_void, ptr::NonNull};

/// An allocation that tracks the commands on it.
pub struct Memory<Q: Queue> {
    owner: Q::Owner,
    kind: MemoryKind,
    /// Dangling if the size is 0.
    pointer: NonNull<c_void>,
    size: usize,
    pub(crate) uses: Uses<Q>,
}

// SAFETY: an allocation is not bound to a thread, its owner is `Send`, and its uses are behind a
// lock.
unsafe impl<Q: Queue> Send for Memory<Q> {}
// SAFETY: as above.
unsafe impl<Q: Queue> Sync for Memory<Q> {}

impl<Q: Queue> Memory<Q> {
    pub(crate) fn new(owner: &Q::Owner, kind: MemoryKind, size: usize) -> Result<Self, Q::Error> {
        let pointer = NonNull::new(Q::allocate(owner, kind, size)?);
        // Aligned for every element type.
        let pointer = pointer.unwrap_or(NonNull::<u128>::dangling().cast());
        Ok(Memory { owner: owner.clone(), kind, pointer, size, uses: Uses::new() })
    }

    /// Device that owns the memory.
    pub fn device(&self) -> &Q::Device {
        self.owner.borrow()
    }

    /// Kind of USM.
    pub fn kind(&self) -> MemoryKind {
        self.kind
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// First byte; dangling if the size is 0.
    pub fn pointer(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// Address to pass to kernels.
    pub(crate) fn address(&self) -> usize {
        self.pointer.as_ptr().expose_provenance()
    }

    /// Rejects a queue of a device that cannot access the memory.
    pub(crate) fn check_queue(&self, queue: &Q) -> Result<(), Mistake> {
        if queue.reaches(self.device(), self.kind) {
            return Ok(());
        }
        Err(Mistake::OtherDevice { ours: Q::number(self.device()), theirs: Q::number(queue.owner().borrow()) })
    }

    /// Rejects device memory, which the host accesses only through copies.
    pub(crate) fn check_host(&self) -> Result<(), Mistake> {
        if self.kind != MemoryKind::Device { Ok(()) } else { Err(Mistake::NotLent) }
    }
}

impl<Q: Queue> Drop for Memory<Q> {
    fn drop(&mut self) {
        if self.size == 0 {
            return;
        }
        // Errors of commands are not reported here. Memory is leaked if its commands cannot be
        // waited for, such as on a queue that a fork made unusable.
        let waited = self.uses.before(Access::Write).iter().all(|event| event.queue().settle(event.ticket()));
        if waited {
            // SAFETY: allocated by this device, and every command that used it is complete.
            unsafe { Q::free(self.device(), self.pointer()) };
        }
    }
}
