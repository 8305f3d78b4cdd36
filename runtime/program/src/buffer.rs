//! Memory of a device, with the type of its elements.
//!
//! *Invariant:* every element has a value from the start. A host slice is lent only while no
//! command that conflicts with it is under way, and while it is lent the buffer cannot be given to
//! one.
#![expect(unsafe_code, reason = "lends memory of devices as slices")]

use crate::{
    element::Element,
    memory::Memory,
    mistake::Mistake,
    queue::{MemoryKind, Queue},
    submit::{fill_bytes, write_bytes},
    uses::Access,
};
use std::{marker::PhantomData, slice};

/// Memory of a device for `T`s. Dropping it waits for the commands that use it.
pub struct Buffer<T: Element, Q: Queue> {
    memory: Memory<Q>,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Element, Q: Queue> Buffer<T, Q> {
    fn new(queue: &Q, kind: MemoryKind, length: usize) -> Result<Self, Q::Error> {
        let size = length.checked_mul(size_of::<T>()).filter(|size| *size <= isize::MAX as usize);
        let size = size.ok_or(Mistake::TooLarge { length })?;
        let memory = Memory::<Q>::new(queue.owner(), kind, size)?;
        Ok(Buffer { memory, length, element: PhantomData })
    }

    /// `length` elements whose bytes are zero, on the device of `queue`.
    pub fn zeroed(queue: &Q, kind: MemoryKind, length: usize) -> Result<Self, Q::Error> {
        let buffer = Self::new(queue, kind, length)?;
        fill_bytes(queue, &buffer.memory, &[0], buffer.memory.size())?;
        Ok(buffer)
    }

    /// A copy of `values`, on the device of `queue`.
    pub fn from_slice(queue: &Q, kind: MemoryKind, values: &[T]) -> Result<Self, Q::Error> {
        let buffer = Self::new(queue, kind, values.len())?;
        // SAFETY: the slice has as many elements.
        unsafe { write_bytes(queue, &buffer.memory, values.as_ptr().cast()) }?;
        Ok(buffer)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The kind of its memory.
    pub fn kind(&self) -> MemoryKind {
        self.memory.kind()
    }

    /// The device it belongs to.
    pub fn device(&self) -> &Q::Device {
        self.memory.device()
    }

    /// The address as kernels see it, for what this interface does not offer.
    pub fn as_ptr(&self) -> *mut T {
        self.memory.pointer().cast()
    }

    /// The memory, for commands on its bytes.
    pub fn memory(&self) -> &Memory<Q> {
        &self.memory
    }

    /// The elements, after the last command that writes them. Device memory is not lent.
    pub fn as_slice(&self) -> Result<&[T], Q::Error> {
        self.memory.check_host()?;
        self.memory.uses.wait(Access::Read)?;
        // SAFETY: all elements were written once, no command writes them now, and none can be given them for writing
        // while the buffer is borrowed.
        Ok(unsafe { slice::from_raw_parts(self.as_ptr(), self.length) })
    }

    /// The elements, after the last command that uses them. Device memory is not lent.
    pub fn as_mut_slice(&mut self) -> Result<&mut [T], Q::Error> {
        self.memory.check_host()?;
        self.memory.uses.wait(Access::Write)?;
        // SAFETY: all elements were written once, no command uses them now, and none can be given them while the buffer
        // is borrowed.
        Ok(unsafe { slice::from_raw_parts_mut(self.as_ptr(), self.length) })
    }
}
