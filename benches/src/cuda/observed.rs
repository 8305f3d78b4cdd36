//! Measures code for values that the runtime has seen to repeat.
//!
//! The program says nothing about its values, and launches its kernels until code for them was made
//! and compared. It runs beside nvcc's code with the values as arguments, and beside itself with
//! code for all values.
//!
//! *Invariant:* nothing comes from a cache, so that all code is made while the program launches.

use std::path::Path;
use std::process::Command;

use super::cases::{BY_ARGUMENT, SPECIAL};
use super::findings::Findings;
use super::place::Place;
use crate::case::Case;
use crate::contest;
use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::pair::Effort;
use crate::run::{self, Program};
use crate::session::Session;

const PROGRAM: &str = "observed";
const SETTING: &str = "SINTER_JIT_SPECIALIZE";
const GENERAL: &str = "Sinter, code for all values";

/// A gain of 1.3.
const GOAL: Goal = Goal::Ratio(1.0 / 1.3);

pub(super) fn measure(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    let program = place.ours(PROGRAM);
    let mut found = Findings::default();
    let nvcc = place.peer("special")?;
    for (id, called, peer) in [("observed", BY_ARGUMENT, &nvcc), ("observed.general", GENERAL, &program)] {
        let cases = SPECIAL.map(|row| Case { peer: (row.case.test, called), ..row.case });
        beside(place, id, &cases, peer, effort, &mut found)?;
    }
    found.figures.push(slowest(place, effort)?);
    Ok(found)
}

/// Adds the figures of all cases beside one peer, and their mean.
fn beside(
    place: &Place,
    id: &str,
    cases: &[Case],
    peer: &Path,
    effort: &Effort,
    found: &mut Findings,
) -> Result<(), BenchError> {
    let start = |program: &Path, most: &str| Session::serve(command(place, program, most).args(place.options()));
    let open = || {
        let mut ours = start(&place.ours(PROGRAM), "8")?;
        ours.require_gpu(place.rehearsal)?;
        Ok((ours, start(peer, "0")?))
    };
    let outcome = contest::run(open, cases, effort)?;
    let named = |(_, figure): (usize, Figure)| Figure { id: figure.id.replacen("special", id, 1), ..figure };
    let figures: Vec<Figure> = outcome.figures.into_iter().map(named).collect();
    let mean = contest::mean(&figures).map(|mean| {
        let title = format!("{id}: geometric mean of {}", figures.len());
        mean.called(format!("{id}.mean"), title)
    });
    let is_whole = outcome.failures.is_empty();
    found.figures.extend(figures);
    found.figures.extend(mean.map(|mean| if is_whole { mean.goal(GOAL) } else { mean }));
    found.failures.extend(outcome.failures);
    Ok(())
}

fn command(place: &Place, program: &Path, most: &str) -> Command {
    let mut command = place.command(program);
    command.env("SINTER_CACHE", "off").env(SETTING, most);
    command
}

/// The slowest thousandth of the launches, while code for values is made, beside launches without.
fn slowest(place: &Place, effort: &Effort) -> Result<Figure, BenchError> {
    let program = place.program(place.ours(PROGRAM)).arguments(["--slowest"]).variable("SINTER_CACHE", "off");
    let with = |most: &'static str| -> Program { program.clone().variable(SETTING, most) };
    let (special, general) = (with("8"), with("0"));
    let rounds = run::alternate("slowest", effort.processes, || special.run(), || general.run())?;
    let ours = run::medians(rounds.iter().map(|(ours, _)| ours), "slowest")?;
    let theirs = run::medians(rounds.iter().map(|(_, theirs)| theirs), "slowest")?;
    let title = "launch, percentile 99.9";
    Ok(Figure::new("observed.slowest", title, Unit::Microseconds, &ours).beside(GENERAL, &theirs))
}
