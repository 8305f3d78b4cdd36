//! How a step fails.
//!
//! *Invariant:* a step never prints and never panics; it returns the cause, and `translate` adds stage, kernel and
//! target.

use sinter_core::TranslateCause;
use sinter_llvm::LlvmError;

/// The cause of a failed step.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) TranslateCause);

impl From<TranslateCause> for Failure {
    fn from(cause: TranslateCause) -> Self {
        Failure(cause)
    }
}

impl From<LlvmError> for Failure {
    fn from(error: LlvmError) -> Self {
        Failure(match error {
            LlvmError::Diagnostic { message } => TranslateCause::CodeGeneration { message },
            LlvmError::Fatal { message } => TranslateCause::Fatal { message },
            LlvmError::Poisoned { reason } => TranslateCause::Poisoned { reason },
            LlvmError::Link { message } => TranslateCause::Link { message },
            LlvmError::OutOfMemory => TranslateCause::OutOfMemory,
            other => TranslateCause::Internal { message: other.to_string() },
        })
    }
}

impl Failure {
    /// A violated expectation of ours.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Failure(TranslateCause::Internal { message: message.into() })
    }

    /// A constant or an argument that was given a value of another type.
    pub(crate) fn constant_type(name: &str, expected: &str, given: &str) -> Self {
        let (name, expected, given) = (name.to_owned(), expected.to_owned(), given.to_owned());
        TranslateCause::ConstantType { name, expected, given }.into()
    }
}

/// How code generation for a tool fails.
#[derive(Debug)]
pub(crate) enum GenerationFailure {
    /// As the step `lower` does.
    Step(Failure),
    /// In LLVM, whose message stands alone.
    Llvm(LlvmError),
}

impl From<Failure> for GenerationFailure {
    fn from(failure: Failure) -> Self {
        GenerationFailure::Step(failure)
    }
}

/// Result of a step.
pub(crate) type Outcome<T> = Result<T, Failure>;
