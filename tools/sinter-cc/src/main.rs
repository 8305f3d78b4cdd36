//! The `sinter-cc` command: clang++ 19 with the stage-1 plugin.
//!
//! In: a command line for clang++. Out: the same one with plugin, include folder and runtime
//! library added.
//! *Invariant:* flags that are not ours reach clang unchanged and in order, and the exit status is
//! clang's. Exit status 2 means that clang was not started.
#![forbid(unsafe_code)]

mod arguments;
mod clang;
mod command;
mod device_code;
mod device_pass;
mod flags;
mod foreign;
mod hip;
mod linked;
mod mixed;
mod parse;
mod response;
mod stdpar;

use crate::{
    arguments::Scan,
    clang::Installation,
    flags::{Flags, Severity},
};
use std::{
    ffi::{OsStr, OsString},
    io::{ErrorKind, Write},
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{Command, ExitCode, ExitStatus},
};
use tempfile::TempDir;

/// Exit status for an invalid command line or an incomplete installation.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let program = arguments.next().map(PathBuf::from).unwrap_or_default();
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    run(&name, arguments.collect(), &path).unwrap_or_else(|message| {
        say(&format!("error: {message}"));
        ExitCode::from(USAGE)
    })
}

/// `name` is the one by which this program was called.
fn run(name: &str, arguments: Vec<OsString>, path: &OsStr) -> Result<ExitCode, String> {
    let arguments = parse::inline_ours(arguments);
    let is_ours = ![hip::HIPCC, hip::NVCC].contains(&name);
    if !is_ours || !mixed::is_mixed(&arguments) {
        return compile(name, arguments, path);
    }
    let objects = temporary_folder()?;
    let split = mixed::split(&arguments, objects.path());
    let mut commands = split.first.into_iter().chain([split.rest]);
    let failed = commands.find_map(|command| {
        let result = compile(name, command, path);
        (result != Ok(ExitCode::SUCCESS)).then_some(result)
    });
    failed.unwrap_or(Ok(ExitCode::SUCCESS))
}

/// Runs clang, once for the host and, on request, before that for devices.
fn compile(name: &str, mut arguments: Vec<OsString>, path: &OsStr) -> Result<ExitCode, String> {
    let dialect = hip::dialect(name, &arguments);
    if let Some(dialect) = dialect {
        arguments = hip::translate(name, dialect, arguments);
    }
    let mut flags = Flags::parse(arguments)?;
    flags.dialect = dialect;
    if flags.help {
        return Ok(print(&flags::help()));
    }
    if flags.list {
        return Ok(print(foreign::page().trim_end()));
    }
    let installation = Installation::find(path)?;
    let modules = if flags.device_pass { Some(temporary_folder()?) } else { None };
    let parses = modules.as_ref().map(|folder| device_pass::parses(&installation, &flags, folder.path()));
    let parses = parses.transpose()?.unwrap_or_default();
    flags.device_modules = parses.iter().map(|parse| parse.module.clone()).collect();
    let command = command::build(&installation, &flags);
    if flags.dry_run {
        let commands = parses.iter().map(|parse| &parse.command).chain([&command]);
        let lines: Vec<_> = commands.map(|command| command::quote(&installation.clang, command)).collect();
        return Ok(print(&lines.join("\n")));
    }
    if let Some(note) = flags.note() {
        say(&note);
    }
    for parse in parses {
        let status = run_clang(&installation, &parse.command)?;
        if !status.success() {
            return Ok(ExitCode::from(exit_code(status)));
        }
    }
    let status = run_clang(&installation, &command)?;
    if flags.asks_for_help() {
        print("sinter-cc: this is clang's help; `sinter-cc --sinter-help` lists the flags of sinter-cc");
    }
    if flags.is_version_query() {
        print(concat!("sinter-cc ", env!("CARGO_PKG_VERSION")));
        if name == hip::NVCC {
            print(hip::RELEASE);
        }
    }
    let accepted = !status.success() || accept(&installation, &flags);
    Ok(if accepted { ExitCode::from(exit_code(status)) } else { ExitCode::FAILURE })
}

fn run_clang(installation: &Installation, arguments: &[OsString]) -> Result<ExitStatus, String> {
    let status = Command::new(&installation.clang).args(arguments).status();
    status.map_err(|error| format!("cannot run {}: {error}", installation.clang.display()))
}

fn temporary_folder() -> Result<TempDir, String> {
    let folder = tempfile::Builder::new().prefix("sinter-cc-").tempdir();
    folder.map_err(|error| format!("cannot create a folder for temporary files: {error}"))
}

/// Reports kernels of a linked program that cannot be launched. On an error the program is removed,
/// as a linker does. True if there was no error.
fn accept(installation: &Installation, flags: &Flags) -> bool {
    let scan = Scan::of(&flags.clang);
    let severity = flags.unresolved(&scan);
    let Some(program) = scan.program().filter(|_| severity != Severity::Off) else { return true };
    let missing = linked::missing(installation, program, &scan.folders);
    let kind = if severity == Severity::Error { "error" } else { "warning" };
    missing.iter().for_each(|line| say(&format!("{kind}: {line} [-Wsinter-unresolved]")));
    if missing.is_empty() || severity != Severity::Error {
        return true;
    }
    // The exit status reports the error even if the program cannot be removed.
    let _ = std::fs::remove_file(program);
    false
}

/// The exit status as a shell reports it: 128 plus the signal number if a signal ended the process.
fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

fn say(message: &str) {
    // If standard error is closed, there is no other place for the message.
    let _ = writeln!(std::io::stderr(), "sinter-cc: {message}");
}

/// A closed pipe is success: the reader has read enough.
fn print(text: &str) -> ExitCode {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            say(&format!("error: cannot write to standard output: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
