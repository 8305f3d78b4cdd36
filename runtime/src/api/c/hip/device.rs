//! The device and the last error of a thread.
//!
//! *Invariant:* a device that does not exist is never a thread's device.
#![expect(unsafe_code, reason = "exports C symbols and writes through the pointers of C callers")]

use super::{call, call_anyway};
use crate::{
    api::c::{global, guard::last_message, pointer},
    hip::{
        error::{Code, Refusal},
        faults, streams, thread,
    },
};
use std::ffi::c_char;

/// `sinter_hip_set_device`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_set_device(device: i32) -> i32 {
    call_anyway(|| {
        let number = u32::try_from(device).ok().filter(|number| global::runtime().device(*number).is_ok());
        let refused = || Refusal::new(Code::InvalidDevice, "device", format!("there is no device {device}"));
        thread::set_device(number.ok_or_else(refused)?);
        Ok(())
    })
}

/// `sinter_hip_get_device`: see `sinter/hip.h`.
///
/// # Safety
/// `device` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_get_device(device: *mut i32) -> i32 {
    // SAFETY: writable unless null, by the caller's promise.
    call_anyway(|| Ok(unsafe { pointer::write("device", device, thread::device() as i32) }?))
}

/// `sinter_hip_get_device_count`: see `sinter/hip.h`.
///
/// # Safety
/// `count` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_get_device_count(count: *mut i32) -> i32 {
    call_anyway(|| {
        let devices = global::runtime().devices().visible.len() as i32;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("count", count, devices) }?;
        let reason = "there is none; sinter-info says why";
        if devices == 0 { Err(Refusal::new(Code::NoDevice, "device", reason)) } else { Ok(()) }
    })
}

/// `sinter_hip_device_synchronize`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_device_synchronize() -> i32 {
    call(|| streams::wait_for_device(global::runtime(), thread::device()))
}

/// `sinter_hip_device_reset`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_device_reset() -> i32 {
    let device = thread::device();
    // Errors of commands end with the device's state.
    call(|| {
        let runtime = global::runtime();
        streams::wait_for_device(runtime, device)?;
        let (entry, registry) = (runtime.device(device)?, runtime.registry());
        let number = |object| registry.global_at(object).number;
        // SAFETY: all commands of the device are complete.
        Ok(unsafe { entry.globals.restore(&*entry.device, &entry.buffers, number) }?)
    });
    faults::forget(device);
    thread::take_last();
    Code::Success as i32
}

/// `sinter_hip_last_message`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_last_message() -> *const c_char {
    last_message()
}

/// `sinter_hip_get_last_error`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_get_last_error() -> i32 {
    thread::take_last()
}

/// `sinter_hip_peek_at_last_error`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_peek_at_last_error() -> i32 {
    thread::last()
}

/// `sinter_hip_fail`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_fail(error: i32) -> i32 {
    thread::fail(error);
    error
}
