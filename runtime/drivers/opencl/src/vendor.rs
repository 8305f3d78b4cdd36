//! OpenCL behind the interface that stream drivers share.
//!
//! In: handles and numbers. Out: calls of the library. *Invariant:* as for [`Vendor`]. OpenCL has
//! no current context: each device is a `Vendor` of its own, which knows its context.

use crate::{
    arguments::Callable,
    event::{Slot, is_idle},
    failure,
    library::OpenCl,
    stream::Stream,
};
use opencl_sys::types::ContextStruct;
use sinter_driver::{MemoryKind, Rows};
use sinter_driver_common::{Advised, Failure, Geometry, Handle, Known, Place, Unadopted, Unit, Vendor};
use std::{ffi::c_void, ptr};

impl OpenCl {
    /// Enqueues a command and submits it to the device.
    ///
    /// # Safety
    /// The stream is alive.
    #[inline]
    unsafe fn command(
        &self,
        stream: *mut Stream,
        enqueue: impl FnOnce(opencl_sys::types::Queue) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        let queue = unsafe { &*stream }.queue();
        enqueue(queue)?;
        // SAFETY: as above.
        unsafe { self.flush(queue) }
    }
}

impl Vendor for OpenCl {
    type Context = Handle<ContextStruct>;
    /// OpenCL has no current context.
    type Undo = ();
    type Stream = Stream;
    type Event = Slot;
    type Module = Callable;
    type Function = Callable;

    /// A queue records times of all its commands or of none.
    const EVENTS_HAVE_TIMES: bool = false;
    /// OpenCL has no strided fills.
    const SEED: usize = 0;
    const MOST_ITEMS: u64 = u64::MAX;
    /// Alignment of `long16`, the largest type.
    const ALIGNMENT: usize = 128;
    /// OpenCL copies rectangles of buffers, not of pointers.
    const RECTANGLES: bool = false;

    fn is_sticky(failure: Failure) -> bool {
        failure::is_sticky(failure)
    }

    fn is_about_code(failure: Failure) -> bool {
        failure::is_about_code(failure)
    }

    fn retain(&self, _device: i32) -> Result<Self::Context, Failure> {
        let context = self.platform.retain()?;
        self.set_context(context);
        Ok(Handle(context))
    }

    fn release(&self, _device: i32) {
        self.platform.release();
    }

    #[inline]
    fn enter(&self, _device: i32, _context: Self::Context) -> Result<Option<()>, Failure> {
        Ok(None)
    }

    fn leave(&self, (): ()) -> Result<(), Failure> {
        Ok(())
    }

    fn native_device(&self, _device: i32) -> *mut c_void {
        self.device.0.cast()
    }

    fn native_context(context: Self::Context) -> *mut c_void {
        context.0.cast()
    }

    fn stream_create(&self) -> Result<*mut Stream, Failure> {
        Stream::create(self)
    }

    unsafe fn stream_destroy(&self, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Stream::end(stream, &self.api) }
    }

    unsafe fn stream_forget(&self, stream: *mut Stream) {
        // SAFETY: upheld by the caller.
        drop(unsafe { Box::from_raw(stream) });
    }

    unsafe fn native_stream(&self, stream: *mut Stream) -> *mut c_void {
        // SAFETY: upheld by the caller.
        unsafe { &*stream }.queue().cast()
    }

    unsafe fn stream_query(&self, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { is_idle(&self.api, (*stream).queue()) }
    }

    unsafe fn stream_synchronize(&self, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.finish((*stream).queue()) }
    }

    /// An event of another platform is waited for on the host: a queue accepts only events of its
    /// own context.
    unsafe fn stream_wait(&self, stream: *mut Stream, event: *mut Slot) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        let slot = unsafe { &*event };
        let Some(event) = slot.get() else { return Ok(()) };
        if slot.context.0 != self.context() {
            return slot.wait(&self.api);
        }
        // SAFETY: upheld by the caller; the library keeps the event for as long as it needs it.
        unsafe { self.command(stream, |queue| self.api.barrier(queue, 1, &raw const event, ptr::null_mut())) }
    }

    unsafe fn stream_adopt(&self, queue: *mut c_void) -> Result<*mut Stream, Unadopted> {
        let unordered =
            "queue whose commands run out of order here: make it without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE";
        // SAFETY: upheld by the caller.
        let stream = unsafe { Stream::adopt(&self.api, queue.cast()) }.map_err(Unadopted::Failed)?;
        stream.ok_or(Unadopted::Unsupported(unordered))
    }

    unsafe fn owns_stream(&self, _device: i32, _context: Self::Context, stream: *mut Stream) -> Result<bool, Failure> {
        // SAFETY: upheld by the caller.
        unsafe { &*stream }.is_of(self)
    }

    fn event_create(&self, timed: bool) -> Result<*mut Slot, Failure> {
        Ok(Slot::new(self, timed))
    }

    unsafe fn event_destroy(&self, event: *mut Slot) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Slot::end(event, &self.api) };
        Ok(())
    }

    unsafe fn event_record(&self, event: *mut Slot, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        let (slot, stream) = unsafe { (&*event, &*stream) };
        if slot.timed {
            stream.keep_times(self)?;
        }
        // SAFETY: upheld by the caller.
        unsafe { slot.record(&self.api, stream.queue()) }
    }

    unsafe fn event_query(&self, event: *mut Slot) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { &*event }.query(&self.api)
    }

    unsafe fn event_synchronize(&self, event: *mut Slot) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { &*event }.wait(&self.api)
    }

    unsafe fn event_elapsed(&self, start: *mut Slot, end: *mut Slot) -> Result<f32, Failure> {
        // SAFETY: upheld by the caller.
        let (start, end) = unsafe { ((*start).time(&self.api)?, (*end).time(&self.api)?) };
        Ok((end.wrapping_sub(start).cast_signed() as f64 / 1e6) as f32)
    }

    unsafe fn module_unload(&self, module: *mut Callable) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Box::from_raw(module).end(self) }
    }

    unsafe fn native_module(&self, module: *mut Callable) -> *mut c_void {
        // SAFETY: upheld by the caller.
        unsafe { &*module }.program.0.cast()
    }

    unsafe fn native_function(&self, function: *mut Callable) -> *mut c_void {
        // SAFETY: upheld by the caller.
        unsafe { &*function }.kernel.0.cast()
    }

    fn free_memory(&self) -> Result<Option<u64>, Failure> {
        Ok(None)
    }

    fn allocate(&self, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
        self.allocator.allocate(self.owner(), kind, size)
    }

    unsafe fn free(&self, _kind: MemoryKind, address: usize) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.allocator.free(self.owner(), address) }
    }

    fn about(&self, pointer: usize) -> Option<Known> {
        self.allocator.about(self.owner(), pointer)
    }

    unsafe fn copy(&self, to: usize, from: usize, size: usize, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.command(stream, |queue| self.allocator.copy(self.owner(), queue, to, from, size)) }
    }

    unsafe fn copy_rows(&self, to: usize, from: usize, rows: &Rows, stream: *mut Stream) -> Result<(), Failure> {
        let row = |row| (to + row * rows.destination_pitch, from + row * rows.source_pitch);
        // SAFETY: upheld by the caller.
        (0..rows.height).map(row).try_for_each(|(to, from)| unsafe { self.copy(to, from, rows.width, stream) })
    }

    unsafe fn fill(&self, to: usize, unit: Unit, count: usize, stream: *mut Stream) -> Result<(), Failure> {
        let (bytes, length) = match unit {
            Unit::One(value) => ([value, 0, 0, 0], 1),
            Unit::Two(value) => ([value.to_ne_bytes()[0], value.to_ne_bytes()[1], 0, 0], 2),
            Unit::Four(value) => (value.to_ne_bytes(), 4),
        };
        let (pattern, size) = (&bytes[..length], count * length);
        // SAFETY: upheld by the caller.
        unsafe { self.command(stream, |queue| self.allocator.fill(self.owner(), queue, to, pattern, size)) }
    }

    /// Because [`Vendor::SEED`] is 0, there is only one row.
    unsafe fn fill_rows(
        &self,
        to: usize,
        unit: Unit,
        pitch: usize,
        rows: usize,
        stream: *mut Stream,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        (0..rows).try_for_each(|row| unsafe { self.fill(to + row * pitch, unit, 1, stream) })
    }

    unsafe fn prefetch(
        &self,
        _device: i32,
        range: (usize, usize),
        to: Place,
        stream: *mut Stream,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.command(stream, |queue| self.allocator.migrate(queue, range, to == Place::Host)) }
    }

    /// The extension defines no advice that every device supports.
    unsafe fn advise(
        &self,
        _device: i32,
        _range: (usize, usize),
        _advice: Advised,
        _about: Place,
        _stream: *mut Stream,
    ) -> Result<(), Failure> {
        Ok(())
    }

    #[inline]
    unsafe fn launch(
        &self,
        function: *mut Callable,
        geometry: &Geometry,
        arguments: *const u8,
        _size: usize,
        stream: *mut Stream,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.command(stream, |queue| (*function).launch(self, queue, geometry, arguments)) }
    }

    /// Devices cannot access each other's memory; host memory is accessible to all devices of the
    /// platform.
    fn can_use_peer(&self, _device: i32, _peer: i32) -> Result<bool, Failure> {
        Ok(false)
    }
}
