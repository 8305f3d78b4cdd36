//! Why stage 1 rejects a program, and the way such reasons take to the user.
//!
//! *Invariant:* what the programmer can change is a [`Cause`] with a place; what they cannot is a
//! [`Stage1Error`].

use sinter_core::container::ContainerError;
use sinter_llvm::{inkwell::builder::BuilderError, kernel_hash::KernelHashError, stage1::diagnose::Place};
use std::path::PathBuf;

/// Something in the program that stage 1 does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// The 80-bit floating-point type.
    #[error("`long double` in device code (in `{function}`); use `double` there")]
    LongDouble {
        /// Where.
        function: String,
    },
    /// Variable arguments.
    #[error("variable arguments in device code (in `{function}`); use a variadic template instead")]
    VariableArguments {
        /// Where.
        function: String,
    },
    /// An intrinsic of the host's processor.
    #[error(
        "the processor-specific operation `{intrinsic}` in device code (in `{function}`); write it in portable C++"
    )]
    TargetIntrinsic {
        /// Where.
        function: String,
        /// Name of the intrinsic.
        intrinsic: String,
    },
    /// A thread-local variable.
    #[error("the thread-local variable `{variable}` in device code (in `{function}`); pass its value to the kernel")]
    ThreadLocal {
        /// Where.
        function: String,
        /// The variable.
        variable: String,
    },
    /// A variable that changes, or that gets its value when the program starts.
    #[error(
        "the variable `{variable}` in device code (in `{function}`) is not a compile-time constant; capture it by value, pass a pointer, or make it constexpr"
    )]
    Variable {
        /// Where.
        function: String,
        /// The variable.
        variable: String,
    },
    /// A static local variable with a dynamic initialiser.
    #[error(
        "a static variable that is initialised at run time, `{variable}`, in device code (in `{function}`); make it `constexpr`"
    )]
    Guard {
        /// Where.
        function: String,
        /// The variable.
        variable: String,
    },
    /// Inline assembly.
    #[error("inline assembly in device code (in `{function}`); guard it with `if (__acpp_sscp_is_host)` or write C++")]
    InlineAsm {
        /// Where.
        function: String,
    },
    /// A kernel entry that the flattening does not understand.
    #[error("the kernel entry `{kernel}` {defect}")]
    Entry {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        defect: &'static str,
    },
    /// A bind call whose first argument is not a kernel entry.
    #[error("the first argument of `__sinter_bind_kernel` (in `{function}`) is not the address of a kernel entry")]
    Bind {
        /// Where.
        function: String,
    },
    /// A bind call whose first argument does not name a variable.
    #[error(
        "the first argument of `__sinter_bind_symbol` (in `{function}`) is not the address of a global or static variable; a `specialization_id` must be one, named as a template argument"
    )]
    BindSymbol {
        /// Where.
        function: String,
    },
    /// A required size that cannot be one.
    #[error("`{attribute}` of `{function}` takes {wanted}")]
    Requirement {
        /// The attribute, as programs spell it.
        attribute: &'static str,
        /// The function that carries it.
        function: String,
        /// What it takes.
        wanted: &'static str,
    },
    /// Two required sizes that exclude each other.
    #[error(
        "`{kernel}` needs two different sizes: `{function}`, which it calls, has `{attribute}` {new}, but {old} was required before; give both the same value"
    )]
    Conflict {
        /// The kernel.
        kernel: String,
        /// The function with the second requirement.
        function: String,
        /// The attribute, as programs spell it.
        attribute: &'static str,
        /// What was required first, in the order of SYCL's dimensions.
        old: String,
        /// What is required too.
        new: String,
    },
}

/// Why stage 1 failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stage1Error {
    /// The program was rejected; each cause has been reported.
    #[error("{count} errors in device code")]
    Rejected {
        /// How many causes were reported.
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
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// Passes causes on and counts them.
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
