//! Commands on queues: launches, copies, fills.
//!
//! *Invariant:* a command of size 0 submits nothing; it returns the ticket of the last command.
#![expect(unsafe_code, reason = "exports C symbols and reads through the pointers of C callers")]

use super::{
    global,
    guard::guard,
    pointer,
    queue::{CQueue, open},
};
use crate::{
    abi::{self, Kernel, Launch, LaunchConstants, WholeLaunch},
    error::RuntimeError,
    launch::{
        shape::LaunchSize,
        values::{Constant, MAX_CONSTANT_SIZE, MAX_CONSTANTS},
    },
    queue::Queue,
};
use sinter_driver::Ticket;
use std::ffi::{CStr, c_void};

/// Maximum size of a fill pattern in bytes, as the header documents.
pub(super) const MAX_PATTERN: usize = 128;

/// Launches with at most this many constants allocate no memory for them.
const INLINE_CONSTANTS: usize = 8;

/// The constants of a launch; empty for a `sinter_launch` of a version that had none.
///
/// # Safety
/// `launch` points to as many bytes as its `struct_size` says, and what it points to is readable
/// during the call.
#[inline]
pub(super) unsafe fn constants<'a>(launch: *const Launch) -> Result<&'a [abi::Constant], RuntimeError> {
    // SAFETY: every version of the struct has this part.
    if (unsafe { (*launch).struct_size } as usize) < size_of::<WholeLaunch>() {
        return Ok(&[]);
    }
    // SAFETY: the size says that the second part is there.
    let LaunchConstants { constant_count, reserved: _, constants } =
        unsafe { (*launch.cast::<WholeLaunch>()).constants };
    let count = constant_count as usize;
    if count == 0 {
        return Ok(&[]);
    }
    pointer::check("constants", constants)?;
    if count > MAX_CONSTANTS {
        return Err(RuntimeError::invalid("constant_count", format!("{count} is above {MAX_CONSTANTS}")));
    }
    // SAFETY: not null, aligned, and readable for `count` elements by the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(constants, count) })
}

/// Converts one constant to the type of the runtime.
///
/// # Safety
/// Its pointers are null or readable during the call.
unsafe fn constant<'a>(raw: &abi::Constant) -> Result<Constant<'a>, RuntimeError> {
    pointer::check("constants[].name", raw.name)?;
    // SAFETY: not null, and NUL-terminated by the caller's promise.
    let name = unsafe { CStr::from_ptr(raw.name) };
    let name = name.to_str().map_err(|_| RuntimeError::invalid("constants[].name", "is not UTF-8"))?;
    if raw.size == 0 || raw.size > MAX_CONSTANT_SIZE as u64 {
        let reason = format!("that of `{name}` is {}, not 1 to {MAX_CONSTANT_SIZE}", raw.size);
        return Err(RuntimeError::invalid("constants[].size", reason));
    }
    // SAFETY: readable for its size, by the caller's promise.
    let value = unsafe { pointer::bytes("constants[].value", raw.value, raw.size as usize) }?;
    Ok(Constant { name, value })
}

/// Calls `launch` with the converted constants, which are kept on the stack if they are few.
///
/// # Safety
/// As for [`constant`].
#[inline]
pub(super) unsafe fn with_constants<R>(
    raw: &[abi::Constant],
    launch: impl FnOnce(&[Constant<'_>]) -> Result<R, RuntimeError>,
) -> Result<R, RuntimeError> {
    if raw.is_empty() {
        return launch(&[]);
    }
    // SAFETY: the same contract, upheld by the caller.
    let read = |raw: &abi::Constant| unsafe { constant(raw) };
    if raw.len() > INLINE_CONSTANTS {
        return launch(&raw.iter().map(read).collect::<Result<Vec<_>, _>>()?);
    }
    let mut inline = [Constant { name: "", value: &[] }; INLINE_CONSTANTS];
    for (place, raw) in inline.iter_mut().zip(raw) {
        *place = read(raw)?;
    }
    launch(&inline[..raw.len()])
}

/// Converts the sizes of a `sinter_launch`. Fails if its `struct_size` is too small.
#[inline]
pub(super) fn size(launch: &Launch) -> Result<LaunchSize, RuntimeError> {
    pointer::check_size::<Launch>("launch", launch.struct_size)?;
    // A number that does not fit is replaced by one that is refused with the other bad ones.
    let dimensions = u8::try_from(launch.dimensions).unwrap_or(u8::MAX);
    let group = (launch.group_size != [0; 3]).then_some(launch.group_size);
    Ok(LaunchSize { dimensions, global: launch.global_size, group, local_memory: launch.local_memory })
}

/// Launches a kernel with arguments of the C interface.
///
/// # Safety
/// As for [`sinter_queue_launch`].
#[inline]
pub(super) unsafe fn launch_on(
    queue: &Queue,
    kernel: *const Kernel,
    block: *const c_void,
    block_size: usize,
    launch: *const Launch,
) -> Result<Ticket, RuntimeError> {
    // SAFETY: readable unless null, by the caller's promise.
    let first = unsafe { pointer::reference("launch", launch) }?;
    pointer::check("kernel", kernel)?;
    let size = size(first)?;
    // SAFETY: readable for its size, by the caller's promise.
    let block = unsafe { pointer::bytes("block", block, block_size) }?;
    // SAFETY: the size was checked, and the caller promises that its pointers are readable.
    let raw = unsafe { constants(launch) }?;
    let launch = |constants: &[Constant<'_>]| {
        // SAFETY: the caller promises a descriptor of stage 1 and valid pointers in the block.
        unsafe { global::runtime().launch_with(queue, kernel, block, &size, constants) }
    };
    // SAFETY: the caller promises that the constants' pointers are readable.
    unsafe { with_constants(raw, launch) }
}

/// `sinter_queue_launch`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `kernel` null or a descriptor of stage 1, `block` readable for
/// `block_size` bytes, `launch` null or readable with all it points to, `ticket` null or writable.
/// Pointers in the block that the kernel uses stay valid until it is complete.
// SAFETY: no other library defines this symbol.
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
        // SAFETY: a queue unless null; the caller promises the rest too.
        let submitted = unsafe { launch_on(open("queue", queue)?, kernel, block, block_size, launch) }?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}

/// `sinter_queue_memcpy`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, both ranges stay valid until the command is complete and do not
/// overlap, `ticket` is null or writable.
// SAFETY: no other library defines this symbol.
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
            pointer::check_extent("destination", destination, size)?;
            pointer::check_extent("source", source, size)?;
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
/// `queue` is null or a queue, `pattern` is readable for its size, the destination stays valid
/// until the command is complete, `ticket` is null or writable.
// SAFETY: no other library defines this symbol.
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
        if pattern_size == 0 || pattern_size > MAX_PATTERN {
            return Err(RuntimeError::invalid("pattern_size", format!("{pattern_size} is not 1 to {MAX_PATTERN}")));
        }
        let too_many = || {
            RuntimeError::invalid("count", format!("{count} patterns of {pattern_size} bytes exceed the address space"))
        };
        let size = pattern_size.checked_mul(count).ok_or_else(too_many)?;
        // SAFETY: readable for its size, by the caller's promise.
        let pattern = unsafe { pointer::bytes("pattern", pattern, pattern_size) }?;
        let submitted = if count == 0 {
            queue.last()
        } else {
            pointer::check_extent("destination", destination, size)?;
            // SAFETY: the caller promises that the destination stays valid.
            unsafe { queue.fill(destination, pattern, count) }?
        };
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}
