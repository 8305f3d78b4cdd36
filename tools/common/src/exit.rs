//! Exit codes and messages.
//!
//! *Invariant:* a tool ends only here; a panic is reported as a defect, with exit status 3.

use sinter_core::names::printable;
use std::{
    fmt::Display,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
};

/// Reason for which a tool failed. Each variant has its own exit status.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The input was rejected, or a file could not be read or written.
    #[error("{0}")]
    Rejected(String),
    /// The command line is invalid.
    #[error("{0}")]
    Usage(String),
    /// A child process that did the work ended with this status. It has printed the reason.
    #[error("a child process ended with status {0}")]
    Reported(u8),
    /// A defect of the tool.
    #[error("internal error: {0}; please report it")]
    Defect(String),
}

impl ToolError {
    /// Rejects an input or file, with the reason.
    pub fn rejected(reason: impl Display) -> Self {
        ToolError::Rejected(reason.to_string())
    }

    /// Rejects the command line, with the reason.
    pub fn usage(reason: impl Display) -> Self {
        ToolError::Usage(reason.to_string())
    }

    /// Exit status for this failure.
    pub fn code(&self) -> u8 {
        match self {
            ToolError::Rejected(_) => 1,
            ToolError::Usage(_) => 2,
            ToolError::Reported(status) => *status,
            ToolError::Defect(_) => 3,
        }
    }
}

/// Escapes control characters of a message: parts of it may come from a damaged file and would
/// reach the terminal.
fn lines(message: &str) -> String {
    message.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// Runs a tool and turns its result into messages and an exit status. Exceeding the file size limit
/// is an ordinary error, not a signal.
pub fn run(tool: &str, body: impl FnOnce() -> Result<(), ToolError>) -> ExitCode {
    sinter_signals::with_signals_blocked(|| run_quietly(tool, body))
}

fn run_quietly(tool: &str, body: impl FnOnce() -> Result<(), ToolError>) -> ExitCode {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(ToolError::Defect("panic".to_owned())));
    let Err(error) = result else { return ExitCode::SUCCESS };
    if let ToolError::Reported(status) = error {
        return ExitCode::from(status);
    }
    let hint =
        if matches!(error, ToolError::Usage(_)) { format!("{tool}: try `{tool} --help`\n") } else { String::new() };
    // A failed write is ignored: the exit status reports the error as well.
    let _ = io::stderr().write_all(format!("{tool}: error: {}\n{hint}", lines(&error.to_string())).as_bytes());
    ExitCode::from(error.code())
}
