//! Version and errors.
//!
//! *Invariant:* these functions cannot fail. Their strings are static or belong to the thread.
#![expect(unsafe_code, reason = "exports C symbols")]

use super::{guard, status};
use crate::abi;
use std::ffi::c_char;

/// Version of this package, NUL-terminated.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// `sinter_abi_version`: see `sinter/sinter.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_abi_version() -> u32 {
    abi::ABI_VERSION
}

/// `sinter_version`: see `sinter/sinter.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_version() -> *const c_char {
    VERSION.as_ptr().cast()
}

/// `sinter_last_error`: see `sinter/sinter.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_last_error() -> *const c_char {
    guard::last_message()
}

/// `sinter_status_name`: see `sinter/sinter.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_status_name(status: i32) -> *const c_char {
    status::name(status).as_ptr()
}
