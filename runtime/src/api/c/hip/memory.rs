//! Memory of devices, and where host code finds managed variables.
//!
//! *Invariant:* memory is freed when no command uses it any more. A copy from or to memory that the
//! program allocated without this interface is complete when the call returns. One inside the
//! memory of a device need not be, as in CUDA.
#![expect(unsafe_code, reason = "exports C symbols and passes on the pointers of C callers")]

use super::call;
use crate::{
    api::c::{global, guard::guard, memory::owner, pointer},
    device_globals::managed,
    devices::DeviceEntry,
    error::RuntimeError,
    hip::{
        error::{Code, Outcome, Refusal},
        pool,
        streams::{self, Stream},
        thread,
    },
};
use sinter_driver::{DriverError, MemoryKind, PointerInfo, Rows, Ticket};
use std::{ffi::c_void, ptr, sync::Arc};

/// Alignment of allocations in bytes, which programs in CUDA rely on.
const ALIGNMENT: usize = 256;

/// `sinter_hip_allocate`: see `sinter/hip.h`.
///
/// # Safety
/// `memory` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_allocate(memory: *mut *mut c_void, size: usize, kind: i32) -> i32 {
    call(|| {
        pointer::check("memory", memory)?;
        let kind = match kind {
            1 => MemoryKind::Device,
            2 => MemoryKind::Host,
            _ => MemoryKind::Shared,
        };
        let made = allocate(streams::device(global::runtime())?, kind, size)?;
        // SAFETY: writable unless null, by the caller's promise.
        Ok(unsafe { pointer::write("memory", memory, made) }?)
    })
}

/// Allocates memory. If there is none, the device gets back what its streams have freed.
fn allocate(device: &DeviceEntry, kind: MemoryKind, size: usize) -> Outcome<*mut c_void> {
    match device.allocate(kind, size, ALIGNMENT) {
        Err(RuntimeError::Driver(error)) if matches!(*error, DriverError::OutOfMemory { .. }) => {
            shrink(device, 0)?;
            Ok(device.allocate(kind, size, ALIGNMENT)?)
        }
        result => Ok(result?),
    }
}

/// Returns memory that streams have freed to its device, until at most `most` bytes are left.
fn shrink(device: &DeviceEntry, most: usize) -> Outcome {
    while let Some(block) = pool::remove_beyond(most, device.index) {
        // Errors of commands are those of the next wait for their stream.
        let waited = block.wait();
        // SAFETY: the program has freed the block, and no command uses it any more.
        unsafe { device.device.memory().free(block.memory()) }.map_err(RuntimeError::from)?;
        waited?;
    }
    Ok(())
}

/// `sinter_hip_allocate_in_order`: see `sinter/hip.h`.
///
/// # Safety
/// `memory` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_allocate_in_order(
    memory: *mut *mut c_void,
    size: usize,
    stream: *mut c_void,
) -> i32 {
    call(|| {
        pointer::check("memory", memory)?;
        let (runtime, stream) = (global::runtime(), entered(stream)?);
        let found = pool::take(size, &stream);
        let made = found.map_or_else(|| allocate(runtime.device(stream.device)?, MemoryKind::Device, size), Ok)?;
        // SAFETY: writable unless null, by the caller's promise.
        Ok(unsafe { pointer::write("memory", memory, made) }?)
    })
}

/// `sinter_hip_free_in_order`: see `sinter/hip.h`.
///
/// # Safety
/// As for [`sinter_hip_free`]; commands of the stream so far may use the memory.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_free_in_order(memory: *mut c_void, stream: *mut c_void) -> i32 {
    call(|| {
        if memory.is_null() {
            return Ok(());
        }
        let stream = entered(stream)?;
        let (entry, info) = allocated(memory)?;
        if info.kind != MemoryKind::Device || entry.index != stream.device {
            // SAFETY: the same contract, upheld by the caller.
            return unsafe { free(memory) };
        }
        pool::keep(memory, info.size, &stream);
        shrink(entry, pool::MOST_BYTES)
    })
}

/// `sinter_hip_free`: see `sinter/hip.h`.
///
/// # Safety
/// No command that is submitted later uses the memory.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_free(memory: *mut c_void) -> i32 {
    // SAFETY: the same contract, upheld by the caller.
    call(|| if memory.is_null() { Ok(()) } else { unsafe { free(memory) } })
}

/// The device and the facts of memory that the program has and may free.
fn allocated(memory: *mut c_void) -> Outcome<(&'static Arc<DeviceEntry>, PointerInfo)> {
    let unknown = || Refusal::new(Code::InvalidValue, "memory", "was not allocated here or was freed already");
    let (entry, info) = owner(memory).filter(|(_, info)| info.base == memory).ok_or_else(unknown)?;
    if pool::has(memory.addr()) { Err(unknown()) } else { Ok((entry, info)) }
}

/// # Safety
/// As for [`sinter_hip_free`].
unsafe fn free(memory: *mut c_void) -> Outcome {
    let (entry, _) = allocated(memory)?;
    // Errors of commands are those of the next wait.
    let waited = streams::wait_for_all(global::runtime());
    // SAFETY: no command uses the memory any more.
    unsafe { entry.device.memory().free(memory) }.map_err(RuntimeError::from)?;
    waited
}

/// The stream of a handle, ready for a command.
fn entered(handle: *mut c_void) -> Outcome<Arc<Stream>> {
    let runtime = global::runtime();
    let stream = streams::find(runtime, handle.addr())?;
    stream.enter(runtime)?;
    Ok(stream)
}

/// Waits for a copy or fill between `ends` that must be complete when the call returns: each one
/// with memory that devices do not know. With `waits` also others, unless all is memory of one
/// device, which the host cannot look at without a later command.
fn settle(stream: &Stream, ticket: Ticket, waits: bool, ends: [*const c_void; 2]) -> Outcome {
    let may_go_on = match ends.map(owner) {
        [Some((a, to)), Some((b, from))] => {
            !waits || Arc::ptr_eq(a, b) && [to, from].iter().all(|end| end.kind == MemoryKind::Device)
        }
        _ => false,
    };
    if !may_go_on {
        stream.queue.wait(ticket)?;
    }
    Ok(())
}

/// `sinter_hip_copy`: see `sinter/hip.h`.
///
/// # Safety
/// Both ranges stay valid until the command is complete and do not overlap.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_copy(
    destination: *mut c_void,
    source: *const c_void,
    size: usize,
    stream: *mut c_void,
    waits: i32,
) -> i32 {
    // SAFETY: the same contract, upheld by the caller.
    call(|| unsafe { copy(destination, source, size, stream, waits != 0) })
}

/// # Safety
/// As for [`sinter_hip_copy`].
pub(super) unsafe fn copy(
    destination: *mut c_void,
    source: *const c_void,
    size: usize,
    stream: *mut c_void,
    waits: bool,
) -> Outcome {
    let stream = entered(stream)?;
    if size == 0 {
        return Ok(());
    }
    pointer::check_extent("destination", destination, size)?;
    pointer::check_extent("source", source, size)?;
    // SAFETY: the caller promises that both ranges stay valid.
    let ticket = unsafe { stream.queue.driver_queue().copy(destination, source, size) };
    settle(&stream, ticket.map_err(RuntimeError::from)?, waits, [destination, source])
}

/// `sinter_hip_copy_rows`: see `sinter/hip.h`.
///
/// # Safety
/// All rows stay valid until the command is complete and do not overlap.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_copy_rows(
    destination: *mut c_void,
    destination_pitch: usize,
    source: *const c_void,
    source_pitch: usize,
    width: usize,
    height: usize,
    stream: *mut c_void,
    waits: i32,
) -> i32 {
    call(|| {
        let stream = entered(stream)?;
        if width == 0 || height == 0 {
            return Ok(());
        }
        if destination_pitch < width || source_pitch < width {
            return Err(Refusal::new(
                Code::InvalidPitchValue,
                "pitch",
                format!("is less than the {width} bytes of a row"),
            ));
        }
        let extent = |pitch: usize| pitch.saturating_mul(height);
        pointer::check_extent("destination", destination, extent(destination_pitch))?;
        pointer::check_extent("source", source, extent(source_pitch))?;
        let rows = Rows { destination_pitch, source_pitch, width, height };
        // SAFETY: the caller promises that all rows stay valid.
        let ticket = unsafe { stream.queue.driver_queue().copy_rows(destination, source, rows) };
        settle(&stream, ticket.map_err(RuntimeError::from)?, waits != 0, [destination, source])
    })
}

/// `sinter_hip_fill`: see `sinter/hip.h`.
///
/// # Safety
/// `pattern` is readable for its size; the destination stays valid until the command is complete.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_fill(
    destination: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    count: usize,
    stream: *mut c_void,
    waits: i32,
) -> i32 {
    call(|| {
        let stream = entered(stream)?;
        if count == 0 {
            return Ok(());
        }
        pointer::check_extent("destination", destination, pattern_size.saturating_mul(count))?;
        // SAFETY: readable for its size, by the caller's promise.
        let pattern = unsafe { pointer::bytes("pattern", pattern, pattern_size) }?;
        // SAFETY: the caller promises that the destination stays valid.
        let ticket = unsafe { stream.queue.driver_queue().fill(destination, pattern, count) };
        settle(&stream, ticket.map_err(RuntimeError::from)?, waits != 0, [destination; 2])
    })
}

/// `sinter_hip_managed`: see `sinter/hip.h`.
///
/// # Safety
/// `slot` is the slot of a managed variable, `value` its value in the program.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_managed(slot: *mut *mut c_void, value: *mut c_void) -> *mut c_void {
    // Not an error of the thread: host code works without a device.
    guard(|| {
        let runtime = global::runtime();
        let Some((object, ..)) = runtime.registry().global_around(value.expose_provenance()) else { return Ok(()) };
        let entry = runtime.device(thread::device())?;
        // SAFETY: a registered object of a managed variable.
        unsafe { entry.globals.address(&*entry.device, &entry.buffers, object) }?;
        Ok(())
    });
    // SAFETY: the caller promises a slot and its value.
    ptr::with_exposed_provenance_mut(unsafe { managed::settle(slot.cast(), value) })
}
