//! Converts pointers of C callers to references.
//!
//! *Invariant:* a null or misaligned pointer is an error that names the argument. The header
//! requires the caller to make every other pointer valid.
#![expect(unsafe_code, reason = "reads and writes through the pointers of C callers")]

use crate::error::RuntimeError;
use std::ffi::c_void;

#[cold]
fn bad(what: &'static str, reason: &str) -> RuntimeError {
    RuntimeError::invalid(what, reason)
}

/// Rejects null and misaligned pointers. `what` names the argument in the message.
#[inline]
pub(super) fn check<T>(what: &'static str, pointer: *const T) -> Result<(), RuntimeError> {
    if pointer.is_null() {
        return Err(bad(what, "is null"));
    }
    if pointer.is_aligned() { Ok(()) } else { Err(bad(what, "is not aligned as its type needs")) }
}

/// Rejects a null `pointer`, and a `size` that no object can have.
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

/// Borrows the caller's value.
///
/// # Safety
/// Unless null or misaligned, `pointer` is valid for reads for the duration of the call.
#[inline]
pub(super) unsafe fn reference<'a, T>(what: &'static str, pointer: *const T) -> Result<&'a T, RuntimeError> {
    check(what, pointer)?;
    // SAFETY: not null, aligned, and valid by the caller's promise.
    Ok(unsafe { &*pointer })
}

/// Writes a result to the caller's memory.
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

/// Writes an optional result; a null `pointer` is skipped.
///
/// # Safety
/// As for [`write`].
#[inline]
pub(super) unsafe fn write_optional<T>(what: &'static str, pointer: *mut T, value: T) -> Result<(), RuntimeError> {
    // SAFETY: the same contract, upheld by the caller.
    if pointer.is_null() { Ok(()) } else { unsafe { write(what, pointer, value) } }
}

/// Borrows `size` bytes of an argument.
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
    // SAFETY: not null, at most `isize::MAX` bytes, and readable by the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(pointer.cast(), size) })
}

/// Rejects a struct that is smaller than `T`. A larger one is fine, because later versions only
/// append fields.
#[inline]
pub(super) fn check_size<T>(what: &'static str, struct_size: u32) -> Result<(), RuntimeError> {
    if struct_size as usize >= size_of::<T>() {
        return Ok(());
    }
    Err(RuntimeError::invalid(what, format!("its struct_size is {struct_size}, this runtime needs {}", size_of::<T>())))
}
