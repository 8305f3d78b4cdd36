//! Transfers beyond a plain copy: rectangles, prefetch, mem-advise.
//!
//! *Invariant:* as in `commands`, a command of size 0 submits nothing. Neither does a hint about
//! memory that does not migrate.
#![expect(unsafe_code, reason = "exports C symbols and passes on the pointers of C callers")]

use super::{
    guard::guard,
    memory::owner,
    pointer,
    queue::{CQueue, open},
};
use crate::{error::RuntimeError, queue::Queue};
use sinter_driver::{Advice, MemoryKind, Rows, Ticket};
use std::ffi::c_void;

/// Decodes a number of `sinter_advice`.
fn advice(number: i32) -> Result<Advice, RuntimeError> {
    Ok(match number {
        0 => Advice::Default,
        1 => Advice::ReadMostly,
        2 => Advice::PreferDevice,
        3 => Advice::PreferHost,
        _ => return Err(RuntimeError::invalid("advice", format!("{number} is not a sinter_advice (0 to 3)"))),
    })
}

/// Rejects rows that overlap or exceed the address space.
fn check_pitch(what: &'static str, pitch: usize, width: usize, height: usize) -> Result<(), RuntimeError> {
    if pitch < width {
        return Err(RuntimeError::invalid(what, format!("{pitch} bytes are less than the {width} of a row")));
    }
    match pitch.checked_mul(height) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(RuntimeError::invalid(what, format!("{height} rows of {pitch} bytes exceed the address space"))),
    }
}

/// Submits a hint if all `size` bytes lie in shared memory, which can migrate; otherwise does
/// nothing.
fn hint(
    queue: &Queue,
    memory: *const c_void,
    size: usize,
    submit: impl FnOnce() -> Result<Ticket, RuntimeError>,
) -> Result<Ticket, RuntimeError> {
    let moves = |info: sinter_driver::PointerInfo| {
        let end = (info.base as usize).saturating_add(info.size);
        info.kind == MemoryKind::Shared && size <= end - (memory as usize)
    };
    let is_useful = size > 0 && owner(memory).is_some_and(|(_, info)| moves(info));
    if is_useful { submit() } else { Ok(queue.driver_queue().last()) }
}

/// `sinter_queue_memcpy_rows`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, all rows stay valid until the command is complete and do not
/// overlap, `ticket` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_memcpy_rows(
    queue: *mut CQueue,
    destination: *mut c_void,
    destination_pitch: usize,
    source: *const c_void,
    source_pitch: usize,
    width: usize,
    height: usize,
    ticket: *mut u64,
) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let queue = unsafe { open("queue", queue) }?.driver_queue();
        check_pitch("destination_pitch", destination_pitch, width, height)?;
        check_pitch("source_pitch", source_pitch, width, height)?;
        let submitted = if width == 0 || height == 0 {
            queue.last()
        } else {
            pointer::check_extent("destination", destination, destination_pitch * height)?;
            pointer::check_extent("source", source, source_pitch * height)?;
            let rows = Rows { destination_pitch, source_pitch, width, height };
            // SAFETY: the caller promises that all rows stay valid.
            unsafe { queue.copy_rows(destination, source, rows) }?
        };
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}

/// `sinter_queue_prefetch`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, the memory stays valid until the command is complete, `ticket` is
/// null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_prefetch(
    queue: *mut CQueue,
    memory: *const c_void,
    size: usize,
    to_host: i32,
    ticket: *mut u64,
) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let queue = unsafe { open("queue", queue) }?;
        let submitted = hint(queue, memory, size, || {
            // SAFETY: the range lies in an allocation, which the caller keeps.
            Ok(unsafe { queue.driver_queue().prefetch(memory, size, to_host != 0) }?)
        })?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}

/// `sinter_queue_advise`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, the memory stays valid until the command is complete, `ticket` is
/// null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_advise(
    queue: *mut CQueue,
    memory: *const c_void,
    size: usize,
    number: i32,
    ticket: *mut u64,
) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let queue = unsafe { open("queue", queue) }?;
        let advice = advice(number)?;
        let submitted = hint(queue, memory, size, || {
            // SAFETY: the range lies in an allocation, which the caller keeps.
            Ok(unsafe { queue.driver_queue().advise(memory, size, advice) }?)
        })?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}
