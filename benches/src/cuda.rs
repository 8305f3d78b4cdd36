//! Combines the parts of the GPU suite in one report.
//!
//! Sinter's programs are compiled on a machine with sinter-cc, the peers on the one with nvcc and
//! the GPU; `stage` makes a folder with everything that the second machine needs. There each part
//! runs its program beside its peer and returns figures and floors.
//!
//! *Invariant:* a failed part never hides the others: its reason is reported and the suite
//! continues. Without a GPU nothing is measured and the reason is returned.

mod arguments;
mod buffers;
pub(crate) mod cases;
mod compile;
mod findings;
mod first;
mod floors;
mod observed;
mod place;
mod programs;
mod stage;
mod toolkit;

use std::path::{Path, PathBuf};

pub(crate) use arguments::{Arguments, Part};

use crate::contest::{self, Outcome};
use crate::error::{self, BenchError};
use crate::figure::{Figure, Goal};
use crate::floor::{self, Floor};
use crate::output::{self, Report};
use crate::pair::Effort;
use crate::session::Session;
use cases::Row;
use findings::Findings;
use floors::Ceilings;
use place::Place;

const REHEARSAL: &str = "A REHEARSAL on whatever device there is: small sizes, and the peers are Sinter's own programs. No \
                         number here means anything.";

const PARTS: [Part; 10] = [
    Part::Stream,
    Part::Fixed,
    Part::Special,
    Part::Observed,
    Part::Patterns,
    Part::Launch,
    Part::Buffers,
    Part::Compile,
    Part::First,
    Part::Programs,
];

/// Stages, or measures; returns the report with its folder.
pub(crate) fn run(
    arguments: &Arguments,
    quick: bool,
    output: Option<PathBuf>,
) -> Result<Option<(PathBuf, Report)>, BenchError> {
    if let Some(folder) = &arguments.stage {
        stage::fill(folder)?;
        eprintln!("{} is complete; bench.sh in it measures", folder.display());
        return Ok(None);
    }
    let place = Place::open(arguments, output)?;
    let report = measure(&place, &arguments.only, &Effort::of(quick || arguments.rehearse))?;
    Ok(Some((place.output.clone(), report)))
}

fn measure(place: &Place, only: &[Part], effort: &Effort) -> Result<Report, BenchError> {
    let mut report = Report::new("cuda", toolkit::describe(place.toolkit.as_ref()));
    report.notes.extend(place.rehearsal.then(|| REHEARSAL.to_owned()));
    let mut floors = Vec::new();
    let ceilings = ceilings(place, effort).map_err(|error| note(&mut report, place, "ceilings", &error)).ok();
    report.notes.extend(ceilings.map(|known| known.describe()));
    for part in PARTS.into_iter().filter(|part| only.is_empty() || only.contains(part)) {
        eprintln!("{}", part.name());
        match part.measure(place, effort, ceilings.as_ref()) {
            Ok(found) => part.add(found, &mut report, &mut floors),
            Err(error) => note(&mut report, place, &part.name(), &error),
        }
        report.tables = floor::section(&floors).into_iter().collect();
        // Saves the results so far, in case a later part crashes the process.
        output::save(&place.output, &report)?;
    }
    report.notes.extend(toolkit::state().map(|state| format!("The GPU afterwards: {state}.")));
    Ok(report)
}

// A rehearsal skips some parts on purpose.
fn note(report: &mut Report, place: &Place, part: &str, error: &BenchError) {
    let reason = error::with_causes(error);
    eprintln!("{part}: {reason}");
    match error {
        BenchError::Skipped { .. } if place.rehearsal => report.notes.push(format!("{part}: {reason}")),
        _ => report.failures.push((part.to_owned(), reason)),
    }
}

fn ceilings(place: &Place, effort: &Effort) -> Result<Ceilings, BenchError> {
    if place.rehearsal {
        return Err(BenchError::Skipped { reason: "a rehearsal has no ceilings".to_owned() });
    }
    Ceilings::measure(&mut Session::serve(&mut place.command(&place.peer("ceilings")?))?, effort)
}

impl Part {
    fn measure(self, place: &Place, effort: &Effort, known: Option<&Ceilings>) -> Result<Findings, BenchError> {
        match self {
            Self::Stream => suite(place, effort, "stream", &cases::STREAM, known),
            Self::Fixed => suite(place, effort, "fixed", &cases::FIXED, known),
            Self::Special => suite(place, effort, "special", &cases::SPECIAL, known),
            Self::Observed => observed::measure(place, effort),
            Self::Patterns => suite(place, effort, "patterns", &cases::PATTERNS, known),
            Self::Launch => suite(place, effort, "launch", &cases::LAUNCH, known),
            Self::Buffers => buffers::measure(place, effort),
            Self::Compile => compile::measure(place, effort),
            Self::First => first::measure(place, effort),
            Self::Programs => programs::measure(place, effort),
        }
    }

    fn add(self, found: Findings, report: &mut Report, floors: &mut Vec<Floor>) {
        let mean = self.mean(&found);
        report.notes.extend(found.notes);
        report.figures.extend(found.figures.into_iter().chain(mean));
        report.failures.extend(found.failures);
        floors.extend(found.floors);
    }

    // The mean of suites that have a goal for all of their kernels together. For a part of them it
    // has no goal.
    fn mean(self, found: &Findings) -> Option<Figure> {
        let goal = match self {
            Self::Fixed | Self::Patterns => 1.0,
            Self::Special => 1.0 / 1.3,
            _ => return None,
        };
        let (mean, name, count) = (contest::mean(&found.figures)?, self.name(), found.figures.len());
        let figure = mean.called(format!("{name}.mean"), format!("{name}: geometric mean of {count}"));
        Some(if found.failures.is_empty() { figure.goal(Goal::Ratio(goal)) } else { figure })
    }

    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

// Measures all cases of one program of ours beside one of the peer's.
fn suite(
    place: &Place,
    effort: &Effort,
    name: &str,
    rows: &[Row],
    known: Option<&Ceilings>,
) -> Result<Findings, BenchError> {
    let peer = place.peer(name)?;
    let outcome = contest::run(|| both(place, name, &peer), rows.iter().map(|row| &row.case), effort)?;
    let Outcome { figures, failures, work } = outcome;
    let mut findings = Findings { failures, ..Findings::default() };
    for (index, figure) in figures {
        findings.floors.extend(floors::floor(&figure, &rows[index], &work, known));
        findings.figures.push(figure);
    }
    Ok(findings)
}

fn both(place: &Place, name: &str, peer: &Path) -> Result<(Session, Session), BenchError> {
    let start = |program: &Path| Session::serve(place.command(program).args(place.options()));
    let mut ours = start(&place.ours(name))?;
    ours.require_gpu(place.rehearsal)?;
    Ok((ours, start(peer)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Unit, Verdict};

    fn found(failures: Vec<(String, String)>) -> Findings {
        let kernel = |ours: f64, peer: f64| {
            Figure::new("x", "x", Unit::Milliseconds, &[ours, 2.0 * ours]).beside("nvcc", &[peer, 2.0 * peer])
        };
        Findings { figures: vec![kernel(0.001, 0.004), kernel(0.004, 0.001)], failures, ..Findings::default() }
    }

    #[test]
    fn the_mean_of_a_suite_is_a_row_with_its_goal() {
        let mean = Part::Fixed.mean(&found(Vec::new())).unwrap();
        assert_eq!((mean.id.as_str(), mean.title.as_str()), ("fixed.mean", "fixed: geometric mean of 2"));
        assert!((mean.ratio().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(mean.verdict(), Verdict::Met);
        assert_eq!(Part::Special.mean(&found(Vec::new())).unwrap().verdict(), Verdict::Missed);
        assert!(Part::Stream.mean(&found(Vec::new())).is_none());
    }

    #[test]
    fn the_mean_of_a_part_of_a_suite_is_not_judged() {
        let failures = vec![("fixed.sum".to_owned(), "it broke".to_owned())];
        assert_eq!(Part::Fixed.mean(&found(failures)).unwrap().verdict(), Verdict::Open);
    }
}
