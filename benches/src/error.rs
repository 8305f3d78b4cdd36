//! Errors of a measurement, with the remedy if there is one.
//!
//! *Invariant:* a missing prerequisite has exit code 2, a failed program 1: a script can
//! distinguish "not measured" from "measured and failed".

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Reason for which there is no figure.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    /// The machine lacks a tool or library that the measurement needs.
    #[error("{} is missing; {remedy}", path.display())]
    Missing {
        /// Path of the missing file.
        path: PathBuf,
        /// The command that provides it.
        remedy: &'static str,
    },
    /// The machine lacks a prerequisite that no command installs.
    #[error("skipped: {reason}")]
    Skipped {
        /// The missing prerequisite.
        reason: String,
    },
    /// A program could not be started.
    #[error("cannot start {program}")]
    Start {
        /// Path of the program.
        program: String,
        /// Error of the system.
        #[source]
        source: std::io::Error,
    },
    /// A program exited with a failure.
    #[error("`{command}` ended with {status}\n{stderr}")]
    Failed {
        /// Full command line.
        command: String,
        /// Exit status of the program.
        status: ExitStatus,
        /// End of its standard error.
        stderr: String,
    },
    /// A line of a program does not have the form of `report.hpp`.
    #[error("{program} printed `{line}`, which is not a reading")]
    Line {
        /// Path of the program.
        program: String,
        /// The invalid line.
        line: String,
        /// Error of the parser.
        #[source]
        source: serde_json::Error,
    },
    /// A program did not report a figure that the suite needs.
    #[error("{program} printed no samples of `{name}`")]
    NoReading {
        /// Path of the program.
        program: String,
        /// Name of the figure.
        name: String,
    },
    /// A program computed a wrong result, which makes its time meaningless.
    #[error("{program}: the results of `{name}` are wrong")]
    Wrong {
        /// Path of the program.
        program: String,
        /// Name of the figure.
        name: String,
    },
    /// A process did not do the measured operation; for example, it translated where a disk hit was
    /// expected.
    #[error("{program}: `{name}` is {found}, expected {expected}: this run measured something else")]
    Unexpected {
        /// Path of the program.
        program: String,
        /// Name of the counter.
        name: String,
        /// Value of the counter.
        found: f64,
        /// The condition that the suite expects.
        expected: &'static str,
    },
    /// A folder or file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the system.
        #[source]
        source: std::io::Error,
    },
    /// A folder or file of the results cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the system.
        #[source]
        source: std::io::Error,
    },
}

impl BenchError {
    /// Exit code of a process that ends with this error.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Missing { .. } | Self::Skipped { .. } => 2,
            _ => 1,
        }
    }
}

/// The error and its causes, in one sentence.
pub(crate) fn with_causes(error: &BenchError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_names_the_remedy_and_exits_with_2() {
        let error = BenchError::Missing { path: "dist/bin/sinter-cc".into(), remedy: "run `cargo xtask build`" };
        assert_eq!(error.to_string(), "dist/bin/sinter-cc is missing; run `cargo xtask build`");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn causes_follow_the_error() {
        let source = std::io::Error::other("disk full");
        let error = BenchError::Write { path: "cpu.json".into(), source };
        assert_eq!(with_causes(&error), "cannot write cpu.json: disk full");
    }

    #[test]
    fn a_wrong_result_exits_with_1() {
        let error = BenchError::Wrong { program: "stream".into(), name: "copy".into() };
        assert_eq!(error.exit_code(), 1);
    }
}
