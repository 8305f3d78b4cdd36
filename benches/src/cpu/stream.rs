//! Compares the stream kernels with OpenMP.
//!
//! All four are limited by memory bandwidth: a ratio above 1 means overhead of a launch, a worse
//! partition of the range or a worse inner loop.
//!
//! *Invariant:* no kernel is translated while the clock runs.

use crate::ceilings::{self, Ceilings, Work};
use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Program, Readings};

use super::findings::{Findings, host_program};

const PEER: &str = "OpenMP C++, clang -O3 -march=native";
// See peers/huge_pages.hpp.
const SAME_PAGES: &str =
    "Stream: both programs ask for huge pages, as the limits do; the ratios compare kernels, not page tables.";
/// Name, id, title and arrays that it reads or writes.
const KERNELS: [(&str, &str, &str, f64); 4] = [
    ("copy", "stream.copy", "copy, 2^25 doubles", 2.0),
    ("mul", "stream.mul", "mul, 2^25 doubles", 2.0),
    ("add", "stream.add", "add, 2^25 doubles", 3.0),
    ("triad", "stream.triad", "triad, 2^25 doubles", 3.0),
];

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let limits = ceilings::program(lab)?;
    let sizes = [lab.effort.stream_elements, lab.effort.stream_repetitions];
    let peer = Program::new(lab.build_peer("stream_omp")?).arguments(sizes);
    let cache = lab.fresh_cache("stream")?;
    let ours = host_program(lab.build_ours("cpu/stream")?).variable("SINTER_CACHE_DIR", cache).arguments(sizes);
    let rounds = run::alternate("stream", lab.effort.rounds, || ours.run_warm(), || Ok((peer.run()?, limits.run()?)))?;
    let known = Ceilings::of(rounds.iter().map(|(_, (_, limits))| limits))?;
    let notes = vec![known.describe("Stream"), SAME_PAGES.to_owned()];
    let mut found = Findings { notes, ..Findings::default() };
    for (name, id, title, arrays) in KERNELS {
        let bytes = arrays * (lab.effort.stream_elements * size_of::<f64>()) as f64;
        found.add(figure((name, id, title), &rounds)?, Work::Copied(bytes), &known);
    }
    Ok(found)
}

fn figure(
    (name, id, title): (&'static str, &'static str, &'static str),
    rounds: &[(Readings, (Readings, Readings))],
) -> Result<Figure, BenchError> {
    let ours = run::medians(rounds.iter().map(|(ours, _)| ours), name)?;
    let peer = run::medians(rounds.iter().map(|(_, (peer, _))| peer), name)?;
    Ok(Figure::new(id, title, Unit::Milliseconds, &ours).beside(PEER, &peer).goal(Goal::Ratio(1.0)))
}
