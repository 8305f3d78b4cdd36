//! Inspects containers: `sinter-hcf ls|extract|verify FILE`.
//!
//! In: a program, shared library, object file or container. Out: its contents as text or JSON, a
//! container or image as a file, or the result of all checks.
//! *Invariant:* the input is never changed.
#![forbid(unsafe_code)]

mod extract;
mod json;
mod ls;
mod source;
mod verify;

use clap::{Parser, Subcommand};
use extract::ExtractArgs;
use sinter_tool_common::{Input, ToolError};
use std::{path::PathBuf, process::ExitCode};

/// Look into the containers that sinter-cc embeds.
#[derive(Parser)]
#[command(name = "sinter-hcf", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  sinter-hcf ls ./program
  sinter-hcf extract ./program -o program.hcf
  sinter-hcf extract ./program --bitcode -o - | llvm-dis-19
  sinter-hcf verify libkernels.so

Exit status: 0 done, 1 the input was rejected, 2 wrong usage, 3 a defect of this tool.";

#[derive(Subcommand)]
enum Command {
    /// List containers, images and kernels with their parameters
    Ls {
        /// Program, library, object file or container; `-` is standard input
        file: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a container, or an image in it, to a file
    Extract(ExtractArgs),
    /// Check digests, the object id, and every record
    Verify {
        /// Program, library, object file or container; `-` is standard input
        file: PathBuf,
    },
}

fn run(cli: Cli) -> Result<(), ToolError> {
    match cli.command {
        Command::Ls { file, json: false } => ls::ls(&Input::read(&file)?),
        Command::Ls { file, json: true } => json::ls(&Input::read(&file)?),
        Command::Extract(args) => extract::extract(&Input::read(&args.file)?, &args),
        Command::Verify { file } => verify::verify(&Input::read(&file)?),
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    sinter_tool_common::run("sinter-hcf", || run(cli))
}
