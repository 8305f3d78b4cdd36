//! Functions that the process has under a name.
//!
//! In: a name. Out: the address of what the dynamic linker finds first. *Invariant:* nothing is
//! loaded for it.

use std::ffi::{CStr, c_int, c_void};

/// Status of the C interface for success.
pub(crate) const SUCCESS: c_int = 0;

/// The symbol that the process uses under a name.
pub(crate) fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a C string; the handle stands for all libraries of the program.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}
