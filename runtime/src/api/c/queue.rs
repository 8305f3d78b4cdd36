//! Queue handles of the C interface.
//!
//! *Invariant:* a `sinter_queue` starts with a number that is overwritten when it is destroyed, so
//! that a pointer to another object is most likely rejected instead of used.
#![expect(unsafe_code, reason = "exports C symbols and hands out pointers")]

use super::{global, guard::guard, pointer};
use crate::{abi::Profile, code::tiers::JitMode, error::RuntimeError, queue::Queue};
use sinter_driver::Ticket;

const ALIVE: u64 = 0x5155_4555_4553_4e54;
const DEAD: u64 = 0xdead_dead_dead_dead;

/// Target of a `sinter_queue` handle.
#[repr(C)]
pub struct CQueue {
    mark: u64,
    queue: Queue,
}

impl CQueue {
    /// Boxes a queue; `sinter_queue_destroy` frees it.
    pub(super) fn give(queue: Queue) -> *mut CQueue {
        Box::into_raw(Box::new(CQueue { mark: ALIVE, queue }))
    }
}

/// The queue of a handle. A handle without the mark of a live queue is an error.
///
/// # Safety
/// Unless null or misaligned, `handle` is readable.
#[inline]
pub(super) unsafe fn open<'a>(what: &'static str, handle: *const CQueue) -> Result<&'a Queue, RuntimeError> {
    pointer::check(what, handle)?;
    // SAFETY: readable by the caller's promise; nothing but the mark is read before the mark is
    // checked.
    if unsafe { (&raw const (*handle).mark).read() } != ALIVE {
        return Err(RuntimeError::invalid(what, "is not a queue, or was destroyed"));
    }
    // SAFETY: the mark says that `CQueue::give` made it and that it was not destroyed.
    Ok(unsafe { &(*handle).queue })
}

/// `sinter_queue_create`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_create(device: u32, queue: *mut *mut CQueue) -> i32 {
    guard(|| {
        pointer::check("queue", queue)?;
        let made = global::runtime().create_queue(device)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("queue", queue, CQueue::give(made)) }
    })
}

/// `sinter_queue_destroy`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue that no other thread uses any more.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_destroy(queue: *mut CQueue) -> i32 {
    guard(|| {
        if queue.is_null() {
            return Ok(());
        }
        // SAFETY: readable by the caller's promise.
        let inner = unsafe { open("queue", queue) }?;
        let result = inner.finish();
        // SAFETY: `open` found it alive, so it came from `Box::into_raw`, and no other thread uses
        // it.
        let mut owned = unsafe { Box::from_raw(queue) };
        owned.mark = DEAD;
        // Keeps the compiler from removing the store to memory that is about to be freed.
        std::hint::black_box(&owned.mark);
        result
    })
}

/// `sinter_queue_set_jit_mode`: see `sinter/jit.h`.
///
/// # Safety
/// `queue` is null or a queue.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_set_jit_mode(queue: *mut CQueue, mode: u32) -> i32 {
    guard(|| {
        let mode = match mode {
            0 => None,
            1 => Some(JitMode::Sync),
            2 => Some(JitMode::Fallback),
            3 => Some(JitMode::Require),
            _ => {
                let reason = format!("{mode} is none of 0 (default), 1 (sync), 2 (fallback) and 3 (require)");
                return Err(RuntimeError::invalid("mode", reason));
            }
        };
        // SAFETY: readable unless null, by the caller's promise.
        unsafe { open("queue", queue) }?.set_jit_mode(mode);
        Ok(())
    })
}

/// `sinter_queue_depend`: see `sinter/sinter.h`.
///
/// # Safety
/// Both are null or queues.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_depend(queue: *mut CQueue, other: *mut CQueue, ticket: u64) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let (queue, other) = unsafe { (open("queue", queue)?, open("other", other)?) };
        queue.depend(other, Ticket(ticket))
    })
}

/// `sinter_queue_last_ticket`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `ticket` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_last_ticket(queue: *mut CQueue, ticket: *mut u64) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let last = unsafe { open("queue", queue) }?.join()?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("ticket", ticket, last.0) }
    })
}

/// `sinter_queue_wait`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_wait(queue: *mut CQueue, ticket: u64) -> i32 {
    // SAFETY: readable unless null, by the caller's promise.
    guard(|| unsafe { open("queue", queue) }?.wait(Ticket(ticket)))
}

/// `sinter_queue_wait_all`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_wait_all(queue: *mut CQueue) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        unsafe { open("queue", queue) }?.wait_all()
    })
}

/// `sinter_queue_take_error`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_take_error(queue: *mut CQueue, waits: i32) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        unsafe { open("queue", queue) }?.take_error(waits != 0)
    })
}

/// `sinter_queue_query`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `complete` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_query(queue: *mut CQueue, ticket: u64, complete: *mut i32) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let done = unsafe { open("queue", queue) }?.is_complete(Ticket(ticket))?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("complete", complete, i32::from(done)) }
    })
}

/// `sinter_queue_enable_profiling`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_enable_profiling(queue: *mut CQueue) -> i32 {
    // SAFETY: readable unless null, by the caller's promise.
    guard(|| unsafe { open("queue", queue) }?.enable_profiling())
}

/// `sinter_queue_profile`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `profile` is null or points to as many bytes as its `struct_size`
/// says.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_profile(queue: *mut CQueue, ticket: u64, profile: *mut Profile) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let queue = unsafe { open("queue", queue) }?;
        // SAFETY: readable unless null, by the caller's promise.
        let struct_size = *unsafe { pointer::reference("profile", profile.cast_const().cast::<u32>()) }?;
        pointer::check_size::<Profile>("profile", struct_size)?;
        let sinter_driver::Profile { submit, start, end } = queue.profile(Ticket(ticket))?;
        // SAFETY: its size was checked, and it is writable by the caller's promise.
        unsafe { pointer::write("profile", profile, Profile { struct_size, reserved: 0, submit, start, end }) }
    })
}
