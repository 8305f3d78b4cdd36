//! NVIDIA's driver behind the interface that stream drivers share.
//!
//! In: handles and numbers. Out: calls of the driver. *Invariant:* as for [`Vendor`].

use crate::{
    api::{Api, Handle},
    context::{self, Pushed},
};
use cudarc::driver::sys::{
    CUDA_MEMCPY2D, CUctx_st, CUevent_st, CUfunc_st, CUfunction_attribute_enum as FunctionAttribute, CUlimit_enum,
    CUmem_advise_enum as Advise, CUmemorytype_enum as Kind, CUmod_st, CUpointer_attribute_enum as Attribute,
    CUstream_st,
};
use sinter_core::EntryInfo;
use sinter_driver::{Limit, MemoryKind, RegisteredAccess, Rows};
use sinter_driver_common::{Advised, Failure, Geometry, Known, Place, Unadopted, Unit, Vendor};
use std::{ffi::c_void, ptr};

/// `CU_STREAM_NON_BLOCKING`.
const NON_BLOCKING: u32 = 1;
/// `CU_EVENT_DISABLE_TIMING`.
const WITHOUT_TIME: u32 = 2;
/// `CU_LAUNCH_PARAM_BUFFER_POINTER`, `CU_LAUNCH_PARAM_BUFFER_SIZE` and `CU_LAUNCH_PARAM_END`.
const BUFFER_POINTER: *mut c_void = ptr::without_provenance_mut(1);
const BUFFER_SIZE: *mut c_void = ptr::without_provenance_mut(2);
const END: *mut c_void = ptr::null_mut();
/// `CU_STREAM_PER_THREAD`.
const PER_THREAD: usize = 2;
/// `CU_DEVICE_CPU`: the host.
const HOST: i32 = -1;
/// `CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP`: accessible to every device, at its host
/// address. The flags of `cuMemHostRegister` have the same numbers.
const PORTABLE_AND_MAPPED: u32 = 3;
/// `CU_MEMHOSTREGISTER_READ_ONLY`.
const READ_ONLY: u32 = 8;
/// `CU_MEM_ATTACH_GLOBAL`: accessible to every stream.
const GLOBAL: u32 = 1;

fn number_of(device: i32, place: Place) -> i32 {
    match place {
        Place::Host => HOST,
        Place::Device => device,
    }
}

/// The driver's descriptor of a copy of rows. A pointer that the driver does not know is pageable
/// host memory.
fn describe(api: &Api, to: usize, from: usize, rows: &Rows) -> CUDA_MEMCPY2D {
    let kind = |pointer| match api.about(pointer) {
        Some(_) => Kind::CU_MEMORYTYPE_UNIFIED,
        None => Kind::CU_MEMORYTYPE_HOST,
    };
    CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: kind(from),
        srcHost: ptr::without_provenance(from),
        srcDevice: from as u64,
        srcArray: ptr::null_mut(),
        srcPitch: rows.source_pitch,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: kind(to),
        dstHost: ptr::without_provenance_mut(to),
        dstDevice: to as u64,
        dstArray: ptr::null_mut(),
        dstPitch: rows.destination_pitch,
        WidthInBytes: rows.width,
        Height: rows.height,
    }
}

impl Vendor for Api {
    type Context = Handle<CUctx_st>;
    type Undo = Pushed;
    type Stream = CUstream_st;
    type Event = CUevent_st;
    type Module = CUmod_st;
    type Function = CUfunc_st;

    /// Strided fills use only a part of each memory transaction.
    const SEED: usize = 64 << 10;
    const MOST_ITEMS: u64 = u64::MAX;
    /// With unified addressing the driver finds the devices of both pointers.
    const COPIES_BETWEEN_DEVICES: bool = true;

    fn retain(&self, device: i32) -> Result<Handle<CUctx_st>, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: the device is one of the driver's, and `handle` is writable.
        unsafe { self.primary_retain(&raw mut handle, device) }?;
        Ok(Handle(handle))
    }

    fn release(&self, device: i32) {
        // SAFETY: the context was retained. An error, such as that the process is exiting, needs no
        // handling.
        let _ = unsafe { self.primary_release(device) };
    }

    #[inline]
    fn enter(&self, _device: i32, context: Handle<CUctx_st>) -> Result<Option<Pushed>, Failure> {
        context::enter(self, context)
    }

    fn leave(&self, Pushed: Pushed) -> Result<(), Failure> {
        context::leave(self)
    }

    /// True if the primary context is active because the program created it with the driver's API.
    fn has_context(&self, device: i32) -> Result<bool, Failure> {
        let (mut flags, mut active) = (0, 0);
        // SAFETY: the device is one of the driver's, and both are writable.
        unsafe { self.primary_state(device, &raw mut flags, &raw mut active) }?;
        Ok(active != 0)
    }

    fn native_context(context: Handle<CUctx_st>) -> *mut c_void {
        context.0.cast()
    }

    fn stream_create(&self) -> Result<*mut CUstream_st, Failure> {
        let mut stream = ptr::null_mut();
        // SAFETY: `stream` is writable.
        unsafe { Api::stream_create(self, &raw mut stream, NON_BLOCKING) }?;
        Ok(stream)
    }

    unsafe fn stream_destroy(&self, stream: *mut CUstream_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::stream_destroy(self, stream) }
    }

    unsafe fn stream_query(&self, stream: *mut CUstream_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::stream_query(self, stream) }
    }

    unsafe fn stream_synchronize(&self, stream: *mut CUstream_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::stream_synchronize(self, stream) }
    }

    unsafe fn stream_wait(&self, stream: *mut CUstream_st, event: *mut CUevent_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller; the driver looks at the event before it returns.
        unsafe { Api::stream_wait(self, stream, event, 0) }
    }

    unsafe fn stream_adopt(&self, queue: *mut c_void) -> Result<*mut CUstream_st, Unadopted> {
        let per_thread =
            "queue for CU_STREAM_PER_THREAD, which is another stream on each thread: pass a stream of its own";
        if queue.addr() == PER_THREAD { Err(Unadopted::Unsupported(per_thread)) } else { Ok(queue.cast()) }
    }

    unsafe fn owns_stream(
        &self,
        _device: i32,
        context: Handle<CUctx_st>,
        stream: *mut CUstream_st,
    ) -> Result<bool, Failure> {
        let mut owner = ptr::null_mut();
        // SAFETY: the caller guarantees the stream, and `owner` is writable.
        unsafe { self.stream_context(stream, &raw mut owner) }?;
        Ok(owner == context.0)
    }

    fn event_create(&self, timed: bool) -> Result<*mut CUevent_st, Failure> {
        let (mut event, flags) = (ptr::null_mut(), if timed { 0 } else { WITHOUT_TIME });
        // SAFETY: `event` is writable.
        unsafe { Api::event_create(self, &raw mut event, flags) }?;
        Ok(event)
    }

    unsafe fn event_destroy(&self, event: *mut CUevent_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::event_destroy(self, event) }
    }

    unsafe fn event_record(&self, event: *mut CUevent_st, stream: *mut CUstream_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::event_record(self, event, stream) }
    }

    unsafe fn event_query(&self, event: *mut CUevent_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::event_query(self, event) }
    }

    unsafe fn event_synchronize(&self, event: *mut CUevent_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::event_synchronize(self, event) }
    }

    unsafe fn event_elapsed(&self, start: *mut CUevent_st, end: *mut CUevent_st) -> Result<f32, Failure> {
        let mut milliseconds = 0f32;
        // SAFETY: upheld by the caller; `milliseconds` is writable.
        unsafe { Api::event_elapsed(self, &raw mut milliseconds, start, end) }?;
        Ok(milliseconds)
    }

    unsafe fn module_unload(&self, module: *mut CUmod_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::module_unload(self, module) }
    }

    /// The code declares its parameters only up to the end of the last argument.
    fn argument_size(entry: &EntryInfo) -> usize {
        let ends = entry.arguments.iter().map(|argument| argument.offset + argument.size);
        ends.max().unwrap_or(entry.argument_size) as usize
    }

    unsafe fn usage(&self, function: *mut CUfunc_st) -> Option<(u32, u32)> {
        let ask = |attribute| {
            let mut value = 0;
            // SAFETY: the function is loaded, and `value` is writable.
            unsafe { self.function_attribute(&raw mut value, attribute, function) }.ok()?;
            u32::try_from(value).ok()
        };
        let private = ask(FunctionAttribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?;
        Some((ask(FunctionAttribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?, private))
    }

    unsafe fn allow_local_memory(&self, function: *mut CUfunc_st, size: u32) -> Result<(), Failure> {
        let attribute = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: upheld by the caller.
        unsafe { self.function_set(function, attribute, size as i32) }
    }

    fn free_memory(&self) -> Result<Option<u64>, Failure> {
        let (mut free, mut total) = (0usize, 0usize);
        // SAFETY: both are writable.
        unsafe { self.memory_info(&raw mut free, &raw mut total) }?;
        Ok(Some(free as u64))
    }

    fn allocate(&self, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
        let (mut address, mut pointer) = (0, ptr::null_mut());
        match kind {
            // SAFETY: `address` is writable.
            MemoryKind::Device => unsafe { self.device_allocate(&raw mut address, size) }?,
            // SAFETY: as above.
            MemoryKind::Shared => unsafe { self.managed_allocate(&raw mut address, size, GLOBAL) }?,
            MemoryKind::Host => {
                // SAFETY: `pointer` is writable.
                unsafe { self.host_allocate(&raw mut pointer, size, PORTABLE_AND_MAPPED) }?;
                address = pointer as u64;
            }
        }
        Ok(address as usize)
    }

    unsafe fn free(&self, kind: MemoryKind, address: usize) -> Result<(), Failure> {
        match kind {
            // SAFETY: upheld by the caller.
            MemoryKind::Host => unsafe { self.host_free(address as *mut c_void) },
            // SAFETY: upheld by the caller.
            MemoryKind::Device | MemoryKind::Shared => unsafe { self.device_free(address as u64) },
        }
    }

    unsafe fn register(&self, address: usize, size: usize, access: RegisteredAccess) -> Option<Result<usize, Failure>> {
        let (pointer, mut seen) = (address as *mut c_void, 0);
        let flags = PORTABLE_AND_MAPPED | if access == RegisteredAccess::ReadOnly { READ_ONLY } else { 0 };
        // SAFETY: upheld by the caller.
        let registered = unsafe { self.host_register(pointer, size, flags) };
        let found = registered.and_then(|()| {
            // SAFETY: the memory is registered, and `seen` is writable.
            unsafe { self.host_address(&raw mut seen, pointer, 0) }.inspect_err(|_| {
                // SAFETY: nobody knows of the registration.
                let _ = unsafe { self.host_unregister(pointer) };
            })
        });
        Some(found.map(|()| seen as usize))
    }

    unsafe fn unregister(&self, address: usize) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.host_unregister(address as *mut c_void) }
    }

    fn about(&self, pointer: usize) -> Option<Known> {
        use Attribute::*;
        let mut attributes = [
            CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
            CU_POINTER_ATTRIBUTE_IS_MANAGED,
            CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
            CU_POINTER_ATTRIBUTE_RANGE_SIZE,
            CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        ];
        let mut answers = [0u64; 5];
        let mut places = answers.each_mut().map(|answer| ptr::from_mut(answer).cast::<c_void>());
        // SAFETY: both arrays have five entries, and no value is larger than its place; a smaller
        // one fills its low bytes.
        unsafe { self.pointer_attributes(5, attributes.as_mut_ptr(), places.as_mut_ptr(), pointer as u64) }.ok()?;
        let [memory, managed, start, size, device] = answers;
        let kind = match memory as u32 {
            0 => return None,
            _ if managed as u8 != 0 => MemoryKind::Shared,
            memory if memory == Kind::CU_MEMORYTYPE_HOST as u32 => MemoryKind::Host,
            _ => MemoryKind::Device,
        };
        Some(Known { kind, start: start as usize, size: size as usize, device: device as i32 })
    }

    unsafe fn copy(&self, to: usize, from: usize, size: usize, stream: *mut CUstream_st) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::copy(self, to as u64, from as u64, size, stream) }
    }

    unsafe fn copy_rows(&self, to: usize, from: usize, rows: &Rows, stream: *mut CUstream_st) -> Result<(), Failure> {
        let copy = describe(self, to, from, rows);
        // SAFETY: upheld by the caller.
        unsafe { Api::copy_rows(self, &raw const copy, stream) }
    }

    unsafe fn fill(&self, to: usize, unit: Unit, count: usize, stream: *mut CUstream_st) -> Result<(), Failure> {
        match unit {
            // SAFETY: upheld by the caller.
            Unit::One(value) => unsafe { self.set_8(to as u64, value, count, stream) },
            // SAFETY: as above.
            Unit::Two(value) => unsafe { self.set_16(to as u64, value, count, stream) },
            // SAFETY: as above.
            Unit::Four(value) => unsafe { self.set_32(to as u64, value, count, stream) },
        }
    }

    unsafe fn fill_rows(
        &self,
        to: usize,
        unit: Unit,
        pitch: usize,
        rows: usize,
        stream: *mut CUstream_st,
    ) -> Result<(), Failure> {
        match unit {
            // SAFETY: upheld by the caller.
            Unit::One(value) => unsafe { self.set_rows_8(to as u64, pitch, value, 1, rows, stream) },
            // SAFETY: as above.
            Unit::Two(value) => unsafe { self.set_rows_16(to as u64, pitch, value, 1, rows, stream) },
            // SAFETY: as above.
            Unit::Four(value) => unsafe { self.set_rows_32(to as u64, pitch, value, 1, rows, stream) },
        }
    }

    unsafe fn prefetch(
        &self,
        device: i32,
        (pointer, size): (usize, usize),
        to: Place,
        stream: *mut CUstream_st,
    ) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { Api::prefetch(self, pointer as u64, size, number_of(device, to), stream) }
    }

    unsafe fn advise(
        &self,
        device: i32,
        (pointer, size): (usize, usize),
        advice: Advised,
        about: Place,
        _stream: *mut CUstream_st,
    ) -> Result<(), Failure> {
        use Advise::*;
        let advice = match advice {
            Advised::SetReadMostly => CU_MEM_ADVISE_SET_READ_MOSTLY,
            Advised::UnsetReadMostly => CU_MEM_ADVISE_UNSET_READ_MOSTLY,
            Advised::SetPreferredLocation => CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
            Advised::UnsetPreferredLocation => CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
        };
        // SAFETY: upheld by the caller.
        unsafe { Api::advise(self, pointer as u64, size, advice, number_of(device, about)) }
    }

    #[inline]
    unsafe fn launch(
        &self,
        function: *mut CUfunc_st,
        geometry: &Geometry,
        arguments: *const u8,
        mut size: usize,
        stream: *mut CUstream_st,
    ) -> Result<(), Failure> {
        let Geometry { grid: [x, y, z], group: [gx, gy, gz], local_memory } = *geometry;
        let buffer = arguments.cast_mut().cast();
        let mut extra = [BUFFER_POINTER, buffer, BUFFER_SIZE, (&raw mut size).cast(), END];
        let extra = if size == 0 { ptr::null_mut() } else { extra.as_mut_ptr() };
        // SAFETY: upheld by the caller.
        unsafe { Api::launch(self, function, x, y, z, gx, gy, gz, local_memory, stream, ptr::null_mut(), extra) }
    }

    fn set_limit(&self, limit: Limit, value: usize) -> Result<bool, Failure> {
        let limit = match limit {
            Limit::Stack => CUlimit_enum::CU_LIMIT_STACK_SIZE,
            Limit::Prints => CUlimit_enum::CU_LIMIT_PRINTF_FIFO_SIZE,
        };
        // SAFETY: a limit of the driver's; it refuses values out of its range.
        unsafe { self.context_limit(limit, value) }.map(|()| true)
    }

    fn can_use_peer(&self, device: i32, peer: i32) -> Result<bool, Failure> {
        let mut possible = 0;
        // SAFETY: both devices are the driver's, and `possible` is writable.
        unsafe { self.peer_possible(&raw mut possible, device, peer) }?;
        Ok(possible != 0)
    }

    fn set_peer(&self, _peer: i32, context: Handle<CUctx_st>, enable: bool) -> Result<(), Failure> {
        match enable {
            // SAFETY: the context of the peer is alive, and so is ours, which is current.
            true => unsafe { self.peer_enable(context.0, 0) },
            // SAFETY: as above.
            false => unsafe { self.peer_disable(context.0) },
        }
    }
}
