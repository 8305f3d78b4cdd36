//! Allocates memory and answers questions about pointers.
//!
//! In: sizes and pointers. Out: memory of the GPU, pinned memory of the host, or memory that moves. *Invariant:* every live allocation
//! is in the table, so a pointer into it is found without the driver and a pointer from elsewhere is never freed.

use crate::{
    api::Api,
    context::Context,
    device::Base,
    error::{Failure, code},
};
use cudarc::driver::sys::{CUdevice, CUmemorytype_enum as Kind, CUpointer_attribute_enum as Attribute};
use sinter_driver::{DriverError, Memory, MemoryKind, PointerInfo};
use std::{
    collections::BTreeMap,
    ffi::c_void,
    ptr,
    sync::{Arc, PoisonError, RwLock},
};

/// What the driver aligns allocations to (CUDA C++ Programming Guide, "Device Memory Accesses").
const ALIGNMENT: usize = 256;
/// `CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP`: every device may use it, at its address on the host.
const PORTABLE_AND_MAPPED: u32 = 3;
/// `CU_MEM_ATTACH_GLOBAL`: every stream may use it.
const GLOBAL: u32 = 1;

#[derive(Debug, Clone, Copy)]
struct Allocation {
    kind: MemoryKind,
    size: usize,
    /// What the driver returned, which differs where a larger alignment was asked for.
    start: usize,
}

/// The memory that one device uses.
pub(crate) struct CudaMemory {
    base: Arc<Base>,
    allocations: RwLock<BTreeMap<usize, Allocation>>,
}

/// Free memory of the device. The context is current.
fn free_memory(context: &Context) -> Result<u64, Failure> {
    let (mut free, mut total) = (0usize, 0usize);
    // SAFETY: both may be written.
    unsafe { context.api.memory_info(&raw mut free, &raw mut total) }?;
    Ok(free as u64)
}

fn allocate(api: &Api, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
    let (mut address, mut pointer) = (0, ptr::null_mut());
    match kind {
        // SAFETY: the context is current, and `address` may be written.
        MemoryKind::Device => unsafe { api.device_allocate(&raw mut address, size) }?,
        // SAFETY: as above.
        MemoryKind::Shared => unsafe { api.managed_allocate(&raw mut address, size, GLOBAL) }?,
        MemoryKind::Host => {
            // SAFETY: the context is current, and `pointer` may be written.
            unsafe { api.host_allocate(&raw mut pointer, size, PORTABLE_AND_MAPPED) }?;
            address = pointer as u64;
        }
    }
    Ok(address as usize)
}

impl CudaMemory {
    pub(crate) fn new(base: Arc<Base>) -> Self {
        CudaMemory { base, allocations: RwLock::default() }
    }

    /// The bytes to ask the driver for, where such an allocation is possible at all.
    fn whole_size(&self, kind: MemoryKind, size: usize, alignment: usize) -> Option<usize> {
        let whole = size.checked_add(alignment.saturating_sub(ALIGNMENT))?;
        let limited = kind != MemoryKind::Host && whole as u64 > self.base.info.max_allocation;
        (size > 0 && alignment.is_power_of_two() && !limited && whole <= isize::MAX as usize).then_some(whole)
    }

    /// The error for memory that is not there. The context is current, if there is one.
    fn full(&self, context: Option<&Context>, size: usize, alignment: usize) -> DriverError {
        let free = context.and_then(|context| free_memory(context).ok());
        DriverError::OutOfMemory { device: self.base.info.name.clone(), size, alignment, free }
    }

    /// Memory that moves can be promised beyond what there is, and then every use of it waits for the host.
    fn refuse_too_much(&self, context: &Context, size: usize, alignment: usize) -> Result<(), DriverError> {
        if !self.base.limits.managed {
            let (device, feature) = (self.base.info.name.clone(), "shared allocations".to_owned());
            return Err(DriverError::Unsupported { device, feature });
        }
        let free = free_memory(context).map_err(|failure| context.report(failure))?;
        // What has moved to the device is not free; what has not still counts against its whole memory.
        let whole = self.on_device().saturating_add(size as u64);
        let fits = size as u64 <= free && whole <= self.base.info.global_memory;
        if fits { Ok(()) } else { Err(self.full(Some(context), size, alignment)) }
    }

    /// Bytes of the allocations that are on the device, or may move there.
    fn on_device(&self) -> u64 {
        let allocations = self.allocations.read().unwrap_or_else(PoisonError::into_inner);
        let sizes = allocations.values().filter(|allocation| allocation.kind != MemoryKind::Host);
        sizes.map(|allocation| allocation.size as u64).sum()
    }

    fn remember(&self, kind: MemoryKind, size: usize, alignment: usize, start: usize) -> *mut c_void {
        let address = start.next_multiple_of(alignment);
        let allocation = Allocation { kind, size, start };
        self.allocations.write().unwrap_or_else(PoisonError::into_inner).insert(address, allocation);
        address as *mut c_void
    }

    fn find(&self, address: usize) -> Option<PointerInfo> {
        let allocations = self.allocations.read().unwrap_or_else(PoisonError::into_inner);
        let (&base, &Allocation { kind, size, .. }) = allocations.range(..=address).next_back()?;
        (address - base < size).then_some(PointerInfo { kind, base: base as *mut c_void, size })
    }

    /// Whether the driver's range is one of ours, whose ends the table knows better.
    fn is_own(&self, start: usize) -> bool {
        let allocations = self.allocations.read().unwrap_or_else(PoisonError::into_inner);
        allocations.range(start..).next().is_some_and(|(_, allocation)| allocation.start == start)
    }

    /// What the driver knows about memory that the program allocated with it.
    fn ask(&self, pointer: *const c_void) -> Option<PointerInfo> {
        let context = self.base.known_context()?;
        let _current = context.enter().ok()?;
        let known = Known::about(&context.api, pointer as u64).filter(|known| !known.is_elsewhere(context.device))?;
        let Known { kind, start, size, .. } = known;
        (!self.is_own(start)).then_some(PointerInfo { kind, base: start as *mut c_void, size })
    }
}

/// What the driver knows about a pointer.
pub(crate) struct Known {
    pub(crate) kind: MemoryKind,
    start: usize,
    size: usize,
    device: CUdevice,
}

impl Known {
    /// Whether it is another device's. Some drivers name no device for memory of the host.
    fn is_elsewhere(&self, device: CUdevice) -> bool {
        self.device != device && (self.kind == MemoryKind::Device || self.device >= 0)
    }

    /// Asks about a pointer. `None` is memory of the host that the driver does not know. The context is current.
    pub(crate) fn about(api: &Api, pointer: u64) -> Option<Self> {
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
        // SAFETY: there are five of each, and no answer is larger than its place; a smaller one fills its low bytes.
        unsafe { api.pointer_attributes(5, attributes.as_mut_ptr(), places.as_mut_ptr(), pointer) }.ok()?;
        let [memory, managed, start, size, device] = answers;
        let kind = match memory as u32 {
            0 => return None,
            _ if managed as u8 != 0 => MemoryKind::Shared,
            memory if memory == Kind::CU_MEMORYTYPE_HOST as u32 => MemoryKind::Host,
            _ => MemoryKind::Device,
        };
        Some(Known { kind, start: start as usize, size: size as usize, device: device as CUdevice })
    }
}

impl Memory for CudaMemory {
    fn allocate(&self, kind: MemoryKind, size: usize, alignment: usize) -> Result<*mut c_void, DriverError> {
        let Some(whole) = self.whole_size(kind, size, alignment) else {
            return Err(self.full(None, size, alignment));
        };
        let context = self.base.context()?;
        let _current = context.enter()?;
        if kind == MemoryKind::Shared {
            self.refuse_too_much(context, whole, alignment)?;
        }
        let allocated = allocate(&context.api, kind, whole);
        let start = allocated.map_err(|failure| match failure.code {
            code::OUT_OF_MEMORY => self.full(Some(context), size, alignment),
            _ => context.report(failure),
        })?;
        Ok(self.remember(kind, size, alignment, start))
    }

    unsafe fn free(&self, pointer: *mut c_void) -> Result<(), DriverError> {
        let removed = self.allocations.write().unwrap_or_else(PoisonError::into_inner).remove(&(pointer as usize));
        let unknown = || DriverError::UnknownPointer { device: self.base.info.name.clone(), pointer: pointer as usize };
        let Allocation { kind, start, .. } = removed.ok_or_else(unknown)?;
        let context = self.base.context()?;
        let _current = context.enter()?;
        let freed = match kind {
            // SAFETY: the driver returned the pointer, and the table has just forgotten it.
            MemoryKind::Host => unsafe { context.api.host_free(start as *mut c_void) },
            // SAFETY: as above.
            MemoryKind::Device | MemoryKind::Shared => unsafe { context.api.device_free(start as u64) },
        };
        freed.map_err(|failure| context.report(failure))
    }

    fn query(&self, pointer: *const c_void) -> Option<PointerInfo> {
        self.find(pointer as usize).or_else(|| self.ask(pointer))
    }

    fn query_own(&self, pointer: *const c_void) -> Option<PointerInfo> {
        self.find(pointer as usize)
    }
}

impl Drop for CudaMemory {
    /// Frees what was leaked, so that a device that is made again does not add to it.
    fn drop(&mut self) {
        let pointers: Vec<usize> =
            self.allocations.get_mut().unwrap_or_else(PoisonError::into_inner).keys().copied().collect();
        for pointer in pointers.into_iter().take_while(|_| self.base.known_context().is_some()) {
            // SAFETY: the device is gone, so nobody submits anything that uses the memory; the driver waits for what runs. An error,
            // such as that the process is ending, leaves nothing to do.
            let _ = unsafe { self.free(pointer as *mut c_void) };
        }
    }
}
