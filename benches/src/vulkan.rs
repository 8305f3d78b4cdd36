//! Combines the parts of the Vulkan suite in one report: Sinter's shaders beside Sinter's PTX, on
//! one GPU, in one run.
//!
//! The programs are those of the `cuda` suite; both sides are the same executable, with another
//! visibility mask. A rehearsal has small sizes and the host CPU as the peer, so that the suite can
//! be tried on Mesa's lavapipe.
//!
//! *Invariant:* a failed part never hides the others: its reason is reported and the suite
//! continues.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::case::Case;
use crate::contest;
use crate::cuda::cases::{FIXED, LAUNCH, Row, STREAM};
use crate::error::{self, BenchError};
use crate::figure::{Figure, Goal, Unit};
use crate::lab::{self, Lab};
use crate::machine;
use crate::output::{self, Report};
use crate::pair::Effort;
use crate::run::{self, Program, Readings};
use crate::session::Session;

const PTX: &str = "PTX, driver cuda";
/// "At least 0.9 of the speed of PTX" is "at most 1.11 of its time".
const GOAL: f64 = 1.0 / 0.9;
/// Tests that call CUDA's driver themselves.
const OF_CUDA: [&str; 2] = ["buffer4", "address4"];
const REHEARSAL: &str =
    "A REHEARSAL: small sizes, any device of Vulkan, and the host CPU as the peer. No number here means anything.";

/// A part of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// copy, mul, add, triad, dot.
    Stream,
    /// Matrix product, n-body, stencils, sums, histogram, Black-Scholes, Mandelbrot.
    Fixed,
    /// An empty kernel through SYCL and through the C interface.
    Launch,
    /// The first launch of a process: cold, and from disk.
    First,
}

const PARTS: [Part; 4] = [Part::Fixed, Part::Stream, Part::Launch, Part::First];

/// Options of the Vulkan suite.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure only this part of the suite; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<Part>,
    /// Use the programs of a folder that `cuda --stage` filled.
    #[arg(long, value_name = "DIR")]
    prebuilt: Option<PathBuf>,
    /// Folder of libsinter.so and libsinter_translate.so.
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,
    /// Small sizes on any device, beside the host CPU: tests the suite itself.
    #[arg(long)]
    rehearse: bool,
}

/// A side of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Vulkan,
    Peer,
}

/// Where programs and libraries are.
struct Place {
    rehearsal: bool,
    library: PathBuf,
    output: PathBuf,
    scratch: PathBuf,
    prebuilt: Option<PathBuf>,
    /// Compiles the programs where they are not prebuilt.
    lab: Option<Lab>,
}

impl Place {
    fn open(arguments: &Arguments, output: Option<PathBuf>) -> Result<Self, BenchError> {
        let (prebuilt, rehearsal) = (arguments.prebuilt.clone(), arguments.rehearse);
        let lab = if prebuilt.is_some() { None } else { Some(Lab::open(output.clone(), lab::Effort::full())?) };
        let known = lab.as_ref().map(|lab| (lab.library(), lab.output().to_owned(), lab.built("vulkan")));
        // The programs' cache must not depend on where they start.
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let prebuilt = prebuilt.as_ref().map(absolute);
        let beside = prebuilt.clone().unwrap_or_default();
        let (library, folder, scratch) =
            known.unwrap_or_else(|| (beside.join("../lib"), beside.join("results"), beside.join("scratch/vulkan")));
        let library = arguments.library.as_ref().map(absolute).unwrap_or(library);
        lab::make_folder(&scratch)?;
        Ok(Place { rehearsal, library, output: output.unwrap_or(folder), scratch, prebuilt, lab })
    }

    fn program(&self, name: &str) -> Result<PathBuf, BenchError> {
        match (&self.lab, &self.prebuilt) {
            (Some(lab), _) => lab.build_ours(&format!("cuda/{name}")),
            (None, folder) => Ok(folder.clone().unwrap_or_default().join("ours").join(name)),
        }
    }

    fn mask(&self, side: Side) -> &'static str {
        match side {
            Side::Vulkan => "vulkan",
            Side::Peer if self.rehearsal => "host",
            Side::Peer => "cuda",
        }
    }

    /// The caches of vendors' drivers are off: a first launch would measure them.
    fn environment(&self, side: Side) -> [(&'static str, OsString); 6] {
        [
            ("SINTER_VISIBILITY_MASK", self.mask(side).into()),
            ("SINTER_CACHE_DIR", self.scratch.join(self.mask(side)).into()),
            ("LD_LIBRARY_PATH", self.library_path()),
            ("CUDA_CACHE_DISABLE", "1".into()),
            ("__GL_SHADER_DISK_CACHE", "0".into()),
            ("MESA_SHADER_CACHE_DISABLE", "true".into()),
        ]
    }

    /// An installed loader of Vulkan is preferred to that of an archive.
    fn library_path(&self) -> OsString {
        let mut path = self.library.clone().into_os_string();
        let before = std::env::var_os("LD_LIBRARY_PATH").filter(|value| !value.is_empty());
        for folder in before.into_iter().chain([self.library.join("vulkan").into()]) {
            path.push(":");
            path.push(folder);
        }
        path
    }

    /// Starts a program on one side.
    fn start(&self, program: &Path, side: Side) -> Result<Session, BenchError> {
        let mut command = Command::new(program);
        command.envs(self.environment(side)).args(self.rehearsal.then_some("--quick"));
        let mut session = Session::serve(&mut command)?;
        session.require_gpu(self.rehearsal)?;
        Ok(session)
    }
}

/// Results that a part adds to the report.
#[derive(Debug, Default)]
struct Findings {
    figures: Vec<Figure>,
    failures: Vec<(String, String)>,
}

/// Measures all selected parts; returns the report with its folder.
pub(crate) fn run(
    arguments: &Arguments,
    quick: bool,
    output: Option<PathBuf>,
) -> Result<(PathBuf, Report), BenchError> {
    let place = Place::open(arguments, output)?;
    let mut report = Report::new("vulkan", place.lab.as_ref().map_or_else(machine::system, machine::describe));
    report.notes.extend(place.rehearsal.then(|| REHEARSAL.to_owned()));
    let effort = Effort::of(quick || place.rehearsal);
    for part in PARTS.into_iter().filter(|part| arguments.only.is_empty() || arguments.only.contains(part)) {
        eprintln!("{}", part.name());
        match part.measure(&place, &effort) {
            Ok(found) => {
                report.figures.extend(found.figures);
                report.failures.extend(found.failures);
            }
            Err(error) => report.failures.push((part.name(), error::with_causes(&error))),
        }
        // Saves the results so far, in case a later part crashes the process.
        output::save(&place.output, &report)?;
    }
    Ok((place.output, report))
}

impl Part {
    fn measure(self, place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
        match self {
            Self::Stream => kernels(place, effort, self, &STREAM),
            Self::Fixed => kernels(place, effort, self, &FIXED),
            Self::Launch => kernels(place, effort, self, &LAUNCH),
            Self::First => first(place, effort),
        }
    }

    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// The rows of the other suite, with the same test as the peer's.
fn cases(rows: &[Row]) -> Vec<Case> {
    let goal = |case: &Case| if case.checked { Goal::Ratio(GOAL) } else { Goal::None };
    let case = |row: &Row| Case { peer: (row.case.test, PTX), rivals: &[], goal: goal(&row.case), ..row.case };
    rows.iter().filter(|row| !OF_CUDA.contains(&row.case.test)).map(case).collect()
}

/// Measures each test, then adds the mean of all.
fn kernels(place: &Place, effort: &Effort, part: Part, rows: &[Row]) -> Result<Findings, BenchError> {
    let program = place.program(&part.name())?;
    let open = || Ok((place.start(&program, Side::Vulkan)?, place.start(&program, Side::Peer)?));
    let outcome = contest::run(open, &cases(rows), effort)?;
    let mut figures: Vec<Figure> = outcome.figures.into_iter().map(|(_, figure)| figure).collect();
    if let Some(mean) = contest::mean(&figures) {
        let (name, count) = (part.name(), figures.len());
        let mean = mean.called(format!("{name}.mean"), format!("{name}: geometric mean of {count}"));
        let is_judged = part == Part::Fixed && outcome.failures.is_empty();
        figures.push(if is_judged { mean.goal(Goal::Ratio(GOAL)) } else { mean });
    }
    Ok(Findings { figures, failures: outcome.failures })
}

/// Measures the first launch of a process, cold and with code from the disk cache.
fn first(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    let path = place.program("first")?;
    let on = |side: Side| {
        let program = Program::new(path.clone());
        place.environment(side).into_iter().fold(program, |program, (name, value)| program.variable(name, value))
    };
    let (ours, peer) = (on(Side::Vulkan), on(Side::Peer));
    let cold = |program: &Program, side: Side| {
        // The first process has no cache to remove.
        let _ = std::fs::remove_dir_all(place.scratch.join(place.mask(side)));
        let readings = program.run()?;
        readings.require("translated", "1 kernel", |count| count == 1.0)?;
        Ok(readings)
    };
    let warm = |program: &Program| {
        let readings = program.run()?;
        readings.require("disk_hits", "1 kernel", |count| count == 1.0)?;
        Ok(readings)
    };
    let rounds = run::alternate("cold", effort.processes, || cold(&ours, Side::Vulkan), || cold(&peer, Side::Peer))?;
    let mut figures = vec![
        both(&rounds, "first.cold", "first launch, cold", "first")?,
        both(&rounds, "first.cold.translate", "- of it translation", "translate")?,
        both(&rounds, "first.cold.assemble", "- of it the driver's compiler", "assemble")?,
        both(&rounds, "first.cold.load", "- of it loading", "load")?,
        both(&rounds, "first.context", "driver, context, queue", "context")?,
    ];
    let rounds = run::alternate("disk", effort.processes, || warm(&ours), || warm(&peer))?;
    figures.push(both(&rounds, "first.disk", "first launch, disk hit", "first")?);
    figures.push(both(&rounds, "first.repeat", "the same launch again", "repeat")?);
    Ok(Findings { figures, failures: Vec::new() })
}

fn both(rounds: &[(Readings, Readings)], id: &str, title: &str, reading: &str) -> Result<Figure, BenchError> {
    let ours = run::medians(rounds.iter().map(|(ours, _)| ours), reading)?;
    let peer = run::medians(rounds.iter().map(|(_, peer)| peer), reading)?;
    Ok(Figure::new(id, title, Unit::Milliseconds, &ours).beside(PTX, &peer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_do_the_same() {
        for case in cases(&FIXED).iter().chain(&cases(&STREAM)) {
            assert_eq!(case.peer, (case.test, PTX));
            assert!(case.rivals.is_empty() && case.goal == Goal::Ratio(1.0 / 0.9), "{}", case.id);
        }
        let launches = cases(&LAUNCH);
        assert_eq!(launches.len() + OF_CUDA.len(), LAUNCH.len());
        assert!(launches.iter().all(|case| case.goal == Goal::None));
    }
}
