//! Typed memory of a device.
//!
//! *Invariant:* every element is initialised; the memory is freed once no command uses it any more;
//! a host slice is lent only while no conflicting command is under way.
#![expect(unsafe_code, reason = "owns memory of devices and lends it as slices")]

use super::uses::{Access, Uses};
use crate::{
    error::{RuntimeError, check},
    ffi,
    queue::Queue,
};
use std::{
    ffi::c_void,
    marker::PhantomData,
    ptr::{NonNull, null_mut},
    slice,
};

/// Placement of memory, as in SYCL's `usm::alloc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryKind {
    /// Resides on the device; the host reaches it through copies.
    Device = 1,
    /// Resides on the host; devices can access it.
    Host = 2,
    /// Migrates to where it is used.
    Shared = 3,
}

/// Types that a kernel may write, because their values are plain bytes.
///
/// # Safety
/// Every bit pattern is a value, there is no padding, and it means the same in C++.
pub unsafe trait Element: Copy + Send + Sync + 'static {}

macro_rules! elements {
    ($($type:ty),*) => {
        $(
            // SAFETY: a number: every bit pattern is a value, without padding, and C++ has the same type.
            unsafe impl Element for $type {}
        )*
    };
}
elements!(u8, i8, u16, i16, u32, i32, u64, i64, usize, isize, f32, f64);

// SAFETY: an array has no padding between its elements.
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

/// Values as bytes.
pub(super) fn bytes_of<T: Element>(values: &[T]) -> &[u8] {
    // SAFETY: elements have no padding, so all their bytes are initialised.
    unsafe { slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// An allocation without the type of its elements.
pub(super) struct Memory {
    device: u32,
    kind: MemoryKind,
    /// Dangling if the size is 0.
    pointer: NonNull<c_void>,
    pub(super) size: usize,
    pub(super) uses: Uses,
}

// SAFETY: an allocation belongs to no thread, and its uses are behind a lock.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    fn new(device: u32, kind: MemoryKind, size: usize) -> Result<Self, RuntimeError> {
        let mut pointer = null_mut();
        // SAFETY: writable; 0 asks for the default alignment.
        check(unsafe { ffi::sinter_malloc(device, kind as u32, size, 0, &mut pointer) })?;
        // Aligned for every element type.
        let pointer = NonNull::new(pointer).unwrap_or(NonNull::<u128>::dangling().cast());
        Ok(Memory { device, kind, pointer, size, uses: Uses::default() })
    }

    pub(super) fn pointer(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// Refuses a queue of another device.
    pub(super) fn check_queue(&self, queue: &Queue) -> Result<(), RuntimeError> {
        if self.device == queue.device() {
            return Ok(());
        }
        Err(RuntimeError::invalid(format!(
            "the buffer belongs to device {}, the queue to device {}: copy it through a slice of the host, with \
             Queue::read and Queue::write",
            self.device,
            queue.device()
        )))
    }

    fn check_host(&self) -> Result<(), RuntimeError> {
        if self.kind != MemoryKind::Device {
            return Ok(());
        }
        Err(RuntimeError::invalid("the host reaches device memory through copies only: use Queue::read or write"))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // An error of a command is not ours to report here; memory whose commands cannot be waited for is kept.
        let waited = self.uses.before(Access::Write).iter().all(|event| event.wait().is_ok() || is_over(event));
        if self.size != 0 && waited {
            // SAFETY: allocated by `sinter_malloc`, and every command that was given it is complete.
            unsafe { ffi::sinter_free(self.pointer()) };
        }
    }
}

/// True if a command whose wait failed is complete all the same. False if the queue cannot be
/// asked.
fn is_over(event: &super::event::Event) -> bool {
    event.is_complete().unwrap_or(false)
}

/// Memory of a device for elements of type `T`. Dropping it waits for the commands that use it.
pub struct Buffer<T: Element> {
    memory: Memory,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Element> Buffer<T> {
    fn new(queue: &Queue, kind: MemoryKind, length: usize) -> Result<Self, RuntimeError> {
        let size = length.checked_mul(size_of::<T>()).filter(|size| *size <= isize::MAX as usize);
        let too_large = || RuntimeError::invalid(format!("{length} elements exceed the address space"));
        let memory = Memory::new(queue.device(), kind, size.ok_or_else(too_large)?)?;
        Ok(Buffer { memory, length, element: PhantomData })
    }

    /// `length` elements of zero bytes, on the device of `queue`.
    pub fn zeroed(queue: &Queue, kind: MemoryKind, length: usize) -> Result<Self, RuntimeError> {
        let buffer = Self::new(queue, kind, length)?;
        queue.fill_bytes(&buffer.memory, &[0], buffer.memory.size)?;
        Ok(buffer)
    }

    /// A copy of `values`, on the device of `queue`.
    pub fn from_slice(queue: &Queue, kind: MemoryKind, values: &[T]) -> Result<Self, RuntimeError> {
        let mut buffer = Self::new(queue, kind, values.len())?;
        queue.write(&mut buffer, values)?;
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

    /// Device, host or shared memory.
    pub fn kind(&self) -> MemoryKind {
        self.memory.kind
    }

    /// The address that kernels use, for calls outside this interface.
    pub fn as_ptr(&self) -> *mut T {
        self.memory.pointer().cast()
    }

    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Waits for the last command that writes the buffer and lends its elements. An error for
    /// device memory.
    pub fn as_slice(&self) -> Result<&[T], RuntimeError> {
        self.memory.check_host()?;
        self.memory.uses.wait(Access::Read)?;
        // SAFETY: all elements were written once, no command writes them now, and none can be given them for writing
        // while the buffer is borrowed.
        Ok(unsafe { slice::from_raw_parts(self.as_ptr(), self.length) })
    }

    /// Waits for all commands that use the buffer and lends its elements. An error for device
    /// memory.
    pub fn as_mut_slice(&mut self) -> Result<&mut [T], RuntimeError> {
        self.memory.check_host()?;
        self.memory.uses.wait(Access::Write)?;
        // SAFETY: all elements were written once, no command uses them now, and none can be given them while the buffer
        // is borrowed.
        Ok(unsafe { slice::from_raw_parts_mut(self.as_ptr(), self.length) })
    }
}
