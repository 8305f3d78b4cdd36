//! Compares kernels with work-groups with OpenMP.
//!
//! Tiled matrix product, n-body forces, a histogram with atomics in local memory, a dot product by
//! `sycl::reduction`, sums and scans of groups by collectives, elimination in private arrays. The
//! peers are in the usual style for a CPU, without tiles or barriers, so that the ratio is the cost
//! of GPU-style code. The histogram's peer counts with atomics in one shared table. n-body has a
//! second peer, written by hand with a row of bodies in each register.
//!
//! *Invariant:* no kernel is translated while the clock runs: each is run once before.

use crate::ceilings::{self, Ceilings, Work};
use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Program, Readings};

use super::findings::{Findings, host_program};

const PEER: &str = "OpenMP C++, clang -O3 -march=native";
const FLOORS: &str = "Floors count the arithmetic that an algorithm needs as so many fused multiply-adds.";
const ROWS_PEER: &str = "rows of bodies by hand, clang -O3 -march=native";

/// A kernel: the name of its readings, its figure, and the work that it cannot avoid.
struct Kernel {
    name: &'static str,
    id: &'static str,
    title: &'static str,
    goal: Goal,
    work: Work,
}

/// Interactions of all bodies, each some 13 multiply-adds and a reciprocal root of three more.
const NBODY_WORK: Work = Work::MultiplyAdds(4096.0 * 4096.0 * 16.0);
const VALUES: f64 = (1_u32 << 22) as f64;
const VECTOR_BYTES: f64 = (1_u32 << 28) as f64;
/// The numbers that are added up in groups.
const NUMBER_BYTES: f64 = (1_u32 << 26) as f64;

const KERNELS: [Kernel; 7] = [
    Kernel {
        name: "matmul",
        id: "groups.matmul",
        title: "matmul 512, tiles in local memory",
        goal: Goal::Ratio(0.4),
        work: Work::MultiplyAdds(512.0 * 512.0 * 512.0),
    },
    Kernel {
        name: "nbody",
        id: "groups.nbody",
        title: "n-body forces, 4096 bodies",
        goal: Goal::Ratio(1.0),
        work: NBODY_WORK,
    },
    Kernel {
        name: "histogram",
        id: "groups.histogram",
        title: "histogram, 2^22 values, local atomics",
        goal: Goal::AtMost(4.2),
        work: Work::Increments(VALUES),
    },
    Kernel {
        name: "dot",
        id: "groups.dot",
        title: "dot, 2^25 doubles, sycl::reduction",
        goal: Goal::Ratio(1.05),
        work: Work::Read(2.0 * VECTOR_BYTES),
    },
    Kernel {
        name: "sums",
        id: "groups.sums",
        title: "reduce_over_group in groups of 256, 2^24 floats",
        goal: Goal::Ratio(1.1),
        work: Work::Read(NUMBER_BYTES),
    },
    Kernel {
        name: "scans",
        id: "groups.scans",
        title: "inclusive_scan_over_group in groups of 256, 2^24 floats",
        goal: Goal::Ratio(1.0),
        work: Work::Copied(2.0 * NUMBER_BYTES),
    },
    Kernel {
        name: "determinants",
        id: "groups.determinants",
        title: "determinants of 2^16 matrices 8 x 8, private arrays",
        goal: Goal::Ratio(0.5),
        // Each step k subtracts 7 - k rows of 8 - k elements.
        work: Work::MultiplyAdds(65536.0 * 168.0),
    },
];
const NBODY_BY_ROWS: Kernel = Kernel {
    name: "nbody",
    id: "groups.nbody_rows",
    title: "n-body forces, 4096 bodies, rows",
    goal: Goal::Ratio(1.1),
    work: NBODY_WORK,
};

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let limits = ceilings::program(lab)?;
    let repetitions = [lab.effort.stream_repetitions];
    let peer = |name| Ok::<_, BenchError>(Program::new(lab.build_peer(name)?).arguments(repetitions));
    let (openmp, rows) = (peer("groups_omp")?, peer("nbody_rows")?);
    let cache = lab.fresh_cache("groups")?;
    let ours = host_program(lab.build_ours("cpu/groups")?).variable("SINTER_CACHE_DIR", cache).arguments(repetitions);
    ours.run()?;
    let warm = || {
        let readings = ours.run()?;
        readings.require("translated", "0 kernels", |count| count == 0.0)?;
        Ok(readings)
    };
    let peers = || Ok((openmp.run()?, rows.run()?, limits.run()?));
    let rounds = run::alternate("groups", lab.effort.rounds, warm, peers)?;
    let ours = || rounds.iter().map(|(ours, _)| ours);
    let known = Ceilings::of(rounds.iter().map(|(_, peers)| &peers.2))?;
    let mut found = Findings { notes: vec![known.describe("Groups"), FLOORS.to_owned()], ..Findings::default() };
    for kernel in &KERNELS {
        found.add(kernel.figure((ours(), rounds.iter().map(|(_, peers)| &peers.0)), PEER)?, kernel.work, &known);
    }
    let by_rows = NBODY_BY_ROWS.figure((ours(), rounds.iter().map(|(_, peers)| &peers.1)), ROWS_PEER)?;
    found.add(by_rows, NBODY_BY_ROWS.work, &known);
    Ok(found)
}

impl Kernel {
    fn figure<'a>(
        &self,
        (ours, peer): (impl Iterator<Item = &'a Readings>, impl Iterator<Item = &'a Readings>),
        called: &'static str,
    ) -> Result<Figure, BenchError> {
        let (ours, peer) = (run::medians(ours, self.name)?, run::medians(peer, self.name)?);
        Ok(Figure::new(self.id, self.title, Unit::Milliseconds, &ours).beside(called, &peer).goal(self.goal))
    }
}
