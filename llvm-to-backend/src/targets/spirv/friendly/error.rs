//! Why a kernel has no form that other translators know.

use sinter_llvm::LlvmError;

/// Why a kernel has no form that other translators know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FriendlyError {
    /// A function that other translators do not know.
    #[error("`{name}` has no name that other translators know; leave --external out, or the function that needs it")]
    NoName {
        /// Its name.
        name: String,
    },
    /// Memory that only the kernel gets.
    #[error(
        "`{function}` uses dynamic local memory and is not merged into the kernel; pass a pointer to it as an argument"
    )]
    Elsewhere {
        /// The function.
        function: String,
    },
    /// A module that is not what the step leaves.
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
