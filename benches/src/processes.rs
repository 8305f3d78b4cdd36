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

/// Measures the tests of `program`. `empty` makes an empty folder for a cache.
pub(crate) fn measure(
    program: &Program,
    rounds: usize,
    empty: impl Fn() -> Result<PathBuf, BenchError>,
) -> Result<Vec<Figure>, BenchError> {
    // Untimed: loads the files into the page cache.
    program.clone().arguments(["--only", TESTS[0]]).variable("SINTER_CACHE_DIR", empty()?).seconds()?;
    let mut figures =
        TESTS.map(|test| figure(program, test, rounds, &empty)).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mean = contest::mean(&figures);
    let titled =
        mean.map(|mean| mean.called("programs.mean".to_owned(), "first process, geometric mean of 20".to_owned()));
    figures.extend(titled.map(|mean| mean.goal(Goal::Ratio(1.2))));
    Ok(figures)
}

fn figure(
    program: &Program,
    test: &str,
    rounds: usize,
    empty: &impl Fn() -> Result<PathBuf, BenchError>,
) -> Result<Figure, BenchError> {
    eprintln!("programs: {test}");
    let round = |_| {
        let process = program.clone().arguments(["--only", test]).variable("SINTER_CACHE_DIR", empty()?);
        Ok((process.seconds()?, process.seconds()?))
    };
    let times = (0..rounds).map(round).collect::<Result<Vec<_>, BenchError>>()?;
    let (first, second): (Vec<_>, Vec<_>) = times.into_iter().unzip();
    let title = format!("first process of {test}");
    Ok(Figure::new(format!("programs.{test}"), title, Unit::Milliseconds, &first).beside("second process", &second))
}
