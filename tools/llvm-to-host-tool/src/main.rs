//! `llvm-to-host-tool`: translates one kernel to code for the host CPU, offline.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step, assembly, an object
//! or the shared object that the runtime would load. *Invariant:* the same translator as at run time does the work, so
//! a replayed request gives the same bytes.
#![forbid(unsafe_code)]

mod kernels;
mod request;

use clap::{Parser, ValueEnum};
use sinter_core::{Observer, TranslateCause, TranslateError, TranslateRequest};
use sinter_tool_common::{Input, KernelFlags, ToolError, print, run, write_file};
use sinter_translate::{Product, Step, emit, inspect};
use std::{path::PathBuf, process::ExitCode};

const EXAMPLES: &str = "Examples:
  llvm-to-host-tool --list-kernels app
  llvm-to-host-tool app --kernel triad -o triad.so
  llvm-to-host-tool k.ll --kernel triad --group-size 64 --emit asm -o -
  llvm-to-host-tool k.ll --kernel use --stop-after specialize --constant n=i32:16 -o -
  llvm-to-host-tool app --kernel triad --constant depth=bytes:0x10000000 -o triad.so
  llvm-to-host-tool --replay failed.request -o k.so

Exit status: 0 done, 1 input rejected, 2 usage, 3 a defect of the tool.";

/// Translates one kernel to code for the host CPU.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    /// LLVM IR (.ll), bitcode (.bc), an HCF container, a program or object file with containers, a request, or `-`
    #[arg(required_unless_present_any = ["replay", "print_steps"])]
    input: Option<PathBuf>,
    /// File to write; `-` is stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// `native`, or LLVM's name of a CPU with optional features: `x86-64-v3:-fma`
    #[arg(long, default_value = "native", value_name = "CPU[:FEATURES]")]
    target: String,
    #[command(flatten)]
    kernel: KernelFlags,
    /// What to write
    #[arg(long, value_enum, default_value_t = Emit::So)]
    emit: Emit,
    /// Stop after this step and write the IR
    #[arg(long, value_name = "STEP")]
    stop_after: Option<Step>,
    /// List the steps in order
    #[arg(long)]
    print_steps: bool,
    /// List the kernels of the input
    #[arg(long)]
    list_kernels: bool,
    /// Print lists as JSON
    #[arg(long)]
    json: bool,
    /// Translate a request file, with nothing changed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "kernel"])]
    replay: Option<PathBuf>,
    /// Folder for the IR after each step
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
}

/// What to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// IR after the optimiser.
    Ir,
    /// Assembly.
    Asm,
    /// A relocatable object.
    Obj,
    /// The shared object that the runtime loads.
    So,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    run("llvm-to-host-tool", || work(&cli))
}

fn work(cli: &Cli) -> Result<(), ToolError> {
    if cli.print_steps {
        return print(Step::ALL.map(|step| format!("{step}\n")).concat().as_bytes());
    }
    let path = cli.replay.as_ref().or(cli.input.as_ref()).ok_or_else(|| ToolError::usage("no INPUT"))?;
    let input = Input::read(path)?;
    if cli.list_kernels {
        return print(kernels::list(&input, cli.json)?.as_bytes());
    }
    if cli.output.is_none() && cli.replay.is_none() {
        return Err(ToolError::usage("no output: pass -o FILE, or `-o -` for stdout"));
    }
    let request = if cli.replay.is_some() { request::replayed(input)? } else { request::from_flags(cli, input)? };
    let bytes = translate(cli, &request)?;
    match &cli.output {
        Some(output) => write_file(output, &bytes),
        // The command in the runtime's message: whether the request still fails is what it asks.
        None => {
            eprintln!("llvm-to-host-tool: the request translates, to {} bytes; -o FILE writes them", bytes.len());
            Ok(())
        }
    }
}

fn translate(cli: &Cli, request: &TranslateRequest) -> Result<Vec<u8>, ToolError> {
    let observer = Observer { dump: cli.dump.clone() };
    let stop_after = cli.stop_after.or((cli.emit != Emit::So).then_some(Step::Optimise));
    let product = inspect(request, &observer, stop_after).map_err(tool_error)?;
    let format = match cli.emit {
        Emit::Asm => sinter_translate::Format::Assembly,
        _ => sinter_translate::Format::Object,
    };
    match product {
        Product::Code(code) => Ok(code.bytes.to_vec()),
        Product::Ir(text) if cli.stop_after.is_some() || cli.emit == Emit::Ir => Ok(text.into_bytes()),
        Product::Ir(text) => emit(&text, request, format).map_err(ToolError::rejected),
    }
}

/// A defect of the translator is ours; everything else is the input's.
fn tool_error(error: TranslateError) -> ToolError {
    match error.cause {
        TranslateCause::Internal { .. } | TranslateCause::Fatal { .. } => ToolError::Defect(error.to_string()),
        _ => ToolError::Rejected(error.to_string()),
    }
}
