//! Exit codes and messages.
//!
//! *Invariant:* a tool ends here and nowhere else; a panic is reported as a defect, with exit status 3.

use sinter_core::names::printable;
use std::{
    fmt::Display,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
};

/// Why a tool failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The input was read and refused, or a file could not be read or written.
    #[error("{0}")]
    Rejected(String),
    /// The command line makes no sense.
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
    /// An input or file that was refused, with the reason.
    pub fn rejected(reason: impl Display) -> Self {
        ToolError::Rejected(reason.to_string())
    }

    /// A command line that makes no sense, with the reason.
    pub fn usage(reason: impl Display) -> Self {
        ToolError::Usage(reason.to_string())
    }

    /// The exit status for this failure.
    pub fn code(&self) -> u8 {
        match self {
            ToolError::Rejected(_) => 1,
            ToolError::Usage(_) => 2,
            ToolError::Reported(status) => *status,
            ToolError::Defect(_) => 3,
        }
    }
}

/// A message whose parts may come from a damaged file, and could command the terminal.
fn lines(message: &str) -> String {
    message.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// Runs a tool and turns its result into messages and an exit status. A file that would become too large is an error like any
/// other.
pub fn run(tool: &str, body: impl FnOnce() -> Result<(), ToolError>) -> ExitCode {
    sinter_signals::quiet(|| run_quietly(tool, body))
}

fn run_quietly(tool: &str, body: impl FnOnce() -> Result<(), ToolError>) -> ExitCode {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(ToolError::Defect("panic".to_owned())));
    let Err(error) = result else { return ExitCode::SUCCESS };
    if let ToolError::Reported(status) = error {
        return ExitCode::from(status);
    }
    let hint =
        if matches!(error, ToolError::Usage(_)) { format!("{tool}: try `{tool} --help`\n") } else { String::new() };
    // The status says it as well, should there be no room for a message.
    let _ = io::stderr().write_all(format!("{tool}: error: {}\n{hint}", lines(&error.to_string())).as_bytes());
    ExitCode::from(error.code())
}
