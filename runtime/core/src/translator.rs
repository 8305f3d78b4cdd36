//! The interface between runtime and compiler: one trait, one error.
//!
//! *Invariant:* a translator is a pure function of the request. An [`Observer`] may watch it but
//! never changes its result.

use crate::{
    code_object::CodeObject,
    fingerprint::Fingerprint,
    names::{readable, with_symbol},
    request::TranslateRequest,
};
use serde::{Deserialize, Serialize};
use std::{fmt, path::PathBuf};

/// Options that watch a translation without changing its result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observer {
    /// Folder for the IR after each step and the final code, one subfolder per kernel and key.
    pub dump: Option<PathBuf>,
}

/// Compiles requests to code objects.
pub trait Translator: Send + Sync {
    /// Identity of this build; part of every key.
    fn fingerprint(&self) -> Fingerprint;

    /// Compiles one kernel. Never panics and never ends the process.
    fn translate(&self, request: &TranslateRequest, observer: &Observer) -> Result<CodeObject, TranslateError>;
}

/// An undefined symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnresolvedSymbol {
    /// Symbol as in the image.
    pub name: String,
    /// Call chain from the kernel to the symbol, the kernel first.
    pub chain: Vec<String>,
    /// `file:line` of the first use, if the image has debug information.
    pub location: Option<String>,
    /// Advice for the user.
    pub hint: String,
}

impl fmt::Display for UnresolvedSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` (called through {})", with_symbol(&self.name), self.chain.join(" -> "))?;
        if let Some(location) = &self.location {
            write!(f, " at {location}")?;
        }
        write!(f, ": {}", self.hint)
    }
}

fn lines<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(|item| format!("\n  {item}")).collect()
}

/// Cause of a failed translation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TranslateCause {
    /// The image is not LLVM bitcode or is damaged.
    #[error(
        "the image is not valid LLVM bitcode: {message}; if it comes from a program, its container is damaged: rebuild the program"
    )]
    Bitcode {
        /// Message of LLVM.
        message: String,
    },
    /// The image was written by a newer LLVM than the translator's.
    #[error(
        "the image was written by {producer}, which is newer than this translator's LLVM {ours}; compile the program with clang {ours} or older"
    )]
    NewerBitcode {
        /// Producer string of the image.
        producer: String,
        /// Version of the translator's LLVM.
        ours: String,
    },
    /// The image does not define the kernel.
    #[error("the image has no kernel `{name}`{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownKernel {
        /// Requested name.
        name: String,
        /// Most similar name in the image.
        nearest: Option<String>,
    },
    /// The kernel's code does not match the hash recorded when it was compiled.
    #[error(
        "the image does not match the hash recorded for the kernel (recorded {recorded}, found {found}); the container is damaged: rebuild the program"
    )]
    HashMismatch {
        /// Hash in the request, in hexadecimal.
        recorded: String,
        /// Hash of the image, in hexadecimal.
        found: String,
    },
    /// An IR constant has no value.
    #[error(
        "the IR constant `{0}` has no value; pass --constant '{0}=TYPE:VALUE' or set it before the launch",
        readable(name)
    )]
    UnsetConstant {
        /// Name of the global.
        name: String,
    },
    /// A value does not have the type of its constant or argument.
    #[error("`{}` takes {expected}, but the value given is {given}", readable(name))]
    ConstantType {
        /// Name of the constant, or `argument N`.
        name: String,
        /// Type in the IR.
        expected: String,
        /// The given value, with its type.
        given: String,
    },
    /// A value was given for a constant or argument that the image does not have.
    #[error("there is no {what} `{name}` in the kernel's image{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownName {
        /// `IR constant` or `argument`.
        what: String,
        /// Given name.
        name: String,
        /// Most similar existing name.
        nearest: Option<String>,
    },
    /// Undefined functions or globals.
    #[error("unresolved symbols:{}", lines(symbols))]
    Unresolved {
        /// One entry per symbol.
        symbols: Vec<UnresolvedSymbol>,
    },
    /// A construct that the target does not support.
    #[error("{what} cannot be used on {target}{}: {hint}", location.as_ref().map(|l| format!(" (at {l})")).unwrap_or_default())]
    Unsupported {
        /// Description of the construct.
        what: String,
        /// Target string.
        target: String,
        /// `file:line`, if known.
        location: Option<String>,
        /// Advice for the user.
        hint: String,
    },
    /// More local memory than a work-group of the target can have.
    #[error(
        "{size} bytes of local memory cannot be used on {target}{}: the limit is {limit} bytes; use global memory",
        location.as_ref().map(|l| format!(" (at {l})")).unwrap_or_default()
    )]
    LocalMemory {
        /// Declared size in bytes; saturated at the largest number.
        size: u64,
        /// Limit of the target in bytes.
        limit: u64,
        /// Target string.
        target: String,
        /// `file:line`, if known.
        location: Option<String>,
    },
    /// An import could not be linked.
    #[error("linking an imported image failed: {message}")]
    Import {
        /// Message of LLVM.
        message: String,
    },
    /// LLVM reported an error while generating code.
    #[error("code generation failed: {message}")]
    CodeGeneration {
        /// Message of LLVM.
        message: String,
    },
    /// The in-process linker failed.
    #[error("linking the code object failed: {message}")]
    Link {
        /// Message of the linker.
        message: String,
    },
    /// LLVM aborted inside the translation; this translator refuses further work.
    #[error("LLVM ended the translation with a fatal error: {message}")]
    Fatal {
        /// Message of LLVM.
        message: String,
    },
    /// An earlier fatal error left this translator in an unknown state.
    #[error("the translator stopped after an earlier fatal error ({reason}); restart the process to translate again")]
    Poisoned {
        /// Message of the earlier error.
        reason: String,
    },
    /// The translator could not be opened, or its result could not be read.
    #[error("the translator is not usable: {message}")]
    Unavailable {
        /// The problem, and how to solve it.
        message: String,
    },
    /// A file could not be written or read.
    #[error("{path}: {message}")]
    Io {
        /// Path of the file.
        path: String,
        /// Error of the system call.
        message: String,
    },
    /// A defect of Sinter.
    #[error("internal error: {message}; please report it with the replay file")]
    Internal {
        /// The violated assumption.
        message: String,
    },
    /// The translation needs more memory than is available.
    #[error("memory ran out: free some, or raise the limit of the process (ulimit -v), and launch the kernel again")]
    OutOfMemory,
}

/// A failed translation: step, kernel, target and cause.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error(
    "cannot translate kernel `{}` for {target} (step {stage}): {cause}{}",
    readable(kernel),
    replay.as_ref().map(|r| format!(
        "\nreplay with: llvm-to-{}-tool --replay {}",
        target.split(':').next().unwrap_or_default(),
        r.display()
    )).unwrap_or_default()
)]
pub struct TranslateError {
    /// Name of the step that failed.
    pub stage: String,
    /// Symbol of the kernel, as in the request.
    pub kernel: String,
    /// Target string.
    pub target: String,
    /// Path of the saved request, if one was written.
    pub replay: Option<PathBuf>,
    /// Cause of the failure.
    #[source]
    pub cause: TranslateCause,
}

impl TranslateError {
    /// Error of the step `stage` in the translation of `request`.
    pub fn new(request: &TranslateRequest, stage: impl Into<String>, cause: TranslateCause) -> Self {
        TranslateError {
            stage: stage.into(),
            kernel: request.config.entry.clone(),
            target: request.target.to_string(),
            replay: None,
            cause,
        }
    }
}
