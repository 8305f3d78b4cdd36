//! Variables of devices, by the address of their objects in the program.
//!
//! *Invariant:* whoever gets the address of a `__constant__` variable, or copies to it from memory
//! that devices may write to, could change it unseen: from then on kernels get pointers to such
//! variables.
#![expect(unsafe_code, reason = "exports C symbols and reads through the pointers of C callers")]

use super::{call, memory};
use crate::{
    api::c::{global, memory::owner, pointer},
    device_globals::{constants, managed},
    devices::DeviceEntry,
    hip::{
        error::{Code, Outcome, Refusal},
        thread,
    },
    registry::globals::Object,
};
use std::{ffi::c_void, ptr, sync::Arc};

/// A variable on the thread's device.
struct Variable {
    entry: &'static Arc<DeviceEntry>,
    object: Object,
    /// Offset in its object of the place that the symbol stands for.
    offset: usize,
    /// Bytes from there to the end.
    length: usize,
    place: *mut c_void,
}

fn find(symbol: *const c_void) -> Outcome<Variable> {
    let runtime = global::runtime();
    let unknown = || {
        let why = "is not the address of a __device__, __constant__ or __managed__ variable of a program that \
                   sinter-cc compiled";
        Refusal::new(Code::InvalidSymbol, "symbol", why)
    };
    let registry = runtime.registry();
    let moved = || {
        let (object, offset, length) = managed::around(symbol.addr())?;
        Some((registry.global_at(object), offset, length))
    };
    let found = registry.global_around(symbol.addr()).or_else(moved);
    let (object, offset, length) = found.ok_or_else(unknown)?;
    let entry = runtime.device(thread::device())?;
    // SAFETY: a registered object of a device global.
    let memory = unsafe { entry.globals.address(&*entry.device, &entry.buffers, object) }?;
    Ok(Variable { entry, object, offset, length, place: ptr::with_exposed_provenance_mut(memory + offset) })
}

impl Variable {
    /// The place of `size` bytes at an offset.
    fn part(&self, offset: usize, size: usize) -> Outcome<*mut c_void> {
        match self.length.checked_sub(offset) {
            Some(left) if size <= left => Ok(self.place.wrapping_byte_add(offset)),
            _ => Err(Refusal::new(Code::InvalidValue, "size", "leads beyond the end of the variable")),
        }
    }

    /// The content, of a variable that device code only reads.
    fn bytes(&self) -> Outcome<Option<Arc<constants::Bytes>>> {
        // SAFETY: a registered object of a device global.
        Ok(unsafe { self.entry.globals.bytes(&*self.entry.device, &self.entry.buffers, self.object) }?)
    }

    /// Notes that the program may change it unseen.
    fn escapes(&self) -> Outcome {
        if self.bytes()?.is_some() {
            global::runtime().lose_constants();
        }
        Ok(())
    }
}

/// `sinter_hip_symbol_address`: see `sinter/hip.h`.
///
/// # Safety
/// `address` and `size` are null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_symbol_address(
    symbol: *const c_void,
    address: *mut *mut c_void,
    size: *mut usize,
) -> i32 {
    call(|| {
        let variable = find(symbol)?;
        if !address.is_null() {
            variable.escapes()?;
        }
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("address", address, variable.place) }?;
        // SAFETY: as above.
        Ok(unsafe { pointer::write_optional("size", size, variable.length) }?)
    })
}

/// `sinter_hip_copy_to_symbol`: see `sinter/hip.h`.
///
/// # Safety
/// As for `sinter_hip_copy`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_copy_to_symbol(
    symbol: *const c_void,
    offset: usize,
    source: *const c_void,
    size: usize,
    stream: *mut c_void,
    waits: i32,
) -> i32 {
    call(|| {
        let variable = find(symbol)?;
        let place = variable.part(offset, size)?;
        // Only such memory is read before the call returns.
        let is_of_host = owner(source).is_none();
        if !is_of_host {
            variable.escapes()?;
        }
        // SAFETY: the same contract, upheld by the caller.
        unsafe { memory::copy(place, source, size, stream, waits != 0) }?;
        if let Some(bytes) = variable.bytes()?.filter(|_| is_of_host) {
            // SAFETY: readable for its size, by the caller's promise.
            bytes.write(variable.offset + offset, unsafe { pointer::bytes("source", source, size) }?);
        }
        Ok(())
    })
}

/// `sinter_hip_copy_from_symbol`: see `sinter/hip.h`.
///
/// # Safety
/// As for `sinter_hip_copy`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_copy_from_symbol(
    destination: *mut c_void,
    symbol: *const c_void,
    offset: usize,
    size: usize,
    stream: *mut c_void,
    waits: i32,
) -> i32 {
    call(|| {
        let place = find(symbol)?.part(offset, size)?;
        // SAFETY: the same contract, upheld by the caller.
        unsafe { memory::copy(destination, place, size, stream, waits != 0) }
    })
}
