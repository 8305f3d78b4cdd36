//! Measures the first launch of a process: cold with quick code and with full code, from the disk
//! cache, and repeated; and peak memory.
//!
//! The peer of a cold launch is the cost of a translator that runs tools in child processes: clang
//! compiles the same kernel's bitcode to a shared object. The peer of a disk hit is its floor:
//! `dlopen` of that shared object and a call.
//!
//! *Invariant:* the runtime's counters of each process prove its case; a warm process maps neither
//! LLVM nor the translator.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Program, Readings};

use super::findings::{Findings, host_program};

const SPAWN: &str = "clang spawned: bitcode to shared object";
const FLOOR: &str = "dlopen and call of ready code";

/// Cold processes, each beside the seconds of the peer.
type Cold = Vec<(Readings, f64)>;

struct Warm {
    process: Readings,
    floor: Readings,
}

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let ours = host_program(lab.build_ours("cpu/first")?);
    let spawn = spawned_translation(lab)?;
    // Untimed: afterwards all files are in the page cache and the disk cache is filled, for both
    // sides.
    spawn.seconds()?;
    let cache = lab.fresh_cache("disk")?;
    cold_process(&ours, &cache)?;
    let quick = ours.clone().variable("SINTER_JIT_MODE", "fallback");
    let floor = Program::new(lab.build_peer("load")?).arguments([lab.built("kernel.so").display()]);
    let disk = ours.clone().variable("SINTER_CACHE_DIR", cache);
    let cold_peer = || spawn.seconds();
    let cold = |name: &str, program: &Program| {
        run::alternate(name, lab.effort.rounds, || cold_process(program, &lab.fresh_cache("cold")?), &cold_peer)
    };
    let (quick, full) = (cold("first, quick code", &quick)?, cold("first, full code", &ours)?);
    let warm = run::alternate("first, disk", lab.effort.rounds, || disk_process(&disk), || floor.run())?;
    let warm: Vec<_> = warm.into_iter().map(|(process, floor)| Warm { process, floor }).collect();
    Ok(Findings { figures: figures(&quick, &full, &warm)?, notes: notes(), ..Findings::default() })
}

fn spawned_translation(lab: &Lab) -> Result<Program, BenchError> {
    let bitcode = lab.built("kernel.bc");
    let options = ["-O3", "-march=native", "-fPIC", "-std=c++17"];
    let mut command = Command::new(lab.clang());
    command.args(options).args(["-c", "-emit-llvm"]).arg(lab.source("peers/kernel.cpp")).arg("-o").arg(&bitcode);
    run::finish(&mut command)?;
    let files = [bitcode, PathBuf::from("-o"), lab.built("kernel.so")];
    let program = Program::new(lab.clang()).arguments(["-O3", "-march=native", "-fPIC", "-shared"]);
    Ok(program.arguments(files.iter().map(|file| file.display())))
}

fn cold_process(ours: &Program, cache: &Path) -> Result<Readings, BenchError> {
    let readings = ours.clone().variable("SINTER_CACHE_DIR", cache).run()?;
    readings.require("translated", "1 kernel, and full code", |count| (1.0..=2.0).contains(&count))?;
    readings.require("disk_hits", "0 kernels", |count| count == 0.0)?;
    Ok(readings)
}

fn disk_process(ours: &Program) -> Result<Readings, BenchError> {
    let readings = ours.run()?;
    readings.require("translated", "0 kernels", |count| count == 0.0)?;
    readings.require("disk_hits", "1 kernel", |count| count == 1.0)?;
    readings.require("llvm_mapped", "0: a warm process maps no LLVM", |mapped| mapped == 0.0)?;
    readings.require("translator_mapped", "0: a warm process maps no translator", |mapped| mapped == 0.0)?;
    Ok(readings)
}

fn figures(quick: &Cold, full: &Cold, warm: &[Warm]) -> Result<Vec<Figure>, BenchError> {
    let mut figures = vec![cold_figure(quick, "first.quick", "first launch, cold cache, quick code", 8.0)?];
    figures.push(cold_figure(full, "first.cold", "first launch, cold cache, full code", 15.0)?);
    figures.extend(parts(full)?);
    figures.extend(warm_figures(warm)?);
    figures.extend(memory_figures(full, warm)?);
    Ok(figures)
}

fn of(cold: &Cold, name: &str) -> Result<Vec<f64>, BenchError> {
    run::medians(cold.iter().map(|(process, _)| process), name)
}

fn cold_figure(cold: &Cold, id: &str, title: &str, goal: f64) -> Result<Figure, BenchError> {
    let spawned: Vec<_> = cold.iter().map(|(_, seconds)| *seconds).collect();
    let figure = Figure::new(id, title, Unit::Milliseconds, &of(cold, "first")?);
    Ok(figure.beside(SPAWN, &spawned).goal(Goal::AtMost(goal)))
}

fn parts(cold: &Cold) -> Result<[Figure; 2], BenchError> {
    let part = |id, title, name| Ok(Figure::new(id, title, Unit::Milliseconds, &of(cold, name)?));
    Ok([
        part("first.cold.translate", "- of it translation", "translate")?,
        part("first.cold.load", "- of it loading the code", "load")?,
    ])
}

fn warm_figures(warm: &[Warm]) -> Result<Vec<Figure>, BenchError> {
    let ours = || warm.iter().map(|one| &one.process);
    let floors = || warm.iter().map(|one| &one.floor);
    let (disk, floor) = (less_the_run(ours())?, less_the_run(floors())?);
    Ok(vec![
        Figure::new("first.disk", "first launch, disk cache, less the run", Unit::Milliseconds, &disk)
            .beside(FLOOR, &floor)
            .goal(Goal::AtMost(0.3)),
        Figure::new("first.memory", "the same launch again", Unit::Microseconds, &run::medians(ours(), "repeat")?),
    ])
}

fn memory_figures(cold: &Cold, warm: &[Warm]) -> Result<Vec<Figure>, BenchError> {
    let cold = of(cold, "peak")?;
    let ours = run::medians(warm.iter().map(|one| &one.process), "peak")?;
    let floor = run::medians(warm.iter().map(|one| &one.floor), "peak")?;
    Ok(vec![
        Figure::new("memory.cold", "peak memory, cold cache", Unit::Mebibytes, &cold).goal(Goal::AtMost(70.0)),
        Figure::new("memory.warm", "peak memory, warm cache", Unit::Mebibytes, &ours)
            .beside(FLOOR, &floor)
            .goal(Goal::AtMost(15.0)),
    ])
}

// Subtracts one run of the kernel, which the first launch of a process includes and which is not a
// cost of the cache.
fn less_the_run<'a>(processes: impl Iterator<Item = &'a Readings>) -> Result<Vec<f64>, BenchError> {
    processes.map(|process| Ok(process.median("first")? - process.median("repeat")?)).collect()
}

fn notes() -> Vec<String> {
    vec!["Warm processes mapped neither LLVM nor the translator.".to_owned()]
}
