//! The traits that a driver implements, and the values they exchange.
//!
//! In: code objects, launch shapes, packed argument buffers and pointers. Out: commands that run on a device in
//! order. *Invariant:* a driver knows neither bitcode, containers nor the cache, and every trait is object-safe.
//!
//! A queue is a timeline: each command gets a [`Ticket`], and waiting for a ticket waits for it and every earlier
//! command. An event needs no object of its own, so a launch allocates nothing for it.

pub mod conformance;
pub mod error;
pub mod info;
pub mod recording;

pub use error::{DriverError, LocalMemoryExcess, Refusal};
pub use info::{DeviceFeatures, DeviceInfo, DeviceKind};
pub use sinter_program::{MemoryKind, Profile};

use sinter_core::{CodeFormat, CodeObject, EntryInfo, LaunchShape, Target};
use std::{any::Any, ffi::c_void, sync::Arc};

/// Position of a command in its queue, counting up from 1. 0 is always complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ticket(pub u64);

/// Records of times that a queue keeps: those of its last so many tickets.
pub const PROFILED_TICKETS: u64 = 65_536;

/// What is known about a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointerInfo {
    /// Where the memory lives.
    pub kind: MemoryKind,
    /// Start of the allocation.
    pub base: *mut c_void,
    /// Size of the allocation in bytes.
    pub size: usize,
}

/// What the interface of a device's vendor calls a part of ours, by the names of CUDA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NativeKind {
    /// The device, such as a `CUdevice`, as a number.
    Device,
    /// What the device's objects belong to, such as a `CUcontext`. Asking makes it.
    Context,
    /// The same, but null where there is none yet.
    ExistingContext,
    /// The queue, such as a `CUstream`.
    Stream,
    /// Loaded code, such as a `CUmodule`.
    Module,
    /// A kernel in it, such as a `CUfunction`.
    Function,
}

/// What a program expects of shared memory; each is advice that a driver may ignore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Advice {
    /// Read by many, written rarely.
    ReadMostly,
    /// Belongs to the device of the queue.
    PreferDevice,
    /// Belongs to the host.
    PreferHost,
    /// None of these any more.
    Default,
}

/// A rectangle of bytes in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// Bytes between the starts of two rows of the destination.
    pub destination_pitch: usize,
    /// Bytes between the starts of two rows of the source.
    pub source_pitch: usize,
    /// Bytes in a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

/// A way to reach devices, such as the host CPU or CUDA's driver interface.
pub trait Driver: Send + Sync {
    /// Name as `SINTER_VISIBILITY_MASK` spells it.
    fn name(&self) -> &'static str;
    /// The devices present. A missing vendor library is an empty list, with the reason in [`Driver::absence`].
    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError>;
    /// Why there are no devices, where there are none.
    fn absence(&self) -> Option<String>;
}

/// One device.
pub trait Device: Send + Sync {
    /// Its properties.
    fn info(&self) -> &DeviceInfo;
    /// What code for it is generated for.
    fn target(&self) -> &Target;
    /// What code is made from is part of a code object; this makes the machine code of it where the device's driver has to do
    /// that, or has to do it again because another driver did. `None` where the code is ready as it is.
    fn assemble(&self, _code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        Ok(None)
    }
    /// Whether [`Device::assemble`] has nothing to do for the code. False is always right, and costs a lock among processes.
    fn is_assembled(&self, code: &CodeObject) -> bool {
        code.assembly.is_none() && code.format != CodeFormat::Ptx
    }
    /// Publishes a code object, so that it can be launched.
    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError>;
    /// Makes an in-order queue.
    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError>;
    /// The work-group size for a launch whose size is left to us.
    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3];
    /// Its memory.
    fn memory(&self) -> &dyn Memory;
    /// A handle of the vendor's interface, where there is one of this kind.
    fn native(&self, _kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        Ok(None)
    }
    /// A queue that submits to a queue which the program made with the vendor's interface, and which stays the program's.
    ///
    /// # Safety
    /// `handle` is a live queue of the vendor's interface on this device, and outlives the result.
    unsafe fn adopt_queue(&self, _handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        let (device, feature) = (self.info().name.clone(), "queues of another interface".to_owned());
        Err(DriverError::Unsupported { device, feature })
    }
    /// Lets kernels on this device use memory of `other`, or forbids it. The answer is whether they can now.
    fn set_peer_access(&self, _other: &dyn Device, _enable: bool) -> Result<bool, DriverError> {
        Ok(false)
    }
    /// For the driver that made it: the way back to its own type, where it wants one.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// A loaded kernel. Dropping it unloads the code once no queue uses it.
pub trait Kernel: Send + Sync {
    /// What a launch must know.
    fn entry(&self) -> &EntryInfo;
    /// The work-group size for a launch whose size is left to us, where the code at hand has a better one than
    /// [`Device::choose_group_size`].
    fn choose_group_size(&self, _global: [u64; 3]) -> Option<[u32; 3]> {
        None
    }
    /// A handle of the vendor's interface.
    fn native(&self, _kind: NativeKind) -> Option<*mut c_void> {
        None
    }
    /// For the driver that made it: the way back to its own type.
    fn as_any(&self) -> &dyn Any;
}

/// An in-order queue. Methods return at once unless they say otherwise.
pub trait Queue: Send + Sync {
    /// Submits a kernel with its argument buffer, which is copied before the method returns.
    ///
    /// # Safety
    /// `arguments` is laid out as the kernel's [`EntryInfo`] says, and every pointer in it that the kernel
    /// dereferences is valid on the device until the command is complete.
    unsafe fn launch(
        &self,
        kernel: &Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &[u8],
    ) -> Result<Ticket, DriverError>;

    /// Submits a copy of `size` bytes.
    ///
    /// # Safety
    /// Both ranges are valid until the command is complete and do not overlap.
    unsafe fn copy(&self, destination: *mut c_void, source: *const c_void, size: usize) -> Result<Ticket, DriverError>;

    /// Submits `count` repetitions of `pattern`, which is copied before the method returns.
    ///
    /// # Safety
    /// The destination range is valid until the command is complete.
    unsafe fn fill(&self, destination: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, DriverError>;

    /// Submits a copy of a rectangle.
    ///
    /// # Safety
    /// As for [`Queue::copy`], for each row.
    unsafe fn copy_rows(
        &self,
        destination: *mut c_void,
        source: *const c_void,
        rows: Rows,
    ) -> Result<Ticket, DriverError> {
        for row in 0..rows.height {
            let to = destination.wrapping_byte_add(row * rows.destination_pitch);
            let from = source.wrapping_byte_add(row * rows.source_pitch);
            // SAFETY: passed on to the caller.
            unsafe { self.copy(to, from, rows.width) }?;
        }
        Ok(self.last())
    }

    /// Submits a move of shared memory to the device, or to the host. Nothing depends on it being done.
    ///
    /// # Safety
    /// The range is valid until the command is complete.
    unsafe fn prefetch(&self, _pointer: *const c_void, _size: usize, _to_host: bool) -> Result<Ticket, DriverError> {
        Ok(self.last())
    }

    /// Says what to expect of shared memory.
    ///
    /// # Safety
    /// The range is valid.
    unsafe fn advise(&self, _pointer: *const c_void, _size: usize, _advice: Advice) -> Result<Ticket, DriverError> {
        Ok(self.last())
    }

    /// A handle of the vendor's interface.
    fn native(&self, _kind: NativeKind) -> Option<*mut c_void> {
        None
    }

    /// Makes later commands wait for `ticket` of `other`, which may belong to another driver.
    ///
    /// Unless the ticket is complete already, or of this queue itself, the dependency takes a ticket of its own, which
    /// [`Queue::last`] counts: a wait for the last ticket also waits for a dependency that no command follows. Where the device cannot
    /// wait for a queue of another driver, the method blocks until the ticket is complete.
    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError>;
    /// Ticket of the last command or dependency submitted.
    fn last(&self) -> Ticket;
    /// Whether `ticket` is complete.
    fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError>;
    /// Blocks until `ticket` is complete. An asynchronous error is returned once.
    fn wait(&self, ticket: Ticket) -> Result<(), DriverError>;
    /// Records times from now on. Refused once a command was submitted; asking twice changes nothing. A queue that is not
    /// asked records nothing and pays nothing.
    fn enable_profiling(&self) -> Result<(), DriverError>;
    /// Blocks until `ticket` is complete and gives its times: `None` for a queue that records none, and for ticket 0 and
    /// tickets that [`PROFILED_TICKETS`] later ones have replaced. Asynchronous errors stay for [`Queue::wait`].
    fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError>;
    /// For the driver that made it: the way back to its own type, where it wants one.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// Allocation on one device.
pub trait Memory: Send + Sync {
    /// Allocates `size` > 0 bytes aligned to `alignment`, a power of two.
    fn allocate(&self, kind: MemoryKind, size: usize, alignment: usize) -> Result<*mut c_void, DriverError>;
    /// Frees what [`Memory::allocate`] returned; any other pointer is an error.
    ///
    /// # Safety
    /// No command still uses the memory.
    unsafe fn free(&self, pointer: *mut c_void) -> Result<(), DriverError>;
    /// What is known about a pointer into an allocation made here.
    fn query(&self, pointer: *const c_void) -> Option<PointerInfo>;
    /// The same, without what a driver knows of memory that the program allocated with the vendor's interface.
    fn query_own(&self, pointer: *const c_void) -> Option<PointerInfo> {
        self.query(pointer)
    }
}
