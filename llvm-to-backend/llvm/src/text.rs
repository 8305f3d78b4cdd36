//! Strings between Rust and the C interfaces.

use std::{
    borrow::Cow,
    ffi::{CStr, CString, c_char},
};

unsafe extern "C" {
    fn sinter_producer(bytes: *const c_char, size: usize) -> *mut c_char;
}

/// Converts to a C string without its zero bytes, which no LLVM name in use has.
pub(crate) fn c_string(text: &str) -> CString {
    let bytes: Cow<'_, str> = if text.contains('\0') { text.replace('\0', "").into() } else { text.into() };
    CString::new(bytes.as_bytes()).unwrap_or_default()
}

/// Copies a string that LLVM owns.
pub(crate) fn copy_string(text: *const c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller got pointer and length from LLVM in one call.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Copies and frees a string that LLVM made with `strdup`.
pub(crate) fn take_message(message: *mut c_char) -> String {
    take_malloced(message).unwrap_or_default()
}

/// Copies and frees a `malloc`ed string.
pub(crate) fn take_malloced(text: *mut c_char) -> Option<String> {
    take_bytes(text).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Copies and frees a string of LLVM as bytes, which need not be UTF-8. `None` for null.
pub(crate) fn take_bytes(text: *mut c_char) -> Option<Vec<u8>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: a non-null result of the C interface is a C string.
    let copy = unsafe { CStr::from_ptr(text) }.to_bytes().to_vec();
    // SAFETY: LLVM's C interface and the shim allocate such strings with malloc, and this is the
    // only owner.
    unsafe { libc::free(text.cast()) };
    Some(copy)
}

/// Identification string of the bitcode's writer, such as `LLVM19.1.7`.
pub(crate) fn producer(bitcode: &[u8]) -> Option<String> {
    // SAFETY: the range is valid for the call; the result is a malloced C string or null.
    take_malloced(unsafe { sinter_producer(bitcode.as_ptr().cast(), bitcode.len()) })
}
