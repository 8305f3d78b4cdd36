//! AMD's HIP library behind the interface that stream drivers share.
//!
//! In: handles and numbers. Out: calls of the library. *Invariant:* as for [`Vendor`]. After a call
//! the program's device is current again. HIP has no context to push and pop, and every thread has
//! a current device from its start, so the current device may always be the program's choice.

use crate::library::{self, Hip, MemoryType};
use hip_sys::types::{
    ATTACH_GLOBAL, COPY_DEFAULT, CPU, EVENT_WITHOUT_TIME, Event, EventStruct, Function, FunctionStruct, HOST_COHERENT,
    HOST_MAPPED, HOST_PORTABLE, LAUNCH_BUFFER_POINTER, LAUNCH_BUFFER_SIZE, LAUNCH_END, Module, ModuleStruct,
    PointerAttributes, STREAM_NON_BLOCKING, STREAM_PER_THREAD, Stream, StreamStruct,
};
use sinter_driver::{MemoryKind, RegisteredAccess, Rows};
use sinter_driver_common::{Advised, Failure, Geometry, Known, Place, Unadopted, Unit, Vendor, lock};
use std::{ffi::c_void, mem, ptr};

fn number_of(device: i32, place: Place) -> i32 {
    match place {
        Place::Host => CPU,
        Place::Device => device,
    }
}

fn pointer(address: usize) -> *mut c_void {
    ptr::with_exposed_provenance_mut(address)
}

impl Hip {
    fn current(&self) -> Result<i32, Failure> {
        let mut device = 0;
        // SAFETY: `device` is writable.
        unsafe { self.api.device_current(&raw mut device) }?;
        Ok(device)
    }

    #[cold]
    fn change_current(&self, device: i32) -> Result<(), Failure> {
        // SAFETY: the device is one of the library's.
        unsafe { self.api.device_set(device) }
    }

    /// Start and size of the allocation that contains an address.
    fn range(&self, address: usize) -> Option<(usize, usize)> {
        let (mut start, mut size) = (ptr::null_mut(), 0);
        // SAFETY: both are writable, and the library accepts any pointer.
        let asked = unsafe { self.api.pointer_range(&raw mut start, &raw mut size, pointer(address)) };
        asked.ok().map(|()| (start.addr(), size))
    }
}

impl Vendor for Hip {
    type Context = ();
    /// The device that was current before.
    type Undo = i32;
    type Stream = StreamStruct;
    type Event = EventStruct;
    type Module = ModuleStruct;
    type Function = FunctionStruct;

    /// Strided fills are no faster: up to ROCm 5 the library fills row by row.
    const SEED: usize = 0;
    /// A dispatch packet has 32 bits for each dimension ("HSA Platform System Architecture
    /// Specification", kernel dispatch packet).
    const MOST_ITEMS: u64 = u32::MAX as u64;
    /// HIP devices have no context handle.
    const NATIVE_CONTEXTS: bool = false;

    fn is_sticky(failure: Failure) -> bool {
        library::is_sticky(failure)
    }

    fn clear_last_error(&self) {
        // SAFETY: the function only clears this thread's last error.
        let _ = unsafe { self.api.take_error() };
    }

    fn retain(&self, _device: i32) -> Result<(), Failure> {
        Ok(())
    }

    fn release(&self, _device: i32) {}

    #[inline]
    fn enter(&self, device: i32, (): ()) -> Result<Option<i32>, Failure> {
        let current = self.current()?;
        if current == device {
            return Ok(None);
        }
        self.change_current(device)?;
        Ok(Some(current))
    }

    fn leave(&self, device: i32) -> Result<(), Failure> {
        self.change_current(device)
    }

    fn stream_create(&self) -> Result<Stream, Failure> {
        let mut stream = ptr::null_mut();
        // SAFETY: `stream` is writable.
        unsafe { self.api.stream_create(&raw mut stream, STREAM_NON_BLOCKING) }?;
        Ok(stream)
    }

    unsafe fn stream_destroy(&self, stream: Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.stream_destroy(stream) }
    }

    unsafe fn stream_query(&self, stream: Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.stream_query(stream) }
    }

    unsafe fn stream_synchronize(&self, stream: Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.stream_synchronize(stream) }
    }

    unsafe fn stream_wait(&self, stream: Stream, event: Event) -> Result<(), Failure> {
        // SAFETY: upheld by the caller; the library looks at the event before it returns.
        unsafe { self.api.stream_wait(stream, event, 0) }
    }

    unsafe fn stream_adopt(&self, queue: *mut c_void) -> Result<Stream, Unadopted> {
        let per_thread =
            "queue for hipStreamPerThread, which is another stream on each thread: pass a stream of its own";
        if queue.addr() == STREAM_PER_THREAD { Err(Unadopted::Unsupported(per_thread)) } else { Ok(queue.cast()) }
    }

    unsafe fn owns_stream(&self, device: i32, (): (), stream: Stream) -> Result<bool, Failure> {
        // SAFETY: the caller guarantees the stream. The default stream is that of the current
        // device.
        Ok(unsafe { self.api.stream_device(stream) } == device)
    }

    fn event_create(&self, timed: bool) -> Result<Event, Failure> {
        let (mut event, flags) = (ptr::null_mut(), if timed { 0 } else { EVENT_WITHOUT_TIME });
        // SAFETY: `event` is writable.
        unsafe { self.api.event_create(&raw mut event, flags) }?;
        Ok(event)
    }

    unsafe fn event_destroy(&self, event: Event) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.event_destroy(event) }
    }

    unsafe fn event_record(&self, event: Event, stream: Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.event_record(event, stream) }
    }

    unsafe fn event_query(&self, event: Event) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.event_query(event) }
    }

    unsafe fn event_synchronize(&self, event: Event) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.event_synchronize(event) }
    }

    unsafe fn event_elapsed(&self, start: Event, end: Event) -> Result<f32, Failure> {
        let mut milliseconds = 0f32;
        // SAFETY: upheld by the caller; `milliseconds` is writable.
        unsafe { self.api.event_elapsed(&raw mut milliseconds, start, end) }?;
        Ok(milliseconds)
    }

    unsafe fn module_unload(&self, module: Module) -> Result<(), Failure> {
        // The code object is freed after the library has unloaded it.
        let image = lock(&self.images).remove(&module.addr());
        // SAFETY: upheld by the caller.
        let unloaded = unsafe { self.api.module_unload(module) };
        drop(image);
        unloaded
    }

    fn free_memory(&self) -> Result<Option<u64>, Failure> {
        let (mut free, mut total) = (0usize, 0usize);
        // SAFETY: both are writable.
        unsafe { self.api.memory_info(&raw mut free, &raw mut total) }?;
        Ok(Some(free as u64))
    }

    fn allocate(&self, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
        let mut memory = ptr::null_mut();
        let host = HOST_PORTABLE | HOST_MAPPED | HOST_COHERENT;
        match kind {
            // SAFETY: `memory` is writable.
            MemoryKind::Device => unsafe { self.api.device_allocate(&raw mut memory, size) },
            // SAFETY: as above.
            MemoryKind::Shared => unsafe { self.api.managed_allocate(&raw mut memory, size, ATTACH_GLOBAL) },
            // SAFETY: as above.
            MemoryKind::Host => unsafe { self.api.host_allocate(&raw mut memory, size, host) },
        }?;
        Ok(memory.expose_provenance())
    }

    unsafe fn free(&self, kind: MemoryKind, address: usize) -> Result<(), Failure> {
        match kind {
            // SAFETY: upheld by the caller.
            MemoryKind::Host => unsafe { self.api.host_free(pointer(address)) },
            // SAFETY: upheld by the caller.
            MemoryKind::Device | MemoryKind::Shared => unsafe { self.api.device_free(pointer(address)) },
        }
    }

    /// The library has no registrations for reading alone: a flag of that number makes memory
    /// coherent only between kernels.
    unsafe fn register(&self, address: usize, size: usize, _: RegisteredAccess) -> Option<Result<usize, Failure>> {
        let (start, mut seen) = (pointer(address), ptr::null_mut());
        // SAFETY: upheld by the caller.
        let registered = unsafe { self.api.host_register(start, size, HOST_PORTABLE | HOST_MAPPED) };
        let found = registered.and_then(|()| {
            // SAFETY: the memory is registered, and `seen` is writable.
            unsafe { self.api.host_address(&raw mut seen, start, 0) }.inspect_err(|_| {
                // SAFETY: nobody knows of the registration.
                let _ = unsafe { self.api.host_unregister(start) };
            })
        });
        Some(found.map(|()| seen.expose_provenance()))
    }

    unsafe fn unregister(&self, address: usize) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.host_unregister(pointer(address)) }
    }

    fn about(&self, address: usize) -> Option<Known> {
        // SAFETY: the structure consists of numbers and pointers.
        let mut attributes: PointerAttributes = unsafe { mem::zeroed() };
        // SAFETY: the attributes are writable, and the library accepts any pointer.
        let asked = unsafe { self.api.pointer_attributes(&raw mut attributes, pointer(address)) };
        let known = asked.ok().and_then(|()| {
            let kind = match self.memory_type(attributes.memory_type) {
                MemoryType::Unknown => return None,
                _ if attributes.is_managed != 0 => MemoryKind::Shared,
                MemoryType::Host => MemoryKind::Host,
                MemoryType::Device => MemoryKind::Device,
            };
            let (start, size) = self.range(address)?;
            Some(Known { kind, start, size, device: attributes.device })
        });
        if known.is_none() {
            self.clear_last_error();
        }
        known
    }

    unsafe fn copy(&self, to: usize, from: usize, size: usize, stream: Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.copy(pointer(to), pointer(from), size, COPY_DEFAULT, stream) }
    }

    unsafe fn copy_rows(&self, to: usize, from: usize, rows: &Rows, stream: Stream) -> Result<(), Failure> {
        let Rows { destination_pitch, source_pitch, width, height } = *rows;
        let (to, from) = (pointer(to), pointer(from));
        // SAFETY: upheld by the caller.
        unsafe { self.api.copy_rows(to, destination_pitch, from, source_pitch, width, height, COPY_DEFAULT, stream) }
    }

    unsafe fn fill(&self, to: usize, unit: Unit, count: usize, stream: Stream) -> Result<(), Failure> {
        match unit {
            // SAFETY: upheld by the caller.
            Unit::One(value) => unsafe { self.api.set_8(pointer(to), value, count, stream) },
            // SAFETY: as above.
            Unit::Two(value) => unsafe { self.api.set_16(pointer(to), value, count, stream) },
            // SAFETY: as above.
            Unit::Four(value) => unsafe { self.api.set_32(pointer(to), value.cast_signed(), count, stream) },
        }
    }

    /// The library has no strided fill for units of more than a byte. Because [`Vendor::SEED`] is
    /// 0, there is only one row.
    unsafe fn fill_rows(
        &self,
        to: usize,
        unit: Unit,
        pitch: usize,
        rows: usize,
        stream: Stream,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        (0..rows).try_for_each(|row| unsafe { self.fill(to + row * pitch, unit, 1, stream) })
    }

    unsafe fn prefetch(
        &self,
        device: i32,
        (address, size): (usize, usize),
        to: Place,
        stream: Stream,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.prefetch(pointer(address), size, number_of(device, to), stream) }
    }

    unsafe fn advise(
        &self,
        device: i32,
        (address, size): (usize, usize),
        advice: Advised,
        about: Place,
        _stream: Stream,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.advise(pointer(address), size, advice as i32, number_of(device, about)) }
    }

    #[inline]
    unsafe fn launch(
        &self,
        function: Function,
        geometry: &Geometry,
        arguments: *const u8,
        mut size: usize,
        stream: Stream,
    ) -> Result<(), Failure> {
        let Geometry { grid: [x, y, z], group: [gx, gy, gz], local_memory } = *geometry;
        let word = ptr::without_provenance_mut;
        let mut extra = [
            word(LAUNCH_BUFFER_POINTER),
            arguments.cast_mut().cast(),
            word(LAUNCH_BUFFER_SIZE),
            (&raw mut size).cast(),
            word(LAUNCH_END),
        ];
        let extra = if size == 0 { ptr::null_mut() } else { extra.as_mut_ptr() };
        // SAFETY: upheld by the caller.
        unsafe { self.api.launch(function, x, y, z, gx, gy, gz, local_memory, stream, ptr::null_mut(), extra) }
    }

    fn can_use_peer(&self, device: i32, peer: i32) -> Result<bool, Failure> {
        let mut possible = 0;
        // SAFETY: both devices are the library's, and `possible` is writable.
        unsafe { self.api.peer_possible(&raw mut possible, device, peer) }?;
        Ok(possible != 0)
    }

    fn set_peer(&self, peer: i32, (): (), enable: bool) -> Result<(), Failure> {
        match enable {
            // SAFETY: the peer is one of the library's devices, and our device is current.
            true => unsafe { self.api.peer_enable(peer, 0) },
            // SAFETY: as above.
            false => unsafe { self.api.peer_disable(peer) },
        }
    }
}
