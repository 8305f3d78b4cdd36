//! Errors for code that cannot be loaded.
//!
//! In: a defect of the code, or a failure while loading it. Out: errors. *Invariant:* failures that
//! may not recur are distinguished from bad code, because only bad code is never retried.

use crate::{context::Context, error::VendorError, vendor::Vendor};
use sinter_driver::DriverError;
use sinter_dylib::Failure;
use std::ffi::CString;

impl<V: Vendor> Context<V> {
    /// The error for code that was rejected.
    pub fn refused(&self, symbol: &str, reason: impl Into<String>) -> DriverError {
        DriverError::Load { device: self.info.name.clone(), kernel: symbol.to_owned(), reason: reason.into() }
    }

    /// The error for a failure while loading code; `log` is the library's log about the code.
    pub fn failed(&self, symbol: &str, failure: Failure, log: &str) -> DriverError {
        if !V::is_about_code(failure) {
            return self.report(failure);
        }
        let error = VendorError::new(&self.api, failure.code);
        self.refused(symbol, format!("{} reported {error}\n{log}", failure.call).trim_end())
    }

    /// The error for a failure while looking up an entry.
    pub fn without_entry(&self, symbol: &str, failure: Failure) -> DriverError {
        match V::is_about_code(failure) {
            true => self.refused(symbol, "the code has no entry of this name"),
            false => self.report(failure),
        }
    }

    /// Converts a symbol to a C string.
    pub fn c_name(&self, symbol: &str) -> Result<CString, DriverError> {
        CString::new(symbol).map_err(|_| self.refused(symbol, "its symbol contains a null character"))
    }
}
