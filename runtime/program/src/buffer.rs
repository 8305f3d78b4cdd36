//! Typed device memory.
//!
//! *Invariant:* every element is initialised from the start. A host slice is borrowed only while no
//! conflicting command is in progress, and meanwhile the borrow keeps the buffer from being passed
//! to one.
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

/// Device memory for values of type `T`. Dropping it waits for the commands that use it.
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

    /// Allocates `length` elements with zero bytes on the device of `queue`.
    pub fn zeroed(queue: &Q, kind: MemoryKind, length: usize) -> Result<Self, Q::Error> {
        let buffer = Self::new(queue, kind, length)?;
        fill_bytes(queue, &buffer.memory, &[0], buffer.memory.size())?;
        Ok(buffer)
    }

    /// Allocates memory on the device of `queue` and copies `values` to it.
    pub fn from_slice(queue: &Q, kind: MemoryKind, values: &[T]) -> Result<Self, Q::Error> {
        let buffer = Self::new(queue, kind, values.len())?;
        // SAFETY: the slice has as many elements as the buffer.
        unsafe { write_bytes(queue, &buffer.memory, values.as_ptr().cast()) }?;
        Ok(buffer)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if the length is 0.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Kind of USM.
    pub fn kind(&self) -> MemoryKind {
        self.memory.kind()
    }

    /// Device that owns the memory.
    pub fn device(&self) -> &Q::Device {
        self.memory.device()
    }

    /// Address as kernels see it, for operations that this interface lacks.
    pub fn as_ptr(&self) -> *mut T {
        self.memory.pointer().cast()
    }

    /// Untyped memory, for commands on its bytes.
    pub fn memory(&self) -> &Memory<Q> {
        &self.memory
    }

    /// Borrows the elements after the last command that writes them. Device memory is an error.
    pub fn as_slice(&self) -> Result<&[T], Q::Error> {
        self.memory.check_host()?;
        self.memory.uses.wait(Access::Read)?;
        // SAFETY: all elements are initialised, no command writes them now, and none that writes
        // can be submitted while the buffer is borrowed.
        Ok(unsafe { slice::from_raw_parts(self.as_ptr(), self.length) })
    }

    /// Borrows the elements after the last command that uses them. Device memory is an error.
    pub fn as_mut_slice(&mut self) -> Result<&mut [T], Q::Error> {
        self.memory.check_host()?;
        self.memory.uses.wait(Access::Write)?;
        // SAFETY: all elements are initialised, no command uses them now, and none can be submitted
        // while the buffer is borrowed.
        Ok(unsafe { slice::from_raw_parts_mut(self.as_ptr(), self.length) })
    }
}
