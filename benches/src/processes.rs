//! Measures small programs as processes: the first one, which finds an empty cache, beside the
//! second one.
//!
//! *Invariant:* a process gives one sample, from its start to its end, and checks its results.

use std::path::PathBuf;

use crate::contest;
use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::run::Program;

/// A program with the kernels of one file of the suite patterns, of which one test is run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Small {
    pub(crate) test: &'static str,
    file: &'static str,
}

pub(crate) const PROGRAMS: [Small; 20] = [
    Small { test: "gups", file: "gups" },
    Small { test: "scatter_f32", file: "scatter" },
    Small { test: "convolution_rows", file: "convolution" },
    Small { test: "exchange", file: "exchange" },
    Small { test: "bitonic", file: "exchange" },
    Small { test: "nerve", file: "cells" },
    Small { test: "orders", file: "cells" },
    Small { test: "multipole", file: "multipole" },
    Small { test: "radial", file: "radial" },
    Small { test: "options", file: "options" },
    Small { test: "gather_256", file: "permute" },
    Small { test: "transposed", file: "permute" },
    Small { test: "five_points", file: "grids" },
    Small { test: "jacobi", file: "grids" },
    Small { test: "floyd", file: "graphs" },
    Small { test: "search", file: "graphs" },
    Small { test: "sparse_items", file: "matrices" },
    Small { test: "sobel", file: "images" },
    Small { test: "hash_words", file: "integers" },
    Small { test: "queens", file: "puzzles" },
];

impl Small {
    /// Definitions that its source `cuda/patterns.cpp` is compiled with.
    pub(crate) fn definitions(&self) -> [String; 2] {
        let Small { test, file } = self;
        [format!("-DPATTERN=\"{test}\""), format!("-DPATTERN_FILE=\"patterns/{file}.hpp\"")]
    }
}

/// Other processes beside first ones.
struct Peer {
    name: &'static str,
    /// First part of the ids of figures.
    id: &'static str,
    /// Title of the mean.
    mean: &'static str,
}

const SECOND: Peer = Peer { name: "second process", id: "programs", mean: "first process, geometric mean of 20" };
const NVCC: Peer = Peer { name: "nvcc's program", id: "programs.nvcc", mean: "the same beside nvcc's programs" };

/// Seconds of the processes of a round.
struct Round {
    first: f64,
    second: f64,
    peer: Option<f64>,
}

/// Measures the small programs, also beside the same tests of a compiled peer. `empty` makes an
/// empty folder for a cache.
pub(crate) fn measure(
    program: impl Fn(&Small) -> Program,
    peer: Option<&Program>,
    rounds: usize,
    empty: impl Fn() -> Result<PathBuf, BenchError>,
) -> Result<Vec<Figure>, BenchError> {
    let only = |small: &Small, program: Program| program.arguments(["--only", small.test]);
    let ours = |small: &Small| only(small, program(small));
    // Untimed: loads the files into the page cache.
    ours(&PROGRAMS[0]).variable("SINTER_CACHE_DIR", empty()?).seconds()?;
    peer.map(|peer| only(&PROGRAMS[0], peer.clone()).seconds()).transpose()?;
    let (mut seconds, mut compiled) = (Vec::new(), Vec::new());
    for small in &PROGRAMS {
        eprintln!("programs: {}", small.test);
        let round = |_| {
            let process = ours(small).variable("SINTER_CACHE_DIR", empty()?);
            let of_peer = peer.map(|peer| only(small, peer.clone()).seconds());
            Ok(Round { first: process.seconds()?, second: process.seconds()?, peer: of_peer.transpose()? })
        };
        let times = (0..rounds).map(round).collect::<Result<Vec<_>, BenchError>>()?;
        let first: Vec<_> = times.iter().map(|round| round.first).collect();
        let second: Vec<_> = times.iter().map(|round| round.second).collect();
        seconds.push(SECOND.figure(small.test, &first, &second));
        let of_peer: Vec<_> = times.iter().filter_map(|round| round.peer).collect();
        compiled.extend(peer.map(|_| NVCC.figure(small.test, &first, &of_peer)));
    }
    let means =
        SECOND.mean_of(&seconds).map(|mean| mean.goal(Goal::Ratio(1.2))).into_iter().chain(NVCC.mean_of(&compiled));
    Ok(seconds.into_iter().chain(compiled).chain(means).collect())
}

impl Peer {
    fn figure(&self, test: &str, first: &[f64], others: &[f64]) -> Figure {
        let (id, title) = (format!("{}.{test}", self.id), format!("first process of {test}"));
        Figure::new(id, title, Unit::Milliseconds, first).beside(self.name, others)
    }

    /// `None` if there are no figures.
    fn mean_of(&self, figures: &[Figure]) -> Option<Figure> {
        contest::mean(figures).map(|mean| mean.called(format!("{}.mean", self.id), self.mean.to_owned()))
    }
}
