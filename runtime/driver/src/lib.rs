//! The traits that a driver implements, and the types in their signatures.
//!
//! In: code objects, launch shapes, packed argument buffers and pointers. Out: commands that run on
//! a device in order. *Invariant:* a driver knows neither bitcode, containers nor the cache, and
//! every trait is object-safe.
//!
//! A queue is a timeline: each command gets a [`Ticket`], and waiting for a ticket waits for it and
//! every earlier command. An event needs no object of its own, so a launch allocates nothing for
//! it.

pub mod conformance;
pub mod error;
pub mod info;
pub mod meter;
pub mod recording;

pub use error::{DriverError, LocalMemoryExcess, Refusal, Unregistered};
pub use info::{DeviceFeatures, DeviceInfo, DeviceKind};
pub use sinter_program::{MemoryKind, Profile};

use meter::Meter;
use sinter_core::{CodeFormat, CodeObject, EntryInfo, LaunchShape, Target};
use std::{any::Any, ffi::c_void, sync::Arc, time::Duration};

/// Position of a command in its queue, counted from 1. Ticket 0 is always complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ticket(pub u64);

/// Number of tickets whose times a queue keeps: the last ones.
pub const PROFILED_TICKETS: u64 = 65_536;

/// Pointer attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointerInfo {
    /// Kind of USM.
    pub kind: MemoryKind,
    /// Start of the allocation.
    pub base: *mut c_void,
    /// Size of the allocation in bytes.
    pub size: usize,
}

/// Resources that the code of a kernel uses. `None` is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Registers of a work-item.
    pub registers: Option<u32>,
    /// Private memory of a work-item in bytes, besides registers.
    pub private_memory: Option<u32>,
    /// Largest work-group that the device can run with these registers.
    pub work_group: Option<u32>,
}

/// Kinds of native handles, named after CUDA's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NativeKind {
    /// The device, such as a `CUdevice`, as a number.
    Device,
    /// Context of the device, such as a `CUcontext`. Created on demand.
    Context,
    /// As `Context`, but null if it was not created yet.
    ExistingContext,
    /// The queue, such as a `CUstream`.
    Stream,
    /// Loaded code, such as a `CUmodule`.
    Module,
    /// A kernel in loaded code, such as a `CUfunction`.
    Function,
}

/// Mem-advise for shared memory. A driver may ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Advice {
    /// Mostly read, rarely written.
    ReadMostly,
    /// Preferred location is the device of the queue.
    PreferDevice,
    /// Preferred location is the host.
    PreferHost,
    /// Resets all advice.
    Default,
}

/// Memory that a device sets aside for kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The stack of a work-item, in bytes, for recursive functions and calls through pointers.
    Stack,
    /// The buffer of `printf`, in bytes.
    Prints,
}

/// Access of a device to registered memory of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegisteredAccess {
    /// Kernels and copies read and write.
    ReadWrite,
    /// They only read, as in a mapping that the program itself cannot write to.
    ReadOnly,
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

/// Access to the devices of one interface, such as the host CPU or CUDA's driver API.
pub trait Driver: Send + Sync {
    /// Name in `SINTER_VISIBILITY_MASK`.
    fn name(&self) -> &'static str;
    /// Devices of this driver. A missing vendor library is an empty list, with the reason in
    /// [`Driver::absence`].
    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError>;
    /// Reason why there are no devices, if there are none.
    fn absence(&self) -> Option<String>;
}

/// A device that a driver found.
pub trait Device: Send + Sync {
    /// Properties and limits of the device.
    fn info(&self) -> &DeviceInfo;
    /// Target of code for the device.
    fn target(&self) -> &Target;
    /// Assembles PTX or SPIR-V to machine code, if the device's driver has to do that, or to do it
    /// again after another driver. `None` if the code can be loaded as it is.
    fn assemble(&self, _code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        Ok(None)
    }
    /// Loads the library that [`Device::assemble`] needs, but calls nothing in it, so that the
    /// process may end meanwhile.
    fn open_assembler(&self) {}
    /// Name of the assembler, if the device has one: everything that its machine code depends on
    /// besides the source. Caches keep machine code of different assemblers apart by it.
    fn assembler(&self) -> Option<&str> {
        None
    }
    /// True if [`Device::assemble`] has nothing to do for the code. False is always allowed, but
    /// costs an inter-process lock.
    fn is_assembled(&self, code: &CodeObject) -> bool {
        code.assembly.is_none() && code.format != CodeFormat::Ptx
    }
    /// Loads a code object, so that it can be launched.
    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError>;
    /// Creates an in-order queue.
    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError>;
    /// Chooses the work-group size for a launch that leaves it open.
    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3];
    /// USM of the device.
    fn memory(&self) -> &dyn Memory;
    /// Pins `size` > 0 bytes of the program's own memory and maps them to the device, so that
    /// kernels access them, and copies from and to them run while the host goes on. Returns the
    /// address that kernels use. Nothing is done on a device that reaches all memory anyway.
    ///
    /// # Safety
    /// The memory stays mapped until [`Device::unregister_memory`].
    unsafe fn register_memory(
        &self,
        pointer: *mut c_void,
        _size: usize,
        _access: RegisteredAccess,
    ) -> Result<*mut c_void, DriverError> {
        self.info().reach(pointer)
    }
    /// Ends a registration. `pointer` is the start of the memory.
    ///
    /// # Safety
    /// No command still uses the memory.
    unsafe fn unregister_memory(&self, _pointer: *mut c_void) -> Result<(), DriverError> {
        Ok(())
    }
    /// Native handle of this kind; `None` if there is none.
    fn native(&self, _kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        Ok(None)
    }
    /// Wraps a native queue of the program, which keeps its ownership.
    ///
    /// # Safety
    /// `handle` is a live queue of the vendor's interface on this device, and outlives the result.
    unsafe fn adopt_queue(&self, _handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        let (device, feature) = (self.info().name.clone(), "queues of another interface".to_owned());
        Err(DriverError::Unsupported { device, feature })
    }
    /// Enables or disables access of kernels on this device to memory of `other`. Returns true if
    /// they have access now.
    fn set_peer_access(&self, _other: &dyn Device, _enable: bool) -> Result<bool, DriverError> {
        Ok(false)
    }
    /// Sets a limit for kernels that are launched from now on. False if the device has none that
    /// can be set.
    fn set_limit(&self, _limit: Limit, _value: usize) -> Result<bool, DriverError> {
        Ok(false)
    }
    /// A device with `units` of the compute units of this one, and the same memory.
    fn part(&self, _units: u32) -> Result<Arc<dyn Device>, DriverError> {
        let (device, feature) = (self.info().name.clone(), "a partition into several devices".to_owned());
        Err(DriverError::Unsupported { device, feature })
    }
    /// Number of NUMA nodes with compute units of this device; 0 if unknown, or for a part.
    fn node_count(&self) -> u32 {
        0
    }
    /// A device of the compute units on a NUMA node below [`Device::node_count`], with the same
    /// memory.
    fn part_of_node(&self, _node: u32) -> Result<Arc<dyn Device>, DriverError> {
        self.part(0)
    }
    /// True if queues of this device can copy from memory of `other`.
    fn copies_from(&self, _other: &dyn Device) -> bool {
        false
    }
    /// For downcasts by the driver; `None` if it needs none.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// For a driver that compiles more of a kernel when it is launched.
pub struct Keep {
    /// Counts the time in the driver's compiler.
    pub spent: Box<dyn Fn(Duration) + Send + Sync>,
    /// Stores a code object in place of the one that the kernel was loaded from.
    pub store: Box<dyn Fn(&CodeObject) + Send + Sync>,
}

/// A loaded kernel. Dropping it unloads the code when no queue uses it any more.
pub trait Kernel: Send + Sync {
    /// Facts that a launch needs.
    fn entry(&self) -> &EntryInfo;
    /// Chooses the work-group size for a launch that leaves it open, if this code has a better one
    /// than [`Device::choose_group_size`].
    fn choose_group_size(&self, _global: [u64; 3]) -> Option<[u32; 3]> {
        None
    }
    /// Work-group sizes that may suit a launch better that leaves the size open. The code can run
    /// in each of them on its device.
    fn group_sizes(&self, _global: [u64; 3]) -> Vec<[u32; 3]> {
        Vec::new()
    }
    /// Native handle of this kind; `None` if there is none.
    fn native(&self, _kind: NativeKind) -> Option<*mut c_void> {
        None
    }
    /// Resources of the code on its device.
    fn usage(&self) -> Usage {
        Usage::default()
    }
    /// The same code, for launches whose times the driver notes in `meter`. `None` if the driver
    /// does not time kernels.
    fn metered(&self, _meter: &Arc<Meter>) -> Option<Arc<dyn Kernel>> {
        None
    }
    /// Notes the times of launches that are complete by now.
    fn note_times(&self) {}
    /// Lets launches of this code that are not over run the rest of their work-groups with other
    /// code of the same kernel, for the same argument buffers and with equal results.
    fn continue_with(&self, _other: &Arc<dyn Kernel>) {}
    /// A driver that compiles more of a kernel when it is launched tells what `make` returns how
    /// long that took, and gives it machine code that later processes can load. Called once, before
    /// the first launch.
    fn keep_with(&self, _make: &dyn Fn() -> Keep) {}
    /// For downcasts by the driver.
    fn as_any(&self) -> &dyn Any;
}

/// An in-order queue. Methods do not block unless documented otherwise.
pub trait Queue: Send + Sync {
    /// Submits a kernel with its argument buffer, which is copied before the method returns.
    ///
    /// # Safety
    /// `arguments` has the layout in the kernel's [`EntryInfo`], and every pointer in it that the
    /// kernel dereferences is valid on the device until the command is complete.
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

    /// Submits a rectangular copy.
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
            // SAFETY: the same contract, upheld by the caller.
            unsafe { self.copy(to, from, rows.width) }?;
        }
        Ok(self.last())
    }

    /// Submits a prefetch of shared memory to the device, or to the host. A driver may ignore it.
    ///
    /// # Safety
    /// The range is valid until the command is complete.
    unsafe fn prefetch(&self, _pointer: *const c_void, _size: usize, _to_host: bool) -> Result<Ticket, DriverError> {
        Ok(self.last())
    }

    /// Submits mem-advise for shared memory.
    ///
    /// # Safety
    /// The range is valid.
    unsafe fn advise(&self, _pointer: *const c_void, _size: usize, _advice: Advice) -> Result<Ticket, DriverError> {
        Ok(self.last())
    }

    /// Native handle of this kind; `None` if there is none.
    fn native(&self, _kind: NativeKind) -> Option<*mut c_void> {
        None
    }

    /// Makes later commands wait for `ticket` of `other`, which may belong to another driver.
    ///
    /// Unless the ticket is already complete or belongs to this queue, the dependency takes a
    /// ticket of its own, which [`Queue::last`] counts, so that a wait for the last ticket also
    /// waits for a dependency without a later command. If the device cannot wait for a queue of
    /// another driver, the method blocks until the ticket is complete.
    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError>;
    /// True if [`Queue::depend`] never blocks for a ticket of `other`.
    fn can_wait_for(&self, _other: &Arc<dyn Queue>) -> bool {
        true
    }
    /// Ticket of the last command or dependency submitted.
    fn last(&self) -> Ticket;
    /// True if `ticket` is complete.
    fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError>;
    /// Blocks until `ticket` is complete. Returns an asynchronous error once.
    fn wait(&self, ticket: Ticket) -> Result<(), DriverError>;
    /// Records times of later commands. An error once a command was submitted; idempotent. A queue
    /// without profiling records nothing and has no overhead.
    fn enable_profiling(&self) -> Result<(), DriverError>;
    /// Blocks until `ticket` is complete and returns its times: `None` for a queue without
    /// profiling, for ticket 0, and for tickets with [`PROFILED_TICKETS`] or more later ones.
    /// Asynchronous errors are left for [`Queue::wait`].
    fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError>;
    /// True if [`Queue::mark`] returns marks.
    fn has_marks(&self) -> bool {
        false
    }
    /// Marks the moment at which all commands so far are complete. `None` if only profiling gives
    /// times. Commands between two marks cost no more than others.
    fn mark(&self) -> Result<Option<Arc<dyn Mark>>, DriverError> {
        Ok(None)
    }
    /// For downcasts by the driver; `None` if it needs none.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// A moment between two commands of a queue.
pub trait Mark: Send + Sync {
    /// Nanoseconds from this mark to another one, negative if that was passed before. Blocks until
    /// both are passed. `None` if their devices have no common clock.
    fn until(&self, other: &dyn Mark) -> Result<Option<f64>, DriverError>;
    /// For downcasts by the driver; `None` while commands before the mark are kept back.
    fn as_any(&self) -> Option<&dyn Any>;
}

/// USM of one device.
pub trait Memory: Send + Sync {
    /// Allocates `size` > 0 bytes aligned to `alignment`, a power of two.
    fn allocate(&self, kind: MemoryKind, size: usize, alignment: usize) -> Result<*mut c_void, DriverError>;
    /// Frees memory from [`Memory::allocate`]; any other pointer is an error.
    ///
    /// # Safety
    /// No command still uses the memory.
    unsafe fn free(&self, pointer: *mut c_void) -> Result<(), DriverError>;
    /// Pointer attributes; `None` if the pointer is not into memory of the device.
    fn query(&self, pointer: *const c_void) -> Option<PointerInfo>;
    /// Pointer attributes of allocations by this object, without memory that the program allocated
    /// through the vendor's interface.
    fn query_own(&self, pointer: *const c_void) -> Option<PointerInfo> {
        self.query(pointer)
    }
}
