//! Tables of device globals, and their addresses on devices.
//!
//! *Invariant:* registering stores a pointer. It starts and reads nothing, and cannot fail.
#![expect(unsafe_code, reason = "exports C symbols and keeps pointers into programs")]

use super::{global, guard::guard, pointer};
use crate::abi::{DeviceGlobalLayout, DeviceGlobals};
use std::ffi::c_void;

/// `sinter_register_device_globals`: see `sinter/sinter.h`.
///
/// # Safety
/// The table stays valid and unchanged until it is unregistered.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_register_device_globals(table: *const DeviceGlobals) {
    guard(|| {
        pointer::check("table", table)?;
        // SAFETY: the same contract, upheld by the caller.
        unsafe { global::registry().register_globals(table) };
        Ok(())
    });
}

/// `sinter_unregister_device_globals`: see `sinter/sinter.h`.
///
/// # Safety
/// No kernel that uses its variables is being submitted.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_unregister_device_globals(table: *const DeviceGlobals) {
    guard(|| {
        pointer::check("table", table)?;
        global::registry().unregister_globals(table);
        Ok(())
    });
}

/// `sinter_device_global_address`: see `sinter/sinter.h`.
///
/// # Safety
/// `object` is null or an object of a device global; `address` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_device_global_address(
    device: u32,
    object: *const c_void,
    address: *mut *mut c_void,
) -> i32 {
    guard(|| {
        pointer::check("object", object.cast::<*const DeviceGlobalLayout>())?;
        pointer::check("address", address)?;
        let runtime = global::runtime();
        let (entry, found) = (runtime.device(device)?, runtime.registry().global_at(object.expose_provenance()));
        // SAFETY: the caller promises an object of a device global.
        let memory = unsafe { entry.globals.address(&*entry.device, &entry.buffers, found) }?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("address", address, std::ptr::with_exposed_provenance_mut(memory)) }
    })
}
