//! A buffer: its shape, its copies in the memories of devices, and the state of its parts.
//!
//! *Invariant:* copies are made when a command first needs them, and stay where they are until the
//! buffer is destroyed, so that accessors may hold their addresses. The place [`PROGRAM`] is memory
//! of the program that is only read; what shall be written is copied to the host's place first.
#![expect(unsafe_code, reason = "allocates memory and shares addresses between threads")]

use super::{
    bounds::{Bounds, Shape},
    cells::{Cells, Place},
    event::Event,
    pool::{self, Allocation},
};
use crate::{devices::DeviceEntry, error::RuntimeError};
use sinter_driver::{DeviceFeatures, DeviceKind};
use std::{
    alloc::{Layout, alloc, dealloc},
    ffi::c_void,
    ptr,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, atomic::Ordering},
};

/// Memory of the program that is only read.
pub(super) const PROGRAM: Place = Place(u32::MAX - 1);

/// Place of a device's memory. A CPU that can use all memory of the process has the host's.
pub(crate) fn place_of(device: &DeviceEntry) -> Place {
    let info = device.info();
    let shares = info.kind == DeviceKind::Cpu && info.features.0 & DeviceFeatures::USM_SYSTEM != 0;
    if shares && !device.buffers.keeps_copies.load(Ordering::Relaxed) { Place::HOST } else { Place(device.index) }
}

/// Who releases the memory of a copy.
enum Owner {
    Program,
    Heap(Layout),
    Pool(Arc<DeviceEntry>, Allocation),
}

/// The memory of a buffer at one place.
struct Copy {
    place: Place,
    pointer: *mut c_void,
    owner: Owner,
}

// SAFETY: the pointer is an address; commands access the memory in the order of the graph's events.
unsafe impl Send for Copy {}

/// The part of a buffer that changes with its use.
pub(super) struct State {
    pub(super) cells: Cells,
    copies: Vec<Copy>,
}

/// The contents of a buffer when it is made.
#[derive(Debug, Clone, Copy)]
pub struct HostData {
    /// Memory of the program, as large as the buffer; null if there is none.
    pub pointer: *mut c_void,
    /// True if the program's memory must not be written.
    pub is_read_only: bool,
}

/// A buffer that commands of all devices may access.
pub struct Buffer {
    pub(super) shape: Shape,
    state: Mutex<State>,
    /// The first memory that commands asked for, unless it is the program's: it stays where it is.
    first: OnceLock<(Place, usize)>,
}

impl Buffer {
    /// Makes a buffer of `shape`: bytes in a row, rows in a plane, planes.
    pub fn new(shape: [usize; 3], host: HostData) -> Arc<Self> {
        let place = if host.is_read_only { PROGRAM } else { Place::HOST };
        let given = (!host.pointer.is_null()).then_some(place);
        let copies = given.map(|place| Copy { place, pointer: host.pointer, owner: Owner::Program });
        let state = State { cells: Cells::new(Bounds::whole(shape), given), copies: copies.into_iter().collect() };
        Arc::new(Buffer { shape, state: Mutex::new(state), first: OnceLock::new() })
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Address of the buffer's memory for commands of `device`, or of the process. Allocates it at
    /// the first call.
    pub fn pointer(&self, device: Option<&Arc<DeviceEntry>>) -> Result<*mut c_void, RuntimeError> {
        let place = device.map_or(Place::HOST, |device| place_of(device));
        if let Some((_, address)) = self.first.get().filter(|(known, _)| *known == place) {
            return Ok(ptr::with_exposed_provenance_mut(*address));
        }
        let mut state = self.lock();
        let pointer = state.copy(place, device, self.size())?;
        if !state.is_shared_with_program() {
            self.first.get_or_init(|| (place, pointer.expose_provenance()));
        }
        Ok(pointer)
    }

    /// Moves what is in the program's memory to memory of the buffer's own, so that the program's
    /// memory is not written any more. The caller has waited for all commands.
    pub(super) fn leave_program(&self) -> Result<(), RuntimeError> {
        let mut state = self.lock();
        let is_programs = |copy: &Copy| copy.place == Place::HOST && matches!(copy.owner, Owner::Program);
        if let Some(index) = state.copies.iter().position(is_programs) {
            let new = on_heap(Place::HOST, self.size())?;
            // SAFETY: both have the buffer's size, and no command is left.
            unsafe {
                new.pointer.cast::<u8>().copy_from_nonoverlapping(state.copies[index].pointer.cast(), self.size())
            };
            state.copies[index] = new;
        }
        Ok(())
    }
}

impl State {
    /// The memory at a place, allocated if it is not there.
    pub(super) fn copy(
        &mut self,
        place: Place,
        device: Option<&Arc<DeviceEntry>>,
        size: usize,
    ) -> Result<*mut c_void, RuntimeError> {
        if let Some(copy) = self.existing(place) {
            return Ok(copy);
        }
        let copy = match device {
            Some(device) => {
                let allocation = device.buffers.pool.allocate(&*device.device, size)?;
                Copy { place, pointer: allocation.pointer, owner: Owner::Pool(Arc::clone(device), allocation) }
            }
            None => on_heap(place, size)?,
        };
        let pointer = copy.pointer;
        self.copies.push(copy);
        Ok(pointer)
    }

    /// The memory at a place, if it is there.
    pub(super) fn existing(&self, place: Place) -> Option<*mut c_void> {
        self.copies.iter().find(|copy| copy.place == place).map(|copy| copy.pointer)
    }

    /// The device whose memory a place is, if the buffer has a copy there.
    pub(super) fn device(&self, place: Place) -> Option<Arc<DeviceEntry>> {
        let at = self.copies.iter().find(|copy| copy.place == place)?;
        match &at.owner {
            Owner::Pool(device, _) => Some(Arc::clone(device)),
            Owner::Program | Owner::Heap(_) => None,
        }
    }

    /// True if some memory belongs to the program.
    pub(super) fn is_shared_with_program(&self) -> bool {
        self.copies.iter().any(|copy| matches!(copy.owner, Owner::Program))
    }
}

fn on_heap(place: Place, size: usize) -> Result<Copy, RuntimeError> {
    let full = || RuntimeError::HostMemory { size };
    let layout = Layout::from_size_align(size.max(1), pool::alignment(size)).map_err(|_| full())?;
    // SAFETY: the size is not zero.
    let pointer = unsafe { alloc(layout) };
    if pointer.is_null() {
        return Err(full());
    }
    Ok(Copy { place, pointer: pointer.cast(), owner: Owner::Heap(layout) })
}

impl Drop for Buffer {
    /// Gives memory back. Waits only where the memory is the program's or the allocator's.
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.cells.forget_completed();
        let events = state.cells.events();
        let is_pooled = |copy: &Copy| matches!(copy.owner, Owner::Pool(..));
        let waits = state.is_shared_with_program() || !state.copies.iter().all(is_pooled);
        // All of them, also if one cannot be waited for.
        let unused = !waits || events.iter().map(settle).fold(true, |all, one| all & one);
        for Copy { pointer, owner, .. } in state.copies.drain(..) {
            match owner {
                Owner::Program => {}
                // SAFETY: `on_heap` allocated it with this layout, and all commands are complete.
                Owner::Heap(layout) if unused => unsafe { dealloc(pointer.cast(), layout) },
                Owner::Heap(layout) => tracing::warn!("{} bytes of a buffer were lost", layout.size()),
                Owner::Pool(device, allocation) => {
                    device.buffers.pool.give(&*device.device, allocation, events.clone());
                }
            }
        }
    }
}

/// Waits for a command whose error cannot be returned. False if it may still run: a host task
/// cannot wait for its own queue.
fn settle(event: &Event) -> bool {
    let waited = event.wait();
    waited.as_ref().err().iter().for_each(|error| tracing::warn!("a command that used a buffer failed: {error}"));
    waited.is_ok() || event.is_complete()
}
