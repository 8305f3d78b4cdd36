//! The functions of the runtime that give memory.
//!
//! In: bytes. Out: memory that the device shares with the program. *Invariant:* the runtime is
//! found by name in the process, so that a program that is linked without it keeps plain memory.

use crate::{
    map, state,
    symbols::{SUCCESS, symbol},
};
use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    mem, ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

type Memory = unsafe extern "C" fn(usize, usize, *mut *mut c_void) -> c_int;
type Release = unsafe extern "C" fn(*mut c_void) -> c_int;

thread_local! {
    /// True while the thread asks for memory: a driver may allocate by operators of the program.
    static ASKS: Cell<bool> = const { Cell::new(false) };
}

/// Shared memory; `None` if there is none, if the device reaches all memory, or if the thread asks
/// for some already.
pub(crate) fn memory(bytes: usize) -> Option<usize> {
    if ASKS.replace(true) {
        return None;
    }
    let memory = new_memory(bytes);
    ASKS.set(false);
    memory
}

fn new_memory(bytes: usize) -> Option<usize> {
    let found = symbol(c"sinter_stdpar_memory")?;
    // SAFETY: the runtime declares the function with this type (sinter/stdpar.h).
    let function = unsafe { mem::transmute::<*mut c_void, Memory>(found) };
    let mut memory = ptr::null_mut();
    // SAFETY: `memory` is writable.
    let status = unsafe { function(bytes, 0, &raw mut memory) };
    (status == SUCCESS && !memory.is_null()).then(|| memory.expose_provenance())
}

type Find = extern "C" fn(*const c_void, *mut *const c_void) -> usize;
type SetFinder = unsafe extern "C" fn(Find);

/// Finds the block around an address.
extern "C" fn find(address: *const c_void, start: *mut *const c_void) -> usize {
    let Some((first, bytes)) = map::around(address.addr()) else { return 0 };
    // SAFETY: writable, by the promise of the runtime (sinter/stdpar.h).
    unsafe { start.write(ptr::without_provenance(first)) };
    bytes
}

/// Tells the runtime how blocks are found.
pub(crate) fn set_finder() {
    let Some(found) = symbol(c"sinter_stdpar_set_finder") else { return };
    // SAFETY: the runtime declares the function with this type (sinter/stdpar.h).
    let function = unsafe { mem::transmute::<*mut c_void, SetFinder>(found) };
    // SAFETY: a function that lives as long as the process: the library is never unloaded.
    unsafe { function(find) };
}

type Note = unsafe extern "C" fn(*const c_void, usize);

/// Tells the runtime of a large block that is handed out.
pub(crate) fn note(start: usize, bytes: usize) {
    static FOUND: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    if FOUND.load(Ordering::Relaxed).is_null() {
        FOUND.store(symbol(c"sinter_stdpar_note_block").unwrap_or(ptr::null_mut()), Ordering::Relaxed);
    }
    let found = FOUND.load(Ordering::Relaxed);
    if !found.is_null() {
        // SAFETY: the runtime declares the function with this type (sinter/stdpar.h).
        let function = unsafe { mem::transmute::<*mut c_void, Note>(found) };
        // SAFETY: the function reads nothing at the address.
        unsafe { function(ptr::without_provenance(start), bytes) };
    }
}

/// `sinter_pointer_info` of the runtime.
#[repr(C)]
struct PointerInfo {
    struct_size: u32,
    kind: u32,
    device: u32,
    reserved: u32,
    base: *mut c_void,
    size: u64,
}

type GetPointer = unsafe extern "C" fn(*const c_void, *mut PointerInfo) -> c_int;
type GetDevice = unsafe extern "C" fn(u32, c_int, *mut c_void, usize, *mut usize) -> c_int;

/// `SINTER_DEVICE_TYPE` and `SINTER_DEVICE_TYPE_CPU`.
const TYPE: c_int = 5;
const CPU: u32 = 0;

/// True unless the memory at an address is that of a CPU.
pub(crate) fn is_of_gpu(address: usize) -> bool {
    device_type(address) != Some(CPU)
}

fn device_type(address: usize) -> Option<u32> {
    let found = symbol(c"sinter_pointer_get_info")?;
    // SAFETY: the runtime declares the function with this type (sinter/sinter.h).
    let pointer = unsafe { mem::transmute::<*mut c_void, GetPointer>(found) };
    let found = symbol(c"sinter_device_get_info")?;
    // SAFETY: as above.
    let device = unsafe { mem::transmute::<*mut c_void, GetDevice>(found) };
    let size = size_of::<PointerInfo>() as u32;
    let mut info = PointerInfo { struct_size: size, kind: 0, device: 0, reserved: 0, base: ptr::null_mut(), size: 0 };
    // SAFETY: any address may be asked for, and `info` is writable.
    let found = unsafe { pointer(ptr::without_provenance(address), &raw mut info) };
    let mut number = 0u32;
    // SAFETY: the value has 4 bytes, and its size need not be returned.
    let told = unsafe { device(info.device, TYPE, (&raw mut number).cast(), size_of::<u32>(), ptr::null_mut()) };
    (found == SUCCESS && told == SUCCESS).then_some(number)
}

/// Gives memory back. Not while the process exits: the driver may be gone.
pub(crate) fn release(start: usize) {
    let found = symbol(c"sinter_stdpar_release").filter(|_| state::is_running());
    let Some(found) = found else { return };
    // SAFETY: the runtime declares the function with this type (sinter/stdpar.h).
    let function = unsafe { mem::transmute::<*mut c_void, Release>(found) };
    // SAFETY: memory of the runtime that nobody uses any more.
    unsafe { function(ptr::with_exposed_provenance_mut(start)) };
}
