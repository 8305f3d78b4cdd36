//! The allocator of programs that are compiled with `--stdpar`.
//!
//! In: the allocations of their units, which stage 1 sends here, and every `free` and `realloc` of
//! the process. Out: blocks in memory that a device shares with the program, or null: the caller
//! then calls the function that the source names. *Invariant:* a block of ours is handed out only
//! in a process whose `free` is the one below, so that any unit and library may free any block.
//!
//! The runtime, its drivers and the translator allocate with the C library: what they do for an
//! allocation never comes back here.

mod arena;
mod cache;
mod class;
mod fork;
mod map;
mod process;
mod runtime;
mod state;
mod symbols;
mod unit;

use map::Owner;
use std::ffi::c_void;

/// Bits of the last argument of [`sinter_stdpar_allocate`].
const ZEROED: u32 = 1;
const BY_NEW: u32 = 2;

/// A block of `count` times `size` bytes, or null.
///
/// `alignment` is 0 for that of `malloc`. `flags` has bits: 1 for memory that is zero, 2 for an
/// allocation by `operator new`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_allocate(count: usize, size: usize, alignment: usize, flags: u32) -> *mut c_void {
    if !process::hands_out(flags & BY_NEW != 0) {
        return std::ptr::null_mut();
    }
    let Some(bytes) = count.checked_mul(size) else { return std::ptr::null_mut() };
    let block = cache::allocate(bytes, alignment);
    if !block.is_null() && flags & ZEROED != 0 {
        // SAFETY: a new block of at least this size.
        unsafe { block.write_bytes(0, bytes) };
    }
    block.cast()
}

/// Says that `main` has begun: from here on blocks are handed out.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_begin() {
    process::begin();
}

/// 1 for a block of ours, which `free` and `realloc` of the process take and those of the C library
/// do not.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_stdpar_owns(block: *const c_void) -> i32 {
    (!matches!(map::owner(block.addr()), Owner::Other)).into()
}

/// `free` of the process.
///
/// # Safety
/// As for the function of the C library.
// SAFETY: the process has one `free`, and this one does all that it must.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(block: *mut c_void) {
    match map::owner(block.addr()) {
        // SAFETY: by the caller's promise; the block is not ours.
        Owner::Other => unsafe { process::free(block) },
        owner => give_back(block, owner),
    }
}

/// Takes a block of ours back. A child process cannot: it has the memory of its parent, as far as
/// it has it at all.
fn give_back(block: *mut c_void, owner: Owner) {
    if !state::is_child() {
        cache::free(block.cast(), owner);
    }
}

/// `realloc` of the process.
///
/// # Safety
/// As for the function of the C library.
// SAFETY: the process has one `realloc`, and this one does all that it must.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let owner = map::owner(block.addr());
    let Some(old) = owner.size() else {
        // SAFETY: by the caller's promise; the block is not ours.
        return unsafe { process::realloc(block, size) };
    };
    if size == 0 {
        give_back(block, owner);
        return std::ptr::null_mut();
    }
    if size <= old && size > old / 2 {
        return block;
    }
    let new = allocate_anywhere(size);
    if !new.is_null() {
        // SAFETY: two different blocks of at least this size.
        unsafe { new.cast::<u8>().copy_from_nonoverlapping(block.cast(), old.min(size)) };
        give_back(block, owner);
    }
    new
}

fn allocate_anywhere(size: usize) -> *mut c_void {
    let block = sinter_stdpar_allocate(1, size, 0, 0);
    // SAFETY: any size may be asked for.
    if block.is_null() { unsafe { libc::malloc(size) } } else { block }
}

/// `reallocarray` of the process.
///
/// # Safety
/// As for the function of the C library.
// SAFETY: as for `realloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void {
    match count.checked_mul(size) {
        // SAFETY: by the caller's promise.
        Some(bytes) => unsafe { realloc(block, bytes) },
        None => {
            process::set_errno(libc::ENOMEM);
            std::ptr::null_mut()
        }
    }
}

/// `malloc_usable_size` of the process.
///
/// # Safety
/// As for the function of the C library.
// SAFETY: the process has one, and this one does all that it must.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc_usable_size(block: *mut c_void) -> usize {
    // SAFETY: by the caller's promise; the block is not ours.
    map::owner(block.addr()).size().unwrap_or_else(|| unsafe { process::usable_size(block) })
}
