//! Vulkan behind the interface that stream drivers share.
//!
//! In: handles and numbers. Out: calls of the library. *Invariant:* as for [`Vendor`]. Vulkan has
//! no current context: each device is a `Vendor` of its own. Once the process exits, every entry is
//! refused.

use crate::{
    block::Block,
    callable::Callable,
    chosen::Chosen,
    copier::Copier,
    copy,
    event::Slot,
    exit::{self, Unfinished},
    failure::{self, failure},
    instance::Instance,
    logical::Logical,
    memory::Allocator,
    status::Status,
    stream::Stream,
};
use ash::vk::Handle as _;
use sinter_core::spirv::push_constants::Facts;
use sinter_driver::{Keep, MemoryKind, Rows};
use sinter_driver_common::{
    Advised, Describe, Failure, Geometry, Handle, Known, Place, Unadopted, Unit, Vendor,
    error::{VendorError, code},
    lock,
};
use std::{
    ffi::c_void,
    ptr,
    sync::{Arc, Mutex, OnceLock},
};

/// A device of an instance.
pub(crate) struct Vulkan {
    pub(crate) chosen: Chosen,
    /// Our number of the device.
    pub(crate) number: i32,
    /// True if memory that the host can access has one address for host and kernels.
    pub(crate) one_address: bool,
    /// Created on first use.
    logical: OnceLock<Arc<Logical>>,
    creating: Mutex<()>,
    allocator: Arc<Allocator>,
    /// The status of kernels that have no trap.
    blank: OnceLock<Arc<Status>>,
    copier: Copier,
    instance: Arc<Instance>,
}

impl Vulkan {
    pub(crate) fn new(instance: &Arc<Instance>, chosen: Chosen) -> Self {
        Vulkan {
            chosen,
            number: 0,
            one_address: false,
            logical: OnceLock::new(),
            creating: Mutex::default(),
            allocator: Arc::default(),
            blank: OnceLock::new(),
            copier: Copier::default(),
            instance: Arc::clone(instance),
        }
    }

    /// The device, created on first use.
    pub(crate) fn create(&self) -> Result<&Arc<Logical>, Failure> {
        let _creating = lock(&self.creating);
        if let Some(logical) = self.logical.get() {
            return Ok(logical);
        }
        let logical = Logical::create(&self.instance, &self.chosen)?;
        let allocator: Arc<dyn Unfinished> = Arc::clone(&self.allocator) as _;
        exit::watch(Arc::downgrade(&allocator));
        Ok(self.logical.get_or_init(|| logical))
    }

    /// The device, which exists.
    #[allow(clippy::expect_used, reason = "the context's creation creates it")]
    pub(crate) fn logical(&self) -> &Arc<Logical> {
        self.logical.get().expect("a context is there")
    }

    /// Looks whether memory that the host can access has one address for host and kernels.
    pub(crate) fn has_one_address(&self) -> Result<bool, Failure> {
        let block = Block::create_shared(self.create()?, 4096)?;
        Ok(block.mapped.addr() as u64 == block.address)
    }

    /// A status for a kernel.
    pub(crate) fn status(&self, symbol: &str, facts: Facts) -> Result<Arc<Status>, Failure> {
        let block = Block::create(self.logical(), Status::size(&facts), self.chosen.host_memory)?;
        Ok(Status::new(block, symbol, facts))
    }

    /// The status of kernels that have no trap.
    pub(crate) fn blank_status(&self) -> Result<Arc<Status>, Failure> {
        if let Some(status) = self.blank.get() {
            return Ok(Arc::clone(status));
        }
        let status = self.status("", Facts::default())?;
        Ok(Arc::clone(self.blank.get_or_init(|| status)))
    }

    /// The kernel that a copy of this size is to use. A CPU's own copies are as fast.
    fn copying(&self, size: usize) -> Option<&Callable> {
        if self.chosen.is_cpu { None } else { self.copier.kernel(self.logical(), || self.blank_status(), size) }
    }
}

impl Describe for Vulkan {
    fn name(&self, code: u32) -> Option<String> {
        failure::name(code)
    }

    fn text(&self, code: u32) -> Option<String> {
        let trap = || self.logical.get().and_then(|logical| logical.traps.text());
        if code == code::ASSERT { trap() } else { failure::text(code) }
    }

    fn remedy(&self, code: u32) -> Option<&'static str> {
        failure::remedy(code)
    }
}

/// A handle that is a number.
fn native(handle: u64) -> *mut c_void {
    ptr::without_provenance_mut(handle as usize)
}

impl Vendor for Vulkan {
    type Context = Handle<c_void>;
    /// Vulkan has no current context.
    type Undo = ();
    type Stream = Stream;
    type Event = Slot;
    type Module = Callable;
    type Function = Callable;

    /// Every pattern is filled as a whole.
    const SEED: usize = 0;
    const MOST_ITEMS: u64 = u64::MAX;
    /// Alignment of `long2`, which buffers of every device have.
    const ALIGNMENT: usize = 16;
    /// Rows are copied one by one.
    const RECTANGLES: bool = false;
    const PEERS_ARE_FIXED: bool = true;

    fn is_sticky(failure: Failure) -> bool {
        failure::is_sticky(failure)
    }

    fn is_out_of_memory(failure: Failure) -> bool {
        failure::is_out_of_memory(failure)
    }

    fn is_about_code(failure: Failure) -> bool {
        failure::is_about_code(failure)
    }

    fn retain(&self, _device: i32) -> Result<Self::Context, Failure> {
        if exit::is_near() {
            return Err(failure("vkCreateDevice", code::DEINITIALIZED));
        }
        let logical = self.create()?;
        Ok(Handle(native(logical.device.handle().as_raw())))
    }

    /// The device ends with the driver's value of it.
    fn release(&self, _device: i32) {}

    #[inline]
    fn enter(&self, _device: i32, _context: Self::Context) -> Result<Option<()>, Failure> {
        if exit::is_near() { Err(failure("vkQueueSubmit2", code::DEINITIALIZED)) } else { Ok(None) }
    }

    fn leave(&self, (): ()) -> Result<(), Failure> {
        Ok(())
    }

    fn native_device(&self, _device: i32) -> *mut c_void {
        native(self.chosen.physical.as_raw())
    }

    fn native_context(context: Self::Context) -> *mut c_void {
        context.0
    }

    fn stream_create(&self) -> Result<*mut Stream, Failure> {
        Ok(Box::into_raw(Box::new(Stream::create(self.logical())?)))
    }

    unsafe fn stream_destroy(&self, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        drop(unsafe { Box::from_raw(stream) });
        Ok(())
    }

    unsafe fn stream_adopt(&self, _queue: *mut c_void) -> Result<*mut Stream, Unadopted> {
        let reason = "VkQueue of the program here, since only one thread at a time may use it: make a queue of Sinter";
        Err(Unadopted::Unsupported(reason))
    }

    unsafe fn native_stream(&self, stream: *mut Stream) -> *mut c_void {
        // SAFETY: upheld by the caller.
        native(unsafe { &*stream }.native().as_raw())
    }

    unsafe fn stream_query(&self, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { &*stream }.query()
    }

    unsafe fn stream_synchronize(&self, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { &*stream }.synchronize()
    }

    unsafe fn stream_wait(&self, stream: *mut Stream, event: *mut Slot) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        let (stream, event) = unsafe { (&*stream, &*event) };
        event.get().map_or(Ok(()), |(timeline, position)| stream.wait_for(timeline, position))
    }

    unsafe fn owns_stream(&self, _device: i32, _context: Self::Context, stream: *mut Stream) -> Result<bool, Failure> {
        // SAFETY: upheld by the caller.
        Ok(Arc::ptr_eq(unsafe { &*stream }.logical(), self.logical()))
    }

    fn shares_events(&self, other: &Self) -> bool {
        ptr::eq(self, other)
    }

    fn event_create(&self, timed: bool) -> Result<*mut Slot, Failure> {
        Ok(Box::into_raw(Box::new(Slot::create(self.logical(), timed)?)))
    }

    unsafe fn event_destroy(&self, event: *mut Slot) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        drop(unsafe { Box::from_raw(event) });
        Ok(())
    }

    unsafe fn event_record(&self, event: *mut Slot, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { (*event).record(&*stream) }
    }

    unsafe fn event_query(&self, event: *mut Slot) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { &*event }.query()
    }

    unsafe fn event_synchronize(&self, event: *mut Slot) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { &*event }.wait()
    }

    unsafe fn event_elapsed(&self, start: *mut Slot, end: *mut Slot) -> Result<f32, Failure> {
        // SAFETY: upheld by the caller.
        unsafe { (*start).until(&*end) }
    }

    unsafe fn module_unload(&self, module: *mut Callable) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        drop(unsafe { Box::from_raw(module) });
        Ok(())
    }

    unsafe fn native_module(&self, module: *mut Callable) -> *mut c_void {
        // SAFETY: upheld by the caller.
        native(unsafe { &*module }.module.as_raw())
    }

    /// A pipeline of the kernel; null before its first launch.
    unsafe fn native_function(&self, function: *mut Callable) -> *mut c_void {
        // SAFETY: upheld by the caller.
        native(unsafe { &*function }.any_pipeline().as_raw())
    }

    unsafe fn keep_with(&self, function: *mut Callable, make: &dyn Fn() -> Keep) {
        // SAFETY: upheld by the caller.
        unsafe { &*function }.keep_with(make);
    }

    fn free_memory(&self) -> Result<Option<u64>, Failure> {
        Ok(self.logical().free_memory())
    }

    fn allocate(&self, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
        if kind != MemoryKind::Device && !self.one_address {
            return Err(failure("vkMapMemory", code::NOT_SUPPORTED));
        }
        self.allocator.allocate(self.logical(), kind, size)
    }

    unsafe fn free(&self, _kind: MemoryKind, address: usize) -> Result<(), Failure> {
        self.allocator.free(address);
        Ok(())
    }

    fn about(&self, pointer: usize) -> Option<Known> {
        self.allocator.about(pointer, self.number)
    }

    unsafe fn copy(&self, to: usize, from: usize, size: usize, stream: *mut Stream) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { copy::copy(&self.allocator, |size| self.copying(size), &*stream, to, from, size) }
    }

    /// Because [`Vendor::RECTANGLES`] is false, this is not called.
    unsafe fn copy_rows(&self, to: usize, from: usize, rows: &Rows, stream: *mut Stream) -> Result<(), Failure> {
        let row = |row| (to + row * rows.destination_pitch, from + row * rows.source_pitch);
        // SAFETY: upheld by the caller.
        (0..rows.height).map(row).try_for_each(|(to, from)| unsafe { self.copy(to, from, rows.width, stream) })
    }

    unsafe fn fill_pattern(
        &self,
        to: usize,
        pattern: &[u8],
        count: usize,
        stream: *mut Stream,
    ) -> Option<Result<(), Failure>> {
        // SAFETY: upheld by the caller.
        Some(unsafe { copy::fill(&self.allocator, &*stream, to, pattern, count) })
    }

    unsafe fn fill(&self, to: usize, unit: Unit, count: usize, stream: *mut Stream) -> Result<(), Failure> {
        let (bytes, length) = match unit {
            Unit::One(value) => ([value, 0, 0, 0], 1),
            Unit::Two(value) => ([value.to_ne_bytes()[0], value.to_ne_bytes()[1], 0, 0], 2),
            Unit::Four(value) => (value.to_ne_bytes(), 4),
        };
        // SAFETY: upheld by the caller.
        unsafe { copy::fill(&self.allocator, &*stream, to, &bytes[..length], count) }
    }

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

    /// Memory does not move.
    unsafe fn prefetch(&self, _: i32, _: (usize, usize), _: Place, _: *mut Stream) -> Result<(), Failure> {
        Ok(())
    }

    unsafe fn advise(&self, _: i32, _: (usize, usize), _: Advised, _: Place, _: *mut Stream) -> Result<(), Failure> {
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
        unsafe { (*function).launch(&*stream, geometry, arguments) }
    }

    fn can_use_peer(&self, _device: i32, _peer: i32) -> Result<bool, Failure> {
        Ok(false)
    }
}

/// The sentence for a failure while devices are searched for.
pub(crate) fn sentence(vulkan_failure: Failure) -> String {
    let code = vulkan_failure.code;
    let name = failure::name(code).unwrap_or_else(|| "an error that this driver does not name".to_owned());
    let (text, remedy) = (failure::text(code).unwrap_or_default(), failure::remedy(code));
    format!("{} reported {}", vulkan_failure.call, VendorError { code, name, text, remedy })
}
