//! Why a kernel traps.
//!
//! In: a call of `llvm.trap`, which may say what it stands for. Out: words for the report. *Invariant:* stage 1 and the step
//! `imports` decide what becomes a trap; this only says what it was.

use sinter_llvm::ir::Value;

/// What a trap replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TrapCause {
    /// An exception would be thrown or passed on.
    Exception,
    /// `abort` was called.
    Abort,
    /// Something else, or nothing that is known.
    Other,
}

impl TrapCause {
    pub(crate) fn of(trap: Value<'_>) -> Self {
        match trap.trap_cause().as_deref() {
            Some("exception") => TrapCause::Exception,
            Some("abort") => TrapCause::Abort,
            _ => TrapCause::Other,
        }
    }

    /// What the kernel did, and what to do instead.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            TrapCause::Exception => {
                "it threw an exception, and kernels cannot throw: store an error code in memory and throw on the host"
            }
            TrapCause::Abort => "it called abort; return from the kernel and store an error code for the host to go on",
            TrapCause::Other => "it ended itself: a failed check, std::terminate or a trap",
        }
    }

    /// What did not hold, as an assertion.
    pub(crate) fn assertion(self) -> &'static str {
        match self {
            TrapCause::Exception => "no exception (kernels cannot throw: store an error code in memory)",
            TrapCause::Abort => "no abort (return from the kernel and store an error code to go on)",
            TrapCause::Other => "no failed check, std::terminate or trap",
        }
    }
}
