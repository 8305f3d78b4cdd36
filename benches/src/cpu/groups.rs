//! Compares kernels with work-groups with OpenMP.
//!
//! Tiled matrix product, n-body forces, a histogram with atomics in local memory, a dot product by
//! `sycl::reduction`. The peers are in the usual style for a CPU, without tiles or barriers, so
//! that the ratio is the cost of GPU-style code. The histogram's peer counts with atomics in one
//! shared table.
//!
//! *Invariant:* no kernel is translated while the clock runs: each is run once before.

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Program, Readings};

use super::findings::{Findings, host_program};

const PEER: &str = "OpenMP C++, clang -O3 -march=native";
/// Name, id, title and goal in milliseconds.
const KERNELS: [(&str, &str, &str, Option<f64>); 4] = [
    ("matmul", "groups.matmul", "matmul 512, tiles in local memory", Some(2.6)),
    ("nbody", "groups.nbody", "n-body forces, 4096 bodies", Some(6.0)),
    ("histogram", "groups.histogram", "histogram, 2^22 values, local atomics", Some(3.0)),
    ("dot", "groups.dot", "dot, 2^25 doubles, sycl::reduction", None),
];

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let repetitions = [lab.effort.stream_repetitions];
    let peer = Program::new(lab.build_peer("groups_omp")?).arguments(repetitions);
    let cache = lab.fresh_cache("groups")?;
    let ours = host_program(lab.build_ours("cpu/groups")?).variable("SINTER_CACHE_DIR", cache).arguments(repetitions);
    ours.run()?;
    let warm = || {
        let readings = ours.run()?;
        readings.require("translated", "0 kernels", |count| count == 0.0)?;
        Ok(readings)
    };
    let rounds = run::alternate("groups", lab.effort.rounds, warm, || peer.run())?;
    KERNELS.iter().map(|kernel| figure(*kernel, &rounds)).collect::<Result<Vec<_>, _>>().map(Findings::from)
}

fn figure(
    (name, id, title, goal): (&'static str, &'static str, &'static str, Option<f64>),
    rounds: &[(Readings, Readings)],
) -> Result<Figure, BenchError> {
    let ours = run::medians(rounds.iter().map(|(ours, _)| ours), name)?;
    let peer = run::medians(rounds.iter().map(|(_, peer)| peer), name)?;
    let goal = goal.map_or(Goal::Ratio(1.0), Goal::AtMost);
    Ok(Figure::new(id, title, Unit::Milliseconds, &ours).beside(PEER, &peer).goal(goal))
}
