//! The command line of all these tools.

use crate::{Family, kernels::Source, name::with_readable, request};
use clap::{Args, CommandFactory, FromArgMatches, Parser};
use sinter_core::{Observer, TranslateCause, TranslateError, TranslateRequest};
use sinter_tool_common::{Input, KernelFlags, ToolError, print, write_file};
use sinter_translate::{Product, Step, inspect};
use std::{ffi::OsString, path::PathBuf, process::ExitCode};

/// Exit status of a command line that makes no sense.
const USAGE: u8 = 2;

/// The flags, with those of the family.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Cli<F: Args> {
    /// LLVM IR (.ll), bitcode (.bc), an HCF container, a program or object file with containers, a request, or `-`
    #[arg(required_unless_present_any = ["replay", "print_steps"])]
    input: Option<PathBuf>,
    /// File to write; `-` is stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) family: F,
    #[command(flatten)]
    pub(crate) kernel: KernelFlags,
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

/// Runs the tool of a family with these arguments, the first of which is its name.
pub fn run<F: Family>(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match parse::<F>(arguments) {
        Ok(cli) => sinter_tool_common::run(F::TOOL, || work(&cli)),
        Err(error) => {
            // A closed pipe is no failure.
            let _ = error.print();
            if error.use_stderr() { ExitCode::from(USAGE) } else { ExitCode::SUCCESS }
        }
    }
}

fn parse<F: Family>(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli<F>, clap::Error> {
    let examples: String = F::EXAMPLES.iter().map(|example| format!("  {} {example}\n", F::TOOL)).collect();
    let status = "Exit status: 0 done, 1 input rejected, 2 usage, 3 a defect of the tool.";
    let command = Cli::<F>::command().name(F::TOOL).bin_name(F::TOOL).about(F::ABOUT);
    let mut command = command.after_help(format!("Examples:\n{examples}\n{status}"));
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn work<F: Family>(cli: &Cli<F>) -> Result<(), ToolError> {
    if cli.print_steps {
        return print(Step::ALL.map(|step| format!("{step}\n")).concat().as_bytes());
    }
    let path = cli.replay.as_ref().or(cli.input.as_ref()).ok_or_else(|| ToolError::usage("no INPUT"))?;
    let input = Input::read(path)?;
    if cli.list_kernels {
        return print(Source::read(&input)?.list(cli.json)?.as_bytes());
    }
    if cli.output.is_none() && cli.replay.is_none() {
        return Err(ToolError::usage("no output: pass -o FILE, or `-o -` for stdout"));
    }
    let request = if cli.replay.is_some() { request::replayed(input)? } else { request::from_flags(cli, input)? };
    request::of_family::<F>(&request)?;
    let bytes = translate(cli, &request)?;
    match &cli.output {
        Some(output) => write_file(output, &bytes),
        // The command in the runtime's message: whether the request still fails is what it asks.
        None => {
            eprintln!("{}: the request translates, to {} bytes; -o FILE writes them", F::TOOL, bytes.len());
            Ok(())
        }
    }
}

fn translate<F: Family>(cli: &Cli<F>, request: &TranslateRequest) -> Result<Vec<u8>, ToolError> {
    let observer = Observer { dump: cli.dump.clone() };
    let product = inspect(request, &observer, cli.stop_after.or(cli.family.last_step())).map_err(tool_error)?;
    match product {
        Product::Ir(text) if cli.stop_after.is_some() => Ok(text.into_bytes()),
        product => cli.family.write(product, request),
    }
}

/// A defect of the translator is ours; everything else is the input's.
fn tool_error(error: TranslateError) -> ToolError {
    let message = with_readable(error.to_string(), &error.kernel);
    match error.cause {
        TranslateCause::Internal { .. } | TranslateCause::Fatal { .. } => ToolError::Defect(message),
        _ => ToolError::Rejected(message),
    }
}
