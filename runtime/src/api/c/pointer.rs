//! Turns pointers of C callers into references.
//!
//! *Invariant:* a null or misaligned pointer is an error that names the argument; a pointer that passes is one the header
//! obliges the caller to have made valid.
#![expect(unsafe_code, reason = "reads and writes through the pointers of C callers")]

use crate::error::RuntimeError;
use std::ffi::c_void;

#[cold]
fn bad(what: &'static str, reason: &str) -> RuntimeError {
    RuntimeError::invalid(what, reason)
}

/// Refuses what cannot be a pointer to a `T`.
#[inline]
pub(super) fn check<T>(what: &'static str, pointer: *const T) -> Result<(), RuntimeError> {
    if pointer.is_null() {
        return Err(bad(what, "is null"));
    }
    if pointer.is_aligned() { Ok(()) } else { Err(bad(what, "is not aligned as its type needs")) }
}

/// Refuses `size` bytes at `pointer` that no memory can hold.
#[inline]
pub(super) fn check_extent(what: &'static str, pointer: *const c_void, size: usize) -> Result<(), RuntimeError> {
    check(what, pointer)?;
    let fits = isize::try_from(size).is_ok() && pointer.addr().checked_add(size).is_some();
    if fits { Ok(()) } else { Err(exceeds(what, size)) }
}

#[cold]
fn exceeds(what: &'static str, size: usize) -> RuntimeError {
    RuntimeError::invalid(what, format!("{size} bytes there exceed the address space"))
}

/// What `pointer` points to.
///
/// # Safety
/// Unless null or misaligned, `pointer` is valid for reads for the duration of the call.
#[inline]
pub(super) unsafe fn reference<'a, T>(what: &'static str, pointer: *const T) -> Result<&'a T, RuntimeError> {
    check(what, pointer)?;
    // SAFETY: not null, aligned, and valid by the caller's promise.
    Ok(unsafe { &*pointer })
}

/// Writes a result.
///
/// # Safety
/// Unless null or misaligned, `pointer` is valid for writes.
#[inline]
pub(super) unsafe fn write<T>(what: &'static str, pointer: *mut T, value: T) -> Result<(), RuntimeError> {
    check(what, pointer)?;
    // SAFETY: not null, aligned, and writable by the caller's promise.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Writes a result that the caller may not want.
///
/// # Safety
/// As for [`write`].
#[inline]
pub(super) unsafe fn write_optional<T>(what: &'static str, pointer: *mut T, value: T) -> Result<(), RuntimeError> {
    // SAFETY: passed on to the caller.
    if pointer.is_null() { Ok(()) } else { unsafe { write(what, pointer, value) } }
}

/// The bytes of an argument.
///
/// # Safety
/// `size` bytes at `pointer` are readable for the duration of the call.
#[inline]
pub(super) unsafe fn bytes<'a>(
    what: &'static str,
    pointer: *const c_void,
    size: usize,
) -> Result<&'a [u8], RuntimeError> {
    if size == 0 {
        return Ok(&[]);
    }
    check_extent(what, pointer, size)?;
    // SAFETY: not null, a size that a slice can have, and readable by the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(pointer.cast(), size) })
}

/// Refuses a struct that is smaller than the one this runtime knows. Later versions only append fields.
#[inline]
pub(super) fn check_size<T>(what: &'static str, struct_size: u32) -> Result<(), RuntimeError> {
    if struct_size as usize >= size_of::<T>() {
        return Ok(());
    }
    Err(RuntimeError::invalid(what, format!("its struct_size is {struct_size}, this runtime needs {}", size_of::<T>())))
}
