//! What can go wrong between a launch and its kernel.
//!
//! *Invariant:* an error is cheap to clone, because a failed translation is remembered and handed to every later launch of
//! the same kernel. The variants tell the caller's mistake, the environment's fault and our own defect apart.
#![forbid(unsafe_code)]

use sinter_core::{TranslateError, names::readable};
use sinter_driver::{DriverError, LocalMemoryExcess};
use sinter_program::{Misfit, Mistake};
use std::{error::Error, path::PathBuf, sync::Arc};

pub use sinter_program::ArgumentType;

/// What can go wrong in the runtime.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// A null pointer, an unknown number, a wrong size: the caller's mistake.
    #[error("{what}: {reason}")]
    InvalidArgument {
        /// The argument.
        what: &'static str,
        /// What is wrong with it and what would be accepted.
        reason: String,
    },
    /// There is no device with that number.
    #[error("there is no device {index}; {}", available(*.count, *.mask, .reasons))]
    NoDevice {
        /// The number asked for.
        index: u32,
        /// How many devices there are.
        count: usize,
        /// The variable that chooses devices, where one is set.
        mask: Option<&'static str>,
        /// Words of it that select nothing, and why drivers found no device.
        reasons: Vec<String>,
    },
    /// The container cannot be read.
    #[error("kernel `{}`: container {container} is damaged: {source}", readable(.kernel))]
    Container {
        /// The kernel that was to be launched.
        kernel: String,
        /// First bytes of the container's object id, in hexadecimal.
        container: String,
        /// What is wrong with it.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// The kernel descriptor or its container cannot be used.
    #[error("kernel `{}` cannot be used: {reason}", readable(.kernel))]
    Kernel {
        /// The kernel.
        kernel: String,
        /// The problem.
        reason: String,
    },
    /// The argument block does not have the size that the kernel was compiled for.
    #[error(
        "kernel `{}` takes an argument block of {expected} bytes, but {given} were passed; \
         host code and kernel do not match: rebuild the program",
        readable(.kernel)
    )]
    BlockSize {
        /// The kernel.
        kernel: String,
        /// Size that the descriptor gives.
        expected: u64,
        /// Size that was passed.
        given: usize,
    },
    /// A launch with too few or too many arguments.
    #[error("kernel `{}` {}", readable(.kernel), miscounted(*.expected, *.given, .signature))]
    ArgumentCount {
        /// The kernel.
        kernel: String,
        /// Arguments that it takes.
        expected: usize,
        /// Arguments that were passed.
        given: usize,
        /// What it takes.
        signature: String,
    },
    /// An argument of another kind or size than the kernel's parameter.
    #[error("kernel `{}` {}", readable(.kernel), mistyped(*.index, *.expected, *.given))]
    ArgumentType {
        /// The kernel.
        kernel: String,
        /// Position of the argument, from 0.
        index: usize,
        /// What the kernel takes.
        expected: ArgumentType,
        /// What was passed.
        given: ArgumentType,
    },
    /// No kernel has this name.
    #[error("there is no kernel `{name}`{}", meant(.nearest))]
    UnknownKernel {
        /// The name.
        name: String,
        /// A kernel whose name is close to it.
        nearest: Option<String>,
    },
    /// Bytes that are no container.
    #[error(
        "the container cannot be read: {source}; make it with `sinter-cc -c --sinter-emit-hcf` or with sinter-build"
    )]
    Module {
        /// What is wrong with it.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// The kernel could not be translated.
    #[error(transparent)]
    Translate(Arc<TranslateError>),
    /// There is no memory to load a kernel's code, or to look for it.
    #[error(
        "kernel `{kernel}` cannot be prepared: memory ran out; \
         free some, or raise the limit of the process (ulimit -v), and launch it again"
    )]
    OutOfMemory {
        /// The kernel.
        kernel: String,
    },
    /// The device's driver could not make machine code of what the translator made of the kernel.
    #[error("cannot assemble kernel `{}`: {source}{}", readable(.kernel), replayed(.replay))]
    Assemble {
        /// The kernel.
        kernel: String,
        /// What the driver says.
        source: Arc<DriverError>,
        /// The request as a file, where one was written, and the tool that takes it.
        replay: Option<(PathBuf, &'static str)>,
    },
    /// The translator library cannot be used.
    #[error("{reason}")]
    Translator {
        /// What is wrong and what to do.
        reason: String,
    },
    /// A launch that the device cannot run.
    #[error("{what} cannot be launched: {reason}")]
    Launch {
        /// The kernel or the device.
        what: String,
        /// What is wrong and what would be accepted.
        reason: String,
    },
    /// A launch whose sizes do not fit its number of dimensions: the caller's mistake.
    #[error("kernel `{}` cannot be launched: {reason}", readable(.kernel))]
    Dimensions {
        /// The kernel.
        kernel: String,
        /// The problem.
        reason: String,
    },
    /// A work-group cannot have that much local memory.
    #[error("kernel `{}` on {device} cannot be launched: {excess}", readable(.kernel))]
    LocalMemory {
        /// Entry symbol of the kernel.
        kernel: String,
        /// Name of the device.
        device: String,
        /// How much is too much.
        excess: LocalMemoryExcess,
    },
    /// The device lacks what a kernel requires.
    #[error("kernel `{}` on {device} cannot be launched: it requires {feature}", readable(.kernel))]
    Requires {
        /// The kernel.
        kernel: String,
        /// The device.
        device: String,
        /// The requirement, and what the device has.
        feature: String,
    },
    /// The device lacks a feature.
    #[error("{device} does not support {feature}")]
    Unsupported {
        /// The device.
        device: String,
        /// What it lacks.
        feature: String,
    },
    /// The driver refused.
    #[error(transparent)]
    Driver(Arc<DriverError>),
    /// A defect of Sinter.
    #[error("internal error: {message}; please report it")]
    Internal {
        /// What was violated.
        message: String,
    },
}

impl From<Mistake> for RuntimeError {
    fn from(mistake: Mistake) -> Self {
        RuntimeError::invalid(mistake.what(), mistake.to_string())
    }
}

impl From<DriverError> for RuntimeError {
    fn from(error: DriverError) -> Self {
        RuntimeError::Driver(Arc::new(error))
    }
}

impl From<TranslateError> for RuntimeError {
    fn from(error: TranslateError) -> Self {
        RuntimeError::Translate(Arc::new(error))
    }
}

impl RuntimeError {
    /// An argument that cannot be used.
    pub fn invalid(what: &'static str, reason: impl Into<String>) -> Self {
        RuntimeError::InvalidArgument { what, reason: reason.into() }
    }

    /// Arguments that a kernel does not take.
    pub(crate) fn misfit(kernel: &str, misfit: Misfit) -> Self {
        let kernel = kernel.to_owned();
        match misfit {
            Misfit::Count { expected, given, signature } => {
                RuntimeError::ArgumentCount { kernel, expected, given, signature }
            }
            Misfit::Type { index, expected, given } => RuntimeError::ArgumentType { kernel, index, expected, given },
        }
    }

    /// The message with those of its causes.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut source = self.source();
        while let Some(cause) = source {
            let cause_text = cause.to_string();
            // `Container` and `TranslateError` already spell out their cause.
            if !text.contains(&cause_text) {
                text = format!("{text}: {cause_text}");
            }
            source = cause.source();
        }
        text
    }
}

fn replayed(replay: &Option<(PathBuf, &'static str)>) -> String {
    let text =
        |(path, family): &(PathBuf, _)| format!("\nreplay with: llvm-to-{family}-tool --replay {}", path.display());
    replay.as_ref().map(text).unwrap_or_default()
}

fn miscounted(expected: usize, given: usize, signature: &str) -> Misfit {
    Misfit::Count { expected, given, signature: signature.to_owned() }
}

fn mistyped(index: usize, expected: ArgumentType, given: ArgumentType) -> Misfit {
    Misfit::Type { index, expected, given }
}

fn meant(nearest: &Option<String>) -> String {
    match nearest {
        Some(name) => format!("; did you mean `{name}`?"),
        None => "; sinter-hcf ls lists those of a container or program".to_owned(),
    }
}

fn available(count: usize, mask: Option<&str>, reasons: &[String]) -> String {
    let chosen = mask.map(|variable| format!(" that {variable} leaves")).unwrap_or_default();
    match (count, mask) {
        (0, mask) => {
            let what = mask.map_or("no driver found any".to_owned(), |variable| format!("{variable} leaves none"));
            if reasons.is_empty() { what } else { format!("{what}: {}", reasons.join("; ")) }
        }
        (1, _) => format!("the only device{chosen} is 0"),
        (count, _) => format!("devices{chosen} are 0 to {}", count - 1),
    }
}
