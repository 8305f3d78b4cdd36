//! Allocates memory and answers queries about pointers.
//!
//! In: sizes and pointers. Out: memory of the process, the same for every kind. *Invariant:* every
//! live allocation is in the table, so a pointer into one is found, and a foreign pointer is never
//! freed.
//!
//! Allocations of [`MAPPED_FROM`] bytes and more are separate mappings, aligned to huge pages and
//! advised to use them: fewer page faults on first use and fewer TLB misses later.

use sinter_driver::{DriverError, Memory, MemoryKind, PointerInfo};
use std::{
    alloc::{Layout, alloc, dealloc},
    collections::BTreeMap,
    ffi::c_void,
    ptr,
    sync::{PoisonError, RwLock},
};

/// Size of a huge page on x86-64, and the size from which allocations are mappings.
const HUGE_PAGE: usize = 2 << 20;
const MAPPED_FROM: usize = HUGE_PAGE;

/// Origin of an allocation.
#[derive(Debug, Clone, Copy)]
enum Origin {
    /// From the allocator.
    Heap(Layout),
    /// A separate mapping: its start and length.
    Mapping(usize, usize),
}

#[derive(Debug, Clone, Copy)]
struct Allocation {
    kind: MemoryKind,
    size: usize,
    origin: Origin,
}

/// Allocator and pointer table of the host device.
#[derive(Debug)]
pub(crate) struct HostMemory {
    device: String,
    /// Bytes of RAM: a larger allocation could be promised but never used.
    limit: u64,
    allocations: RwLock<BTreeMap<usize, Allocation>>,
}

impl HostMemory {
    pub(crate) fn new(device: String, limit: u64) -> Self {
        HostMemory { device, limit, allocations: RwLock::default() }
    }
}

fn from_heap(size: usize, alignment: usize) -> Option<(*mut u8, Origin)> {
    let layout = Layout::from_size_align(size, alignment).ok()?;
    // SAFETY: the size is not zero.
    let pointer = unsafe { alloc(layout) };
    (!pointer.is_null()).then_some((pointer, Origin::Heap(layout)))
}

fn map(size: usize, alignment: usize) -> Option<(*mut u8, Origin)> {
    let alignment = alignment.max(HUGE_PAGE);
    let length = size.checked_next_multiple_of(HUGE_PAGE)?.checked_add(alignment)?;
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address of the system's choice affects nothing that exists.
    let start = unsafe { libc::mmap(ptr::null_mut(), length, protection, flags | libc::MAP_NORESERVE, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    let pointer = start.map_addr(|address| address.next_multiple_of(alignment));
    // SAFETY: the range is in the new mapping. If the advice is refused, ordinary pages are used.
    unsafe { libc::madvise(pointer, size.next_multiple_of(HUGE_PAGE), libc::MADV_HUGEPAGE) };
    Some((pointer.cast(), Origin::Mapping(start as usize, length)))
}

impl Memory for HostMemory {
    fn allocate(&self, kind: MemoryKind, size: usize, alignment: usize) -> Result<*mut c_void, DriverError> {
        let fits = size > 0 && size as u64 <= self.limit && alignment.is_power_of_two();
        let allocated = match size {
            _ if !fits => None,
            MAPPED_FROM.. => map(size, alignment),
            _ => from_heap(size, alignment),
        };
        let full = || DriverError::OutOfMemory { device: self.device.clone(), size, alignment, free: None };
        let (pointer, origin) = allocated.ok_or_else(full)?;
        let allocation = Allocation { kind, size, origin };
        self.allocations.write().unwrap_or_else(PoisonError::into_inner).insert(pointer as usize, allocation);
        Ok(pointer.cast())
    }

    unsafe fn free(&self, pointer: *mut c_void) -> Result<(), DriverError> {
        let removed = self.allocations.write().unwrap_or_else(PoisonError::into_inner).remove(&(pointer as usize));
        let unknown = || DriverError::UnknownPointer { device: self.device.clone(), pointer: pointer as usize };
        match removed.ok_or_else(unknown)?.origin {
            // SAFETY: the allocator returned the pointer for this layout, and the table has just
            // forgotten it.
            Origin::Heap(layout) => unsafe { dealloc(pointer.cast(), layout) },
            Origin::Mapping(start, length) => {
                // SAFETY: the mapping is this allocation's own, and the table has just forgotten
                // it.
                unsafe { libc::munmap(start as *mut c_void, length) };
            }
        }
        Ok(())
    }

    fn query(&self, pointer: *const c_void) -> Option<PointerInfo> {
        let allocations = self.allocations.read().unwrap_or_else(PoisonError::into_inner);
        let (&base, &Allocation { kind, size, .. }) = allocations.range(..=pointer as usize).next_back()?;
        (pointer as usize - base < size).then_some(PointerInfo { kind, base: base as *mut c_void, size })
    }
}

impl Drop for HostMemory {
    /// Frees leaked allocations, so that they do not add up if the device is created again.
    fn drop(&mut self) {
        let pointers: Vec<usize> =
            self.allocations.get_mut().unwrap_or_else(PoisonError::into_inner).keys().copied().collect();
        for pointer in pointers {
            // SAFETY: the device is gone and its queues with it, so no command uses the memory.
            let freed = unsafe { self.free(pointer as *mut c_void) };
            debug_assert!(freed.is_ok());
        }
    }
}
