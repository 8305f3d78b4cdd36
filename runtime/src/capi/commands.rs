//! Commands on queues: launches, copies, fills.
//!
//! *Invariant:* a command of size 0 is no command: it gives the ticket of the last one.
#![expect(unsafe_code, reason = "exports C symbols and reads through the pointers of C callers")]

use super::{
    global,
    guard::guard,
    pointer,
    queue::{CQueue, open},
};
use crate::{
    abi::{Kernel, Launch},
    error::RuntimeError,
    launch::shape::LaunchSize,
};
use std::ffi::c_void;

/// Longest pattern of a fill, as the header says.
const MAX_PATTERN: usize = 128;

/// The size that a `sinter_launch` asks for.
fn size(launch: &Launch) -> Result<LaunchSize, RuntimeError> {
    pointer::check_size::<Launch>("launch", launch.struct_size)?;
    // A number that does not fit becomes one that is refused with the others.
    let dimensions = u8::try_from(launch.dimensions).unwrap_or(u8::MAX);
    let group = (launch.group_size != [0; 3]).then_some(launch.group_size);
    Ok(LaunchSize { dimensions, global: launch.global_size, group, local_memory: launch.local_memory })
}

/// `sinter_queue_launch`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `kernel` null or a descriptor of stage 1, `block` readable for `block_size` bytes, `launch`
/// null or readable, `ticket` null or writable. Pointers in the block that the kernel uses stay valid until it is complete.
// SAFETY: the name is ours alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_launch(
    queue: *mut CQueue,
    kernel: *const Kernel,
    block: *const c_void,
    block_size: usize,
    launch: *const Launch,
    ticket: *mut u64,
) -> i32 {
    guard(|| {
        // SAFETY: each is readable unless null, by the caller's promise.
        let (queue, kernel, launch) = unsafe {
            (open("queue", queue)?, pointer::reference("kernel", kernel)?, pointer::reference("launch", launch)?)
        };
        // SAFETY: readable for its size, by the caller's promise.
        let block = unsafe { pointer::bytes("block", block, block_size) }?;
        // SAFETY: the caller promises a descriptor of stage 1 and valid pointers in the block.
        let submitted = unsafe { global::runtime().launch(queue, kernel, block, &size(launch)?) }?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}

/// `sinter_queue_memcpy`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, both ranges stay valid until the command is complete and do not overlap, `ticket` is null or
/// writable.
// SAFETY: the name is ours alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_memcpy(
    queue: *mut CQueue,
    destination: *mut c_void,
    source: *const c_void,
    size: usize,
    ticket: *mut u64,
) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let queue = unsafe { open("queue", queue) }?.driver_queue();
        let submitted = if size == 0 {
            queue.last()
        } else {
            pointer::check("destination", destination)?;
            pointer::check("source", source)?;
            // SAFETY: the caller promises that both ranges stay valid.
            unsafe { queue.copy(destination, source, size) }?
        };
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}

/// `sinter_queue_fill`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `pattern` is readable for its size, the destination stays valid until the command is
/// complete, `ticket` is null or writable.
// SAFETY: the name is ours alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_fill(
    queue: *mut CQueue,
    destination: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    count: usize,
    ticket: *mut u64,
) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let queue = unsafe { open("queue", queue) }?.driver_queue();
        if pattern_size == 0 || pattern_size > MAX_PATTERN || pattern_size.checked_mul(count).is_none() {
            let reason =
                format!("{pattern_size} is not 1 to {MAX_PATTERN}, or {count} patterns exceed the address space");
            return Err(RuntimeError::invalid("pattern_size", reason));
        }
        // SAFETY: readable for its size, by the caller's promise.
        let pattern = unsafe { pointer::bytes("pattern", pattern, pattern_size) }?;
        let submitted = if count == 0 {
            queue.last()
        } else {
            pointer::check("destination", destination)?;
            // SAFETY: the caller promises that the destination stays valid.
            unsafe { queue.fill(destination, pattern, count) }?
        };
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}
