//! Combines the parts of the OpenCL suite in one report: Sinter beside kernels in OpenCL C on one
//! OpenCL device.
//!
//! The programs are those of the `cuda` suite. Each kernel has two rows: our SPIR-V on the OpenCL
//! device, which shows the cost of our emitter, and our code for the CPU, which on a CPU compares
//! the two compilers as a whole. Rows of our code have the part of the processor's limits that they
//! reach, measured before and behind all of them.
//!
//! *Invariant:* a failed part never hides the others: its reason is reported and the suite
//! continues.

mod cases;
mod place;

use std::path::{Path, PathBuf};

use crate::case::Case;
use crate::ceilings::{self, Ceilings};
use crate::compilers::{self, Alone, Comparison};
use crate::contest::{self, Outcome};
use crate::error::{self, BenchError};
use crate::figure::{Figure, Goal};
use crate::floor::{self, Floor};
use crate::lab::{self, Lab};
use crate::machine;
use crate::output::{self, Report};
use crate::pair::Effort;
use crate::session::Session;
use crate::table;
use place::{Device, Place};

/// A part of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// copy, mul, add, triad, dot.
    Stream,
    /// Matrix product, n-body, stencils, sums, histogram, Black-Scholes, Mandelbrot.
    Fixed,
    /// An empty kernel through SYCL and through the C interface.
    Launch,
    /// Translator and the platform's compiler beside its compiler of OpenCL C.
    Compile,
}

const PARTS: [Part; 4] = [Part::Stream, Part::Fixed, Part::Launch, Part::Compile];

/// Options of the OpenCL suite.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure only this part of the suite; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<Part>,
}

const PEER_FLAGS: &str = "OpenCL C is built without options, but for `-cl-std=CL2.0` where work_group_reduce_add is called. Both languages \
                          let compilers fuse multiplications and additions of one expression.";

const LAUNCH_NOTE: &str = "launch: a process on Intel's OpenCL for CPUs is in one of two states, in which a launch and its end take about 3 or 8 us, for \
                           thousands of launches. Both sides are in either, so that single rows say little.";

const LIMITS_NOTE: &str = "Limits are those of main memory and of arithmetic in f32, which the work of a kernel \
                           that cannot be avoided meets: data that stays in the caches reaches more than all of \
                           the traffic.";

/// Processes that measure the limits, before the kernels and as many behind them.
const LIMITS: usize = 3;

/// Goals of our code for the CPU: of each row and of the mean.
#[derive(Clone, Copy)]
struct HostGoals {
    row: Goal,
    mean: Goal,
}

const HOST_STREAM: HostGoals = HostGoals { row: Goal::None, mean: Goal::None };
const HOST_FIXED: HostGoals = HostGoals { row: Goal::Ratio(1.1), mean: Goal::Ratio(0.9) };

const COMPARISONS: [Comparison; 1] = [Comparison {
    test: "build",
    peer_test: "cl_build",
    title: "IR to a kernel",
    peer: "clBuildProgram, OpenCL C",
    goal: Goal::None,
}];
const COMPILE_PARTS: [Alone; 2] = [("spirv", "- IR to SPIR-V"), ("il_build", "- SPIR-V to a kernel, platform")];

/// Results that a part adds to the report.
#[derive(Debug, Default)]
struct Findings {
    figures: Vec<Figure>,
    floors: Vec<Floor>,
    notes: Vec<String>,
    failures: Vec<(String, String)>,
}

/// Measures all selected parts; returns the report with its folder.
pub(crate) fn run(
    arguments: &Arguments,
    quick: bool,
    output: Option<PathBuf>,
) -> Result<(PathBuf, Report), BenchError> {
    let place = Place::open(Lab::open(output, lab::Effort::full())?, quick)?;
    let mut report = Report::new("opencl", machine::describe(&place.lab));
    let watch = machine::Watch::start();
    report.notes.push(PEER_FLAGS.to_owned());
    let mut floors = Vec::new();
    let wanted = |part: &Part| arguments.only.is_empty() || arguments.only.contains(part);
    for part in PARTS.into_iter().filter(wanted) {
        eprintln!("{}", part.name());
        match part.measure(&place, &Effort::of(quick)) {
            Ok(found) => {
                report.figures.extend(found.figures);
                floors.extend(found.floors);
                report.notes.extend(found.notes);
                report.failures.extend(found.failures);
            }
            Err(error) => report.failures.push((part.name(), error::with_causes(&error))),
        }
        report.tables = tables(&report.figures, &floors);
        // Saves the results so far, in case a later part crashes the process.
        output::save(place.lab.output(), &report)?;
    }
    report.notes.extend(watch.finish());
    Ok((place.lab.output().to_owned(), report))
}

/// The limits, and the rows in the form of docs/benchmarks.md.
fn tables(figures: &[Figure], floors: &[Floor]) -> Vec<(&'static str, String)> {
    let header = ["kernel", "SPIR-V", "OpenCL C", "version", "ratio", "our host code", "its ratio", "it reaches"];
    let pairs = ("Both compilers", table::beside_variants(figures, ".host", header));
    floor::section(floors).into_iter().chain((!floors.is_empty()).then_some(pairs)).collect()
}

impl Part {
    fn measure(self, place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
        match self {
            Self::Stream => kernels(place, effort, "stream", &cases::STREAM, HOST_STREAM),
            Self::Fixed => kernels(place, effort, "fixed", &cases::FIXED, HOST_FIXED),
            Self::Launch => launches(place, effort),
            Self::Compile => compile(place, effort),
        }
    }

    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

fn measured(
    place: &Place,
    effort: &Effort,
    (ours, peer): (&Path, &Path),
    cases: &[Case],
    device: Device,
) -> Result<Outcome, BenchError> {
    contest::run(|| place.start(ours, peer, device), cases, effort)
}

// Measures each kernel twice, then adds the means of both.
fn kernels(
    place: &Place,
    effort: &Effort,
    name: &str,
    cases: &[Case],
    goals: HostGoals,
) -> Result<Findings, BenchError> {
    let (ours, peer) = (place.lab.build_ours(&format!("cuda/{name}"))?, place.lab.build_opencl_peer(name)?);
    let spirv = measured(place, effort, (&ours, &peer), cases, Device::OpenCl)?;
    let limits = ceilings::program(&place.lab)?;
    let run_limits = || (0..LIMITS).map(|_| limits.run()).collect::<Result<Vec<_>, _>>();
    let before = run_limits()?;
    let mut host = measured(place, effort, (&ours, &peer), cases, Device::Host)?;
    let known = Ceilings::of(before.iter().chain(&run_limits()?))?;
    let mut floors = Vec::new();
    for (index, figure) in &mut host.figures {
        let case = &cases[*index];
        let floor = host.work.get(case.test).and_then(|listed| known.floor(figure, cases::work(case, listed)));
        *figure = floor::beside(as_host(figure.clone(), case, goals.row), floor.as_ref());
        floors.extend(floor);
    }
    let means = [mean(&spirv, name, "", Goal::Ratio(1.0)), mean(&host, name, ", host backend", goals.mean)];
    let failures = spirv.failures.into_iter().chain(host.failures.into_iter().map(|(id, why)| (id + ".host", why)));
    let mut rows: Vec<_> = spirv.figures.into_iter().chain(host.figures).collect();
    // Stable, so that our SPIR-V comes first.
    rows.sort_by_key(|(index, _)| *index);
    let figures = rows.into_iter().map(|(_, figure)| figure).chain(means.into_iter().flatten()).collect();
    let notes = vec![known.describe(name), LIMITS_NOTE.to_owned()];
    Ok(Findings { figures, floors, notes, failures: failures.collect() })
}

fn as_host(figure: Figure, case: &Case, goal: Goal) -> Figure {
    figure.called(format!("{}.host", case.id), "- our host backend".to_owned()).goal(goal)
}

// The mean of all rows. For a part of the rows it has no goal.
fn mean(outcome: &Outcome, name: &str, of: &str, goal: Goal) -> Option<Figure> {
    let figures: Vec<Figure> = outcome.figures.iter().map(|(_, figure)| figure.clone()).collect();
    let title = format!("{name}: geometric mean of {}{of}", figures.len());
    let id = format!("{name}.mean{}", if of.is_empty() { "" } else { ".host" });
    let goal = if outcome.failures.is_empty() { goal } else { Goal::None };
    Some(contest::mean(&figures)?.called(id, title).goal(goal))
}

fn launches(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    let (ours, peer) = (place.lab.build_ours("cuda/launch")?, place.lab.build_opencl_peer("launch")?);
    let Outcome { figures, failures, .. } = measured(place, effort, (&ours, &peer), &cases::LAUNCH, Device::OpenCl)?;
    let figures = figures.into_iter().map(|(_, figure)| figure).collect();
    Ok(Findings { figures, notes: vec![LAUNCH_NOTE.to_owned()], failures, ..Findings::default() })
}

fn compile(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    let kernels = place.lab.build_ours("cuda/kernels")?;
    let requests = compilers::requests(&mut place.ours(&kernels, Device::OpenCl), &place.scratch)?;
    let mut command = place.peer(&place.lab.build_opencl_peer("compile")?);
    command.arg(place.lab.library().join("libsinter_translate.so")).arg(requests);
    let figures = compilers::measure(&mut Session::serve(&mut command)?, &COMPARISONS, &COMPILE_PARTS, effort)?;
    Ok(Findings { figures, ..Findings::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Unit, Verdict};

    fn outcome(failures: Vec<(String, String)>) -> Outcome {
        let figure = |ours: f64| Figure::new("x", "x", Unit::Milliseconds, &[ours]).beside("OpenCL C", &[0.002]);
        Outcome { figures: vec![(0, figure(0.004)), (1, figure(0.001))], failures, ..Outcome::default() }
    }

    #[test]
    fn the_mean_is_judged_where_all_kernels_were_measured() {
        let whole = mean(&outcome(Vec::new()), "fixed", "", Goal::Ratio(1.0)).unwrap();
        assert_eq!((whole.id.as_str(), whole.verdict()), ("fixed.mean", Verdict::Met));
        let failures = vec![("fixed.sum".to_owned(), "it broke".to_owned())];
        assert_eq!(mean(&outcome(failures), "fixed", "", Goal::Ratio(1.0)).unwrap().verdict(), Verdict::Open);
        assert_eq!(mean(&outcome(Vec::new()), "fixed", ", host", Goal::None).unwrap().id, "fixed.mean.host");
    }

    #[test]
    fn rows_of_the_host_backend_have_goals_in_the_suite_fixed() {
        let case = &cases::FIXED[0];
        let figure = |ours| Figure::new(case.id, case.title, case.unit, &[ours]).beside("OpenCL C", &[0.002]);
        let verdict = |ours, goals: HostGoals| as_host(figure(ours), case, goals.row).verdict();
        assert_eq!(as_host(figure(0.001), case, HOST_FIXED.row).id, "fixed.matmul16.host");
        assert_eq!([0.0022, 0.0023].map(|ours| verdict(ours, HOST_FIXED)), [Verdict::Met, Verdict::Missed]);
        assert_eq!(verdict(0.0023, HOST_STREAM), Verdict::Open);
        // Of 2 and 0.5 times the time of the peer the mean is 1.
        let mean = mean(&outcome(Vec::new()), "fixed", ", host backend", HOST_FIXED.mean).unwrap();
        assert_eq!(mean.verdict(), Verdict::Missed);
    }
}
