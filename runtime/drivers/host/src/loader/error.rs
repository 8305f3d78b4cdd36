//! Errors of the loader.
//!
//! In: a part of a file, or a refused operation. Out: an error. *Invariant:* damaged code is
//! distinguished from a shortage, which says nothing about the code.

use std::io;

/// Reason why code could not be published.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes are not an object for this machine.
    #[error("it is damaged or of another kind: {reason}")]
    Malformed {
        /// The defective part of the file, with the defect.
        reason: String,
    },
    /// The object calls a function that the process does not have.
    #[error("it refers to `{symbol}`, which neither libc nor libm defines")]
    Unresolved {
        /// Name of the function.
        symbol: String,
    },
    /// The object does not define the entry.
    #[error("it does not define its entry")]
    NoEntry,
    /// The operating system refused memory or a file; nothing is wrong with the code.
    #[error("{attempt} failed: {source}")]
    System {
        /// Name of the refused operation.
        attempt: &'static str,
        /// Error of the system.
        #[source]
        source: io::Error,
    },
}

impl LoadError {
    pub(super) fn malformed(reason: impl ToString) -> Self {
        LoadError::Malformed { reason: reason.to_string() }
    }

    /// The last error of the operating system.
    pub(super) fn last(attempt: &'static str) -> Self {
        LoadError::System { attempt, source: io::Error::last_os_error() }
    }
}
