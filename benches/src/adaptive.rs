//! Compares code for values that launches repeat with code for all values, and with clang's.
//!
//! All three have the same bodies (`include/adaptive.hpp`) and get the values as arguments. clang
//! compiles them in loops of OpenMP in two ways, with and without `simd`; the faster one counts.
//!
//! *Invariant:* code for values has the bits of code for all values.

use crate::contest;
use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::machine;
use crate::output::Report;
use crate::run::{self, Program, Readings};

const GENERAL: &str = "Sinter, code for all values";
const CLANG: &str = "OpenMP C++, clang -O3 -march=native";
const EARLY: &str = "Early launches are the 100 after the first, while code for their values is made.";

/// Names of the readings, with titles.
const CASES: [(&str, &str); 9] = [
    ("polynomial", "polynomial of order 7"),
    ("stencil", "stencil of radius 4"),
    ("filter", "filter of 5x5"),
    ("matrices", "products of 4x4 matrices"),
    ("choices", "16 steps, each a switch"),
    ("strided", "triad with stride 1"),
    ("transposed", "transposition, 64 columns"),
    ("sparse", "sparse matrix, 5 entries a row"),
    ("nearest", "nearest of 8 centres in 3 dimensions"),
];

/// Four processes of a round.
struct Round {
    special: Readings,
    general: Readings,
    clang: [Readings; 2],
}

pub(crate) fn run(lab: &Lab) -> Result<Report, BenchError> {
    let mut report = Report::new("adaptive", machine::describe(lab));
    let watch = machine::Watch::start();
    let rounds = rounds(lab)?;
    let mut against: [Vec<Figure>; 2] = [Vec::new(), Vec::new()];
    for (name, title) in CASES {
        against[0].push(beside(&rounds, name, title, "adaptive", GENERAL, |round| round.general.median(name))?);
        let fastest = |round: &Round| Ok(round.clang[0].median(name)?.min(round.clang[1].median(name)?));
        against[1].push(beside(&rounds, name, title, "clang", CLANG, fastest)?);
    }
    for (figures, goal) in against.into_iter().zip([1.0 / 1.3, 1.0 / 1.3]) {
        let mean = contest::mean(&figures).map(|mean| {
            let id = figures[0].id.replace(CASES[0].0, "mean");
            mean.called(id, "geometric mean".to_owned()).goal(Goal::Ratio(goal))
        });
        report.figures.extend(figures);
        report.figures.extend(mean);
    }
    report.figures.extend(early(&rounds)?);
    report.figures.extend(first(lab)?);
    report.notes.push(EARLY.to_owned());
    report.notes.extend(watch.finish());
    Ok(report)
}

/// Runs all programs in turn. Neither of ours is always the first.
fn rounds(lab: &Lab) -> Result<Vec<Round>, BenchError> {
    let arguments = [lab.effort.stream_repetitions * 3];
    let ours = ours(lab)?.arguments(arguments);
    let special = ours.clone().variable("SINTER_JIT_SPECIALIZE", "8");
    let general = ours.variable("SINTER_JIT_SPECIALIZE", "0");
    let peer = |suffix, flags: &[&str]| {
        Ok::<_, BenchError>(Program::new(lab.build_peer_with("adaptive_omp", suffix, flags)?).arguments(arguments))
    };
    let peers = [peer("", &[])?, peer("-simd", &["-DSIMD", "-Wno-pass-failed"])?];
    let clang = || Ok([peers[0].run()?, peers[1].run()?]);
    let mut is_general_first = false;
    let both = || {
        is_general_first = !is_general_first;
        if is_general_first {
            let general = general.run()?;
            return Ok((special.run()?, general));
        }
        Ok((special.run()?, general.run()?))
    };
    let round = |((special, general), clang)| {
        same_bits(&special, &general)?;
        Ok(Round { special, general, clang })
    };
    run::alternate("adaptive", lab.effort.rounds, both, clang)?.into_iter().map(round).collect()
}

/// Our program on the host device, without a cache.
fn ours(lab: &Lab) -> Result<Program, BenchError> {
    let program = Program::new(lab.build_ours("cpu/adaptive")?);
    let program = program.variable("SINTER_VISIBILITY_MASK", "host").variable("SINTER_CACHE", "off");
    Ok(program.variable("SINTER_JIT_MODE", "sync"))
}

fn same_bits(special: &Readings, general: &Readings) -> Result<(), BenchError> {
    CASES.into_iter().try_for_each(|(name, _)| {
        let name = format!("{name}.bits");
        let wanted = general.median(&name)?;
        special.require(&name, "the digest of code for all values", |found| found.to_bits() == wanted.to_bits())
    })
}

/// The figure of a case beside one of its peers.
fn beside(
    rounds: &[Round],
    name: &str,
    title: &str,
    part: &str,
    peer: &'static str,
    of_peer: impl Fn(&Round) -> Result<f64, BenchError>,
) -> Result<Figure, BenchError> {
    let ours = rounds.iter().map(|round| round.special.median(name)).collect::<Result<Vec<_>, _>>()?;
    let theirs = rounds.iter().map(of_peer).collect::<Result<Vec<_>, _>>()?;
    Ok(Figure::new(format!("{part}.{name}"), title, Unit::Milliseconds, &ours).beside(peer, &theirs))
}

/// The sum of the early launches of all cases.
fn early(rounds: &[Round]) -> Result<Option<Figure>, BenchError> {
    let sum = |readings: &Readings| CASES.iter().map(|(name, _)| readings.median(&format!("{name}.early"))).sum();
    let ours = rounds.iter().map(|round| sum(&round.special)).collect::<Result<Vec<f64>, _>>()?;
    let theirs = rounds.iter().map(|round| sum(&round.general)).collect::<Result<Vec<f64>, _>>()?;
    let figure = Figure::new("early", "early launches of all cases", Unit::Milliseconds, &ours);
    Ok(Some(figure.beside(GENERAL, &theirs).goal(Goal::Ratio(1.02))))
}

/// First launches with quick code beside those that wait for full code.
fn first(lab: &Lab) -> Result<Option<Figure>, BenchError> {
    let ours = ours(lab)?.arguments([1]);
    let mode = |mode: &str| ours.clone().variable("SINTER_JIT_MODE", mode).run();
    let rounds = run::alternate("first", lab.effort.rounds, || mode("fallback"), || mode("sync"))?;
    let figure = |(name, title): (&str, &str)| {
        let reading = format!("{name}.first");
        let quick = run::medians(rounds.iter().map(|(quick, _)| quick), &reading)?;
        let full = run::medians(rounds.iter().map(|(_, full)| full), &reading)?;
        Ok(Figure::new(format!("first.{name}"), title, Unit::Milliseconds, &quick)
            .beside("SINTER_JIT_MODE=sync", &full))
    };
    let figures = CASES.into_iter().map(figure).collect::<Result<Vec<_>, BenchError>>()?;
    let title = "first launch, SINTER_JIT_MODE=fallback, geometric mean";
    Ok(contest::mean(&figures).map(|mean| mean.called("first.mean".to_owned(), title.to_owned())))
}
