//! Memory that kernels access through raw pointers.
//!
//! In: sizes and pointers. Out: memory of `cl_intel_unified_shared_memory`, or shared virtual
//! memory (SVM) of OpenCL 2 if a device lacks the extension. *Invariant:* SVM allocations are in a
//! table, because OpenCL has no queries about them and requires a list of those that a kernel may
//! access.

use crate::failure::{failure, is_any, made};
use opencl_sys::{
    Api, Usm,
    types::{
        ALLOC_BASE, ALLOC_DEVICE, ALLOC_SIZE, ALLOC_TYPE, Context, Device, DeviceStruct, EXEC_INFO_INDIRECT_DEVICE,
        EXEC_INFO_INDIRECT_HOST, EXEC_INFO_INDIRECT_SHARED, EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, EXEC_INFO_SVM_PTRS,
        Kernel, MEM_READ_WRITE, MEM_SVM_ATOMICS, MEM_SVM_FINE_GRAIN_BUFFER, MIGRATE_HOST, Queue, SVM_ATOMICS,
        SVM_FINE_GRAIN_BUFFER, SVM_FINE_GRAIN_SYSTEM, TYPE_DEVICE, TYPE_HOST, TYPE_SHARED, error,
    },
};
use sinter_driver::MemoryKind;
use sinter_driver_common::{Failure, Known, error::code};
use std::{
    collections::BTreeMap,
    ffi::c_void,
    mem::MaybeUninit,
    ptr,
    sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard},
};

/// Marks memory of another device of the library in [`Known`].
const ELSEWHERE: i32 = i32::MAX;
/// Marks memory that belongs to no device.
const NO_DEVICE: i32 = -1;

/// The device for which memory is allocated.
#[derive(Clone, Copy)]
pub(crate) struct Owner<'a> {
    pub(crate) api: &'a Api,
    pub(crate) context: Context,
    pub(crate) device: Device,
    /// Our number of the device.
    pub(crate) number: i32,
}

/// Kind of allocations that a device supports.
pub(crate) enum Allocator {
    /// `cl_intel_unified_shared_memory`.
    Usm(Usm),
    /// Shared virtual memory of OpenCL 2.
    Svm(Svm),
}

/// Shared virtual memory, with its table of allocations.
#[derive(Default)]
pub(crate) struct Svm {
    /// `CL_DEVICE_SVM_CAPABILITIES`.
    capabilities: u64,
    table: RwLock<Table>,
    /// A dummy allocation to declare to kernels when no others are left: the list must not be
    /// empty.
    anchor: OnceLock<usize>,
}

/// The live allocations.
#[derive(Debug, Default)]
struct Table {
    /// Kinds and sizes, by start address.
    entries: BTreeMap<usize, (MemoryKind, usize)>,
    /// Number of changes to `entries`.
    changes: u64,
}

/// Size of the anchor in bytes.
const ANCHOR: usize = 64;

/// Guard that prevents memory from being freed. A kernel must not be launched with declared
/// pointers whose memory has been freed.
pub(crate) struct Held<'a>(Option<(&'a Svm, RwLockReadGuard<'a, Table>)>);

impl Svm {
    pub(crate) fn new(capabilities: u64) -> Self {
        Svm { capabilities, ..Svm::default() }
    }

    fn has(&self, capability: u64) -> bool {
        self.capabilities & capability != 0
    }

    fn allocate(&self, owner: Owner, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
        if kind != MemoryKind::Device && !self.has(SVM_FINE_GRAIN_BUFFER) {
            return Err(failure("clSVMAlloc", error::INVALID_VALUE));
        }
        let when = |capability, flag| if self.has(capability) { flag } else { 0 };
        let fine = when(SVM_FINE_GRAIN_BUFFER, MEM_SVM_FINE_GRAIN_BUFFER) | when(SVM_ATOMICS, MEM_SVM_ATOMICS);
        // Memory that only the device accesses need not be coherent.
        let flags = MEM_READ_WRITE | if kind == MemoryKind::Device { 0 } else { fine };
        // SAFETY: the context is alive; 0 is the alignment of the largest type.
        let start = unsafe { owner.api.svm_allocate(owner.context, flags, size, 0) };
        if start.is_null() {
            return Err(Failure { call: "clSVMAlloc", code: code::OUT_OF_MEMORY });
        }
        let start = start.expose_provenance();
        self.change(|entries| entries.insert(start, (kind, size)));
        Ok(start)
    }

    fn change<R>(&self, act: impl FnOnce(&mut BTreeMap<usize, (MemoryKind, usize)>) -> R) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        act(&mut table.entries);
        table.changes += 1;
    }

    fn hold(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn about(&self, pointer: usize) -> Option<Known> {
        let table = self.hold();
        let (&start, &(kind, size)) = table.entries.range(..=pointer).next_back()?;
        (pointer - start < size).then_some(Known { kind, start, size, device: NO_DEVICE })
    }

    /// Allows a kernel to access all live allocations through pointers that are not arguments.
    /// `seen` is the state of the table that the kernel last got.
    ///
    /// # Safety
    /// The kernel is alive, and nobody else changes it.
    unsafe fn allow(&self, table: &Table, owner: Owner, kernel: Kernel, seen: &mut u64) -> Result<(), Failure> {
        let now = table.changes + 1;
        if *seen == now {
            return Ok(());
        }
        if *seen == 0 && self.has(SVM_FINE_GRAIN_SYSTEM) {
            // SAFETY: upheld by the caller.
            unsafe { enable(owner, kernel, EXEC_INFO_SVM_FINE_GRAIN_SYSTEM) }?;
        }
        // A kernel that never got a list does not need an empty one.
        if *seen != 0 || !table.entries.is_empty() {
            let mut starts: Vec<usize> = table.entries.keys().copied().collect();
            if starts.is_empty() {
                starts.push(self.anchor(owner)?);
            }
            let (size, starts) = (size_of_val(&starts[..]), starts.as_ptr().cast());
            // SAFETY: upheld by the caller; the pointers have the size that is passed.
            unsafe { owner.api.kernel_exec_info(kernel, EXEC_INFO_SVM_PTRS, size, starts) }?;
        }
        *seen = now;
        Ok(())
    }

    /// The anchor allocation, which lives until the process ends.
    fn anchor(&self, owner: Owner) -> Result<usize, Failure> {
        if let Some(anchor) = self.anchor.get() {
            return Ok(*anchor);
        }
        // SAFETY: the context is alive; 0 is the alignment of the largest type.
        let start = unsafe { owner.api.svm_allocate(owner.context, MEM_READ_WRITE, ANCHOR, 0) };
        if start.is_null() {
            return Err(Failure { call: "clSVMAlloc", code: code::OUT_OF_MEMORY });
        }
        // If two threads get here, the allocation of one is leaked.
        Ok(*self.anchor.get_or_init(|| start.expose_provenance()))
    }
}

/// Sets one of a kernel's execution-info flags.
///
/// # Safety
/// The kernel is alive, and nobody else changes it.
unsafe fn enable(owner: Owner, kernel: Kernel, name: u32) -> Result<(), Failure> {
    let yes = 1u32;
    // SAFETY: upheld by the caller; the value has the given size.
    unsafe { owner.api.kernel_exec_info(kernel, name, size_of_val(&yes), (&raw const yes).cast()) }
}

/// Maps the many error codes of a failed allocation to the one for a lack of memory.
fn full(failure: Failure) -> Failure {
    let numbers = [
        error::MEM_OBJECT_ALLOCATION_FAILURE,
        error::OUT_OF_RESOURCES,
        error::OUT_OF_HOST_MEMORY,
        error::INVALID_BUFFER_SIZE,
    ];
    let code = if is_any(failure, &numbers) { code::OUT_OF_MEMORY } else { failure.code };
    Failure { code, ..failure }
}

fn allocate_usm(usm: &Usm, owner: Owner, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
    let (context, device, none, mut code) = (owner.context, owner.device, ptr::null(), 0);
    let (call, start) = match kind {
        MemoryKind::Device => {
            // SAFETY: context and device are alive, there are no properties, and 0 is the alignment
            // of the largest type.
            ("clDeviceMemAllocINTEL", unsafe { usm.device_allocate(context, device, none, size, 0, &raw mut code) })
        }
        MemoryKind::Shared => {
            // SAFETY: as above.
            ("clSharedMemAllocINTEL", unsafe { usm.shared_allocate(context, device, none, size, 0, &raw mut code) })
        }
        MemoryKind::Host => {
            // SAFETY: as above.
            ("clHostMemAllocINTEL", unsafe { usm.host_allocate(context, none, size, 0, &raw mut code) })
        }
    };
    // A library that returns null without an error code is out of resources.
    let code = if start.is_null() && code == 0 { error::OUT_OF_RESOURCES } else { code };
    made(call, code, start.expose_provenance()).map_err(full)
}

/// Queries an attribute of a pointer.
///
/// # Safety
/// The attribute is a `T`.
unsafe fn query<T: Copy>(usm: &Usm, owner: Owner, pointer: usize, name: u32) -> Option<T> {
    let mut value = MaybeUninit::<T>::zeroed();
    let (context, pointer) = (owner.context, address(pointer));
    let (size, place) = (size_of::<T>(), value.as_mut_ptr().cast());
    // SAFETY: the library accepts any pointer, and the value has the size that is passed.
    let asked = unsafe { usm.info(context, pointer, name, size, place, ptr::null_mut()) };
    // SAFETY: the library wrote it.
    asked.ok().map(|()| unsafe { value.assume_init() })
}

fn about_usm(usm: &Usm, owner: Owner, pointer: usize) -> Option<Known> {
    // SAFETY: the attribute has 32 bits.
    let kind = match unsafe { query::<u32>(usm, owner, pointer, ALLOC_TYPE) }? {
        TYPE_HOST => MemoryKind::Host,
        TYPE_DEVICE => MemoryKind::Device,
        TYPE_SHARED => MemoryKind::Shared,
        _ => return None,
    };
    // SAFETY: the attribute is a pointer.
    let start: *mut c_void = unsafe { query(usm, owner, pointer, ALLOC_BASE) }?;
    // SAFETY: the attribute is a size.
    let size: usize = unsafe { query(usm, owner, pointer, ALLOC_SIZE) }?;
    // SAFETY: the attribute is a device.
    let device: *mut DeviceStruct = unsafe { query(usm, owner, pointer, ALLOC_DEVICE) }.unwrap_or(ptr::null_mut());
    let device = if device.is_null() || device == owner.device { NO_DEVICE } else { ELSEWHERE };
    // Device memory for which no device is reported belongs to the device that was asked.
    let device = if kind == MemoryKind::Device && device == NO_DEVICE { owner.number } else { device };
    Some(Known { kind, start: start.addr(), size, device })
}

pub(crate) fn address(number: usize) -> *mut c_void {
    ptr::with_exposed_provenance_mut(number)
}

#[allow(clippy::missing_safety_doc, reason = "as for Vendor: handles are alive, and ranges the caller's")]
impl Allocator {
    pub(crate) fn allocate(&self, owner: Owner, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
        match self {
            Allocator::Usm(usm) => allocate_usm(usm, owner, kind, size),
            Allocator::Svm(svm) => svm.allocate(owner, kind, size),
        }
    }

    pub(crate) unsafe fn free(&self, owner: Owner, start: usize) -> Result<(), Failure> {
        match self {
            // SAFETY: upheld by the caller.
            Allocator::Usm(usm) => unsafe { usm.free(owner.context, address(start)) },
            Allocator::Svm(svm) => {
                svm.change(|entries| entries.remove(&start));
                // SAFETY: upheld by the caller.
                unsafe { owner.api.svm_free(owner.context, address(start)) };
                Ok(())
            }
        }
    }

    /// Pointer attributes.
    pub(crate) fn about(&self, owner: Owner, pointer: usize) -> Option<Known> {
        match self {
            Allocator::Usm(usm) => about_usm(usm, owner, pointer),
            Allocator::Svm(svm) => svm.about(pointer),
        }
    }

    pub(crate) unsafe fn copy(
        &self,
        owner: Owner,
        queue: Queue,
        to: usize,
        from: usize,
        size: usize,
    ) -> Result<(), Failure> {
        let (to, from, none, event) = (address(to), address(from), ptr::null(), ptr::null_mut());
        match self {
            // SAFETY: upheld by the caller.
            Allocator::Usm(usm) => unsafe { usm.copy(queue, 0, to, from, size, 0, none, event) },
            // SAFETY: as above.
            Allocator::Svm(_) => unsafe { owner.api.svm_copy(queue, 0, to, from, size, 0, none, event) },
        }
    }

    /// Fills `size` bytes with a pattern of 1, 2 or 4 bytes. Address and size are aligned to the
    /// pattern.
    pub(crate) unsafe fn fill(
        &self,
        owner: Owner,
        queue: Queue,
        to: usize,
        pattern: &[u8],
        size: usize,
    ) -> Result<(), Failure> {
        let (to, none, event) = (address(to), ptr::null(), ptr::null_mut());
        let (length, pattern) = (pattern.len(), pattern.as_ptr().cast());
        match self {
            // SAFETY: upheld by the caller; the pattern is copied before the function returns.
            Allocator::Usm(usm) => unsafe { usm.fill(queue, to, pattern, length, size, 0, none, event) },
            // SAFETY: as above.
            Allocator::Svm(_) => unsafe { owner.api.svm_fill(queue, to, pattern, length, size, 0, none, event) },
        }
    }

    /// Migrates memory to the host or to the device. Shared virtual memory migrates on access
    /// instead.
    pub(crate) unsafe fn migrate(
        &self,
        queue: Queue,
        (start, size): (usize, usize),
        to_host: bool,
    ) -> Result<(), Failure> {
        let Allocator::Usm(usm) = self else { return Ok(()) };
        let flags = if to_host { MIGRATE_HOST } else { 0 };
        // SAFETY: upheld by the caller.
        let moved = unsafe { usm.migrate(queue, address(start), size, flags, 0, ptr::null(), ptr::null_mut()) };
        // The extension has no flag for the device. Some platforms accept 0, others report an
        // error; correctness does not depend on it.
        moved.or_else(|failure| if is_any(failure, &[error::INVALID_VALUE]) { Ok(()) } else { Err(failure) })
    }

    pub(crate) unsafe fn set_argument(
        &self,
        api: &Api,
        kernel: Kernel,
        index: u32,
        pointer: usize,
    ) -> Result<(), Failure> {
        match self {
            // SAFETY: upheld by the caller.
            Allocator::Usm(usm) => unsafe { usm.set_argument(kernel, index, address(pointer)) },
            // SAFETY: as above.
            Allocator::Svm(_) => unsafe { api.set_argument_svm(kernel, index, address(pointer)) },
        }
    }

    /// Prevents memory from being freed between its declaration to a kernel and the launch.
    #[inline]
    pub(crate) fn hold(&self) -> Held<'_> {
        match self {
            Allocator::Usm(_) => Held(None),
            Allocator::Svm(svm) => Held(Some((svm, svm.hold()))),
        }
    }
}

impl Held<'_> {
    /// Allows a kernel to access all live allocations through pointers that are not arguments.
    /// `seen` is the state that the kernel last got, 0 at first.
    ///
    /// # Safety
    /// The kernel is alive, and nobody else changes it.
    pub(crate) unsafe fn allow(&self, owner: Owner, kernel: Kernel, seen: &mut u64) -> Result<(), Failure> {
        match &self.0 {
            None if *seen == 0 => {
                for name in [EXEC_INFO_INDIRECT_HOST, EXEC_INFO_INDIRECT_DEVICE, EXEC_INFO_INDIRECT_SHARED] {
                    // SAFETY: upheld by the caller.
                    unsafe { enable(owner, kernel, name) }?;
                }
                *seen = 1;
                Ok(())
            }
            None => Ok(()),
            // SAFETY: upheld by the caller.
            Some((svm, table)) => unsafe { svm.allow(table, owner, kernel, seen) },
        }
    }
}
