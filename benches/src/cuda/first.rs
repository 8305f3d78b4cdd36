//! Measures the first launch of a process on a GPU: cold, and from the disk cache.
//!
//! The peer has its code in the program. The runtime's own report of one process of each kind is
//! added as a note.
//!
//! *Invariant:* the runtime's counters of each process prove its case.

use std::fs;
use std::path::Path;

use super::findings::Findings;
use super::place::Place;
use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::pair::Effort;
use crate::run::{self, Program, Readings};

const PEER: &str = "code of nvcc";

pub(super) fn measure(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    let cache = place.scratch.join("first-cache");
    let ours = place.program(place.ours("first")).variable("SINTER_CACHE_DIR", &cache);
    let peer = place.program(place.peer("first")?);
    // Untimed: loads the files of both into the page cache.
    cold(&ours, &cache)?;
    peer.run()?;
    let cold_rounds = run::alternate("cold", effort.processes, || cold(&ours, &cache), || peer.run())?;
    let disk_rounds = run::alternate("disk", effort.processes, || disk(&ours), || peer.run())?;
    let mut figures = cold_figures(&cold_rounds)?;
    figures.extend(disk_figures(&disk_rounds)?);
    let notes = vec![report(place, &ours, "disk hit")?];
    Ok(Findings { figures, notes, ..Findings::default() })
}

fn cold(ours: &Program, cache: &Path) -> Result<Readings, BenchError> {
    // The first process has no cache to remove.
    let _ = fs::remove_dir_all(cache);
    let readings = ours.run()?;
    readings.require("translated", "1 kernel", |count| count == 1.0)?;
    Ok(readings)
}

fn disk(ours: &Program) -> Result<Readings, BenchError> {
    let readings = ours.run()?;
    readings.require("translated", "0 kernels", |count| count == 0.0)?;
    readings.require("disk_hits", "1 kernel", |count| count == 1.0)?;
    Ok(readings)
}

type Rounds = [(Readings, Readings)];

fn both(rounds: &Rounds, id: &str, title: &str, reading: &str) -> Result<Figure, BenchError> {
    let (ours, peer) = (ours(rounds, reading)?, run::medians(rounds.iter().map(|(_, peer)| peer), reading)?);
    Ok(Figure::new(id, title, Unit::Milliseconds, &ours).beside(PEER, &peer))
}

fn part(rounds: &Rounds, id: &str, title: &str, reading: &str) -> Result<Figure, BenchError> {
    Ok(Figure::new(id, title, Unit::Milliseconds, &ours(rounds, reading)?))
}

fn ours(rounds: &Rounds, reading: &str) -> Result<Vec<f64>, BenchError> {
    run::medians(rounds.iter().map(|(ours, _)| ours), reading)
}

fn cold_figures(rounds: &Rounds) -> Result<Vec<Figure>, BenchError> {
    Ok(vec![
        both(rounds, "first.cold", "first launch, cold", "first")?,
        part(rounds, "first.cold.translate", "- of it translation", "translate")?,
        part(rounds, "first.cold.assemble", "- of it PTX to code, driver", "assemble")?,
        part(rounds, "first.cold.load", "- of it loading", "load")?,
    ])
}

fn disk_figures(rounds: &Rounds) -> Result<Vec<Figure>, BenchError> {
    Ok(vec![
        both(rounds, "first.context", "driver, context, queue", "context")?,
        both(rounds, "first.disk", "first launch, disk hit", "first")?.goal(Goal::AtMost(0.5)),
        part(rounds, "first.disk.load", "- of it loading", "load")?,
        both(rounds, "first.repeat", "the same launch again", "repeat")?,
    ])
}

fn report(place: &Place, ours: &Program, kind: &str) -> Result<String, BenchError> {
    let path = place.scratch.join("report.txt");
    ours.clone().variable("SINTER_REPORT", &path).run()?;
    let text = fs::read_to_string(&path).map_err(|source| BenchError::Read { path, source })?;
    Ok(format!("The runtime's report of a {kind}:\n{}", text.trim_end()))
}
