//! Runs a tool: reads the input, translates the kernel, writes the output form.

use crate::{
    cli::Cli,
    failure::{failure, unwritten},
    family::Family,
    given::Given,
    kernels::{Source, json_list},
    missing, request,
};
use clap::{CommandFactory, FromArgMatches};
use sinter_core::{Observer, TranslateRequest};
use sinter_tool_common::{Input, InputKind, ToolError, isolated, print, write_file};
use sinter_translate::{Product, Step, inspect};
use std::{ffi::OsString, fs, path::Path, process::ExitCode};

/// Exit status of an invalid command line.
const USAGE: u8 = 2;
/// The value of `--emit` for IR, which all families support.
const IR: &str = "ir";

/// Runs the tool of a family. The first of `arguments` is the program name.
pub(crate) fn run<F: Family>(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match parse::<F>(arguments) {
        Ok(cli) => sinter_tool_common::run(F::TOOL, || work(&cli)),
        Err(error) => {
            // A closed pipe is not a failure.
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
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    cli.given = Given::new(&matches, &command);
    Ok(cli)
}

/// Rejects an output form that is not available after the last step.
fn check_emit<F: Family>(cli: &Cli<F>) -> Result<(), ToolError> {
    let (Some(step), Some(emit)) = (cli.stop_after, &cli.given.emit) else { return Ok(()) };
    let (leaves, fits) = match step {
        Step::Lower => ("finished code", cli.family.last_step().is_none()),
        _ => ("IR", emit == IR),
    };
    if fits {
        return Ok(());
    }
    Err(ToolError::usage(format!("--stop-after {step} leaves {leaves}; leave out --emit {emit}")))
}

fn work<F: Family>(cli: &Cli<F>) -> Result<(), ToolError> {
    if cli.print_steps {
        cli.given.check_list("--print-steps")?;
        let steps = Step::ALL.map(Step::name);
        let text = if cli.json { json_list(steps) } else { steps.map(|step| format!("{step}\n")).concat() };
        return print(text.as_bytes());
    }
    check_emit(cli)?;
    // clap drops a requirement if another flag excludes the required one.
    if !cli.with.is_empty() && !cli.list_missing {
        return Err(ToolError::usage("--with names libraries for --list-missing; leave out --with"));
    }
    let path = cli.replay.as_ref().or(cli.input.as_ref()).ok_or_else(|| ToolError::usage("no INPUT"))?;
    let input = Input::read(path)?;
    let name = input.name.clone();
    if is_vouched_for(&input.kind) { work_on(cli, input) } else { isolated(&name, || work_on(cli, input)) }
}

/// True if damage would be found before LLVM reads the input. False for containers too: those of
/// AdaptiveCpp have no digests and are not distinguished here.
fn is_vouched_for(kind: &InputKind) -> bool {
    matches!(kind, InputKind::Ir | InputKind::Request(_))
}

fn work_on<F: Family>(cli: &Cli<F>, input: Input) -> Result<(), ToolError> {
    if cli.list_kernels {
        cli.given.check_list("--list-kernels")?;
        let source = Source::read(&input)?;
        print(source.list(cli.json)?.as_bytes())?;
        source.note().into_iter().for_each(|note| eprintln!("{}: note: {note}", F::TOOL));
        return Ok(());
    }
    if cli.list_missing {
        cli.given.check_list("--list-missing")?;
        let others = cli.with.iter().map(|path| Input::read(path)).collect::<Result<Vec<_>, _>>()?;
        return print(missing::list(cli, &input, &others)?.as_bytes());
    }
    if cli.output.is_none() && cli.replay.is_none() {
        return Err(ToolError::usage("no output: pass -o FILE, or `-o -` for stdout"));
    }
    let name = input.name.clone();
    let request = if cli.replay.is_some() { request::replayed(cli, input)? } else { request::from_flags(cli, input)? };
    request::of_family::<F>(&request)?;
    if cli.replay.is_none() && request::lacks_lines(&request) {
        eprintln!(
            "{}: warning: {name} has no debug information, so --line-tables has no effect; compile it with -g",
            F::TOOL
        );
    }
    let bytes = translate(cli, &request, &name)?;
    match &cli.output {
        Some(output) => write_file(output, &bytes),
        // The command in the runtime's message, which asks whether the request still fails.
        None => {
            eprintln!("{}: the request translates, to {} bytes; -o FILE writes them", F::TOOL, bytes.len());
            Ok(())
        }
    }
}

fn translate<F: Family>(cli: &Cli<F>, request: &TranslateRequest, input: &str) -> Result<Vec<u8>, ToolError> {
    cli.dump.as_deref().map_or(Ok(()), check_dump)?;
    let observer = Observer { dump: cli.dump.clone() };
    let product = inspect(request, &observer, cli.stop_after.or(cli.family.last_step()));
    let product = product.map_err(|error| failure(input, &error))?;
    if let Product::Code(code) = &product
        && cli.remarks
    {
        code.entry.remarks.iter().for_each(|remark| eprintln!("{}: {}: {remark}", F::TOOL, remark.kind()));
    }
    match product {
        Product::Ir(text) if cli.stop_after.is_some() => Ok(cli.family.ir(text).into_bytes()),
        product => cli.family.write(product, request).map_err(|error| unwritten(input, error, &request.config.entry)),
    }
}

/// Checks the dump folder here: the translator ignores a folder that it cannot write, since a
/// failed dump does not affect its result.
fn check_dump(folder: &Path) -> Result<(), ToolError> {
    // The folder itself is created, its parents are not: a missing parent is probably a typing
    // mistake.
    let exists = if folder.is_dir() { Ok(()) } else { fs::create_dir(folder) };
    let writable = exists.and_then(|()| tempfile::tempfile_in(folder).map(drop));
    writable.map_err(|error| ToolError::rejected(format!("--dump: cannot write to {}: {error}", folder.display())))
}
