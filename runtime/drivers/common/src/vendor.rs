//! What a vendor's library must be able to do.
//!
//! In: handles and numbers. Out: calls of the library. *Invariant:* a method is one call of the library, or a few that belong together;
//! it checks nothing, keeps nothing and reports what the library returned.

use crate::{
    error::{self, Describe, code},
    launch::Geometry,
};
use sinter_core::EntryInfo;
use sinter_driver::{MemoryKind, Rows};
use sinter_dylib::Failure;
use std::ffi::c_void;

/// A handle of a library, which any thread may use.
#[derive(Debug, PartialEq, Eq)]
pub struct Handle<T>(pub *mut T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: the libraries' interfaces are thread-safe, and their handles belong to no thread.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}

/// A unit of memory and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A byte.
    One(u8),
    /// Two bytes, aligned to two.
    Two(u16),
    /// Four bytes, aligned to four.
    Four(u32),
}

/// Where memory that moves may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the host.
    Host,
    /// On the context's device.
    Device,
}

/// Why a queue of the program's cannot be a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unadopted {
    /// The library failed.
    Failed(Failure),
    /// Such queues cannot be used, with what to do instead.
    Unsupported(&'static str),
}

/// Advice about memory that moves, by the numbers that CUDA and HIP give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are the vendors' names")]
pub enum Advised {
    SetReadMostly = 1,
    UnsetReadMostly = 2,
    SetPreferredLocation = 3,
    UnsetPreferredLocation = 4,
}

/// What the library knows about a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Where the memory lives.
    pub kind: MemoryKind,
    /// Where the allocation starts.
    pub start: usize,
    /// Its bytes.
    pub size: usize,
    /// The device that it belongs to, negative where the library names none.
    pub device: i32,
}

impl Known {
    /// True if it is another device's. Some drivers name no device for memory of the host.
    pub(crate) fn is_elsewhere(&self, device: i32) -> bool {
        self.device != device && (self.kind == MemoryKind::Device || self.device >= 0)
    }
}

/// A vendor's library. Unless a method says otherwise, the context is current while it runs, and handles are alive.
#[allow(clippy::missing_safety_doc, reason = "the sentence above, and the library's documentation")]
pub trait Vendor: Describe + Sized + Send + Sync + 'static {
    /// What the library calls this process's part of a device.
    type Context: Copy + Send + Sync;
    /// What entering a context leaves to be undone.
    type Undo: Copy;
    /// What a stream's handle points to.
    type Stream;
    /// What an event's handle points to.
    type Event;
    /// What a module's handle points to.
    type Module;
    /// What a function's handle points to.
    type Function;

    /// Whether a stream looks at an event that it waits for when it gets there, rather than when the wait is submitted.
    const EVENTS_ARE_READ_LATE: bool = false;
    /// Bytes of a pattern that are filled unit by unit with gaps before the rest is copied from them; 0 where the library has no good
    /// way to do that, so that each unit is filled once.
    const SEED: usize;
    /// Work-items in a dimension of a launch.
    const MOST_ITEMS: u64;
    /// What allocations are aligned to (CUDA C++ Programming Guide, "Device Memory Accesses"; HIP's come in pages).
    const ALIGNMENT: usize = 256;
    /// Whether the library copies rectangles. Without, [`Vendor::copy_rows`] is not called.
    const RECTANGLES: bool = true;
    /// Whether contexts have handles that a program can use.
    const NATIVE_CONTEXTS: bool = true;
    /// Whether devices reach each other's memory as soon as that is possible at all, so that nothing can be allowed or forbidden.
    const PEERS_ARE_FIXED: bool = false;

    /// Whether the context is lost with a failure.
    fn is_sticky(failure: Failure) -> bool {
        error::is_sticky(failure)
    }

    /// Whether a failure says that something is not complete.
    fn is_not_ready(failure: Failure) -> bool {
        failure.code == code::NOT_READY
    }

    /// Whether a failure says that there is not enough memory.
    fn is_out_of_memory(failure: Failure) -> bool {
        failure.code == code::OUT_OF_MEMORY
    }

    /// Whether code was refused for itself: a library that lacks its compiler, memory or time says nothing about the code.
    fn is_about_code(failure: Failure) -> bool {
        error::is_about_code(failure)
    }

    /// A failure was an expected answer, which the program should not find as its own.
    fn forgive(&self) {}

    // ---- Contexts. Each of these is called without one.

    /// Makes the device's context, or finds it.
    fn retain(&self, device: i32) -> Result<Self::Context, Failure>;
    /// Gives up what [`Vendor::retain`] returned.
    fn release(&self, device: i32);
    /// Makes a context current on this thread. What must be undone afterwards is the result.
    fn enter(&self, device: i32, context: Self::Context) -> Result<Option<Self::Undo>, Failure>;
    /// Undoes that.
    fn leave(&self, undo: Self::Undo) -> Result<(), Failure>;
    /// The device's handle for the program.
    fn native_device(&self, device: i32) -> *mut c_void {
        std::ptr::without_provenance_mut(device as usize)
    }
    /// Whether the device has a context that somebody else made.
    fn has_context(&self, _device: i32) -> Result<bool, Failure> {
        Ok(false)
    }
    /// The context's handle for the program. Without [`Vendor::NATIVE_CONTEXTS`] it is not asked for.
    fn native_context(_context: Self::Context) -> *mut c_void {
        std::ptr::null_mut()
    }

    // ---- Streams and events.

    /// A stream that does not wait for the program's default stream.
    fn stream_create(&self) -> Result<*mut Self::Stream, Failure>;
    /// Ends a stream.
    unsafe fn stream_destroy(&self, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// A stream that is a queue of the program's. The context was made, and is not current.
    unsafe fn stream_adopt(&self, queue: *mut c_void) -> Result<*mut Self::Stream, Unadopted> {
        Ok(queue.cast())
    }
    /// Ends what was made for a stream of the program's, which itself stays.
    unsafe fn stream_forget(&self, _stream: *mut Self::Stream) {}
    /// The stream's handle for the program.
    unsafe fn native_stream(&self, stream: *mut Self::Stream) -> *mut c_void {
        stream.cast()
    }
    /// Whether a stream has nothing to do.
    unsafe fn stream_query(&self, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Blocks until it has nothing to do.
    unsafe fn stream_synchronize(&self, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Makes a stream wait for an event.
    unsafe fn stream_wait(&self, stream: *mut Self::Stream, event: *mut Self::Event) -> Result<(), Failure>;
    /// Whether a stream of the program's belongs to the context.
    unsafe fn owns_stream(
        &self,
        device: i32,
        context: Self::Context,
        stream: *mut Self::Stream,
    ) -> Result<bool, Failure>;
    /// Whether streams of this library can wait for events of that one.
    fn shares_events(&self, _other: &Self) -> bool {
        true
    }
    /// An event, which keeps the time or does not.
    fn event_create(&self, timed: bool) -> Result<*mut Self::Event, Failure>;
    /// Ends an event. No context need be current.
    unsafe fn event_destroy(&self, event: *mut Self::Event) -> Result<(), Failure>;
    /// Puts an event at the end of a stream.
    unsafe fn event_record(&self, event: *mut Self::Event, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Whether the stream has passed an event.
    unsafe fn event_query(&self, event: *mut Self::Event) -> Result<(), Failure>;
    /// Blocks until it has.
    unsafe fn event_synchronize(&self, event: *mut Self::Event) -> Result<(), Failure>;
    /// Milliseconds between two events.
    unsafe fn event_elapsed(&self, start: *mut Self::Event, end: *mut Self::Event) -> Result<f32, Failure>;

    // ---- Code.

    /// Ends loaded code.
    unsafe fn module_unload(&self, module: *mut Self::Module) -> Result<(), Failure>;
    /// The code's handle for the program.
    unsafe fn native_module(&self, module: *mut Self::Module) -> *mut c_void {
        module.cast()
    }
    /// The function's handle for the program.
    unsafe fn native_function(&self, function: *mut Self::Function) -> *mut c_void {
        function.cast()
    }
    /// Bytes of the argument buffer that a launch reads.
    fn argument_size(entry: &EntryInfo) -> usize {
        entry.argument_size as usize
    }
    /// Makes launches possible with more than [`Limits::local_memory`](crate::Limits::local_memory).
    unsafe fn allow_local_memory(&self, _function: *mut Self::Function, _size: u32) -> Result<(), Failure> {
        Ok(())
    }
    /// The library's proposal of a group size for a launch over a range, where it makes any. No context is current.
    unsafe fn propose_group(&self, _function: *mut Self::Function, _global: [u64; 3]) -> Option<[u32; 3]> {
        None
    }

    // ---- Memory.

    /// Free memory of the device in bytes, where the library knows.
    fn free_memory(&self) -> Result<Option<u64>, Failure>;
    /// Allocates memory.
    fn allocate(&self, kind: MemoryKind, size: usize) -> Result<usize, Failure>;
    /// Frees it.
    unsafe fn free(&self, kind: MemoryKind, address: usize) -> Result<(), Failure>;
    /// What the library knows about a pointer. `None` is memory of the host that it does not know.
    fn about(&self, pointer: usize) -> Option<Known>;

    // ---- Commands.

    /// Copies `size` > 0 bytes.
    unsafe fn copy(&self, to: usize, from: usize, size: usize, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Copies rows whose pitches are at least as wide as the rows.
    unsafe fn copy_rows(&self, to: usize, from: usize, rows: &Rows, stream: *mut Self::Stream) -> Result<(), Failure>;
    /// Fills `count` patterns, where the library has a fill for such a pattern at such an address.
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
    /// Moves memory.
    unsafe fn prefetch(
        &self,
        device: i32,
        range: (usize, usize),
        to: Place,
        stream: *mut Self::Stream,
    ) -> Result<(), Failure>;
    /// Gives advice about memory.
    unsafe fn advise(
        &self,
        device: i32,
        range: (usize, usize),
        advice: Advised,
        about: Place,
        stream: *mut Self::Stream,
    ) -> Result<(), Failure>;
    /// Launches a kernel, with local memory besides what its code has and a buffer of arguments of `size` bytes, which the library copies.
    unsafe fn launch(
        &self,
        function: *mut Self::Function,
        geometry: &Geometry,
        arguments: *const u8,
        size: usize,
        stream: *mut Self::Stream,
    ) -> Result<(), Failure>;

    // ---- Other devices.

    /// Whether a device can use the memory of another one.
    fn can_use_peer(&self, device: i32, peer: i32) -> Result<bool, Failure>;
    /// Lets the context use the memory of another one, or forbids it. With [`Vendor::PEERS_ARE_FIXED`] it is not called.
    fn set_peer(&self, _peer: i32, _context: Self::Context, _enable: bool) -> Result<(), Failure> {
        Ok(())
    }
}
