//! Results of one part of the CPU suite, and the programs that they come from.
//!
//! *Invariant:* a program runs on the host device alone.

use std::path::PathBuf;

use crate::error::BenchError;
use crate::figure::Figure;
use crate::run::{Program, Readings};

/// What a part adds to the report.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) figures: Vec<Figure>,
    pub(super) notes: Vec<String>,
}

impl From<Vec<Figure>> for Findings {
    fn from(figures: Vec<Figure>) -> Self {
        Self { figures, notes: Vec::new() }
    }
}

/// A program on the host device alone: looking for other devices is no part of any figure here.
pub(super) fn host_program(path: PathBuf) -> Program {
    Program::new(path).variable("SINTER_VISIBILITY_MASK", "host")
}

/// Runs a program that must not have translated anything while its clock ran.
pub(super) fn run_warm(program: &Program) -> Result<Readings, BenchError> {
    let readings = program.run()?;
    readings.require("translated", "0 kernels", |count| count == 0.0)?;
    Ok(readings)
}
