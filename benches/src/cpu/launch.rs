//! Measures one launch by batches of empty kernels.
//!
//! *Invariant:* a submission is timed without its completion; the peer has no separate submission,
//! so only completion has a ratio.

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Program, Readings};

use super::findings::{Findings, host_program};

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let sizes = [lab.effort.launch_batches, lab.effort.launches];
    let peer = Program::new(lab.build_peer("launch_omp")?).arguments(["launch"]).arguments(sizes);
    let cache = lab.fresh_cache("launch")?;
    let ours = host_program(lab.build_ours("cpu/launch")?).variable("SINTER_CACHE_DIR", cache);
    let ours = ours.arguments(["launch"]).arguments(sizes);
    let rounds = run::alternate("launch", lab.effort.rounds, || ours.run_warm(), || peer.run())?;
    figures(&rounds).map(Findings::from)
}

fn figures(rounds: &[(Readings, Readings)]) -> Result<Vec<Figure>, BenchError> {
    let submit = run::medians(rounds.iter().map(|(ours, _)| ours), "submit")?;
    let complete = run::medians(rounds.iter().map(|(ours, _)| ours), "complete")?;
    let peer = run::medians(rounds.iter().map(|(_, peer)| peer), "complete")?;
    Ok(vec![
        Figure::new("launch.submit", "empty kernel, submit", Unit::Microseconds, &submit).goal(Goal::AtMost(0.3)),
        Figure::new("launch.complete", "empty kernel, submit and wait", Unit::Microseconds, &complete)
            .beside("empty OpenMP parallel region", &peer)
            .goal(Goal::AtMost(1.0)),
    ])
}
