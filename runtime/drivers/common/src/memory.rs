//! Allocates memory and answers queries about pointers.
//!
//! In: sizes and pointers. Out: device memory, pinned host memory or managed memory. *Invariant:*
//! every live allocation is in the table, so a pointer into one is found without the driver, and a
//! foreign pointer is never freed.

use crate::{
    base::Base,
    context::Context,
    error::code,
    vendor::{Known, Vendor},
};
use sinter_driver::{DriverError, Memory, MemoryKind, PointerInfo};
use std::{
    collections::BTreeMap,
    ffi::c_void,
    sync::{Arc, PoisonError, RwLock},
};

#[derive(Debug, Clone, Copy)]
struct Allocation {
    kind: MemoryKind,
    size: usize,
    /// Address that the driver returned; differs from the key if a larger alignment was requested.
    start: usize,
}

/// From `LARGE` bytes up and to `SMALL` bytes down, an allocation is made a byte larger. In
/// between, drivers would add a page of 2 MiB (CUDA) for that byte.
const LARGE: usize = 32 << 20;
const SMALL: usize = 1 << 20;

/// Allocator and pointer table of one device.
pub(crate) struct StreamMemory<V: Vendor> {
    base: Arc<Base<V>>,
    allocations: RwLock<BTreeMap<usize, Allocation>>,
}

impl<V: Vendor> StreamMemory<V> {
    /// An allocator with an empty table.
    pub(crate) fn new(base: Arc<Base<V>>) -> Self {
        StreamMemory { base, allocations: RwLock::default() }
    }

    /// Bytes to request from the driver; `None` if such an allocation is impossible.
    fn whole_size(&self, kind: MemoryKind, size: usize, alignment: usize) -> Option<usize> {
        let whole = size.checked_add(alignment.saturating_sub(V::ALIGNMENT))?;
        let limited = kind != MemoryKind::Host && whole as u64 > self.base.info.max_allocation;
        (size > 0 && alignment.is_power_of_two() && !limited && whole <= isize::MAX as usize).then_some(whole)
    }

    /// Adds a byte to `whole` where that costs little, so that the end of one allocation is never
    /// the start of the next: a pointer there would belong to both. Only multiples of the driver's
    /// alignment need it, because allocations start at such multiples.
    fn padded(&self, kind: MemoryKind, whole: usize) -> usize {
        let fits = kind == MemoryKind::Host || whole as u64 != self.base.info.max_allocation;
        let may_touch = whole.is_multiple_of(V::ALIGNMENT) && !(SMALL..LARGE).contains(&whole);
        whole + usize::from(fits && may_touch)
    }

    /// The out-of-memory error, with the free memory if there is a context. The context is current.
    fn full(&self, context: Option<&Context<V>>, size: usize, alignment: usize) -> DriverError {
        let free = context.and_then(|context| context.api.free_memory().ok()).flatten();
        DriverError::OutOfMemory { device: self.base.info.name.clone(), size, alignment, free }
    }

    /// The error for a kind of memory that the device does not have.
    fn lacks(&self, feature: &str) -> DriverError {
        DriverError::Unsupported { device: self.base.info.name.clone(), feature: feature.to_owned() }
    }

    /// Refuses managed memory beyond the size of the device: drivers promise it, but every use then
    /// waits for migration from the host.
    fn refuse_too_much(&self, context: &Context<V>, size: usize, alignment: usize) -> Result<(), DriverError> {
        if !self.base.limits.managed {
            return Err(self.lacks("shared allocations"));
        }
        let free = context.api.free_memory().map_err(|failure| context.report(failure))?;
        // Pages that moved to the device are not free; the others still count against its total
        // memory.
        let whole = self.on_device().saturating_add(size as u64);
        let fits = free.is_none_or(|free| size as u64 <= free) && whole <= self.base.info.global_memory;
        if fits { Ok(()) } else { Err(self.full(Some(context), size, alignment)) }
    }

    /// Bytes of the allocations that are on the device or may migrate to it.
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

    /// True if the driver's range is one of our allocations, whose exact bounds the table knows.
    fn is_own(&self, start: usize) -> bool {
        let allocations = self.allocations.read().unwrap_or_else(PoisonError::into_inner);
        allocations.range(start..).next().is_some_and(|(_, allocation)| allocation.start == start)
    }

    /// Pointer attributes from the driver, for memory that the program allocated through the
    /// vendor's API.
    fn query(&self, pointer: *const c_void) -> Option<PointerInfo> {
        let context = self.base.known_context()?;
        let _current = context.enter().ok()?;
        let known = context.api.about(pointer as usize).filter(|known| !known.is_elsewhere(context.device))?;
        let Known { kind, start, size, .. } = known;
        (!self.is_own(start)).then_some(PointerInfo { kind, base: start as *mut c_void, size })
    }
}

impl<V: Vendor> Memory for StreamMemory<V> {
    fn allocate(&self, kind: MemoryKind, size: usize, alignment: usize) -> Result<*mut c_void, DriverError> {
        let Some(whole) = self.whole_size(kind, size, alignment) else {
            return Err(self.full(None, size, alignment));
        };
        let context = self.base.context()?;
        let _current = context.enter()?;
        if kind == MemoryKind::Shared {
            self.refuse_too_much(context, whole, alignment)?;
        }
        let padded = self.padded(kind, whole);
        let allocated = match context.api.allocate(kind, padded) {
            Err(failure) if padded != whole && whole >= LARGE && V::is_out_of_memory(failure) => {
                context.api.allocate(kind, whole)
            }
            allocated => allocated,
        };
        let start = allocated.map_err(|failure| match failure.code {
            _ if V::is_out_of_memory(failure) => self.full(Some(context), size, alignment),
            code::NOT_SUPPORTED if kind == MemoryKind::Host => self.lacks("host allocations"),
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
        // SAFETY: the library returned the pointer, and the table has just forgotten it.
        let freed = unsafe { context.api.free(kind, start) };
        freed.map_err(|failure| context.report(failure))
    }

    fn query(&self, pointer: *const c_void) -> Option<PointerInfo> {
        self.find(pointer as usize).or_else(|| self.query(pointer))
    }

    fn query_own(&self, pointer: *const c_void) -> Option<PointerInfo> {
        self.find(pointer as usize)
    }
}

impl<V: Vendor> Drop for StreamMemory<V> {
    /// Frees leaked allocations, so that they do not add up if the device is created again.
    fn drop(&mut self) {
        let pointers: Vec<usize> =
            self.allocations.get_mut().unwrap_or_else(PoisonError::into_inner).keys().copied().collect();
        for pointer in pointers.into_iter().take_while(|_| self.base.known_context().is_some()) {
            // SAFETY: the device is gone, so nobody submits anything that uses the memory; the
            // driver waits for running commands. An error, such as that the process is exiting,
            // needs no handling.
            let _ = unsafe { self.free(pointer as *mut c_void) };
        }
    }
}
