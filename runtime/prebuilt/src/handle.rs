//! Handles of modules, and names as C takes them.
//!
//! *Invariant:* a module is destroyed with its handle.
#![expect(unsafe_code, reason = "owns a handle of the C interface")]

use crate::{
    error::RuntimeError,
    ffi::{self, RawModule},
};
use std::ffi::CString;

/// A module of the C interface.
pub(crate) struct Handle(*mut RawModule);

// SAFETY: the C interface takes modules from any thread, and changes none.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    /// Takes over a module of the C interface.
    pub(crate) fn new(raw: *mut RawModule) -> Self {
        Handle(raw)
    }

    pub(crate) fn raw(&self) -> *mut RawModule {
        self.0
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made by the C interface, and nothing else holds it.
        unsafe { ffi::sinter_module_destroy(self.0) };
    }
}

/// A name as C takes it.
pub(crate) fn terminated(name: &str) -> Result<CString, RuntimeError> {
    CString::new(name).map_err(|_| RuntimeError::invalid(format!("the name {name:?} has a NUL byte")))
}
