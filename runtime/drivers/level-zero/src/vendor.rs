//! Level Zero behind the interface that stream drivers share.
//!
//! In: handles and numbers. Out: calls of the library. *Invariant:* as for [`Vendor`]. Level Zero
//! has no current context, so entering one does nothing.

use crate::{
    events::{self, Event},
    gpu::Gpu,
    kernel::Code,
    library,
};
use level_zero_sys::{
    result,
    types::{
        ADVICE_CLEAR_PREFERRED_LOCATION, ADVICE_CLEAR_READ_MOSTLY, ADVICE_SET_PREFERRED_LOCATION,
        ADVICE_SET_READ_MOSTLY, AllocationProperties, CommandList, CommandListStruct, ContextStruct, CopyRegion,
        DeviceMemoryDesc, DeviceProperties, HostMemoryDesc, MEMORY_DEVICE, MEMORY_SHARED, MEMORY_UNKNOWN, Structure,
        USABLE_MEMORY, UsableMemory,
    },
};
use sinter_driver::{MemoryKind, Rows};
use sinter_driver_common::{Advised, Failure, Geometry, Handle, Known, Place, Unit, Vendor};
use std::{convert::Infallible, ffi::c_void, ptr, sync::Arc};

/// Alignment of allocations in bytes, as the shared code expects it.
const ALIGNMENT: usize = 256;

fn pointer(address: usize) -> *mut c_void {
    ptr::with_exposed_provenance_mut(address)
}

/// A region of rows that the library copies with one command: width in bytes and number of rows.
fn region(width: usize, height: usize) -> CopyRegion {
    CopyRegion { width: width as u32, height: height as u32, ..CopyRegion::default() }
}

fn number_of_advice(advice: Advised, about: Place) -> u32 {
    match (advice, about) {
        (Advised::SetReadMostly, _) => ADVICE_SET_READ_MOSTLY,
        (Advised::UnsetReadMostly, _) => ADVICE_CLEAR_READ_MOSTLY,
        (Advised::SetPreferredLocation, Place::Device) => ADVICE_SET_PREFERRED_LOCATION,
        // Memory without a preferred device is on the host.
        (Advised::SetPreferredLocation, Place::Host) | (Advised::UnsetPreferredLocation, _) => {
            ADVICE_CLEAR_PREFERRED_LOCATION
        }
    }
}

impl Gpu {
    /// Start and size of the allocation that contains an address.
    fn range(&self, address: usize) -> Option<(usize, usize)> {
        let (mut start, mut size) = (ptr::null_mut(), 0);
        let (context, address) = (self.context(), pointer(address));
        // SAFETY: the context is alive and both are writable; the library accepts any pointer.
        let asked = unsafe { self.api().address_range(context, address, &raw mut start, &raw mut size) };
        asked.ok().map(|()| (start.addr(), size))
    }

    /// Fills with a pattern whose size is a power of two, at an address aligned to that size.
    unsafe fn fill_with(&self, to: usize, pattern: &[u8], count: usize, list: CommandList) -> Result<(), Failure> {
        let (value, size) = (pattern.as_ptr().cast(), pattern.len());
        // SAFETY: the list is the caller's, who guarantees the range; the call copies the pattern
        // before it returns.
        unsafe {
            self.lists.append(list, || {
                // SAFETY: as above.
                self.api().append_fill(
                    list,
                    pointer(to),
                    value,
                    size,
                    size * count,
                    ptr::null_mut(),
                    0,
                    ptr::null_mut(),
                )
            })
        }
    }

    /// Copies at most as many rows as the library can copy with one command.
    unsafe fn copy_piece(&self, to: usize, from: usize, rows: &Rows, list: CommandList) -> Result<(), Failure> {
        let (region, to_pitch, from_pitch) =
            (region(rows.width, rows.height), rows.destination_pitch as u32, rows.source_pitch as u32);
        let (place, none, no_events) = (&raw const region, ptr::null_mut(), ptr::null_mut());
        let (to, from) = (pointer(to), pointer(from));
        let copy = || {
            // SAFETY: the list is the caller's, who guarantees the rows.
            unsafe {
                self.api()
                    .append_copy_region(list, to, place, to_pitch, 0, from, place, from_pitch, 0, none, 0, no_events)
            }
        };
        // SAFETY: upheld by the caller.
        unsafe { self.lists.append(list, copy) }
    }
}

impl Vendor for Gpu {
    type Context = Handle<ContextStruct>;
    type Undo = Infallible;
    type Stream = CommandListStruct;
    type Event = Event;
    type Module = Code;
    type Function = Code;

    /// The library has no strided fills.
    const SEED: usize = 0;
    /// Group counts and group sizes have 32 bits each; nothing is promised about more work-items.
    const MOST_ITEMS: u64 = u32::MAX as u64;
    /// A list reads the state of an event when it gets to the wait.
    const EVENTS_ARE_READ_LATE: bool = true;
    /// They have, but their clock begins anew after minutes, which profiling takes account of.
    const EVENTS_HAVE_TIMES: bool = false;
    /// Devices of one context can always access each other's memory where that is possible.
    const PEERS_ARE_FIXED: bool = true;

    fn is_sticky(failure: Failure) -> bool {
        library::is_sticky(failure)
    }

    fn is_not_ready(failure: Failure) -> bool {
        failure.code == result::NOT_READY
    }

    fn is_out_of_memory(failure: Failure) -> bool {
        library::is_out_of_memory(failure)
    }

    fn is_about_code(failure: Failure) -> bool {
        library::is_about_code(failure)
    }

    fn retain(&self, _device: i32) -> Result<Self::Context, Failure> {
        let context = self.platform.retain()?;
        self.begin_use();
        Ok(Handle(context))
    }

    fn release(&self, _device: i32) {
        if self.end_use() {
            self.events.end(&self.lists);
        }
        self.platform.release();
    }

    #[inline]
    fn enter(&self, _device: i32, _context: Self::Context) -> Result<Option<Infallible>, Failure> {
        Ok(None)
    }

    fn leave(&self, undo: Infallible) -> Result<(), Failure> {
        match undo {}
    }

    fn native_device(&self, _device: i32) -> *mut c_void {
        self.device.0.cast()
    }

    fn native_context(context: Self::Context) -> *mut c_void {
        context.0.cast()
    }

    fn stream_create(&self) -> Result<CommandList, Failure> {
        self.lists.create()
    }

    unsafe fn stream_destroy(&self, stream: CommandList) -> Result<(), Failure> {
        // A mark that nobody waited for may not have been signalled yet.
        // SAFETY: upheld by the caller.
        unsafe { self.synchronize(stream) }?;
        // SAFETY: upheld by the caller; the device does not refer to the list any more.
        unsafe { self.api().list_destroy(stream) }
    }

    unsafe fn stream_query(&self, stream: CommandList) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.lists.query(stream) }
    }

    unsafe fn stream_synchronize(&self, stream: CommandList) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.synchronize(stream) }
    }

    /// Events of another driver belong to another context.
    fn shares_events(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.platform, &other.platform)
    }

    unsafe fn stream_wait(&self, stream: CommandList, event: *mut Event) -> Result<(), Failure> {
        // SAFETY: the caller's event is alive.
        let mut event = unsafe { &*event }.handle();
        // SAFETY: upheld by the caller; the call reads the array of one event before it returns.
        let wait = || unsafe { self.api().append_wait(stream, 1, &raw mut event) };
        // SAFETY: upheld by the caller.
        unsafe { self.lists.append(stream, wait) }
    }

    unsafe fn owns_stream(&self, _device: i32, _context: Self::Context, stream: CommandList) -> Result<bool, Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.lists.adopt(stream) }
    }

    fn event_create(&self, timed: bool) -> Result<*mut Event, Failure> {
        self.events.create(&self.lists, timed)
    }

    unsafe fn event_destroy(&self, event: *mut Event) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { events::destroy(&self.lists, event) }
    }

    unsafe fn event_record(&self, event: *mut Event, stream: CommandList) -> Result<(), Failure> {
        // SAFETY: the caller's event is alive; a queue that waits for it prevents it from being
        // recorded again.
        unsafe { (*event).record(&self.lists, stream) }
    }

    unsafe fn event_query(&self, event: *mut Event) -> Result<(), Failure> {
        // SAFETY: the caller's event is alive.
        unsafe { &*event }.query(&self.lists)
    }

    unsafe fn event_synchronize(&self, event: *mut Event) -> Result<(), Failure> {
        // SAFETY: the caller's event is alive.
        unsafe { &*event }.synchronize(&self.lists)
    }

    unsafe fn event_elapsed(&self, start: *mut Event, end: *mut Event) -> Result<f32, Failure> {
        // SAFETY: the caller's events are alive.
        let (start, end) = unsafe { ((*start).time(), (*end).time()) };
        Ok(self.timer.between(start, end))
    }

    unsafe fn module_unload(&self, module: *mut Code) -> Result<(), Failure> {
        // SAFETY: loading a kernel made the box, and nobody uses it any more.
        unsafe { Box::from_raw(module) }.end(self)
    }

    unsafe fn native_module(&self, module: *mut Code) -> *mut c_void {
        // SAFETY: upheld by the caller.
        unsafe { &*module }.module.0.cast()
    }

    unsafe fn native_function(&self, function: *mut Code) -> *mut c_void {
        // SAFETY: upheld by the caller.
        unsafe { &*function }.kernel.0.cast()
    }

    unsafe fn propose_group(&self, function: *mut Code, global: [u64; 3]) -> Option<[u32; 3]> {
        // SAFETY: upheld by the caller.
        unsafe { &*function }.suggested(self, global)
    }

    fn free_memory(&self) -> Result<Option<u64>, Failure> {
        if !self.platform.has(USABLE_MEMORY) {
            return Ok(None);
        }
        let (mut usable, mut properties) = (UsableMemory::new(), DeviceProperties::new());
        properties.header.next = (&raw mut usable).cast();
        // SAFETY: the device is the driver's, both structures state their types, and the driver
        // knows both.
        unsafe { self.api().device_properties(self.device.0, &raw mut properties) }?;
        Ok(Some(usable.size))
    }

    fn allocate(&self, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
        let (api, context, device, mut memory) = (self.api(), self.context(), self.device.0, ptr::null_mut());
        let (on_device, on_host) = (DeviceMemoryDesc::new(), HostMemoryDesc::new());
        let (of_device, of_host, place) = (&raw const on_device, &raw const on_host, &raw mut memory);
        match kind {
            // SAFETY: context and device are alive, the structures state their types, and `memory`
            // is writable.
            MemoryKind::Device => unsafe { api.allocate_device(context, of_device, size, ALIGNMENT, device, place) },
            // SAFETY: as above.
            MemoryKind::Host => unsafe { api.allocate_host(context, of_host, size, ALIGNMENT, place) },
            // SAFETY: as above.
            MemoryKind::Shared => unsafe {
                api.allocate_shared(context, of_device, of_host, size, ALIGNMENT, device, place)
            },
        }?;
        Ok(memory.expose_provenance())
    }

    unsafe fn free(&self, _kind: MemoryKind, address: usize) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api().free(self.context(), pointer(address)) }
    }

    fn about(&self, address: usize) -> Option<Known> {
        let (mut properties, mut device) = (AllocationProperties::new(), ptr::null_mut());
        let (context, place) = (self.context(), pointer(address));
        // SAFETY: the context is alive and both are writable; the library accepts any pointer.
        let asked = unsafe { self.api().allocation_properties(context, place, &raw mut properties, &raw mut device) };
        let kind = match properties.memory_type {
            _ if asked.is_err() => return None,
            MEMORY_UNKNOWN => return None,
            MEMORY_DEVICE => MemoryKind::Device,
            MEMORY_SHARED => MemoryKind::Shared,
            _ => MemoryKind::Host,
        };
        let (start, size) = self.range(address)?;
        Some(Known { kind, start, size, device: self.platform.number_of(device).unwrap_or(-1) })
    }

    unsafe fn copy(&self, to: usize, from: usize, size: usize, stream: CommandList) -> Result<(), Failure> {
        let (to, from) = (pointer(to), pointer(from));
        // SAFETY: upheld by the caller.
        let copy = || unsafe { self.api().append_copy(stream, to, from, size, ptr::null_mut(), 0, ptr::null_mut()) };
        // SAFETY: upheld by the caller.
        unsafe { self.lists.append(stream, copy) }
    }

    unsafe fn copy_rows(&self, to: usize, from: usize, rows: &Rows, stream: CommandList) -> Result<(), Failure> {
        let mut done = 0;
        while done < rows.height {
            let height = (rows.height - done).min(u32::MAX as usize);
            let (to, from) = (to + done * rows.destination_pitch, from + done * rows.source_pitch);
            // SAFETY: upheld by the caller.
            unsafe { self.copy_piece(to, from, &Rows { height, ..*rows }, stream) }?;
            done += height;
        }
        Ok(())
    }

    unsafe fn fill_pattern(
        &self,
        to: usize,
        pattern: &[u8],
        count: usize,
        stream: CommandList,
    ) -> Option<Result<(), Failure>> {
        let size = pattern.len();
        let fits = size.is_power_of_two() && size <= self.most_fill && to.is_multiple_of(size);
        // SAFETY: upheld by the caller.
        fits.then(|| unsafe { self.fill_with(to, pattern, count, stream) })
    }

    unsafe fn fill(&self, to: usize, unit: Unit, count: usize, stream: CommandList) -> Result<(), Failure> {
        match unit {
            // SAFETY: upheld by the caller.
            Unit::One(value) => unsafe { self.fill_with(to, &[value], count, stream) },
            // SAFETY: as above.
            Unit::Two(value) => unsafe { self.fill_with(to, &value.to_ne_bytes(), count, stream) },
            // SAFETY: as above.
            Unit::Four(value) => unsafe { self.fill_with(to, &value.to_ne_bytes(), count, stream) },
        }
    }

    /// The library has no strided fill. Because [`Vendor::SEED`] is 0, there is only one row.
    unsafe fn fill_rows(
        &self,
        to: usize,
        unit: Unit,
        pitch: usize,
        rows: usize,
        stream: CommandList,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        (0..rows).try_for_each(|row| unsafe { self.fill(to + row * pitch, unit, 1, stream) })
    }

    /// The library prefetches to the list's device. Memory migrates to the host when the host
    /// accesses it.
    unsafe fn prefetch(
        &self,
        _device: i32,
        (address, size): (usize, usize),
        to: Place,
        stream: CommandList,
    ) -> Result<(), Failure> {
        if to == Place::Host {
            return Ok(());
        }
        // SAFETY: upheld by the caller.
        let prefetch = || unsafe { self.api().append_prefetch(stream, pointer(address), size) };
        // SAFETY: upheld by the caller.
        unsafe { self.lists.append(stream, prefetch) }
    }

    unsafe fn advise(
        &self,
        _device: i32,
        (address, size): (usize, usize),
        advice: Advised,
        about: Place,
        stream: CommandList,
    ) -> Result<(), Failure> {
        let (device, place, advice) = (self.device.0, pointer(address), number_of_advice(advice, about));
        // SAFETY: upheld by the caller.
        let advise = || unsafe { self.api().append_advise(stream, device, place, size, advice) };
        // SAFETY: upheld by the caller.
        unsafe { self.lists.append(stream, advise) }
    }

    #[inline]
    unsafe fn launch(
        &self,
        function: *mut Code,
        geometry: &Geometry,
        arguments: *const u8,
        _size: usize,
        stream: CommandList,
    ) -> Result<(), Failure> {
        // SAFETY: the caller's kernel is loaded.
        let code = unsafe { &*function };
        // SAFETY: upheld by the caller.
        unsafe { code.launch(self, geometry, arguments, stream) }
    }

    fn can_use_peer(&self, _device: i32, peer: i32) -> Result<bool, Failure> {
        let (Some(peer), mut possible) = (self.platform.device(peer), 0) else { return Ok(false) };
        // SAFETY: both devices are the driver's, and `possible` is writable.
        unsafe { self.api().can_access_peer(self.device.0, peer, &raw mut possible) }?;
        Ok(possible != 0)
    }
}
