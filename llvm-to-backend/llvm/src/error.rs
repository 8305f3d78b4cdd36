//! Why LLVM or lld could not do what was asked.
//!
//! *Invariant:* every failure of the two libraries that does not end the process at once becomes
//! one of these.

/// Why LLVM or lld could not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlvmError {
    /// LLVM reported an error, whatever it returned.
    #[error("{message}")]
    Diagnostic {
        /// LLVM's messages, one a line.
        message: String,
    },
    /// LLVM gave up; the state of the library is unknown from here on.
    #[error("fatal error: {message}")]
    Fatal {
        /// LLVM's message.
        message: String,
    },
    /// An earlier [`LlvmError::Fatal`] forbids further work.
    #[error("refused after an earlier fatal error: {reason}")]
    Poisoned {
        /// Message of the earlier error.
        reason: String,
    },
    /// lld reported an error.
    #[error("{message}")]
    Link {
        /// lld's messages.
        message: String,
    },
    /// LLVM needs more memory than there is.
    #[error("memory ran out")]
    OutOfMemory,
}
