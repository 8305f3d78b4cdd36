//! Names the cause of a trap for reports.
//!
//! In: a call of `llvm.trap`, whose attribute may name a cause. Out: the sentence of the report.
//! *Invariant:* stage 1 and the step `imports` decide what becomes a trap; this module only names
//! the cause.

use sinter_llvm::ir::Value;

/// The source construct that became a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TrapCause {
    /// An exception would be thrown or rethrown.
    Exception,
    /// A call of `abort`.
    Abort,
    /// `std::terminate`, called by the source, by a `noexcept` function or for a pure virtual one.
    Terminate,
    /// Another or an unknown cause.
    Other,
}

impl TrapCause {
    pub(crate) fn of(trap: Value<'_>) -> Self {
        match trap.trap_cause().as_deref() {
            Some("exception") => TrapCause::Exception,
            Some("abort") => TrapCause::Abort,
            Some("terminate") => TrapCause::Terminate,
            _ => TrapCause::Other,
        }
    }

    /// True if the C++ library would call `std::terminate` on the host.
    pub(crate) fn terminates(self) -> bool {
        matches!(self, TrapCause::Exception | TrapCause::Terminate)
    }

    /// Sentence for Sinter's own report: what the kernel did, and what to do instead.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            TrapCause::Exception => {
                "it threw an exception, and kernels cannot throw: store an error code in memory and throw on the host"
            }
            TrapCause::Abort => "it called abort; return from the kernel and store an error code for the host to go on",
            TrapCause::Terminate => {
                "it called std::terminate, as a noexcept function does that throws, or a pure virtual function"
            }
            TrapCause::Other => "it ended itself: a failed check or a trap",
        }
    }

    /// The cause in the form of a failed condition, as device assertions print it.
    pub(crate) fn assertion(self) -> &'static str {
        match self {
            TrapCause::Exception => "no exception (kernels cannot throw: store an error code in memory)",
            TrapCause::Abort => "no abort (return from the kernel and store an error code to go on)",
            TrapCause::Terminate => "no std::terminate (nor a noexcept function that throws)",
            TrapCause::Other => "no failed check or trap",
        }
    }
}
