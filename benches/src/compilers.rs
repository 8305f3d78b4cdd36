//! Compares two compilers that one process serves: tests are TYPE_KERNEL, for the kernels of
//! `cuda/kernels.cpp`.
//!
//! *Invariant:* the translator gets the requests that the runtime made for the device; no input is
//! compiled twice, so that no cache has the result.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::pair::Effort;
use crate::session::Session;
use crate::{lab, run};

const KERNELS: [&str; 4] = ["triad", "reduction", "matmul", "nbody"];
/// Kernels to which goals apply.
const SMALL: [&str; 2] = ["triad", "reduction"];
/// File name of a request in a SINTER_DUMP folder.
const REQUEST: &str = "replay.request";

/// An operation of ours beside one of the peer's.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The type of our test.
    pub(crate) test: &'static str,
    /// The type of the peer's.
    pub(crate) peer_test: &'static str,
    /// Description of our operation.
    pub(crate) title: &'static str,
    /// Description of the peer's.
    pub(crate) peer: &'static str,
    /// Goal for small kernels.
    pub(crate) goal: Goal,
}

/// Type and title of an operation without a peer.
pub(crate) type Alone = (&'static str, &'static str);

/// Measures all kernels, after the first translation.
pub(crate) fn measure(
    session: &mut Session,
    comparisons: &[Comparison],
    parts: &[Alone],
    effort: &Effort,
) -> Result<Vec<Figure>, BenchError> {
    let mut figures = comparisons.iter().take(1).map(|one| first(session, one)).collect::<Result<Vec<_>, _>>()?;
    for kernel in KERNELS {
        eprintln!("  {kernel}");
        for comparison in comparisons {
            figures.push(compare(session, kernel, comparison, effort)?);
        }
        for part in parts {
            figures.push(alone(session, kernel, *part, effort)?);
        }
    }
    Ok(figures)
}

// The first translation of a process: the library is loaded, but nothing is initialised.
fn first(session: &mut Session, comparison: &Comparison) -> Result<Figure, BenchError> {
    let Comparison { test, peer_test, title, peer, .. } = comparison;
    let (ours, theirs) = (session.once(&format!("{test}_triad"))?, session.once(&format!("{peer_test}_triad"))?);
    let figure = Figure::new("compile.first.triad", format!("triad: {title}, first"), Unit::Milliseconds, &[ours]);
    Ok(figure.beside(peer, &[theirs]))
}

fn compare(
    session: &mut Session,
    kernel: &str,
    comparison: &Comparison,
    effort: &Effort,
) -> Result<Figure, BenchError> {
    let Comparison { test, peer_test, title, peer, goal } = comparison;
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
    let goal = if SMALL.contains(&kernel) { *goal } else { Goal::None };
    let figure =
        Figure::new(format!("compile.{test}.{kernel}"), format!("{kernel}: {title}"), Unit::Milliseconds, &ours);
    Ok(figure.beside(peer, &theirs).goal(goal))
}

fn alone(session: &mut Session, kernel: &str, (test, title): Alone, effort: &Effort) -> Result<Figure, BenchError> {
    let name = format!("{test}_{kernel}");
    session.once(&name)?;
    let samples = (0..effort.rounds).map(|_| session.once(&name)).collect::<Result<Vec<_>, _>>()?;
    Ok(Figure::new(format!("compile.{test}.{kernel}"), title, Unit::Milliseconds, &samples))
}

/// Runs `program`, which is `cuda/kernels.cpp`, once with a dump folder below `scratch`, and
/// collects the requests of its four kernels.
pub(crate) fn requests(program: &mut Command, scratch: &Path) -> Result<PathBuf, BenchError> {
    let (dump, requests) = (scratch.join("dump"), scratch.join("requests"));
    lab::make_folder(&requests)?;
    run::finish(program.env("SINTER_DUMP", &dump))?;
    for kernel in KERNELS {
        let from = folder_of(&dump, kernel)?.join(REQUEST);
        let to = requests.join(format!("{kernel}.request"));
        fs::copy(&from, &to).map_err(|source| BenchError::Read { path: from, source })?;
    }
    Ok(requests)
}

// Finds the folder of a kernel: its symbol contains the name in the program.
fn folder_of(dump: &Path, kernel: &str) -> Result<PathBuf, BenchError> {
    let unreadable = |source| BenchError::Read { path: dump.to_owned(), source };
    let entries = fs::read_dir(dump).map_err(unreadable)?;
    let wanted = format!("bench_{kernel}");
    let mut paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let found = paths.find(|path| path.to_string_lossy().contains(&wanted));
    found.ok_or_else(|| BenchError::NoReading { program: dump.display().to_string(), name: wanted })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_compilers_take_turns_after_a_first_time() {
        let script = r#"while read a b c; do case $b in ptx_*) echo '{"seconds":0.001}';; *) echo '{"seconds":0.002}'; esac; done"#;
        let mut session = Session::spawn(Command::new("/bin/sh").args(["-c", script])).unwrap();
        let goal = Goal::Ratio(0.7);
        let comparison = Comparison { test: "ptx", peer_test: "nvrtc", title: "IR to PTX", peer: "NVRTC", goal };
        let figures = measure(&mut session, &[comparison], &[("link", "- link")], &Effort::of(true)).unwrap();
        let ids: Vec<_> = figures.iter().map(|figure| figure.id.as_str()).collect();
        assert_eq!(ids[..3], ["compile.first.triad", "compile.ptx.triad", "compile.link.triad"]);
        assert!(figures[0].ratio() == Some(0.5) && figures[1].samples.len() == 3 && ids.len() == 9);
        assert_eq!([figures[1].goal, figures[5].goal], [goal, Goal::None]);
    }
}
