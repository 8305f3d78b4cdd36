//! Errors of exporting a kernel for other translators.

use sinter_llvm::LlvmError;

/// Reason why a kernel cannot be exported for other translators.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FriendlyError {
    /// A called function is unknown to other translators.
    #[error("`{name}` has no name that other translators know; leave --external out, or the function that needs it")]
    NoName {
        /// Name of the function.
        name: String,
    },
    /// A function other than the kernel uses dynamic local memory.
    #[error(
        "`{function}` uses dynamic local memory and is not inlined into the kernel; pass a pointer to it as an argument"
    )]
    Elsewhere {
        /// Readable name of the function.
        function: String,
    },
    /// The module is not the output of the step `optimise`.
    #[error("the module is not the IR of a kernel for SPIR-V")]
    NoKernel,
    /// LLVM refused the result.
    #[error("the IR for another translator is not valid: {message}")]
    Llvm {
        /// LLVM's message.
        message: String,
    },
}

impl From<LlvmError> for FriendlyError {
    fn from(error: LlvmError) -> Self {
        FriendlyError::Llvm { message: error.to_string() }
    }
}
