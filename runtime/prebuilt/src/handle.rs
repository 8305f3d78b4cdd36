//! Handles of modules, and strings for C.
//!
//! *Invariant:* a module is destroyed with its handle.
#![expect(unsafe_code, reason = "owns a handle of the C interface")]

use crate::{
    error::RuntimeError,
    ffi::{self, RawModule},
};
use std::ffi::CString;

/// Owns a module of the C interface.
pub(crate) struct Handle(*mut RawModule);

// SAFETY: the C interface accepts modules from any thread, and does not modify them.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    /// Takes ownership of a module of the C interface.
    pub(crate) fn new(raw: *mut RawModule) -> Self {
        Handle(raw)
    }

    pub(crate) fn raw(&self) -> *mut RawModule {
        self.0
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made by the C interface, and this is its only owner.
        unsafe { ffi::sinter_module_destroy(self.0) };
    }
}

/// Converts a name to a C string. A NUL byte is an error.
pub(crate) fn terminated(name: &str) -> Result<CString, RuntimeError> {
    CString::new(name).map_err(|_| RuntimeError::invalid(format!("the name {name:?} has a NUL byte")))
}
