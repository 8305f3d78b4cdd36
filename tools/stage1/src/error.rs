//! Errors of stage 1 and their way to the user.
//!
//! *Invariant:* an error that the programmer can fix is a [`Cause`] with a place; any other is a
//! [`Stage1Error`].

use sinter_core::container::ContainerError;
use sinter_llvm::{inkwell::builder::BuilderError, kernel_hash::KernelHashError, stage1::diagnose::Place};
use std::path::PathBuf;

/// A construct in the program that stage 1 does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// The 80-bit floating-point type.
    #[error("`long double` in device code (in `{function}`); use `double` there")]
    LongDouble {
        /// Function that uses it.
        function: String,
    },
    /// A function with variable arguments.
    #[error("variable arguments in device code (in `{function}`); use a variadic template instead")]
    VariableArguments {
        /// Function that uses it.
        function: String,
    },
    /// An intrinsic of the host's processor.
    #[error(
        "the processor-specific operation `{intrinsic}` in device code (in `{function}`); write it in portable C++"
    )]
    TargetIntrinsic {
        /// Function that uses it.
        function: String,
        /// Name of the intrinsic.
        intrinsic: String,
    },
    /// A thread-local variable.
    #[error("the thread-local variable `{variable}` in device code (in `{function}`); pass its value to the kernel")]
    ThreadLocal {
        /// Function that uses it.
        function: String,
        /// Name of the variable.
        variable: String,
    },
    /// A mutable variable, or one that is initialised at program start.
    #[error(
        "the variable `{variable}` in device code (in `{function}`) is not a compile-time constant; capture it by value, pass a pointer, or make it constexpr"
    )]
    Variable {
        /// Function that uses it.
        function: String,
        /// Name of the variable.
        variable: String,
    },
    /// A static local variable with a dynamic initialiser.
    #[error(
        "a static variable that is initialised at run time, `{variable}`, in device code (in `{function}`); make it `constexpr`"
    )]
    Guard {
        /// Function that uses it.
        function: String,
        /// Name of the variable.
        variable: String,
    },
    /// Inline assembly.
    #[error("inline assembly in device code (in `{function}`); guard it with `if (__acpp_sscp_is_host)` or write C++")]
    InlineAsm {
        /// Function that contains it.
        function: String,
    },
    /// A kernel entry of an unexpected form.
    #[error("the kernel entry `{kernel}` {defect}")]
    Entry {
        /// Name of the kernel.
        kernel: String,
        /// The defect, as part of the message.
        defect: &'static str,
    },
    /// A bind call whose first argument is not a kernel entry.
    #[error("the first argument of `__sinter_bind_kernel` (in `{function}`) is not the address of a kernel entry")]
    Bind {
        /// Function that contains the call.
        function: String,
    },
    /// A bind call whose first argument does not name a variable.
    #[error(
        "the first argument of `__sinter_bind_symbol` (in `{function}`) is not the address of a global or static variable; a `specialization_id` must be one, named as a template argument"
    )]
    BindSymbol {
        /// Function that contains the call.
        function: String,
    },
    /// A required size with an invalid value.
    #[error("`{attribute}` of `{function}` takes {wanted}")]
    Requirement {
        /// The attribute as programs write it.
        attribute: &'static str,
        /// The function that carries it.
        function: String,
        /// Description of valid values.
        wanted: &'static str,
    },
    /// Two conflicting required sizes.
    #[error(
        "`{kernel}` needs two different sizes: `{function}`, which it calls, has `{attribute}` {new}, but {old} was required before; give both the same value"
    )]
    Conflict {
        /// Name of the kernel.
        kernel: String,
        /// The function with the second requirement.
        function: String,
        /// The attribute as programs write it.
        attribute: &'static str,
        /// The size that was required first, in the order of SYCL's dimensions.
        old: String,
        /// The conflicting size.
        new: String,
    },
}

/// Reason why stage 1 failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stage1Error {
    /// The program was rejected; each cause has been reported.
    #[error("{count} errors in device code")]
    Rejected {
        /// Number of causes that were reported.
        count: usize,
    },
    /// LLVM's builder refused an instruction: a defect of stage 1.
    #[error("internal error in Sinter's stage 1: {0}")]
    Builder(#[from] BuilderError),
    /// LLVM refused a pipeline: a defect of stage 1.
    #[error("internal error in Sinter's stage 1: {0}")]
    Passes(String),
    /// The container cannot be written.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A kernel has no digest: a defect of stage 1.
    #[error("internal error in Sinter's stage 1: {0}")]
    Hash(#[from] KernelHashError),
    /// The container cannot be written to a file.
    #[error("cannot write the container to `{}`: {source}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
}

/// Forwards causes to a sink and counts them.
pub struct Reporter<'r> {
    sink: &'r mut dyn FnMut(Place<'_>, &Cause),
    count: usize,
}

impl std::fmt::Debug for Reporter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reporter").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<'r> Reporter<'r> {
    /// Reports to `sink`.
    pub fn new(sink: &'r mut dyn FnMut(Place<'_>, &Cause)) -> Self {
        Reporter { sink, count: 0 }
    }

    /// Reports a cause.
    pub(crate) fn report(&mut self, place: Place<'_>, cause: &Cause) {
        self.count += 1;
        (self.sink)(place, cause);
    }

    /// Fails if anything was reported.
    pub(crate) fn accept(&self) -> Result<(), Stage1Error> {
        if self.count == 0 { Ok(()) } else { Err(Stage1Error::Rejected { count: self.count }) }
    }
}
