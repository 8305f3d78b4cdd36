//! Runs a program and parses the JSON lines of `report.hpp`; rejects wrong results.
//!
//! *Invariant:* a reading with a wrong result never becomes a figure.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::error::BenchError;
use crate::stats;

// Largest part of a failed program's stderr that is shown, from the end, in bytes.
const STDERR_LIMIT: usize = 4000;

/// One reported line of a program.
#[derive(Debug, PartialEq, serde::Deserialize)]
struct Reading {
    name: String,
    samples: Vec<f64>,
    // `None` for figures without a checkable result.
    verified: Option<bool>,
}

/// All readings of one process.
#[derive(Debug)]
pub(crate) struct Readings {
    program: String,
    readings: Vec<Reading>,
}

impl Readings {
    /// The median of the samples under `name`.
    pub(crate) fn median(&self, name: &str) -> Result<f64, BenchError> {
        let found = self.readings.iter().find(|reading| reading.name == name);
        found
            .and_then(|reading| stats::median(&reading.samples))
            .ok_or_else(|| BenchError::NoReading { program: self.program.clone(), name: name.to_owned() })
    }

    /// Rejects the process unless the value under `name` satisfies `holds`, which `expected`
    /// describes.
    pub(crate) fn require(
        &self,
        name: &str,
        expected: &'static str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<(), BenchError> {
        let found = self.median(name)?;
        if holds(found) {
            return Ok(());
        }
        Err(BenchError::Unexpected { program: self.program.clone(), name: name.to_owned(), found, expected })
    }

    fn parse(program: &Path, text: &str) -> Result<Self, BenchError> {
        let program = program.display().to_string();
        let mut readings = Vec::new();
        for line in text.lines() {
            let reading: Reading = serde_json::from_str(line).map_err(|source| BenchError::Line {
                program: program.clone(),
                line: line.to_owned(),
                source,
            })?;
            if reading.verified == Some(false) {
                return Err(BenchError::Wrong { program, name: reading.name });
            }
            readings.push(reading);
        }
        Ok(Self { program, readings })
    }
}

/// A program with its arguments, run once per round.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    path: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, PathBuf)>,
}

impl Program {
    /// The program at `path`, without arguments.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, arguments: Vec::new(), environment: Vec::new() }
    }

    /// Adds arguments.
    pub(crate) fn arguments<T: ToString>(mut self, arguments: impl IntoIterator<Item = T>) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.to_string()));
        self
    }

    /// Sets an environment variable.
    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<PathBuf>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// Runs the program and returns its readings.
    pub(crate) fn run(&self) -> Result<Readings, BenchError> {
        let output = finish(&mut self.command())?;
        Readings::parse(&self.path, &output)
    }

    /// Runs a program that must not translate while its clock runs.
    pub(crate) fn run_warm(&self) -> Result<Readings, BenchError> {
        let readings = self.run()?;
        readings.require("translated", "0 kernels", |count| count == 0.0)?;
        Ok(readings)
    }

    /// Runs the program and returns the seconds from start to end of the process.
    pub(crate) fn seconds(&self) -> Result<f64, BenchError> {
        let start = Instant::now();
        finish(&mut self.command())?;
        Ok(start.elapsed().as_secs_f64())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        // Cargo's value would select the runtime of the build folder instead of the measured one.
        command.args(&self.arguments).env_remove("LD_LIBRARY_PATH");
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }
}

/// Runs `command` to its end and returns its stdout.
pub(crate) fn finish(command: &mut Command) -> Result<String, BenchError> {
    let output = command.output().map_err(|source| BenchError::Start {
        program: command.get_program().to_string_lossy().into_owned(),
        source,
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(BenchError::Failed { command: words(command), status: output.status, stderr: tail(&output.stderr) })
}

/// Runs `ours` and `peer` `rounds` times in turn. The order alternates, so that neither profits
/// from the other.
pub(crate) fn alternate<A, B>(
    part: &str,
    rounds: usize,
    mut ours: impl FnMut() -> Result<A, BenchError>,
    mut peer: impl FnMut() -> Result<B, BenchError>,
) -> Result<Vec<(A, B)>, BenchError> {
    (0..rounds)
        .map(|round| {
            eprintln!("{part}: round {} of {rounds}", round + 1);
            if round % 2 == 0 {
                let first = ours()?;
                return Ok((first, peer()?));
            }
            let first = peer()?;
            Ok((ours()?, first))
        })
        .collect()
}

/// The median under `name` of each process.
pub(crate) fn medians<'a>(
    processes: impl IntoIterator<Item = &'a Readings>,
    name: &str,
) -> Result<Vec<f64>, BenchError> {
    processes.into_iter().map(|process| process.median(name)).collect()
}

fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn tail(stderr: &[u8]) -> String {
    let start = stderr.len().saturating_sub(STDERR_LIMIT);
    String::from_utf8_lossy(&stderr[start..]).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPY: &str = r#"{"name":"copy","unit":"s","samples":[3,1,2],"minimum":1,"median":2,"verified":true}"#;

    fn shell(script: &str) -> Program {
        Program::new("/bin/sh".into()).arguments(["-c", script])
    }

    #[test]
    fn a_program_reports_one_line_per_figure() {
        let readings = shell(&format!("echo '{COPY}'")).run().unwrap();
        assert_eq!(readings.median("copy").unwrap(), 2.0);
        assert!(matches!(readings.median("triad"), Err(BenchError::NoReading { .. })));
    }

    #[test]
    fn wrong_results_are_no_reading() {
        let script = format!("echo '{}'", COPY.replace("true", "false"));
        assert!(matches!(shell(&script).run(), Err(BenchError::Wrong { name, .. }) if name == "copy"));
    }

    #[test]
    fn a_line_that_is_no_reading_is_an_error_that_shows_it() {
        let error = shell("echo hello").run().unwrap_err();
        assert!(error.to_string().contains("`hello`"), "{error}");
    }

    #[test]
    fn a_failed_program_shows_its_command_and_stderr() {
        let error = shell("echo no device >&2; exit 3").run().unwrap_err().to_string();
        assert!(error.contains("/bin/sh -c") && error.contains("no device") && error.contains('3'), "{error}");
    }

    #[test]
    fn a_program_that_cannot_start_is_named() {
        let error = Program::new("/nonexistent/stream".into()).run().unwrap_err();
        assert!(error.to_string().contains("/nonexistent/stream"), "{error}");
    }

    #[test]
    fn variables_and_arguments_reach_the_program() {
        let program = shell(r#"test "$SINTER_CACHE_DIR" = /x/y && test "$1" = 7"#).arguments(["sh", "7"]);
        assert!(program.variable("SINTER_CACHE_DIR", "/x/y").seconds().unwrap() > 0.0);
    }

    #[test]
    fn a_condition_that_does_not_hold_names_what_was_found() {
        let readings = Readings::parse(Path::new("first"), COPY).unwrap();
        assert!(readings.require("copy", "2", |value| value == 2.0).is_ok());
        let error = readings.require("copy", "none", |value| value == 0.0).unwrap_err();
        assert!(error.to_string().contains("`copy` is 2, expected none"), "{error}");
    }

    #[test]
    fn rounds_alternate_who_goes_first() {
        let order = std::cell::RefCell::new(String::new());
        let step = |name: &'static str| {
            order.borrow_mut().push_str(name);
            Ok(name)
        };
        let rounds = alternate("test", 3, || step("A"), || step("B")).unwrap();
        assert_eq!(rounds, [("A", "B"); 3]);
        assert_eq!(order.into_inner(), "ABBAAB");
    }
}
