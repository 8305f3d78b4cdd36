//! Buffers, samples and comparisons that all checks share.
//!
//! In: a device. Out: memory with known content, and descriptions of deviations. *Invariant:* a
//! buffer is freed when it is dropped; its owner waits for its commands first.

use crate::{Device, DriverError, MemoryKind, Profile, Queue, RegisteredAccess, Ticket};
use sinter_core::CodeObject;
use std::ffi::c_void;

/// A kernel `void add_one(uint64_t *data, uint64_t items)`: each work-item adds 1 to the element at
/// its global x id.
///
/// Its argument buffer is the 8 bytes of the pointer and the 8 bytes of the range's size in x. The
/// size is read only by code for a device that rounds ranges up to whole work-groups: work-items
/// from there on do nothing.
pub struct Sample {
    /// Code of the kernel for the device under test.
    pub add_one: CodeObject,
}

/// The error describes a failure.
pub(super) type Check = Result<(), String>;

pub(super) fn text(error: DriverError) -> String {
    format!("unexpected error: {error} ({error:?})")
}

pub(super) fn ensure(condition: bool, message: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { Err(message()) }
}

/// An allocation that is freed on drop.
pub(super) struct Buffer<'a> {
    device: &'a dyn Device,
    pub(super) pointer: *mut c_void,
    pub(super) size: usize,
}

impl<'a> Buffer<'a> {
    pub(super) fn new(device: &'a dyn Device, size: usize) -> Result<Self, String> {
        let pointer = device.memory().allocate(MemoryKind::Device, size, 64).map_err(text)?;
        Ok(Buffer { device, pointer, size })
    }

    pub(super) fn write(&self, queue: &dyn Queue, bytes: &[u8]) -> Check {
        assert!(bytes.len() <= self.size);
        // SAFETY: both ranges hold `bytes.len()` bytes, and the wait keeps them alive until the
        // copy is complete.
        let ticket = unsafe { queue.copy(self.pointer, bytes.as_ptr().cast(), bytes.len()) }.map_err(text)?;
        queue.wait(ticket).map_err(text)
    }

    pub(super) fn read(&self, queue: &dyn Queue) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0u8; self.size];
        // SAFETY: both ranges hold `size` bytes, and the wait keeps them alive until the copy is
        // complete.
        let ticket = unsafe { queue.copy(bytes.as_mut_ptr().cast(), self.pointer, self.size) }.map_err(text)?;
        queue.wait(ticket).map_err(text)?;
        Ok(bytes)
    }

    pub(super) fn fill(
        &self,
        queue: &dyn Queue,
        offset: usize,
        pattern: &[u8],
        count: usize,
    ) -> Result<Ticket, String> {
        assert!(offset + pattern.len() * count <= self.size);
        // SAFETY: the range lies in the buffer, and every check waits for its commands before the
        // buffer is dropped.
        unsafe { queue.fill(self.pointer.cast::<u8>().add(offset).cast(), pattern, count) }.map_err(text)
    }

    pub(super) fn words(&self, queue: &dyn Queue) -> Result<Vec<u64>, String> {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| (sum << 8) | u64::from(byte));
        Ok(self.read(queue)?.chunks(8).map(word).collect())
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: the checks wait for all commands that use a buffer, or leak it by returning an
        // error early.
        let freed = unsafe { self.device.memory().free(self.pointer) };
        debug_assert!(freed.is_ok());
    }
}

/// Memory of the program that is registered until [`Registered::end`].
pub(super) struct Registered<'a> {
    device: &'a dyn Device,
    pub(super) pointer: *mut c_void,
    /// Address for kernels.
    pub(super) address: *mut c_void,
    memory: &'a mut [u8],
}

impl<'a> Registered<'a> {
    /// `None` if the device registers no memory.
    pub(super) fn new(device: &'a dyn Device, memory: &'a mut [u8]) -> Result<Option<Self>, String> {
        let (pointer, size) = (memory.as_mut_ptr().cast(), memory.len());
        // SAFETY: the memory is borrowed as long as the result lives.
        match unsafe { device.register_memory(pointer, size, RegisteredAccess::ReadWrite) } {
            Err(DriverError::Unsupported { .. }) => Ok(None),
            registered => Ok(Some(Registered { device, pointer, address: registered.map_err(text)?, memory })),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.memory
    }

    /// Ends the registration. All commands that use the memory are complete.
    pub(super) fn end(self) -> Check {
        // SAFETY: as above.
        unsafe { self.device.unregister_memory(self.pointer) }.map_err(text)
    }
}

pub(super) fn profile(queue: &dyn Queue, ticket: Ticket) -> Result<Profile, String> {
    let profile = queue.profile(ticket).map_err(text)?;
    profile.ok_or_else(|| format!("{ticket:?} of {:?} has no times", queue.last()))
}

/// Checks the times of tickets `1..=last` of an in-order queue.
pub(super) fn check_times(queue: &dyn Queue, last: u64) -> Check {
    let mut earlier = Profile::default();
    for ticket in 1..=last {
        let times = profile(queue, Ticket(ticket))?;
        let inside = times.submit <= times.start && times.start <= times.end;
        let in_order = earlier.submit <= times.submit && earlier.end <= times.start;
        ensure(times.submit > 0 && inside && in_order, || format!("ticket {ticket}: {times:?} after {earlier:?}"))?;
        earlier = times;
    }
    Ok(())
}
