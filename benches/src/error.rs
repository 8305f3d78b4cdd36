//! Turns what can go wrong in a measurement into one type, with the remedy where there is one.
//!
//! *Invariant:* a missing prerequisite is exit code 2, a program that failed is 1: a script can tell "not measured" from
//! "measured and broken".

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    /// A tool or library that the measurement needs is not on this machine.
    #[error("{} is missing; {remedy}", path.display())]
    Missing {
        /// What was looked for.
        path: PathBuf,
        /// The command that provides it.
        remedy: &'static str,
    },
    /// The measurement needs something that this machine does not have and that nothing installs.
    #[error("skipped: {reason}")]
    Skipped {
        /// What is not there.
        reason: String,
    },
    /// A program could not be started at all.
    #[error("cannot start {program}")]
    Start {
        /// The program's file.
        program: String,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
    /// A program ended with a failure.
    #[error("`{command}` ended with {status}\n{stderr}")]
    Failed {
        /// The whole command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// The end of what it wrote there.
        stderr: String,
    },
    /// A program's line is not what `report.hpp` prints.
    #[error("{program} printed `{line}`, which is no reading")]
    Line {
        /// The program's file.
        program: String,
        /// What it printed.
        line: String,
        /// The parser's reason.
        #[source]
        source: serde_json::Error,
    },
    /// A program did not print a figure that the suite needs.
    #[error("{program} printed no samples of `{name}`")]
    NoReading {
        /// The program's file.
        program: String,
        /// The figure's name.
        name: String,
    },
    /// A program computed something wrong: its time means nothing.
    #[error("{program}: the results of `{name}` are wrong")]
    Wrong {
        /// The program's file.
        program: String,
        /// The figure's name.
        name: String,
    },
    /// A process did not do what was to be measured, for example translated where a disk hit was expected.
    #[error("{program}: `{name}` is {found}, expected {expected}: this run measured something else")]
    Unexpected {
        /// The program's file.
        program: String,
        /// The counter's name.
        name: String,
        /// Its value.
        found: f64,
        /// What the suite relies on.
        expected: &'static str,
    },
    /// A folder or file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
    /// A folder or file of the results cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
}

impl BenchError {
    /// The exit code of the process that ends with this error.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Missing { .. } | Self::Skipped { .. } => 2,
            _ => 1,
        }
    }
}

/// The error and what caused it, in one sentence.
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
