//! Errors of the loader.
//!
//! In: a part of a file, or a refused operation. Out: an error. *Invariant:* damaged code is told
//! from a shortage, which says nothing about the code.

use std::io;

/// Why code could not be published.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes are not an object for this machine.
    #[error("it is damaged or of another kind: {reason}")]
    Malformed {
        /// The part of the file that is wrong, and how.
        reason: String,
    },
    /// It calls a function that the process does not have.
    #[error("it refers to `{symbol}`, which neither libc nor libm defines")]
    Unresolved {
        /// The function.
        symbol: String,
    },
    /// It does not define the entry.
    #[error("it does not define its entry")]
    NoEntry,
    /// The operating system refused memory or a file; nothing is wrong with the code.
    #[error("{attempt} failed: {source}")]
    System {
        /// The refused operation.
        attempt: &'static str,
        /// The system's answer.
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
