//! Causes for which stage 1 rejects a program, and their way to the user.
//!
//! *Invariant:* errors that the programmer can fix are a [`Cause`] with a place; all others are a
//! [`Stage1Error`].

use sinter_core::container::ContainerError;
use sinter_llvm::{inkwell::builder::BuilderError, kernel_hash::KernelHashError, stage1::diagnose::Place};
use std::path::PathBuf;

/// A construct that stage 1 does not accept in device code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// Use of the 80-bit floating-point type.
    #[error("`long double` in device code (in `{function}`); use `double` there")]
    LongDouble {
        /// Readable name of the function that has the construct.
        function: String,
    },
    /// A function with variable arguments.
    #[error("variable arguments in device code (in `{function}`); use a variadic template instead")]
    VariableArguments {
        /// Readable name of the function that has the construct.
        function: String,
    },
    /// An intrinsic of the host's processor.
    #[error(
        "the processor-specific operation `{intrinsic}` in device code (in `{function}`); write it in portable C++"
    )]
    TargetIntrinsic {
        /// Readable name of the function that has the construct.
        function: String,
        /// Name of the intrinsic.
        intrinsic: String,
    },
    /// Use of a thread-local variable.
    #[error("the thread-local variable `{variable}` in device code (in `{function}`); pass its value to the kernel")]
    ThreadLocal {
        /// Readable name of the function that has the construct.
        function: String,
        /// Readable name of the variable.
        variable: String,
    },
    /// Use of a variable that is not constant, or that is initialised when the program starts.
    #[error(
        "the variable `{variable}` in device code (in `{function}`) is not a compile-time constant; capture it by value, pass a pointer, or make it constexpr"
    )]
    Variable {
        /// Readable name of the function that has the construct.
        function: String,
        /// Readable name of the variable.
        variable: String,
    },
    /// A device global without a constant initial value.
    #[error(
        "the device_global `{variable}` in device code (in `{function}`) is initialised at run time; its value must be a constant expression: give its type a constexpr constructor"
    )]
    DeviceGlobal {
        /// Readable name of the function that has the construct.
        function: String,
        /// Readable name of the variable.
        variable: String,
    },
    /// A static local variable with a dynamic initialiser.
    #[error(
        "a static variable that is initialised at run time, `{variable}`, in device code (in `{function}`); make it `constexpr`"
    )]
    Guard {
        /// Readable name of the function that has the construct.
        function: String,
        /// Readable name of the variable.
        variable: String,
    },
    /// Inline assembly in a function.
    #[error("inline assembly in device code (in `{function}`); guard it with `if (__acpp_sscp_is_host)` or write C++")]
    InlineAsm {
        /// Readable name of the function that has the construct.
        function: String,
    },
    /// A handler for exceptions.
    #[error("a `catch` block in device code (in `{function}`)")]
    Catch {
        /// Readable name of the function that has the construct.
        function: String,
    },
    /// Use of something that only the host has.
    #[error("`{symbol}`, which no device has, in device code (in `{function}`)")]
    Undefined {
        /// Readable name of the function that has the construct.
        function: String,
        /// Readable name of the function or variable.
        symbol: String,
    },
    /// Use of the address of a constant or function, of which a device has a copy of its own.
    #[error("the address of `{symbol}`, which is another one on a device, in device code (in `{function}`)")]
    Address {
        /// Readable name of the function that uses it.
        function: String,
        /// Readable name of the constant or function.
        symbol: String,
    },
    /// An algorithm that the C++ library runs, since no kernel takes its types.
    #[error("`{algorithm}` with {with}: {reason}")]
    Library {
        /// Name of the algorithm.
        algorithm: String,
        /// The types of its iterators, values and callables.
        with: String,
        /// The reason.
        reason: String,
    },
    /// A kernel entry without the form that the flattening expects.
    #[error("the kernel entry `{kernel}` {defect}")]
    Entry {
        /// Readable name of the kernel.
        kernel: String,
        /// The deviation from the expected form.
        defect: &'static str,
    },
    /// A kernel that has other parameters, or none, in the parse for devices.
    #[error(
        "the kernel `{kernel}` is another one when the source is parsed for devices, or is not there; its head must not depend on `__CUDA_ARCH__` or `__HIP_DEVICE_COMPILE__`"
    )]
    OtherOnDevices {
        /// Readable name of the kernel.
        kernel: String,
    },
    /// A variable that has another size, alignment or value in the parse for devices, or that only
    /// this parse defines.
    #[error(
        "the variable `{variable}` is another one when the source is parsed for devices, or is there only; its definition must not depend on `__CUDA_ARCH__` or `__HIP_DEVICE_COMPILE__`"
    )]
    OtherVariableOnDevices {
        /// Readable name of the variable.
        variable: String,
    },
    /// A bind call whose first argument is not a kernel entry.
    #[error("the first argument of `__sinter_bind_kernel` (in `{function}`) is not the address of a kernel entry")]
    Bind {
        /// Readable name of the function with the call.
        function: String,
    },
    /// A bind call whose first argument does not name a variable.
    #[error(
        "the first argument of `__sinter_bind_symbol` (in `{function}`) is not the address of a global or static variable; a `specialization_id` must be one, named as a template argument"
    )]
    BindSymbol {
        /// Readable name of the function with the call.
        function: String,
    },
    /// A required size with an invalid value.
    #[error("`{attribute}` of `{function}` takes {wanted}")]
    Requirement {
        /// The attribute as programs write it.
        attribute: &'static str,
        /// Readable name of the function with the attribute.
        function: String,
        /// The values that the attribute accepts.
        wanted: &'static str,
    },
    /// Two required sizes that contradict each other.
    #[error(
        "`{kernel}` needs two different sizes: `{function}`, which it calls, has `{attribute}` {new}, but {old} was required before; give both the same value"
    )]
    Conflict {
        /// Readable name of the kernel.
        kernel: String,
        /// Readable name of the function with the second requirement.
        function: String,
        /// The attribute as programs write it.
        attribute: &'static str,
        /// The first requirement, in the order of SYCL's dimensions.
        old: String,
        /// The second requirement, in the same order.
        new: String,
    },
}

/// Error that ends stage 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stage1Error {
    /// The program was rejected; each cause has been reported.
    #[error("{count} errors in device code")]
    Rejected {
        /// Number of reported causes.
        count: usize,
    },
    /// LLVM's builder rejected an instruction: a defect of stage 1.
    #[error("internal error in Sinter's stage 1: {0}")]
    Builder(#[from] BuilderError),
    /// LLVM rejected a pipeline: a defect of stage 1.
    #[error("internal error in Sinter's stage 1: {0}")]
    Passes(String),
    /// LLVM rejected a function of our library: a defect of stage 1.
    #[error("internal error in Sinter's stage 1: {0}")]
    Library(String),
    /// The container could not be built.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A kernel has no digest: a defect of stage 1.
    #[error("internal error in Sinter's stage 1: {0}")]
    Hash(#[from] KernelHashError),
    /// The module of a parse for devices could not be read.
    #[error("cannot read the device code of `{}`: {cause}; compile the source with sinter-cc", path.display())]
    Read {
        /// Path of the module.
        path: PathBuf,
        /// Error of LLVM.
        cause: String,
    },
    /// The container could not be written to a file.
    #[error("cannot write the container to `{}`: {source}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
}

/// Effect of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The program is rejected.
    Error,
    /// An algorithm stays on the host.
    LeavesOut,
}

/// Forwards causes to a sink and counts the errors.
pub struct Reporter<'r> {
    sink: &'r mut dyn FnMut(Place<'_>, &Cause, Effect),
    count: usize,
}

impl std::fmt::Debug for Reporter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reporter").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<'r> Reporter<'r> {
    /// A reporter that calls `sink` for each cause.
    pub fn new(sink: &'r mut dyn FnMut(Place<'_>, &Cause, Effect)) -> Self {
        Reporter { sink, count: 0 }
    }

    /// Forwards a cause to the sink.
    pub(crate) fn report(&mut self, place: Place<'_>, cause: &Cause) {
        self.count += 1;
        (self.sink)(place, cause, Effect::Error);
    }

    /// Forwards the cause for which an algorithm stays on the host.
    pub(crate) fn leave_out(&mut self, place: Place<'_>, cause: &Cause) {
        (self.sink)(place, cause, Effect::LeavesOut);
    }

    /// An error if any cause was reported.
    pub(crate) fn accept(&self) -> Result<(), Stage1Error> {
        if self.count == 0 { Ok(()) } else { Err(Stage1Error::Rejected { count: self.count }) }
    }
}
