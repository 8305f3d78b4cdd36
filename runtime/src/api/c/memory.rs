//! USM allocations and pointer attributes.
//!
//! *Invariant:* a pointer is freed by the device that allocated it. A pointer that no device knows
//! is an error and never reaches a driver.
#![expect(unsafe_code, reason = "exports C symbols and writes through the pointers of C callers")]

use super::{global, guard::guard, pointer};
use crate::{
    abi::{self, PointerInfo},
    devices::{DEFAULT_ALIGNMENT, DeviceEntry},
    error::RuntimeError,
    hip::registrations,
};
use sinter_driver::MemoryKind;
use std::{ffi::c_void, sync::Arc};

/// Decodes a number of `sinter_memory_kind`.
fn kind(number: i32) -> Result<MemoryKind, RuntimeError> {
    match number {
        1 => Ok(MemoryKind::Device),
        2 => Ok(MemoryKind::Host),
        3 => Ok(MemoryKind::Shared),
        _ => Err(RuntimeError::invalid("kind", format!("{number} is not an allocation kind (1 to 3)"))),
    }
}

fn allocate(device: u32, number: i32, size: usize, alignment: usize) -> Result<*mut c_void, RuntimeError> {
    let kind = kind(number)?;
    let alignment = if alignment == 0 { DEFAULT_ALIGNMENT } else { alignment };
    if !alignment.is_power_of_two() {
        return Err(RuntimeError::invalid("alignment", format!("{alignment} is not a power of two")));
    }
    let entry = global::runtime().device(device)?;
    entry.check_kind(kind)?;
    entry.allocate(kind, size, alignment)
}

/// The device that owns the allocation around `pointer`, or that it was registered with.
pub(super) fn owner(pointer: *const c_void) -> Option<(&'static Arc<DeviceEntry>, sinter_driver::PointerInfo)> {
    let devices = global::runtime().devices();
    devices.owner(pointer).or_else(|| {
        let found = registrations::around(pointer.addr())?;
        let base = pointer.wrapping_byte_sub(pointer.addr() - found.start).cast_mut();
        let info = sinter_driver::PointerInfo { kind: MemoryKind::Host, base, size: found.size };
        Some((devices.get(found.device).ok()?, info))
    })
}

/// `sinter_malloc`: see `sinter/sinter.h`.
///
/// # Safety
/// `pointer` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_malloc(
    device: u32,
    kind: i32,
    size: usize,
    alignment: usize,
    pointer: *mut *mut c_void,
) -> i32 {
    guard(|| {
        pointer::check("pointer", pointer)?;
        let memory = allocate(device, kind, size, alignment)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("pointer", pointer, memory) }
    })
}

/// `sinter_free`: see `sinter/sinter.h`.
///
/// # Safety
/// No command still uses the memory.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_free(pointer: *mut c_void) -> i32 {
    guard(|| {
        if pointer.is_null() {
            return Ok(());
        }
        let unknown =
            || RuntimeError::invalid("pointer", format!("{pointer:p} was not allocated here or was freed already"));
        let (entry, _) = owner(pointer).ok_or_else(unknown)?;
        // SAFETY: the caller promises that no command uses the memory.
        Ok(unsafe { entry.device.memory().free(pointer) }?)
    })
}

fn describe(pointer: *const c_void) -> PointerInfo {
    let found = owner(pointer);
    let kind = match found.as_ref().map(|(_, info)| info.kind) {
        None => abi::MemoryKind::Unknown,
        Some(MemoryKind::Device) => abi::MemoryKind::Device,
        Some(MemoryKind::Host) => abi::MemoryKind::Host,
        Some(MemoryKind::Shared) => abi::MemoryKind::Shared,
    };
    PointerInfo {
        struct_size: size_of::<PointerInfo>() as u32,
        kind: kind as u32,
        device: found.as_ref().map_or(0, |(entry, _)| entry.index),
        reserved: 0,
        base: found.as_ref().map_or(std::ptr::null_mut(), |(_, info)| info.base),
        size: found.as_ref().map_or(0, |(_, info)| info.size as u64),
    }
}

/// `sinter_pointer_get_info`: see `sinter/sinter.h`.
///
/// # Safety
/// `info` is null or points to as many bytes as its `struct_size` says.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_pointer_get_info(pointer: *const c_void, info: *mut PointerInfo) -> i32 {
    guard(|| {
        // SAFETY: readable unless null, by the caller's promise.
        let size = unsafe { pointer::reference("info", info.cast_const().cast::<u32>()) }?;
        pointer::check_size::<PointerInfo>("info", *size)?;
        let answer = PointerInfo { struct_size: *size, ..describe(pointer) };
        // SAFETY: its size was checked, and it is writable by the caller's promise.
        unsafe { pointer::write("info", info, answer) }
    })
}
