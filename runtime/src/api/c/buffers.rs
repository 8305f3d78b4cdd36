//! Buffers, host access and commands with requirements.
//!
//! *Invariant:* a `sinter_buffer` and a `sinter_host_access` start with a number that is
//! overwritten when they are destroyed, as a `sinter_queue` does.
#![expect(unsafe_code, reason = "exports C symbols and reads through the pointers of C callers")]

use super::{
    commands::{MAX_PATTERN, constants, size, with_constants},
    global,
    guard::guard,
    host_task::{Function, Owned},
    pointer,
    queue::{CQueue, open},
};
use crate::{
    abi::{BufferDescription, ByteBox, Command as CCommand, Requirement as CRequirement},
    buffers::{Brick, Buffer, Command, HostAccess, HostData, Owner, Requirement, Submission, Use},
    error::RuntimeError,
    launch::values::Constant,
    queue::Queue,
};
use sinter_driver::Ticket;
use smallvec::SmallVec;
use std::{ffi::c_void, sync::Arc};

const BUFFER: u64 = 0x4255_4646_4552_4e54;
const ACCESS: u64 = 0x4143_4345_5353_4e54;
const DEAD: u64 = 0xdead_dead_dead_dead;

/// `SINTER_BUFFER_READ_ONLY`.
const READ_ONLY: u32 = 1;
/// `SINTER_ACCESS_READ`, `_WRITE` and `_HOST`.
const READ: u32 = 1;
const WRITE: u32 = 2;
const ON_HOST: u32 = 4;
/// Values of `sinter_command_kind`.
const LAUNCH: u32 = 1;
const HOST_TASK: u32 = 4;
const BARRIER: u32 = 5;
/// `SINTER_COMMAND_OVERLAPS`.
const OVERLAPS: u32 = 1;
/// Maximum number of requirements, as the header documents.
const MAX_REQUIREMENTS: u32 = 4096;

/// Target of a handle: a mark and a value.
#[repr(C)]
pub struct Marked<T> {
    mark: u64,
    value: T,
}

/// Target of a `sinter_buffer`.
pub type CBuffer = Marked<Arc<Buffer>>;
/// Target of a `sinter_host_access`.
pub type CAccess = Marked<HostAccess>;

fn give<T>(mark: u64, value: T) -> *mut Marked<T> {
    Box::into_raw(Box::new(Marked { mark, value }))
}

/// The value of a handle. A handle without the mark is an error.
///
/// # Safety
/// Unless null or misaligned, `handle` is readable.
unsafe fn value<'a, T>(what: &'static str, mark: u64, handle: *const Marked<T>) -> Result<&'a T, RuntimeError> {
    pointer::check(what, handle)?;
    // SAFETY: readable by the caller's promise; nothing but the mark is read before it is checked.
    if unsafe { (&raw const (*handle).mark).read() } != mark {
        return Err(RuntimeError::invalid(what, "is not one of these handles, or was destroyed"));
    }
    // SAFETY: the mark says that `give` made it and that it was not destroyed.
    Ok(unsafe { &(*handle).value })
}

/// Takes a handle back.
///
/// # Safety
/// As for [`value`], and no other thread uses the handle any more.
unsafe fn take<T>(what: &'static str, mark: u64, handle: *mut Marked<T>) -> Result<T, RuntimeError> {
    // SAFETY: the same contract, upheld by the caller.
    unsafe { value(what, mark, handle) }?;
    // SAFETY: the mark says that `give` boxed it, and no other thread uses it.
    let mut owned = unsafe { Box::from_raw(handle) };
    owned.mark = DEAD;
    // Keeps the compiler from removing the store to memory that is about to be freed.
    std::hint::black_box(&owned.mark);
    Ok(owned.value)
}

fn access(bits: u32) -> Result<(Use, bool), RuntimeError> {
    if bits & !(READ | WRITE | ON_HOST) != 0 || bits & (READ | WRITE) == 0 {
        return Err(RuntimeError::invalid("access", format!("{bits:#x} is not made of sinter_access bits")));
    }
    Ok((Use { reads: bits & READ != 0, writes: bits & WRITE != 0 }, bits & ON_HOST != 0))
}

/// Converts sizes whose product is a number of bytes.
fn shape(given: [u64; 3]) -> Result<[usize; 3], RuntimeError> {
    let bytes = given.iter().try_fold(1u64, |bytes, length| bytes.checked_mul(*length));
    let fits = bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok());
    let too_large = || RuntimeError::invalid("shape", format!("{given:?} exceeds the address space"));
    if fits { Ok(given.map(|length| length as usize)) } else { Err(too_large()) }
}

/// `sinter_buffer_create`: see `sinter/sinter.h`.
///
/// # Safety
/// `description` is null or readable, with host memory of the buffer's size that lives as long as
/// the buffer; `buffer` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_buffer_create(description: *const BufferDescription, buffer: *mut *mut CBuffer) -> i32 {
    guard(|| {
        pointer::check("buffer", buffer)?;
        // SAFETY: readable unless null, by the caller's promise.
        let given = unsafe { pointer::reference("description", description) }?;
        pointer::check_size::<BufferDescription>("description", given.struct_size)?;
        if given.flags & !READ_ONLY != 0 {
            return Err(RuntimeError::invalid("flags", format!("{:#x} has unknown bits", given.flags)));
        }
        let host = HostData { pointer: given.host, is_read_only: given.flags & READ_ONLY != 0 };
        let made = Buffer::new(shape(given.shape)?, host);
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("buffer", buffer, give(BUFFER, made)) }
    })
}

/// `sinter_buffer_destroy`: see `sinter/sinter.h`.
///
/// # Safety
/// `buffer` is null or a buffer that no other thread uses any more; `destination` is null or has
/// its size.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_buffer_destroy(buffer: *mut CBuffer, destination: *mut c_void) -> i32 {
    guard(|| {
        if buffer.is_null() {
            return Ok(());
        }
        // SAFETY: upheld by the caller.
        let owned = unsafe { take("buffer", BUFFER, buffer) }?;
        if destination.is_null() && !owned.borrows() {
            return Ok(());
        }
        // SAFETY: the destination has the buffer's size, by the caller's promise.
        unsafe { owned.finish(destination) }
    })
}

/// `sinter_buffer_detach`: see `sinter/sinter.h`.
///
/// # Safety
/// `buffer` is null or a buffer.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_buffer_detach(buffer: *mut CBuffer) -> i32 {
    // SAFETY: upheld by the caller.
    guard(|| unsafe { value("buffer", BUFFER, buffer) }?.detach())
}

/// `sinter_buffer_pointer`: see `sinter/sinter.h`.
///
/// # Safety
/// `buffer` is null or a buffer, `queue` null or a queue, `address` null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_buffer_pointer(
    buffer: *mut CBuffer,
    queue: *mut CQueue,
    address: *mut *mut c_void,
) -> i32 {
    guard(|| {
        // SAFETY: upheld by the caller.
        let buffer = unsafe { value("buffer", BUFFER, buffer) }?;
        let found = if queue.is_null() {
            buffer.pointer(None)?
        } else {
            // SAFETY: readable by the caller's promise.
            buffer.pointer(Some(unsafe { open("queue", queue) }?.device_handle()))?
        };
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("address", address, found) }
    })
}

/// `sinter_buffer_access`: see `sinter/sinter.h`.
///
/// # Safety
/// `buffer` is null or a buffer, `bytes` null or readable, the results null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_buffer_access(
    buffer: *mut CBuffer,
    bits: u32,
    bytes: *const ByteBox,
    address: *mut *mut c_void,
    held: *mut *mut CAccess,
) -> i32 {
    guard(|| {
        pointer::check("address", address)?;
        pointer::check("held", held)?;
        // SAFETY: upheld by the caller.
        let (buffer, bytes) = unsafe { (value("buffer", BUFFER, buffer)?, pointer::reference("box", bytes)?) };
        let made = HostAccess::new(buffer, *bytes, access(bits)?.0)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("address", address, made.pointer) }?;
        // SAFETY: as above.
        unsafe { pointer::write("held", held, give(ACCESS, made)) }
    })
}

/// `sinter_buffer_release`: see `sinter/sinter.h`.
///
/// # Safety
/// `held` is null or a host access that no other thread uses any more.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_buffer_release(held: *mut CAccess) -> i32 {
    guard(|| {
        if held.is_null() {
            return Ok(());
        }
        // SAFETY: upheld by the caller.
        unsafe { take("held", ACCESS, held) }.map(drop)
    })
}

/// Few requirements, as most commands have.
type Requirements<'a> = SmallVec<[Requirement<'a>; 4]>;

/// Converts the requirements of a command.
///
/// # Safety
/// Unless null, `command.requirements` is readable, and its buffers are null or buffers.
unsafe fn requirements<'a>(command: &CCommand, converted: &mut Requirements<'a>) -> Result<(), RuntimeError> {
    let count = command.requirement_count;
    if count == 0 {
        return Ok(());
    }
    pointer::check("requirements", command.requirements)?;
    if count > MAX_REQUIREMENTS {
        return Err(RuntimeError::invalid("requirement_count", format!("{count} is above {MAX_REQUIREMENTS}")));
    }
    // SAFETY: not null, aligned, and readable for `count` elements by the caller's promise.
    let all = unsafe { std::slice::from_raw_parts(command.requirements, count as usize) };
    for CRequirement { buffer, access: bits, bytes, .. } in all {
        // SAFETY: null or a buffer, by the caller's promise.
        let buffer = unsafe { value("requirements[].buffer", BUFFER, buffer.cast::<CBuffer>()) }?;
        let (access, on_host) = access(*bits)?;
        converted.push(Requirement { buffer, bytes, access, on_host });
    }
    Ok(())
}

/// Bytes from the first to the last of a strided box; `None` if they exceed the address space.
fn reach([width, height, depth]: [u64; 3], [row, plane]: [u64; 2]) -> Option<usize> {
    let rows = row.checked_mul(height - 1)?;
    let planes = plane.checked_mul(depth - 1)?;
    usize::try_from(rows.checked_add(planes)?.checked_add(width)?).ok()
}

/// The lengths of a copy or fill, checked against the address space; `None` if there is nothing to
/// do.
fn brick(command: &CCommand, unit: u64) -> Result<Option<Brick>, RuntimeError> {
    let lengths = command.lengths;
    if lengths.contains(&0) {
        return Ok(None);
    }
    let too_large = || RuntimeError::invalid("lengths", format!("{lengths:?} exceeds the address space"));
    let bytes = [lengths[0].checked_mul(unit).ok_or_else(too_large)?, lengths[1], lengths[2]];
    let to = reach(bytes, command.destination_pitches).ok_or_else(too_large)?;
    pointer::check_extent("destination", command.destination, to)?;
    if unit == 1 && command.kind == 2 {
        let from = reach(bytes, command.source_pitches).ok_or_else(too_large)?;
        pointer::check_extent("source", command.source, from)?;
    }
    let pitches = |given: [u64; 2]| given.map(|pitch| pitch as usize);
    Ok(Some(Brick {
        lengths: lengths.map(|length| length as usize),
        to_pitches: pitches(command.destination_pitches),
        from_pitches: pitches(command.source_pitches),
    }))
}

/// A command that is neither a launch nor a host task.
///
/// # Safety
/// As for [`sinter_queue_submit`].
unsafe fn plain(command: &CCommand) -> Result<Command<'_>, RuntimeError> {
    match command.kind {
        0 => Ok(Command::Nothing),
        2 => Ok(brick(command, 1)?.map_or(Command::Nothing, |brick| Command::Copy {
            to: command.destination,
            from: command.source,
            brick,
        })),
        3 => {
            let length = command.block_size;
            if length == 0 || length > MAX_PATTERN {
                return Err(RuntimeError::invalid("block_size", format!("{length} is not 1 to {MAX_PATTERN}")));
            }
            // SAFETY: readable for its size, by the caller's promise.
            let pattern = unsafe { pointer::bytes("block", command.block, length) }?;
            let fill = |brick| Command::Fill { to: command.destination, pattern, brick };
            Ok(brick(command, length as u64)?.map_or(Command::Nothing, fill))
        }
        kind => Err(RuntimeError::invalid("kind", format!("{kind} is not a sinter_command_kind (0 to 4)"))),
    }
}

fn unchecked(function: extern "C" fn(*mut c_void)) -> Function {
    function
}

/// The data of a host task, which is released whatever happens; nothing for other commands.
///
/// # Safety
/// As for [`sinter_queue_submit`].
unsafe fn owned(command: *const CCommand) -> Option<Owned> {
    // SAFETY: readable unless null, by the caller's promise.
    let command = unsafe { pointer::reference("command", command) }.ok()?;
    pointer::check_size::<CCommand>("command", command.struct_size).ok()?;
    // SAFETY: the caller promises that the function may be called.
    (command.kind == HOST_TASK).then(|| unsafe { Owned::new(command.release.map(unchecked), command.data) })
}

/// Retains the data of a command that waits for the program, until it is dropped.
fn retained(command: &CCommand) -> Owner {
    let release = command.retain.and(command.release).map(unchecked);
    if let Some(retain) = command.retain {
        retain(command.data);
    }
    // SAFETY: the caller of `sinter_queue_submit` promised that it may be called.
    Box::new(unsafe { Owned::new(release, command.data) })
}

/// Submits a launch.
///
/// # Safety
/// As for [`sinter_queue_submit`].
unsafe fn launch(
    queue: &Queue,
    command: &CCommand,
    requirements: &[Requirement<'_>],
    overlaps: bool,
) -> Result<Ticket, RuntimeError> {
    pointer::check("kernel", command.kernel)?;
    // SAFETY: readable unless null, by the caller's promise.
    let size = size(unsafe { pointer::reference("launch", command.launch) }?)?;
    // SAFETY: readable for its size, by the caller's promise.
    let block = unsafe { pointer::bytes("block", command.block, command.block_size) }?;
    // SAFETY: the size was checked, and the caller promises that its pointers are readable.
    let raw = unsafe { constants(command.launch) }?;
    let owner = || retained(command);
    let submit = |constants: &[Constant<'_>]| {
        let mut submission = Submission {
            queue,
            requirements,
            command: Command::Launch { kernel: command.kernel, block, size: &size, constants },
            overlaps,
            owner: Some(&owner),
        };
        // SAFETY: the caller promises a descriptor of stage 1 and valid pointers in the block.
        unsafe { global::runtime().submit(&mut submission) }
    };
    // SAFETY: the caller promises that the constants' pointers are readable.
    unsafe { with_constants(raw, submit) }
}

fn barrier(queue: &Queue, command: &CCommand) -> Result<Ticket, RuntimeError> {
    if command.requirement_count != 0 || command.flags != 0 {
        return Err(RuntimeError::invalid("command", "is a barrier with requirements or flags"));
    }
    queue.barrier()
}

/// `sinter_queue_submit`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `command` null or readable with all it points to, which is as for
/// the function that submits the same command without requirements; `ticket` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_submit(queue: *mut CQueue, command: *const CCommand, ticket: *mut u64) -> i32 {
    // Outside, so that it is released whatever happens.
    // SAFETY: the same contract, upheld by the caller.
    let owned = unsafe { owned(command) };
    guard(move || {
        // SAFETY: each is readable unless null, by the caller's promise.
        let (queue, command) = unsafe { (open("queue", queue)?, pointer::reference("command", command)?) };
        pointer::check_size::<CCommand>("command", command.struct_size)?;
        if command.flags & !OVERLAPS != 0 {
            return Err(RuntimeError::invalid("flags", format!("{:#x} has unknown bits", command.flags)));
        }
        let overlaps = command.flags & OVERLAPS != 0;
        let mut converted = Requirements::new();
        // SAFETY: readable by the caller's promise.
        unsafe { requirements(command, &mut converted) }?;
        let retained = || retained(command);
        let submit = |command, owner| {
            let mut submission = Submission { queue, requirements: &converted, command, overlaps, owner };
            // SAFETY: the caller promises that the addresses stay valid.
            unsafe { global::runtime().submit(&mut submission) }
        };
        let submitted = match (command.kind, owned) {
            (BARRIER, _) => barrier(queue, command)?,
            // SAFETY: the same contract, upheld by the caller.
            (LAUNCH, _) => unsafe { launch(queue, command, &converted, overlaps) }?,
            (HOST_TASK, Some(owned)) => {
                // SAFETY: the caller promises that the function may be called.
                let task = unsafe { owned.task(command.function.map(unchecked)) }?;
                submit(Command::HostTask(task), None)?
            }
            // SAFETY: the same contract, upheld by the caller.
            _ => submit(unsafe { plain(command) }?, Some(&retained))?,
        };
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}
