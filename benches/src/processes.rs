//! Measures small programs as processes: the first one, which finds an empty cache, beside the
//! second one.
//!
//! *Invariant:* a process gives one sample, from its start to its end, and checks its results.

use std::path::PathBuf;

use crate::contest;
use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::run::Program;

/// Tests of the suite patterns, each with its own data.
const TESTS: [&str; 20] = [
    "gups",
    "scatter_f32",
    "convolution_rows",
    "exchange",
    "bitonic",
    "nerve",
    "orders",
    "multipole",
    "radial",
    "options",
    "gather_256",
    "transposed",
    "five_points",
    "jacobi",
    "floyd",
    "search",
    "sparse_items",
    "sobel",
    "hash_words",
    "queens",
];

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

/// Measures the tests of `program`, also beside those of a compiled peer. `empty` makes an empty
/// folder for a cache.
pub(crate) fn measure(
    program: &Program,
    peer: Option<&Program>,
    rounds: usize,
    empty: impl Fn() -> Result<PathBuf, BenchError>,
) -> Result<Vec<Figure>, BenchError> {
    // Untimed: loads the files into the page cache.
    program.clone().arguments(["--only", TESTS[0]]).variable("SINTER_CACHE_DIR", empty()?).seconds()?;
    peer.map(|peer| peer.clone().arguments(["--only", TESTS[0]]).seconds()).transpose()?;
    let (mut seconds, mut compiled) = (Vec::new(), Vec::new());
    for test in TESTS {
        eprintln!("programs: {test}");
        let round = |_| {
            let process = program.clone().arguments(["--only", test]).variable("SINTER_CACHE_DIR", empty()?);
            let of_peer = peer.map(|peer| peer.clone().arguments(["--only", test]).seconds());
            Ok(Round { first: process.seconds()?, second: process.seconds()?, peer: of_peer.transpose()? })
        };
        let times = (0..rounds).map(round).collect::<Result<Vec<_>, BenchError>>()?;
        let first: Vec<_> = times.iter().map(|round| round.first).collect();
        let second: Vec<_> = times.iter().map(|round| round.second).collect();
        seconds.push(SECOND.figure(test, &first, &second));
        let of_peer: Vec<_> = times.iter().filter_map(|round| round.peer).collect();
        compiled.extend(peer.map(|_| NVCC.figure(test, &first, &of_peer)));
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
