//! Errors between a launch and its kernel.
//!
//! *Invariant:* an error is cheap to clone, because a failed translation is remembered and returned
//! by every later launch of the same kernel. The variants distinguish mistakes of the caller,
//! failures of the environment and defects of Sinter.
#![forbid(unsafe_code)]

use crate::compilations::compilation::{Compilation, listed};
use sinter_core::{TranslateError, names::readable};
use sinter_driver::{DriverError, LocalMemoryExcess};
use sinter_program::{ArgumentMismatch, Mistake};
use std::{error::Error, path::PathBuf, sync::Arc};

pub use sinter_program::ArgumentType;

/// Origin of the mode in which no launch compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequiredBy {
    /// The setting.
    Setting,
    /// The queue of the launch.
    Queue,
}

impl RequiredBy {
    fn name(self) -> &'static str {
        match self {
            RequiredBy::Setting => "SINTER_JIT_MODE=require",
            RequiredBy::Queue => "the mode `require` of its queue",
        }
    }

    fn remedy(self) -> &'static str {
        match self {
            RequiredBy::Setting => "run the program once with SINTER_JIT_MODE=sync and the same cache",
            RequiredBy::Queue => "launch it before on a queue of another mode, or fill the cache in an earlier run",
        }
    }
}

/// An error of the runtime.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// A null pointer, an unknown number, a wrong size: a mistake of the caller.
    #[error("{what}: {reason}")]
    InvalidArgument {
        /// Name of the argument.
        what: &'static str,
        /// The problem, and what would be accepted.
        reason: String,
    },
    /// No device has this index.
    #[error("there is no device {index}; {}", available(*.count, *.mask, .reasons))]
    NoDevice {
        /// Requested index.
        index: u32,
        /// Number of visible devices.
        count: usize,
        /// Environment variable that selects devices, if one is set.
        mask: Option<&'static str>,
        /// Words of it that select nothing, and reasons why drivers found no device.
        reasons: Vec<String>,
    },
    /// The container of a kernel cannot be read.
    #[error("kernel `{}`: container {container} is damaged: {source}", readable(.kernel))]
    Container {
        /// Symbol of the kernel that was to be launched.
        kernel: String,
        /// First bytes of the container's object id, in hexadecimal.
        container: String,
        /// Error of the reader.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// The kernel descriptor or its container cannot be used.
    #[error("kernel `{}` cannot be used: {reason}", readable(.kernel))]
    Kernel {
        /// Symbol of the kernel.
        kernel: String,
        /// The problem, as a clause.
        reason: String,
    },
    /// A kernel uses a device global of an image whose table is not registered.
    #[error(
        "kernel `{}` uses the device_global `{}`, which nothing that is loaded defines",
        readable(.kernel),
        readable(.variable)
    )]
    DeviceGlobal {
        /// Symbol of the kernel.
        kernel: String,
        /// Name of the variable in device code.
        variable: String,
    },
    /// The argument block does not have the size that the kernel was compiled for.
    #[error(
        "kernel `{}` takes an argument block of {expected} bytes, but {given} were passed; \
         host code and kernel do not match: rebuild the program",
        readable(.kernel)
    )]
    BlockSize {
        /// Symbol of the kernel.
        kernel: String,
        /// Size in bytes according to the descriptor.
        expected: u64,
        /// Size in bytes that was passed.
        given: usize,
    },
    /// A launch with too few or too many arguments.
    #[error("kernel `{}` {}", readable(.kernel), miscounted(*.expected, *.given, .signature))]
    ArgumentCount {
        /// Symbol of the kernel.
        kernel: String,
        /// Number of parameters.
        expected: usize,
        /// Number of arguments passed.
        given: usize,
        /// Parameter types of the kernel.
        signature: String,
    },
    /// An argument of another kind or size than the kernel's parameter.
    #[error("kernel `{}` {}", readable(.kernel), mistyped(*.index, *.expected, *.given))]
    ArgumentType {
        /// Symbol of the kernel.
        kernel: String,
        /// Position of the argument, from 0.
        index: usize,
        /// Type of the parameter.
        expected: ArgumentType,
        /// Type of the argument.
        given: ArgumentType,
    },
    /// No kernel has this name.
    #[error("there is no kernel `{name}`{}", meant(.nearest))]
    UnknownKernel {
        /// Requested name.
        name: String,
        /// A kernel with a similar name.
        nearest: Option<String>,
    },
    /// The bytes are not a container.
    #[error(
        "the container cannot be read: {source}; make it with `sinter-cc -c --sinter-emit-hcf` or with sinter-build"
    )]
    Module {
        /// Error of the reader.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// The kernel could not be translated.
    #[error(transparent)]
    Translate(Arc<TranslateError>),
    /// Code would have to be made, and the settings or the queue forbid it.
    #[error(
        "kernel `{}` cannot be launched on {device}: no cache has its code, and {} lets no launch compile; {}",
        readable(.kernel),
        .by.name(),
        .by.remedy()
    )]
    NotReady {
        /// Symbol of the kernel.
        kernel: String,
        /// Name of the device.
        device: String,
        /// Origin of the mode.
        by: RequiredBy,
    },
    /// Code was made ready in a region that allows none.
    #[error(
        "the region compiled {}; launch them before the region, with the same work-group sizes and kinds of \
         arguments, and call sinter_wait_for_jit() there",
        listed(.compilations)
    )]
    Compiled {
        /// Kernels, in the order of the ends of their compilations.
        compilations: Arc<[Compilation]>,
    },
    /// There is too little memory to find or load a kernel's code.
    #[error(
        "kernel `{kernel}` cannot be prepared: memory ran out; \
         free some, or raise the limit of the process (ulimit -v), and launch it again"
    )]
    OutOfMemory {
        /// Symbol of the kernel.
        kernel: String,
    },
    /// There is too little memory on the host for a copy of a buffer.
    #[error("out of memory on the host: a buffer needs {size} bytes there")]
    HostMemory {
        /// Requested size in bytes.
        size: usize,
    },
    /// The device's driver could not assemble the translated kernel.
    #[error("cannot assemble kernel `{}`: {source}{}", readable(.kernel), replayed(.replay))]
    Assemble {
        /// Symbol of the kernel.
        kernel: String,
        /// Error of the driver, with its log.
        source: Arc<DriverError>,
        /// Path of the saved request and the tool that replays it.
        replay: Option<(PathBuf, &'static str)>,
    },
    /// The translator library cannot be used.
    #[error("{reason}")]
    Translator {
        /// The problem, and how to solve it.
        reason: String,
    },
    /// The device cannot run the launch.
    #[error("{what} cannot be launched: {reason}")]
    Launch {
        /// Name of the kernel or device.
        what: String,
        /// The problem, and what would be accepted.
        reason: String,
    },
    /// The sizes of a launch do not fit its number of dimensions: a mistake of the caller.
    #[error("kernel `{}` cannot be launched: {reason}", readable(.kernel))]
    Dimensions {
        /// Symbol of the kernel.
        kernel: String,
        /// The problem, as a clause.
        reason: String,
    },
    /// The launch needs more local memory than a work-group can have.
    #[error("kernel `{}` on {device} cannot be launched: {excess}", readable(.kernel))]
    LocalMemory {
        /// Entry symbol of the kernel.
        kernel: String,
        /// Name of the device.
        device: String,
        /// Declared and dynamic sizes, and the limit.
        excess: LocalMemoryExcess,
    },
    /// The device does not support a requirement of the kernel.
    #[error("kernel `{}` on {device} cannot be launched: it requires {feature}", readable(.kernel))]
    Requires {
        /// Symbol of the kernel.
        kernel: String,
        /// Name of the device.
        device: String,
        /// The requirement, and what the device supports.
        feature: String,
    },
    /// The device does not support a feature.
    #[error("{device} does not support {feature}")]
    Unsupported {
        /// Name of the device.
        device: String,
        /// The missing feature.
        feature: String,
    },
    /// A command needs the results of one that failed after its submission.
    #[error("a command that it depends on failed: {cause}")]
    Depends {
        /// Error of that command.
        cause: Arc<RuntimeError>,
    },
    /// A call of the driver failed.
    #[error(transparent)]
    Driver(Arc<DriverError>),
    /// A defect of Sinter.
    #[error("internal error: {message}; please report it")]
    Internal {
        /// The violated assumption.
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
    /// Error for a bad argument; `what` names it.
    pub fn invalid(what: &'static str, reason: impl Into<String>) -> Self {
        RuntimeError::InvalidArgument { what, reason: reason.into() }
    }

    /// Converts a mismatch between arguments and parameters.
    pub(crate) fn misfit(kernel: &str, misfit: ArgumentMismatch) -> Self {
        let kernel = kernel.to_owned();
        match misfit {
            ArgumentMismatch::Count { expected, given, signature } => {
                RuntimeError::ArgumentCount { kernel, expected, given, signature }
            }
            ArgumentMismatch::Type { index, expected, given } => {
                RuntimeError::ArgumentType { kernel, index, expected, given }
            }
        }
    }

    /// The message followed by those of its causes.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut source = self.source();
        while let Some(cause) = source {
            let cause_text = cause.to_string();
            // `Container` and `TranslateError` already include their cause.
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

fn miscounted(expected: usize, given: usize, signature: &str) -> ArgumentMismatch {
    ArgumentMismatch::Count { expected, given, signature: signature.to_owned() }
}

fn mistyped(index: usize, expected: ArgumentType, given: ArgumentType) -> ArgumentMismatch {
    ArgumentMismatch::Type { index, expected, given }
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
