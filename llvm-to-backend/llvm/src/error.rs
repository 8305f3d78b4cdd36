//! Errors of LLVM and lld.
//!
//! *Invariant:* every failure of the two libraries that does not end the process at once becomes
//! one of these.

/// An operation of LLVM or lld failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlvmError {
    /// LLVM reported an error, even if the call returned success.
    #[error("{message}")]
    Diagnostic {
        /// LLVM's messages, one per line.
        message: String,
    },
    /// LLVM called its fatal error handler; its state is undefined from here on.
    #[error("fatal error: {message}")]
    Fatal {
        /// LLVM's message.
        message: String,
    },
    /// An earlier [`LlvmError::Fatal`] forbids further use of LLVM.
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
    /// LLVM needs more memory than is available.
    #[error("memory ran out")]
    OutOfMemory,
}
