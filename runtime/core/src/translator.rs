//! The seam between runtime and compiler: one trait, one error.
//!
//! *Invariant:* a translator is a pure function of the request. An [`Observer`] may watch it but never changes what
//! it returns.

use crate::{
    code_object::CodeObject,
    fingerprint::Fingerprint,
    names::{readable, with_symbol},
    request::TranslateRequest,
};
use serde::{Deserialize, Serialize};
use std::{fmt, path::PathBuf};

/// What may watch a translation without changing its result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observer {
    /// Folder that receives the IR after each step and the final code, one sub-folder per kernel and key.
    pub dump: Option<PathBuf>,
}

/// Turns requests into code objects.
pub trait Translator: Send + Sync {
    /// Identity of this build, part of every key.
    fn fingerprint(&self) -> Fingerprint;

    /// Compiles one kernel. Never panics and never ends the process.
    fn translate(&self, request: &TranslateRequest, observer: &Observer) -> Result<CodeObject, TranslateError>;
}

/// A symbol that nothing defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnresolvedSymbol {
    /// The symbol as the image spells it.
    pub name: String,
    /// The functions through which the kernel reaches it, the kernel first.
    pub chain: Vec<String>,
    /// `file:line` of the first use, where the image has debug information.
    pub location: Option<String>,
    /// What the user can do about it.
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

/// Why a translation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TranslateCause {
    /// The image is not LLVM bitcode or is damaged.
    #[error(
        "the image is not valid LLVM bitcode: {message}; if it comes from a program, its container is damaged: rebuild the program"
    )]
    Bitcode {
        /// LLVM's message.
        message: String,
    },
    /// The image was written by a newer LLVM than the translator's.
    #[error(
        "the image was written by {producer}, which is newer than this translator's LLVM {ours}; compile the program with clang {ours} or older"
    )]
    NewerBitcode {
        /// The producer string of the image.
        producer: String,
        /// Version of the translator's LLVM.
        ours: String,
    },
    /// The image does not define the kernel.
    #[error("the image has no kernel `{name}`{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownKernel {
        /// The name that was asked for.
        name: String,
        /// The most similar name in the image.
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
    /// A value does not have the type of the constant or argument it is meant for.
    #[error("`{}` takes {expected}, but the value given is {given}", readable(name))]
    ConstantType {
        /// Name of the constant, or `argument N`.
        name: String,
        /// Type in the IR.
        expected: String,
        /// The value that was given, with its type.
        given: String,
    },
    /// A value was given for something that the image does not have.
    #[error("there is no {what} `{name}` in the kernel's image{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownName {
        /// `IR constant` or `argument`.
        what: String,
        /// The name that was given.
        name: String,
        /// The most similar name that exists.
        nearest: Option<String>,
    },
    /// Functions or globals that nothing defines.
    #[error("unresolved symbols:{}", lines(symbols))]
    Unresolved {
        /// Each of them.
        symbols: Vec<UnresolvedSymbol>,
    },
    /// A construct that the target cannot run.
    #[error("{what} cannot be used on {target}{}: {hint}", location.as_ref().map(|l| format!(" (at {l})")).unwrap_or_default())]
    Unsupported {
        /// The construct.
        what: String,
        /// The target that cannot run it.
        target: String,
        /// `file:line`, where known.
        location: Option<String>,
        /// What the user can do about it.
        hint: String,
    },
    /// More local memory than a work-group of the target can have.
    #[error(
        "{size} bytes of local memory cannot be used on {target}{}: the limit is {limit} bytes; use global memory",
        location.as_ref().map(|l| format!(" (at {l})")).unwrap_or_default()
    )]
    LocalMemory {
        /// Bytes that the kernel declares; the largest number where they are more.
        size: u64,
        /// Bytes that there are.
        limit: u64,
        /// The target.
        target: String,
        /// `file:line`, where known.
        location: Option<String>,
    },
    /// An import could not be linked.
    #[error("linking an imported image failed: {message}")]
    Import {
        /// LLVM's message.
        message: String,
    },
    /// LLVM reported an error while generating code.
    #[error("code generation failed: {message}")]
    CodeGeneration {
        /// LLVM's message.
        message: String,
    },
    /// The in-process linker failed.
    #[error("linking the code object failed: {message}")]
    Link {
        /// The linker's message.
        message: String,
    },
    /// LLVM gave up inside the translation; this translator refuses further work.
    #[error("LLVM ended the translation with a fatal error: {message}")]
    Fatal {
        /// LLVM's message.
        message: String,
    },
    /// An earlier fatal error left this translator in an unknown state.
    #[error("the translator stopped after an earlier fatal error ({reason}); restart the process to translate again")]
    Poisoned {
        /// Message of the earlier error.
        reason: String,
    },
    /// The translator could not be opened, or its answer could not be read.
    #[error("the translator is not usable: {message}")]
    Unavailable {
        /// What is wrong and what to do.
        message: String,
    },
    /// A file could not be written or read.
    #[error("{path}: {message}")]
    Io {
        /// The file.
        path: String,
        /// The system's message.
        message: String,
    },
    /// A defect of Sinter.
    #[error("internal error: {message}; please report it with the replay file")]
    Internal {
        /// What was violated.
        message: String,
    },
    /// The translation needs more memory than there is.
    #[error("memory ran out: free some, or raise the limit of the process (ulimit -v), and launch the kernel again")]
    OutOfMemory,
}

/// A failed translation: where, of what, for what, why.
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
    /// The step that failed.
    pub stage: String,
    /// The kernel, as spelled in the request.
    pub kernel: String,
    /// The target.
    pub target: String,
    /// The request as a file, where one was written.
    pub replay: Option<PathBuf>,
    /// Why.
    #[source]
    pub cause: TranslateCause,
}

impl TranslateError {
    /// An error at `stage` of the translation of `request`.
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
