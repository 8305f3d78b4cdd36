//! Registration of the program's own memory.
//!
//! *Invariant:* a registration ends on the device with which it began, once no command uses the
//! memory.
#![expect(unsafe_code, reason = "exports C symbols and passes on the pointers of C callers")]

use super::call;
use crate::{
    api::c::{global, memory::owner, pointer},
    error::RuntimeError,
    hip::{
        error::{Code, Outcome, Refusal},
        registrations::{self, Registration},
        streams, thread,
    },
};
use sinter_driver::{DriverError, MemoryKind, RegisteredAccess, Unregistered};
use std::ffi::c_void;

/// Flags of `hipHostRegister`. All memory is portable and mapped.
const PORTABLE_AND_MAPPED: u32 = 3;
const IO_MEMORY: u32 = 4;
const READ_ONLY: u32 = 8;

fn refused(memory: *const c_void, reason: Unregistered) -> Refusal {
    let device = global::runtime().device(thread::device()).map(|entry| entry.info().name.clone());
    let (device, pointer) = (device.unwrap_or_default(), memory.addr());
    RuntimeError::from(DriverError::Registration { device, pointer, reason }).into()
}

fn access(flags: u32) -> Outcome<RegisteredAccess> {
    if flags & !(PORTABLE_AND_MAPPED | IO_MEMORY | READ_ONLY) != 0 {
        return Err(Refusal::new(Code::InvalidValue, "flags", format!("{flags:#x} has unknown ones")));
    }
    match flags {
        _ if flags & IO_MEMORY != 0 => {
            Err(Refusal::new(Code::NotSupported, "flags", "memory of another device cannot be registered"))
        }
        _ if flags & READ_ONLY != 0 => Ok(RegisteredAccess::ReadOnly),
        _ => Ok(RegisteredAccess::ReadWrite),
    }
}

/// Refuses memory of devices, and memory that is pinned already.
fn check_unowned(memory: *mut c_void, size: usize) -> Outcome {
    for end in [memory, memory.wrapping_byte_add(size - 1)] {
        match owner(end).map(|(_, info)| info.kind) {
            None => {}
            Some(MemoryKind::Device) => return Err(refused(end, Unregistered::Unfit)),
            Some(MemoryKind::Host | MemoryKind::Shared) => return Err(refused(end, Unregistered::Twice)),
        }
    }
    Ok(())
}

/// `sinter_hip_host_register`: see `sinter/hip.h`.
///
/// # Safety
/// The memory stays mapped until `sinter_hip_host_unregister`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_host_register(memory: *mut c_void, size: usize, flags: u32) -> i32 {
    call(|| {
        if size == 0 {
            return Err(Refusal::new(Code::InvalidValue, "size", "is 0"));
        }
        pointer::check_extent("memory", memory, size)?;
        let access = access(flags)?;
        let entry = streams::device(global::runtime())?;
        check_unowned(memory, size)?;
        let start = memory.addr();
        if !registrations::enter(Registration { start, size, device: thread::device(), seen: start }) {
            return Err(refused(memory, Unregistered::Twice));
        }
        // SAFETY: upheld by the caller.
        let seen = unsafe { entry.device.register_memory(memory, size, access) }.map_err(|error| {
            registrations::leave(start);
            RuntimeError::from(error)
        })?;
        registrations::settle(start, seen.expose_provenance());
        Ok(())
    })
}

/// `sinter_hip_host_unregister`: see `sinter/hip.h`.
///
/// # Safety
/// No command that is submitted later uses the memory from a device.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_host_unregister(memory: *mut c_void) -> i32 {
    call(|| {
        pointer::check("memory", memory.cast::<u8>())?;
        let runtime = global::runtime();
        let found = registrations::leave(memory.addr()).ok_or_else(|| refused(memory, Unregistered::Never))?;
        // Errors of commands are those of the next wait.
        let waited = streams::wait_for_all(runtime);
        let entry = runtime.device(found.device)?;
        // SAFETY: no command uses the memory any more.
        unsafe { entry.device.unregister_memory(memory) }.map_err(RuntimeError::from)?;
        waited
    })
}

/// The address at which the thread's device has host memory of the program.
fn address(memory: *mut c_void) -> Outcome<*mut c_void> {
    if let Some(found) = registrations::around(memory.addr()) {
        let reached = streams::device(global::runtime())?.info().reach(memory);
        let seen = std::ptr::with_exposed_provenance_mut(found.seen + (memory.addr() - found.start));
        return Ok(reached.unwrap_or(seen));
    }
    match owner(memory).map(|(_, info)| info.kind) {
        Some(MemoryKind::Host | MemoryKind::Shared) => Ok(memory),
        _ => {
            let reason = "is neither pinned nor registered memory of the host";
            Err(Refusal::new(Code::InvalidValue, "memory", reason))
        }
    }
}

/// `sinter_hip_host_address`: see `sinter/hip.h`.
///
/// # Safety
/// `address` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_host_address(seen: *mut *mut c_void, memory: *mut c_void, flags: u32) -> i32 {
    call(|| {
        if flags != 0 {
            return Err(Refusal::new(Code::InvalidValue, "flags", "must be 0"));
        }
        // SAFETY: writable unless null, by the caller's promise.
        Ok(unsafe { pointer::write("address", seen, address(memory)?) }?)
    })
}
