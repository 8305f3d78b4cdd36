//! Measures a suite: `sinter-benches cpu` runs every figure of the CPU suite beside its peer,
//! `sinter-benches adaptive` those of code for values that launches repeat,
//! `sinter-benches cuda` those of an NVIDIA GPU, `sinter-benches opencl` those of an OpenCL device,
//! `sinter-benches vulkan` those of a GPU through Vulkan, beside PTX.
//!
//! The table goes to stdout, progress to stderr, both forms of the result to `target/bench/`.
//!
//! *Invariant:* absolute numbers from a shared machine are meaningless; results are ratios of two
//! programs that this process ran in turn.
#![forbid(unsafe_code)]

mod adaptive;
mod buffers;
mod case;
mod ceilings;
mod compilers;
mod contest;
mod cpu;
mod cuda;
mod error;
mod figure;
mod floor;
mod lab;
mod machine;
mod opencl;
mod output;
mod pair;
mod processes;
mod run;
mod session;
mod stats;
mod table;
mod vulkan;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use error::BenchError;
use lab::{Effort, Lab};
use output::Report;

/// Measures Sinter side by side with a peer, in one run.
#[derive(Parser)]
#[command(name = "bench", version)]
struct Arguments {
    /// Suite to measure.
    #[command(subcommand)]
    suite: Suite,
    /// Fewer repetitions: shows that everything works, says little about speed.
    #[arg(long, global = true)]
    quick: bool,
    /// Folder for the results; programs are built in `build/` inside it.
    #[arg(long, value_name = "DIR", global = true)]
    output: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Suite {
    /// Kernels, launches, start-up, memory and compile time on the CPU, beside OpenMP and stock
    /// clang.
    Cpu(CpuArguments),
    /// Kernels, launches and compilers on an NVIDIA GPU, beside nvcc, the driver and NVRTC.
    Cuda(cuda::Arguments),
    /// Code for values that launches repeat, on the CPU, beside code for all values and clang.
    Adaptive,
    /// Kernels, launches and compilers on a device of OpenCL, beside OpenCL C.
    Opencl(opencl::Arguments),
    /// Kernels, launches and compilers on a GPU through Vulkan, beside the same through PTX.
    Vulkan(vulkan::Arguments),
}

#[derive(Args)]
struct CpuArguments {
    /// Measure only this part of the suite; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<cpu::Part>,
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
    let Arguments { suite, quick, output } = arguments;
    match suite {
        Suite::Cpu(chosen) => {
            let lab = Lab::open(output, if quick { Effort::quick() } else { Effort::full() })?;
            finish(lab.output(), &cpu::run(&lab, &chosen.only)?)
        }
        Suite::Adaptive => {
            let lab = Lab::open(output, if quick { Effort::quick() } else { Effort::full() })?;
            finish(lab.output(), &adaptive::run(&lab)?)
        }
        Suite::Cuda(chosen) => match cuda::run(&chosen, quick, output)? {
            Some((folder, report)) => finish(&folder, &report),
            None => Ok(ExitCode::SUCCESS),
        },
        Suite::Opencl(chosen) => {
            let (folder, report) = opencl::run(&chosen, quick, output)?;
            finish(&folder, &report)
        }
        Suite::Vulkan(chosen) => {
            let (folder, report) = vulkan::run(&chosen, quick, output)?;
            finish(&folder, &report)
        }
    }
}

fn finish(folder: &Path, report: &Report) -> Result<ExitCode, BenchError> {
    output::write(folder, report)?;
    Ok(if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
