//! Turns a suite's name into measurements: `sinter-benches cpu` runs every figure of the CPU suite beside its peer.
//!
//! The table goes to stdout, progress to stderr, both forms of the result to `target/bench/`.
//!
//! *Invariant:* no absolute number from a shared machine is meaningful; what is compared is the ratio of two programs
//! that this process ran in turn.
#![forbid(unsafe_code)]

mod cpu;
mod error;
mod figure;
mod lab;
mod machine;
mod output;
mod run;
mod stats;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use error::BenchError;
use lab::{Effort, Lab};

/// Measures Sinter side by side with a peer, in one run.
#[derive(Parser)]
#[command(name = "bench", version)]
struct Arguments {
    /// What to measure.
    suite: Suite,
    /// Fewer repetitions: shows that everything works, says little about speed.
    #[arg(long)]
    quick: bool,
    /// Measure only this part of the suite; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<cpu::Part>,
    /// Folder for the results; programs are built in `build/` inside it.
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Suite {
    /// Kernels, launches, start-up, memory and compile time on the CPU, beside OpenMP and stock clang.
    Cpu,
}

fn main() -> ExitCode {
    match measure(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("bench: {}", error::with_causes(&error));
            ExitCode::from(error.exit_code())
        }
    }
}

fn measure(arguments: Arguments) -> Result<ExitCode, BenchError> {
    let effort = if arguments.quick { Effort::quick() } else { Effort::full() };
    let lab = Lab::open(arguments.output, effort)?;
    let report = match arguments.suite {
        Suite::Cpu => cpu::run(&lab, &arguments.only)?,
    };
    output::write(&lab, &report)?;
    Ok(if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
