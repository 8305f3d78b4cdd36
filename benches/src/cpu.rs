//! Combines the parts of the CPU suite in one report.
//!
//! The order here is the order of the table. Each part builds its programs, runs them beside their
//! peers and returns figures; goals come from the project's table of targets.
//!
//! *Invariant:* a failed part never hides the others: its reason is reported and the suite
//! continues.

mod buffers;
mod compile;
mod findings;
mod first;
mod groups;
mod launch;
mod many;
mod programs;
mod start;
mod stdpar;
mod stream;

use crate::error::{self, BenchError};
use crate::floor;
use crate::lab::Lab;
use crate::machine;
use crate::output::Report;
use findings::Findings;

/// A part of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// copy, mul, add and triad beside OpenMP.
    Stream,
    /// Kernels with barriers, local memory and reductions beside OpenMP.
    Groups,
    /// Parallel algorithms of ISO C++ beside libstdc++ over TBB.
    Stdpar,
    /// An empty kernel, submitted and completed.
    Launch,
    /// Commands with accessors beside USM in an in-order queue.
    Buffers,
    /// From the first call to the first queue.
    Start,
    /// The first launch of a small kernel: cold, from disk, repeated; peak memory.
    First,
    /// One kernel of a translation unit with 1, 100 and 10,000.
    Many,
    /// First processes of 20 small programs beside their second ones.
    Programs,
    /// Compiling a program with one kernel.
    Compile,
}

const PARTS: [Part; 10] = [
    Part::Stream,
    Part::Groups,
    Part::Stdpar,
    Part::Launch,
    Part::Buffers,
    Part::Start,
    Part::First,
    Part::Many,
    Part::Programs,
    Part::Compile,
];

impl Part {
    fn measure(self, lab: &Lab) -> Result<Findings, BenchError> {
        match self {
            Self::Stream => stream::measure(lab),
            Self::Groups => groups::measure(lab),
            Self::Stdpar => stdpar::measure(lab),
            Self::Launch => launch::measure(lab),
            Self::Buffers => buffers::measure(lab),
            Self::Start => start::measure(lab),
            Self::First => first::measure(lab),
            Self::Many => many::measure(lab),
            Self::Programs => programs::measure(lab),
            Self::Compile => compile::measure(lab),
        }
    }

    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// Measures the parts in `only`, or all of them if it is empty.
pub(crate) fn run(lab: &Lab, only: &[Part]) -> Result<Report, BenchError> {
    let mut report = Report::new("cpu", machine::describe(lab));
    let watch = machine::Watch::start();
    let mut floors = Vec::new();
    for part in PARTS.into_iter().filter(|part| only.is_empty() || only.contains(part)) {
        match part.measure(lab) {
            Ok(found) => {
                report.figures.extend(found.figures);
                report.notes.extend(found.notes);
                floors.extend(found.floors);
            }
            Err(error) => fail(&mut report, part.name(), error)?,
        }
    }
    report.tables = floor::section(&floors).into_iter().collect();
    report.notes.extend(watch.finish());
    Ok(report)
}

/// Notes a part that failed. Without what all parts need, there is no report.
fn fail(report: &mut Report, part: String, error: BenchError) -> Result<(), BenchError> {
    if let BenchError::Missing { .. } = error {
        return Err(error);
    }
    report.failures.push((part, error::with_causes(&error)));
    Ok(())
}
