//! Interface to a vendor library.
//!
//! In: handles and numbers. Out: calls of the library. *Invariant:* a method makes one call of the
//! library, or a few that belong together. It validates nothing, stores nothing and returns the
//! library's result.

use crate::{
    error::{self, Describe, code},
    launch::Geometry,
};
use sinter_core::EntryInfo;
use sinter_driver::{Keep, Limit, MemoryKind, RegisteredAccess, Rows};
use sinter_dylib::Failure;
use std::ffi::c_void;

/// A handle of a library. Any thread may use it.
#[derive(Debug, PartialEq, Eq)]
pub struct Handle<T>(pub *mut T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: the libraries' interfaces are thread-safe, and their handles are not tied to a thread.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}

/// The unit of a fill, with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A byte.
    One(u8),
    /// Two bytes, aligned to two.
    Two(u16),
    /// Four bytes, aligned to four.
    Four(u32),
}

/// A location that managed memory can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the host.
    Host,
    /// On the context's device.
    Device,
}

/// Reasons why a native queue of the program cannot be adopted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unadopted {
    /// A call of the library failed.
    Failed(Failure),
    /// The library cannot adopt such queues; the string says what to do instead.
    Unsupported(&'static str),
}

/// Advice about managed memory, with the values of CUDA and HIP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are the vendors' names")]
pub enum Advised {
    SetReadMostly = 1,
    UnsetReadMostly = 2,
    SetPreferredLocation = 3,
    UnsetPreferredLocation = 4,
}

/// Pointer attributes that the library reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Kind of the allocation.
    pub kind: MemoryKind,
    /// Start address of the allocation.
    pub start: usize,
    /// Size of the allocation in bytes.
    pub size: usize,
    /// Device ordinal of the allocation; negative if the library reports none.
    pub device: i32,
}

impl Known {
    /// True if the allocation belongs to another device. Some drivers report no device for host
    /// memory.
    pub(crate) fn is_elsewhere(&self, device: i32) -> bool {
        self.device != device && (self.kind == MemoryKind::Device || self.device >= 0)
    }
}

/// A vendor library. Unless a method says otherwise, the context is current during a call and
/// handles are alive.
#[allow(clippy::missing_safety_doc, reason = "the sentence above, and the library's documentation")]
pub trait Vendor: Describe + Sized + Send + Sync + 'static {
    /// Handle of a device's context in this process.
    type Context: Copy + Send + Sync;
    /// State that [`Vendor::leave`] needs to undo [`Vendor::enter`].
    type Undo: Copy;
    /// Pointee of a stream's handle.
    type Stream;
    /// Pointee of an event's handle.
    type Event;
    /// Pointee of a module's handle.
    type Module;
    /// Pointee of a function's handle.
    type Function;

    /// True if a stream reads the state of an event that it waits for only when it gets to the
    /// wait, not when the wait is submitted.
    const EVENTS_ARE_READ_LATE: bool = false;
    /// True if a stream can copy from memory of another device of the vendor.
    const COPIES_BETWEEN_DEVICES: bool = false;
    /// Bytes of a pattern to write with strided fills before copies of them fill the rest. 0 if the
    /// library has no efficient strided fill; then each unit gets one fill.
    const SEED: usize;
    /// Largest number of work-items in a dimension of a launch.
    const MOST_ITEMS: u64;
    /// Alignment of allocations in bytes (CUDA C++ Programming Guide, "Device Memory Accesses"; HIP
    /// aligns to pages).
    const ALIGNMENT: usize = 256;
    /// True if the library can copy rectangles. Otherwise [`Vendor::copy_rows`] is not called.
    const RECTANGLES: bool = true;
    /// True if contexts have native handles that a program can use.
    const NATIVE_CONTEXTS: bool = true;
    /// True if events of streams that record no times of their commands may have times.
    const EVENTS_HAVE_TIMES: bool = true;
    /// True if peer access is always enabled where it is possible, so that it cannot be changed.
    const PEERS_ARE_FIXED: bool = false;

    /// True if the failure ends the context.
    fn is_sticky(failure: Failure) -> bool {
        error::is_sticky(failure)
    }

    /// True if the failure only means that a command is not complete.
    fn is_not_ready(failure: Failure) -> bool {
        failure.code == code::NOT_READY
    }

    /// True if the failure means a lack of memory.
    fn is_out_of_memory(failure: Failure) -> bool {
        failure.code == code::OUT_OF_MEMORY
    }

    /// True if the code itself was rejected. A library that lacks its compiler, memory or time says
    /// nothing about the code.
    fn is_about_code(failure: Failure) -> bool {
        error::is_about_code(failure)
    }

    /// Clears the last error after an expected failure, so that the program does not see it as its
    /// own.
    fn clear_last_error(&self) {}

    // ---- Contexts. No context is current during these calls.

    /// Creates the device's context, or adds a reference to it.
    fn retain(&self, device: i32) -> Result<Self::Context, Failure>;
    /// Releases the reference that [`Vendor::retain`] returned.
    fn release(&self, device: i32);
    /// Makes a context current on this thread. The result is passed to [`Vendor::leave`]
    /// afterwards.
    fn enter(&self, device: i32, context: Self::Context) -> Result<Option<Self::Undo>, Failure>;
    /// Restores the context that was current before [`Vendor::enter`].
    fn leave(&self, undo: Self::Undo) -> Result<(), Failure>;
    /// Native handle of the device.
    fn native_device(&self, device: i32) -> *mut c_void {
        std::ptr::without_provenance_mut(device as usize)
    }
    /// True if the device has a context that the program or another library created.
    fn has_context(&self, _device: i32) -> Result<bool, Failure> {
        Ok(false)
    }
    /// Native handle of the context. Not called without [`Vendor::NATIVE_CONTEXTS`].
    fn native_context(_context: Self::Context) -> *mut c_void {
        std::ptr::null_mut()
    }

    // ---- Streams and events.

    /// Creates a stream that does not synchronise with the program's default stream.
    fn stream_create(&self) -> Result<*mut Self::Stream, Failure>;
    /// Destroys a stream.
    unsafe fn stream_destroy(&self, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Makes a stream of a native queue of the program. The context exists and is not current.
    unsafe fn stream_adopt(&self, queue: *mut c_void) -> Result<*mut Self::Stream, Unadopted> {
        Ok(queue.cast())
    }
    /// Releases the resources of [`Vendor::stream_adopt`]; the program's queue stays.
    unsafe fn stream_forget(&self, _stream: *mut Self::Stream) {}
    /// Native handle of the stream.
    unsafe fn native_stream(&self, stream: *mut Self::Stream) -> *mut c_void {
        stream.cast()
    }
    /// Succeeds if the stream is idle; fails with a "not ready" code otherwise.
    unsafe fn stream_query(&self, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Blocks until the stream is idle.
    unsafe fn stream_synchronize(&self, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Makes everything submitted later to a stream wait for an event.
    unsafe fn stream_wait(&self, stream: *mut Self::Stream, event: *mut Self::Event) -> Result<(), Failure>;
    /// True if a stream of the program's belongs to the context.
    unsafe fn owns_stream(
        &self,
        device: i32,
        context: Self::Context,
        stream: *mut Self::Stream,
    ) -> Result<bool, Failure>;
    /// True if streams of this library can wait for events of `other`.
    fn shares_events(&self, _other: &Self) -> bool {
        true
    }
    /// Creates an event, with or without timestamps.
    fn event_create(&self, timed: bool) -> Result<*mut Self::Event, Failure>;
    /// Destroys an event. No context needs to be current.
    unsafe fn event_destroy(&self, event: *mut Self::Event) -> Result<(), Failure>;
    /// Records an event at the end of a stream.
    unsafe fn event_record(&self, event: *mut Self::Event, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Succeeds if the event is complete; fails with a "not ready" code otherwise.
    unsafe fn event_query(&self, event: *mut Self::Event) -> Result<(), Failure>;
    /// Blocks until the event is complete.
    unsafe fn event_synchronize(&self, event: *mut Self::Event) -> Result<(), Failure>;
    /// Milliseconds between two events.
    unsafe fn event_elapsed(&self, start: *mut Self::Event, end: *mut Self::Event) -> Result<f32, Failure>;

    // ---- Code.

    /// Unloads a module.
    unsafe fn module_unload(&self, module: *mut Self::Module) -> Result<(), Failure>;
    /// Native handle of the module.
    unsafe fn native_module(&self, module: *mut Self::Module) -> *mut c_void {
        module.cast()
    }
    /// Native handle of the function.
    unsafe fn native_function(&self, function: *mut Self::Function) -> *mut c_void {
        function.cast()
    }
    /// Bytes of the argument buffer that a launch reads.
    fn argument_size(entry: &EntryInfo) -> usize {
        entry.argument_size as usize
    }
    /// Registers of a work-item, and private memory in bytes besides; `None` if the library does
    /// not report them.
    unsafe fn usage(&self, _function: *mut Self::Function) -> Option<(u32, u32)> {
        None
    }
    /// Allows launches with more than [`Limits::local_memory`](crate::Limits::local_memory).
    unsafe fn allow_local_memory(&self, _function: *mut Self::Function, _size: u32) -> Result<(), Failure> {
        Ok(())
    }
    /// The library's proposed group size for a launch over a range, if it has one. No context is
    /// current.
    unsafe fn propose_group(&self, _function: *mut Self::Function, _global: [u64; 3]) -> Option<[u32; 3]> {
        None
    }

    /// As for [`Kernel::keep_with`](sinter_driver::Kernel::keep_with).
    unsafe fn keep_with(&self, _function: *mut Self::Function, _make: &dyn Fn() -> Keep) {}

    // ---- Memory.

    /// Free memory of the device in bytes; `None` if the library does not report it.
    fn free_memory(&self) -> Result<Option<u64>, Failure>;
    /// Allocates `size` bytes and returns their address.
    fn allocate(&self, kind: MemoryKind, size: usize) -> Result<usize, Failure>;
    /// Frees an allocation of [`Vendor::allocate`].
    unsafe fn free(&self, kind: MemoryKind, address: usize) -> Result<(), Failure>;
    /// Registers memory of the program and returns the address that kernels use. `None` if the
    /// library cannot.
    unsafe fn register(
        &self,
        _address: usize,
        _size: usize,
        _access: RegisteredAccess,
    ) -> Option<Result<usize, Failure>> {
        None
    }
    /// Ends a registration of [`Vendor::register`].
    unsafe fn unregister(&self, _address: usize) -> Result<(), Failure> {
        Ok(())
    }
    /// Pointer attributes. `None` for host memory that the library does not know.
    fn about(&self, pointer: usize) -> Option<Known>;

    // ---- Commands.

    /// Copies `size` bytes, which is not 0.
    unsafe fn copy(&self, to: usize, from: usize, size: usize, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Copies rows whose pitches are at least the width of a row.
    unsafe fn copy_rows(&self, to: usize, from: usize, rows: &Rows, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Fills `count` patterns. `None` if the library has no fill for this pattern at this address.
    unsafe fn fill_pattern(
        &self,
        _to: usize,
        _pattern: &[u8],
        _count: usize,
        _stream: *mut Self::Stream,
    ) -> Option<Result<(), Failure>> {
        None
    }
    /// Fills `count` units.
    unsafe fn fill(&self, to: usize, unit: Unit, count: usize, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Fills a unit at `to` and at each multiple of `pitch` after it, `rows` in all.
    unsafe fn fill_rows(
        &self,
        to: usize,
        unit: Unit,
        pitch: usize,
        rows: usize,
        stream: *mut Self::Stream,
    ) -> Result<(), Failure>;
    /// Prefetches managed memory to a place.
    unsafe fn prefetch(
        &self,
        device: i32,
        range: (usize, usize),
        to: Place,
        stream: *mut Self::Stream,
    ) -> Result<(), Failure>;
    /// Gives a mem-advise for managed memory.
    unsafe fn advise(
        &self,
        device: i32,
        range: (usize, usize),
        advice: Advised,
        about: Place,
        stream: *mut Self::Stream,
    ) -> Result<(), Failure>;
    /// Launches a kernel. `local_memory` comes on top of what its code allocates statically; the
    /// library copies the `size` bytes of arguments.
    unsafe fn launch(
        &self,
        function: *mut Self::Function,
        geometry: &Geometry,
        arguments: *const u8,
        size: usize,
        stream: *mut Self::Stream,
    ) -> Result<(), Failure>;

    /// Sets a limit of the current context. False if it has none that can be set.
    fn set_limit(&self, _limit: Limit, _value: usize) -> Result<bool, Failure> {
        Ok(false)
    }

    // ---- Other devices.

    /// True if a device can access the memory of another one.
    fn can_use_peer(&self, device: i32, peer: i32) -> Result<bool, Failure>;
    /// Enables or disables the context's access to the memory of a peer. Not called with
    /// [`Vendor::PEERS_ARE_FIXED`].
    fn set_peer(&self, _peer: i32, _context: Self::Context, _enable: bool) -> Result<(), Failure> {
        Ok(())
    }
}
