//! A kernel that stores its arguments.
//!
//! In: a buffer of arguments. Out: calls that set them, and the launch. *Invariant:*
//! `clSetKernelArg` is the only OpenCL function that threads must not call concurrently for one
//! kernel, and a launch uses the arguments that are set, so both happen under a lock.

use crate::library::OpenCl;
use opencl_sys::types::{Kernel, KernelStruct, ProgramStruct, Queue};
use sinter_core::{EntryInfo, spirv::arguments::passed};
use sinter_driver_common::{Failure, Geometry, Handle, lock};
use std::{ptr, sync::Mutex};

/// An argument that each launch sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    offset: usize,
    size: usize,
    is_pointer: bool,
}

/// A kernel of a program.
pub(crate) struct Callable {
    pub(crate) program: Handle<ProgramStruct>,
    pub(crate) kernel: Handle<KernelStruct>,
    arguments: Vec<Place>,
    takes_local_memory: bool,
    /// State of the accessible memory that was last declared to the kernel; 0 before the first.
    allowed: Mutex<u64>,
}

impl Callable {
    pub(crate) fn new(program: Handle<ProgramStruct>, kernel: Handle<KernelStruct>, entry: &EntryInfo) -> Self {
        let place = |argument: &sinter_core::Argument| Place {
            offset: argument.offset as usize,
            size: argument.size as usize,
            is_pointer: argument.is_pointer,
        };
        let arguments = passed(entry).iter().map(place).collect();
        Callable { program, kernel, arguments, takes_local_memory: entry.takes_local_memory, allowed: Mutex::new(0) }
    }

    /// Number of parameters that the code must have.
    pub(crate) fn parameters(&self) -> u32 {
        self.arguments.len() as u32 + u32::from(self.takes_local_memory)
    }

    /// Declares the accessible memory to the kernel before its first launch.
    pub(crate) fn prepare(&self, opencl: &OpenCl) -> Result<(), Failure> {
        let (mut allowed, memory) = (lock(&self.allowed), opencl.allocator.hold());
        // SAFETY: nobody else changes the kernel while the lock is held.
        unsafe { memory.allow(opencl.owner(), self.kernel.0, &mut allowed) }
    }

    /// Launches the kernel with a buffer of arguments, which is copied.
    ///
    /// # Safety
    /// Queue and kernel are alive, the geometry was checked, and the buffer has the layout of the
    /// entry.
    pub(crate) unsafe fn launch(
        &self,
        opencl: &OpenCl,
        queue: Queue,
        geometry: &Geometry,
        arguments: *const u8,
    ) -> Result<(), Failure> {
        let Geometry { grid, group, local_memory } = *geometry;
        let local = group.map(|size| size as usize);
        let global: [usize; 3] = std::array::from_fn(|d| grid[d] as usize * local[d]);
        let (mut allowed, memory) = (lock(&self.allowed), opencl.allocator.hold());
        // SAFETY: nobody else changes the kernel while the lock is held.
        unsafe { memory.allow(opencl.owner(), self.kernel.0, &mut allowed) }?;
        // SAFETY: upheld by the caller; as above.
        unsafe { self.set(opencl, arguments, local_memory) }?;
        let (kernel, offset, none) = (self.kernel.0, ptr::null(), ptr::null());
        let (global, local) = (global.as_ptr(), local.as_ptr());
        // SAFETY: upheld by the caller; each array has three sizes.
        unsafe { opencl.api.launch(queue, kernel, 3, offset, global, local, 0, none, ptr::null_mut()) }
    }

    /// Sets all arguments.
    ///
    /// # Safety
    /// As for [`Callable::launch`], and the lock is held.
    unsafe fn set(&self, opencl: &OpenCl, arguments: *const u8, local_memory: u32) -> Result<(), Failure> {
        let kernel: Kernel = self.kernel.0;
        for (index, place) in (0u32..).zip(&self.arguments) {
            // SAFETY: upheld by the caller.
            let value = unsafe { arguments.add(place.offset) };
            if place.is_pointer {
                // SAFETY: there is a pointer at this offset, aligned or not.
                let pointer = unsafe { value.cast::<usize>().read_unaligned() };
                // SAFETY: upheld by the caller.
                unsafe { opencl.allocator.set_argument(&opencl.api, kernel, index, pointer) }?;
            } else {
                // SAFETY: the library copies the bytes.
                unsafe { opencl.api.set_argument(kernel, index, place.size, value.cast()) }?;
            }
        }
        if self.takes_local_memory {
            let (index, size) = (self.arguments.len() as u32, local_memory.max(1) as usize);
            // SAFETY: an argument in local memory has a size and no value.
            unsafe { opencl.api.set_argument(kernel, index, size, ptr::null()) }?;
        }
        Ok(())
    }

    /// Releases kernel and program. OpenCL keeps them for as long as commands need them.
    ///
    /// # Safety
    /// Nobody else has them.
    pub(crate) unsafe fn end(self, opencl: &OpenCl) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        let released = unsafe { opencl.api.kernel_release(self.kernel.0) };
        // SAFETY: upheld by the caller.
        released.and(unsafe { opencl.api.program_release(self.program.0) })
    }
}
