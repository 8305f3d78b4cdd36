//! Measures a list of cases with two served programs.
//!
//! *Invariant:* a failed case never hides the others: its reason is recorded, and failed programs
//! are started again.

use std::collections::HashMap;

use crate::case::Case;
use crate::error::{self, BenchError};
use crate::figure::Figure;
use crate::pair::{self, Effort};
use crate::session::{Session, Work};
use crate::stats;

/// Result of the cases.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Indices into the list of cases, with their figures.
    pub(crate) figures: Vec<(usize, Figure)>,
    /// Cases that could not be measured, with the reasons.
    pub(crate) failures: Vec<(String, String)>,
    /// Work of each of our tests.
    pub(crate) work: HashMap<String, Work>,
}

/// Measures all `cases` with the programs that `open` starts: ours and the peer's.
pub(crate) fn run<'a>(
    open: impl Fn() -> Result<(Session, Session), BenchError>,
    cases: impl IntoIterator<Item = &'a Case>,
    effort: &Effort,
) -> Result<Outcome, BenchError> {
    let mut pair = open()?;
    let (work, listed) = (pair.0.list()?, pair.1.list()?);
    let mut outcome = Outcome { work, ..Outcome::default() };
    for (place, case) in cases.into_iter().enumerate() {
        eprintln!("  {}", case.title);
        let error = match pair::measure(&mut pair.0, &mut pair.1, case, &listed, effort) {
            Ok(figure) => {
                let group = outcome.work.get(case.test).map_or("", |work| &work.group);
                outcome.figures.push((place, figure.in_groups(group)));
                continue;
            }
            Err(error) => error,
        };
        outcome.failures.push((case.id.to_owned(), error::with_causes(&error)));
        if !matches!(error, BenchError::Wrong { .. }) {
            pair = open()?;
        }
    }
    Ok(outcome)
}

/// The figure whose samples are the geometric means of those of `figures`, so that its ratios are
/// the means of their ratios.
pub(crate) fn mean(figures: &[Figure]) -> Option<Figure> {
    let ours: Vec<&[f64]> = figures.iter().map(|figure| figure.samples.as_slice()).collect();
    let peers: Option<Vec<&[f64]>> =
        figures.iter().map(|figure| Some(figure.peer.as_ref()?.samples.as_slice())).collect();
    let (mean, peer) = (stats::geometric_means(&ours)?, stats::geometric_means(&peers?)?);
    let unit = figures.first()?.unit;
    Some(Figure::in_unit("mean", "mean", unit, mean).beside_in_unit("of the same rows", peer))
}
