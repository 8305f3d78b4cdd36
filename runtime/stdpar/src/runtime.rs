//! The functions of the runtime that give memory.
//!
//! In: bytes. Out: memory that the device shares with the program. *Invariant:* the runtime is
//! found by name in the process, so that a program that is linked without it keeps plain memory.

use crate::{SUCCESS, process};
use std::{
    ffi::{c_int, c_void},
    mem, ptr,
};

type Memory = unsafe extern "C" fn(usize, usize, *mut *mut c_void) -> c_int;
type Release = unsafe extern "C" fn(*mut c_void) -> c_int;

/// Shared memory; `None` if there is none, or if the device reaches all memory.
pub(crate) fn memory(bytes: usize) -> Option<usize> {
    let symbol = process::symbol(c"sinter_stdpar_memory")?;
    // SAFETY: the runtime declares the function with this type (sinter/stdpar.h).
    let function = unsafe { mem::transmute::<*mut c_void, Memory>(symbol) };
    let mut memory = ptr::null_mut();
    // SAFETY: `memory` is writable.
    let status = unsafe { function(bytes, 0, &raw mut memory) };
    (status == SUCCESS && !memory.is_null()).then(|| memory.expose_provenance())
}

/// Gives memory back. Not while the process exits: the driver may be gone.
pub(crate) fn release(start: usize) {
    let symbol = process::symbol(c"sinter_stdpar_release").filter(|_| process::is_running());
    let Some(symbol) = symbol else { return };
    // SAFETY: the runtime declares the function with this type (sinter/stdpar.h).
    let function = unsafe { mem::transmute::<*mut c_void, Release>(symbol) };
    // SAFETY: memory of the runtime that nobody uses any more.
    unsafe { function(ptr::with_exposed_provenance_mut(start)) };
}
