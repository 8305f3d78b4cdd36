//! Measures the cost of one kernel in a translation unit with 1, 100 and 10,000 kernels.
//!
//! The program with one kernel is the peer of the others: the difference is the cost of unused
//! kernels.
//!
//! *Invariant:* the runtime's counters of each process prove a cold launch or a disk hit.

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{Program, Readings};

use super::findings::{Findings, host_program};

const KERNELS: [usize; 3] = [1, 100, 10_000];
const PEER: &str = "the same with one kernel";

/// Readings of the processes of one round.
struct Round {
    start: f64,
    cold: Readings,
    warm: Readings,
}

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let programs = KERNELS.map(|kernels| lab.build_many(kernels).map(host_program));
    let mut rounds: [Vec<Round>; KERNELS.len()] = Default::default();
    let programs = programs.into_iter().collect::<Result<Vec<_>, _>>()?;
    for number in 0..lab.effort.rounds {
        eprintln!("many: round {} of {}", number + 1, lab.effort.rounds);
        for ((program, kernels), rounds) in programs.iter().zip(KERNELS).zip(&mut rounds) {
            rounds.push(round(lab, program, kernels)?);
        }
    }
    let [one, others @ ..] = &rounds;
    let mut figures = figures(KERNELS[0], one, None)?;
    for (kernels, rounds) in KERNELS[1..].iter().zip(others) {
        figures.extend(self::figures(*kernels, rounds, Some(one))?);
    }
    Ok(figures.into())
}

/// Starts the program, launches its middle kernel with an empty cache, and again with a filled one.
fn round(lab: &Lab, program: &Program, kernels: usize) -> Result<Round, BenchError> {
    let program = program.clone().variable("SINTER_CACHE_DIR", lab.fresh_cache("many")?);
    let start = program.clone().arguments(["start"]).seconds()?;
    let first = program.arguments(["first".to_owned(), kernels.div_ceil(2).to_string()]);
    let (cold, warm) = (first.run()?, first.run()?);
    cold.require("translated", "1 kernel", |count| count == 1.0)?;
    warm.require("translated", "0 kernels", |count| count == 0.0)?;
    warm.require("disk_hits", "1 kernel", |count| count == 1.0)?;
    Ok(Round { start, cold, warm })
}

fn figures(kernels: usize, rounds: &[Round], one: Option<&Vec<Round>>) -> Result<Vec<Figure>, BenchError> {
    let figure = |name: &str, title: &str, unit, of: &dyn Fn(&Round) -> Result<f64, BenchError>| {
        let samples = |rounds: &[Round]| rounds.iter().map(of).collect::<Result<Vec<_>, _>>();
        let (id, title) = (format!("many.{name}.{kernels}"), format!("{kernels} kernels: {title}"));
        let figure = Figure::new(id, title, unit, &samples(rounds)?);
        Ok::<_, BenchError>(match one {
            Some(one) => figure.beside(PEER, &samples(one)?),
            None => figure,
        })
    };
    let (milliseconds, mebibytes) = (Unit::Milliseconds, Unit::Mebibytes);
    Ok(vec![
        figure("start", "start and end of the process", milliseconds, &|round| Ok(round.start))?,
        figure("disk", "first launch, disk cache, less the run", milliseconds, &less_the_run)?.goal(Goal::AtMost(0.5)),
        figure("translate", "translation of one", milliseconds, &|round| round.cold.median("translate"))?,
        figure("memory.warm", "peak memory, warm cache", mebibytes, &|round| round.warm.median("peak"))?,
        figure("memory.cold", "peak memory, cold cache", mebibytes, &|round| round.cold.median("peak"))?,
    ])
}

fn less_the_run(round: &Round) -> Result<f64, BenchError> {
    Ok(round.warm.median("first")? - round.warm.median("repeat")?)
}
