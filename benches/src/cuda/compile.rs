//! Turns the two compilers into figures: Sinter's translator and the driver's linker beside NVRTC, in one process.
//!
//! *Invariant:* the translator gets the requests that the runtime made for this GPU; every source and every PTX text is new,
//! so that no cache answers.

use std::fs;
use std::path::{Path, PathBuf};

use super::Findings;
use super::place::Place;
use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::pair::Effort;
use crate::session::Session;
use crate::{lab, run};

const KERNELS: [&str; 4] = ["triad", "reduction", "matmul", "nbody"];
/// The kernels that goals speak of.
const SMALL: [&str; 2] = ["triad", "reduction"];
/// A request as SINTER_DUMP leaves it.
const REQUEST: &str = "replay.request";

/// Our test, the peer's, title, the peer's name, goal for small kernels.
type Comparison = (&'static str, &'static str, &'static str, &'static str, f64);

const COMPARISONS: [Comparison; 3] = [
    ("ptx", "nvrtc_ptx", "IR to PTX", "NVRTC, source to PTX", 0.7),
    ("load", "nvrtc_load", "IR to loaded code", "NVRTC sm_90 + load", 1.4),
    ("quick", "nvrtc_load", "the same, link at -O1", "NVRTC sm_90 + load", 1.0),
];

/// Test and title of what has no peer.
const PARTS: [(&str, &str); 4] = [
    ("link", "- PTX to code, driver"),
    ("link1", "- the same at -O1"),
    ("link0", "- the same at -O0"),
    ("cubin", "- load the code"),
];

const SKIPS: &str = "compile: \"loaded\" is a module and a function of it on both sides. The runtime also asks the driver for the \
                     kernel's limits and for the group sizes that suit it, which only the first launch has in it.";

pub(super) fn measure(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    if place.rehearsal {
        return Err(BenchError::Skipped { reason: "a rehearsal has no NVRTC".to_owned() });
    }
    let requests = requests(place)?;
    let mut command = place.command(&place.peer("compile")?);
    command.arg(place.library.join("libsinter_translate.so")).arg(requests);
    let mut session = Session::spawn(command.arg("--serve"))?;
    let mut figures = vec![first(&mut session)?];
    for kernel in KERNELS {
        eprintln!("  {kernel}");
        for comparison in COMPARISONS {
            figures.push(compare(&mut session, kernel, comparison, effort)?);
        }
        for (test, title) in PARTS {
            figures.push(alone(&mut session, kernel, test, title, effort)?);
        }
    }
    Ok(Findings { figures, notes: vec![SKIPS.to_owned()], ..Findings::default() })
}

// The first translation of a process: opening is over, but nothing was initialised before.
fn first(session: &mut Session) -> Result<Figure, BenchError> {
    let (ours, peer) = (session.once("ptx_triad")?, session.once("nvrtc_ptx_triad")?);
    let figure = Figure::new("compile.first.triad", "triad: IR to PTX, first", Unit::Milliseconds, &[ours]);
    Ok(figure.beside("NVRTC, source to PTX", &[peer]))
}

fn compare(
    session: &mut Session,
    kernel: &str,
    (test, peer_test, title, peer, goal): Comparison,
    effort: &Effort,
) -> Result<Figure, BenchError> {
    let (test_name, peer_name) = (format!("{test}_{kernel}"), format!("{peer_test}_{kernel}"));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    session.once(&test_name)?;
    session.once(&peer_name)?;
    for round in 0..effort.rounds {
        if round % 2 == 0 {
            ours.push(session.once(&test_name)?);
            theirs.push(session.once(&peer_name)?);
        } else {
            theirs.push(session.once(&peer_name)?);
            ours.push(session.once(&test_name)?);
        }
    }
    let goal = if SMALL.contains(&kernel) { Goal::Ratio(goal) } else { Goal::None };
    let figure =
        Figure::new(format!("compile.{test}.{kernel}"), format!("{kernel}: {title}"), Unit::Milliseconds, &ours);
    Ok(figure.beside(peer, &theirs).goal(goal))
}

fn alone(session: &mut Session, kernel: &str, test: &str, title: &str, effort: &Effort) -> Result<Figure, BenchError> {
    let name = format!("{test}_{kernel}");
    session.once(&name)?;
    let samples = (0..effort.rounds).map(|_| session.once(&name)).collect::<Result<Vec<_>, _>>()?;
    Ok(Figure::new(format!("compile.{test}.{kernel}"), title, Unit::Milliseconds, &samples))
}

// Runs our program once with a dump and gathers the requests of its four kernels.
fn requests(place: &Place) -> Result<PathBuf, BenchError> {
    let (dump, requests) = (place.scratch.join("dump"), place.scratch.join("requests"));
    lab::make_folder(&requests)?;
    run::finish(place.command(&place.ours("kernels")).env("SINTER_DUMP", &dump))?;
    for kernel in KERNELS {
        let from = folder_of(&dump, kernel)?.join(REQUEST);
        let to = requests.join(format!("{kernel}.request"));
        fs::copy(&from, &to).map_err(|source| BenchError::Read { path: from, source })?;
    }
    Ok(requests)
}

// The symbol of a kernel holds the name that the program gives it.
fn folder_of(dump: &Path, kernel: &str) -> Result<PathBuf, BenchError> {
    let unreadable = |source| BenchError::Read { path: dump.to_owned(), source };
    let entries = fs::read_dir(dump).map_err(unreadable)?;
    let wanted = format!("bench_{kernel}");
    let mut paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let found = paths.find(|path| path.to_string_lossy().contains(&wanted));
    found.ok_or_else(|| BenchError::NoReading { program: dump.display().to_string(), name: wanted })
}
