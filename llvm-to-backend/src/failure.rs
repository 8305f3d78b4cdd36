//! Errors of steps.
//!
//! *Invariant:* a step never prints and never panics; it returns the cause, and `translate` adds
//! stage, kernel and target.

use sinter_core::TranslateCause;
use sinter_llvm::LlvmError;

/// A failed step.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) cause: TranslateCause,
    /// Another translation that may succeed.
    pub(crate) retry: Option<Retry>,
}

/// Another translation of the same kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retry {
    /// With sub-groups of another size.
    OtherSubGroups,
    /// Without quick code.
    FullCode,
}

impl From<TranslateCause> for Failure {
    fn from(cause: TranslateCause) -> Self {
        Failure { cause, retry: None }
    }
}

impl From<LlvmError> for Failure {
    fn from(error: LlvmError) -> Self {
        Failure::from(match error {
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
    /// A violated assumption: a bug in Sinter, not in the input.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        TranslateCause::Internal { message: message.into() }.into()
    }

    /// A kernel that cannot run with sub-groups of this size.
    pub(crate) fn of_sub_groups(cause: TranslateCause) -> Self {
        Failure { cause, retry: Some(Retry::OtherSubGroups) }
    }

    /// A kernel whose quick code cannot run.
    pub(crate) fn of_quick_code(cause: TranslateCause) -> Self {
        Failure { cause, retry: Some(Retry::FullCode) }
    }

    /// A value of the wrong type for a constant or an argument.
    pub(crate) fn constant_type(name: &str, expected: &str, given: &str) -> Self {
        let (name, expected, given) = (name.to_owned(), expected.to_owned(), given.to_owned());
        TranslateCause::ConstantType { name, expected, given }.into()
    }
}

/// Failure of code generation for a tool.
#[derive(Debug)]
pub(crate) enum GenerationFailure {
    /// The failure of the step `lower`.
    Step(Failure),
    /// An error of LLVM, reported without context.
    Llvm(LlvmError),
}

impl From<Failure> for GenerationFailure {
    fn from(failure: Failure) -> Self {
        GenerationFailure::Step(failure)
    }
}

/// Result of a step.
pub(crate) type Outcome<T> = Result<T, Failure>;
