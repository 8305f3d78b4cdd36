//! Native handles of vendor interfaces in both directions, and peer access between devices.
//!
//! *Invariant:* the runtime keeps ownership of every handle that it returns, and never takes
//! ownership of one that it is given.
#![expect(unsafe_code, reason = "exports C symbols and passes handles of vendors' interfaces")]

use super::{
    commands::{constants, size, with_constants},
    global,
    guard::guard,
    pointer,
    queue::{CQueue, open},
};
use crate::{
    abi::{Kernel, KernelUsage, Launch},
    devices::DeviceEntry,
    error::RuntimeError,
    launch::values::Constant,
    queue::Queue,
};
use sinter_driver::{Kernel as LoadedKernel, Limit, NativeKind, Usage};
use std::ffi::c_void;

/// Decodes a number of `sinter_native`.
fn kind(number: i32) -> Result<NativeKind, RuntimeError> {
    Ok(match number {
        0 => NativeKind::Device,
        1 => NativeKind::Context,
        2 => NativeKind::Stream,
        3 => NativeKind::Module,
        4 => NativeKind::Function,
        5 => NativeKind::ExistingContext,
        _ => return Err(RuntimeError::invalid("what", format!("{number} is not a sinter_native (0 to 5)"))),
    })
}

/// `sinter_device_get_native`: see `sinter/sinter.h`.
///
/// # Safety
/// `handle` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_device_get_native(device: u32, what: i32, handle: *mut *mut c_void) -> i32 {
    guard(|| {
        let found = global::runtime().device(device)?.native(kind(what)?)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("handle", handle, found) }
    })
}

/// `sinter_queue_get_native`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `handle` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_get_native(queue: *mut CQueue, what: i32, handle: *mut *mut c_void) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let found = unsafe { open("queue", queue) }?.native(kind(what)?)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("handle", handle, found) }
    })
}

/// `sinter_kernel_get_native`: see `sinter/sinter.h`.
///
/// # Safety
/// As for `sinter_queue_launch`; `handle` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_kernel_get_native(
    queue: *mut CQueue,
    kernel: *const Kernel,
    block: *const c_void,
    block_size: usize,
    launch: *const Launch,
    what: i32,
    handle: *mut *mut c_void,
) -> i32 {
    guard(|| {
        // SAFETY: each is readable unless null, by the caller's promise.
        let (queue, first) = unsafe { (open("queue", queue)?, pointer::reference("launch", launch)?) };
        pointer::check("kernel", kernel)?;
        let (size, kind) = (size(first)?, kind(what)?);
        // SAFETY: readable for its size, by the caller's promise.
        let block = unsafe { pointer::bytes("block", block, block_size) }?;
        // SAFETY: the size was checked, and the caller promises that its pointers are readable.
        let raw = unsafe { constants(launch) }?;
        let find = |constants: &[Constant<'_>]| {
            // SAFETY: the caller promises a descriptor of stage 1.
            unsafe { global::runtime().loaded_kernel(queue, kernel, block, &size, constants) }
        };
        // SAFETY: the caller promises that the constants' pointers are readable.
        let loaded = unsafe { with_constants(raw, find) }?;
        let found = queue.native_kernel(loaded.as_ref(), kind)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("handle", handle, found) }
    })
}

/// `sinter_kernel_get_usage`: see `sinter/sinter.h`.
///
/// # Safety
/// As for `sinter_queue_launch`; `usage` is null or points to as many bytes as its `struct_size`
/// says.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_kernel_get_usage(
    queue: *mut CQueue,
    kernel: *const Kernel,
    block: *const c_void,
    block_size: usize,
    launch: *const Launch,
    usage: *mut KernelUsage,
) -> i32 {
    guard(|| {
        // SAFETY: each is readable unless null, by the caller's promise.
        let (queue, first) = unsafe { (open("queue", queue)?, pointer::reference("launch", launch)?) };
        pointer::check("kernel", kernel)?;
        // SAFETY: readable unless null, by the caller's promise.
        let struct_size = *unsafe { pointer::reference("usage", usage.cast_const().cast::<u32>()) }?;
        pointer::check_size::<KernelUsage>("usage", struct_size)?;
        let size = size(first)?;
        // SAFETY: readable for its size, by the caller's promise.
        let block = unsafe { pointer::bytes("block", block, block_size) }?;
        // SAFETY: the size was checked, and the caller promises that its pointers are readable.
        let raw = unsafe { constants(launch) }?;
        let find = |constants: &[Constant<'_>]| {
            // SAFETY: the caller promises a descriptor of stage 1.
            unsafe { global::runtime().loaded_kernel(queue, kernel, block, &size, constants) }
        };
        // SAFETY: the caller promises that the constants' pointers are readable.
        let loaded = unsafe { with_constants(raw, find) }?;
        let found = KernelUsage { struct_size, ..usage_of(loaded.as_ref(), queue.device()) };
        // SAFETY: its size was checked, and it is writable by the caller's promise.
        unsafe { pointer::write("usage", usage, found) }
    })
}

pub(super) fn usage_of(kernel: &dyn LoadedKernel, device: &DeviceEntry) -> KernelUsage {
    let Usage { registers, private_memory, work_group } = kernel.usage();
    KernelUsage {
        struct_size: 0,
        registers: registers.unwrap_or(0),
        work_group_size: work_group.map_or(device.limits.group, u64::from),
        local_memory: kernel.entry().local_memory.into(),
        private_memory: private_memory.map_or(u64::MAX, u64::from),
    }
}

/// `sinter_queue_create_from_native`: see `sinter/sinter.h`.
///
/// # Safety
/// `handle` is a live queue of the vendor's interface on the device and outlives the result;
/// `queue` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_create_from_native(
    device: u32,
    handle: *mut c_void,
    queue: *mut *mut CQueue,
) -> i32 {
    guard(|| {
        pointer::check("queue", queue)?;
        // SAFETY: the caller promises a live queue that outlives the result.
        let made = unsafe { Queue::from_native(global::runtime().device(device)?, handle) }?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("queue", queue, CQueue::give(made)) }
    })
}

/// `sinter_device_set_peer_access`: see `sinter/sinter.h`.
///
/// # Safety
/// `possible` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_device_set_peer_access(
    device: u32,
    other: u32,
    enable: i32,
    possible: *mut i32,
) -> i32 {
    guard(|| {
        let runtime = global::runtime();
        let reached = runtime.device(device)?.set_peer_access(runtime.device(other)?, enable != 0)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("possible", possible, i32::from(reached)) }
    })
}

/// Decodes a number of `sinter_limit`.
fn limit(number: i32) -> Result<Limit, RuntimeError> {
    Ok(match number {
        0 => Limit::Stack,
        1 => Limit::Prints,
        _ => return Err(RuntimeError::invalid("limit", format!("{number} is not a sinter_limit (0 or 1)"))),
    })
}

/// `sinter_device_set_limit`: see `sinter/sinter.h`.
///
/// # Safety
/// `possible` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_device_set_limit(device: u32, limit: i32, value: usize, possible: *mut i32) -> i32 {
    guard(|| {
        let set = global::runtime().device(device)?.set_limit(self::limit(limit)?, value)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("possible", possible, i32::from(set)) }
    })
}
