//! Measures the time from the first call to the first queue.
//!
//! *Invariant:* one process gives one sample, and only the host driver enumerates devices.

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Program};

use super::findings::{Findings, host_program};

// The figure is small and one process gives only one sample.
const PROCESSES_PER_ROUND: usize = 3;

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let peer = Program::new(lab.build_peer("launch_omp")?).arguments(["start"]);
    let cache = lab.fresh_cache("start")?;
    let ours = host_program(lab.build_ours("cpu/launch")?).variable("SINTER_CACHE_DIR", cache).arguments(["start"]);
    let count = lab.effort.rounds * PROCESSES_PER_ROUND;
    let rounds = run::alternate("start", count, || ours.run(), || peer.run())?;
    let started = run::medians(rounds.iter().map(|(ours, _)| ours), "start")?;
    let peer = run::medians(rounds.iter().map(|(_, peer)| peer), "start")?;
    let figure = Figure::new("start", "first call to first queue", Unit::Milliseconds, &started)
        .beside("first OpenMP parallel region", &peer)
        .goal(Goal::AtMost(1.0));
    Ok(vec![figure].into())
}
