//! What is said about code that cannot be loaded.
//!
//! In: what is wrong with code, or a failure while it was loaded. Out: errors. *Invariant:* what may work another time is told from code
//! that is wrong, since only that is never tried again.

use crate::{context::Context, error::VendorError, vendor::Vendor};
use sinter_driver::DriverError;
use sinter_dylib::Failure;
use std::ffi::CString;

impl<V: Vendor> Context<V> {
    /// The error for code that cannot be loaded.
    pub fn refused(&self, symbol: &str, reason: impl Into<String>) -> DriverError {
        DriverError::Load { device: self.info.name.clone(), kernel: symbol.to_owned(), reason: reason.into() }
    }

    /// The error for a failure while code was loaded, with what the library said about the code.
    pub fn failed(&self, symbol: &str, failure: Failure, said: &str) -> DriverError {
        if !V::is_about_code(failure) {
            return self.report(failure);
        }
        let error = VendorError::new(&self.api, failure.code);
        self.refused(symbol, format!("{} reported {error}\n{said}", failure.call).trim_end())
    }

    /// The error for a failure while an entry of code was looked for.
    pub fn without_entry(&self, symbol: &str, failure: Failure) -> DriverError {
        match V::is_about_code(failure) {
            true => self.refused(symbol, "the code has no entry of this name"),
            false => self.report(failure),
        }
    }

    /// A symbol as libraries take names.
    pub fn c_name(&self, symbol: &str) -> Result<CString, DriverError> {
        CString::new(symbol).map_err(|_| self.refused(symbol, "its symbol contains a null character"))
    }
}
