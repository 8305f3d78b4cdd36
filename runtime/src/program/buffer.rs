//! Memory of a device, with the type of its elements.
//!
//! *Invariant:* every element has a value from the start; the memory is freed once no command uses it any more, whatever
//! the order in which things are dropped. A host slice is lent only while no command that conflicts with it is under way,
//! and while it is lent the buffer cannot be given to one.
#![expect(unsafe_code, reason = "owns memory of devices and lends it as slices")]

use super::uses::{Access, Uses};
use crate::{
    devices::{DEFAULT_ALIGNMENT, DeviceEntry},
    error::RuntimeError,
    queue::Queue,
};
use sinter_driver::{DeviceInfo, DeviceKind, MemoryKind};
use std::{ffi::c_void, marker::PhantomData, ptr::NonNull, slice, sync::Arc};

/// Types whose values are plain bytes, so that a kernel may write them.
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

/// The bytes of a value.
pub(super) fn bytes_of<T: Element>(values: &[T]) -> &[u8] {
    // SAFETY: elements have no padding, so all their bytes are initialised.
    unsafe { slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Memory without the type of its elements.
pub(super) struct Memory {
    pub(super) device: Arc<DeviceEntry>,
    pub(super) kind: MemoryKind,
    /// Dangling where the size is 0.
    pointer: NonNull<c_void>,
    size: usize,
    pub(super) uses: Uses,
}

// SAFETY: an allocation belongs to no thread, and its uses are behind a lock.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    fn new(device: &Arc<DeviceEntry>, kind: MemoryKind, size: usize) -> Result<Self, RuntimeError> {
        let pointer = NonNull::new(device.allocate(kind, size, DEFAULT_ALIGNMENT)?);
        // Aligned to every element that there is.
        let pointer = pointer.unwrap_or(NonNull::<u128>::dangling().cast());
        Ok(Memory { device: Arc::clone(device), kind, pointer, size, uses: Uses::default() })
    }

    pub(super) fn pointer(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// The address as kernels get it.
    pub(super) fn address(&self) -> usize {
        self.pointer.as_ptr().expose_provenance()
    }

    /// Refuses a queue of a device that cannot use the memory.
    pub(super) fn check_queue(&self, queue: &Queue) -> Result<(), RuntimeError> {
        let (ours, theirs) = (self.device.index, queue.device().index);
        if ours == theirs || (self.kind == MemoryKind::Host && reaches(queue.device().info(), self.device.info())) {
            return Ok(());
        }
        let remedy = "copy it through a slice of the host, with Queue::read and Queue::write";
        let reason = format!("it belongs to device {ours}, the queue to device {theirs}: {remedy}");
        Err(RuntimeError::invalid("buffer", reason))
    }

    /// Refuses to lend memory that only copies reach.
    fn check_host(&self) -> Result<(), RuntimeError> {
        if self.kind != MemoryKind::Device {
            return Ok(());
        }
        Err(RuntimeError::invalid(
            "buffer",
            "the host reaches device memory through copies only: use Queue::read or write",
        ))
    }
}

/// Whether a device can use host memory of another one: a GPU only what its own driver has mapped for it, a CPU all.
fn reaches(device: &DeviceInfo, owner: &DeviceInfo) -> bool {
    device.kind == DeviceKind::Cpu || device.driver == owner.driver
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.size == 0 {
            return;
        }
        // An error of a command is not ours to report here; a queue that a fork made unusable keeps its memory.
        let waited = self.uses.before(Access::Write).iter().all(|event| event.queue().settle(event.ticket()));
        if waited {
            // SAFETY: allocated by this device, and every command that was given it is complete.
            let freed = unsafe { self.device.device.memory().free(self.pointer()) };
            debug_assert!(freed.is_ok());
        }
    }
}

/// Memory of a device for `T`s. Dropping it waits for the commands that use it.
pub struct Buffer<T: Element> {
    memory: Memory,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Element> Buffer<T> {
    fn new(queue: &Queue, kind: MemoryKind, length: usize) -> Result<Self, RuntimeError> {
        let too_large = || RuntimeError::invalid("length", format!("{length} elements exceed the address space"));
        let size = length.checked_mul(size_of::<T>()).filter(|size| *size <= isize::MAX as usize);
        let memory = Memory::new(queue.device_handle(), kind, size.ok_or_else(too_large)?)?;
        Ok(Buffer { memory, length, element: PhantomData })
    }

    /// `length` elements whose bytes are zero, on the device of `queue`.
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

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Where the memory lives.
    pub fn kind(&self) -> MemoryKind {
        self.memory.kind
    }

    /// The device it belongs to.
    pub fn device(&self) -> &DeviceEntry {
        &self.memory.device
    }

    /// The address as kernels see it, for what this interface does not offer.
    pub fn as_ptr(&self) -> *mut T {
        self.memory.pointer().cast()
    }

    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The elements, after the last command that writes them. Device memory is not lent.
    pub fn as_slice(&self) -> Result<&[T], RuntimeError> {
        self.memory.check_host()?;
        self.memory.uses.wait(Access::Read)?;
        // SAFETY: all elements were written once, no command writes them now, and none can be given them for writing
        // while the buffer is borrowed.
        Ok(unsafe { slice::from_raw_parts(self.as_ptr(), self.length) })
    }

    /// The elements, after the last command that uses them. Device memory is not lent.
    pub fn as_mut_slice(&mut self) -> Result<&mut [T], RuntimeError> {
        self.memory.check_host()?;
        self.memory.uses.wait(Access::Write)?;
        // SAFETY: all elements were written once, no command uses them now, and none can be given them while the buffer
        // is borrowed.
        Ok(unsafe { slice::from_raw_parts_mut(self.as_ptr(), self.length) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_driver::{Device, Driver, recording::RecordingDriver};

    #[test]
    fn host_memory_of_a_cpu_is_not_for_gpus() {
        let device: Arc<dyn Device> = RecordingDriver::new().devices().expect("devices").remove(0);
        let info = |driver, kind| DeviceInfo { driver, kind, ..device.info().clone() };
        let (cpu, gpu, other) =
            (info("host", DeviceKind::Cpu), info("cuda", DeviceKind::Gpu), info("hip", DeviceKind::Gpu));
        assert!(reaches(&cpu, &gpu) && reaches(&gpu, &gpu) && reaches(&cpu, &cpu));
        assert!(!reaches(&gpu, &cpu) && !reaches(&other, &gpu));
    }
}
