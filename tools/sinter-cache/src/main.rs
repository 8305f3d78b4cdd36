//! `sinter-cache`: looks into the disk cache.
//!
//! In: a cache folder. Out: its entries, or those that are damaged. *Invariant:* nothing is changed.
#![forbid(unsafe_code)]

mod table;

use clap::{Parser, Subcommand};
use sinter::{
    cache::{directory, list},
    setup,
    tunables::{self, Environment},
};
use sinter_tool_common::{ToolError, print, run};
use std::{path::PathBuf, process::ExitCode};

/// Look into Sinter's cache of compiled kernels.
#[derive(Debug, Parser)]
#[command(version, after_help = "Examples:\n  sinter-cache ls\n  sinter-cache --cache-dir /scratch/cache verify")]
struct Arguments {
    /// Cache folder; without it, the one that programs would use
    #[arg(long, global = true, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the entries: key, kernel, target, size, age
    Ls,
    /// Check the digest of every entry; exit with 1 if one is damaged
    Verify,
}

/// The folder to look into.
fn folder(asked: Option<PathBuf>) -> Result<PathBuf, ToolError> {
    if let Some(path) = asked {
        let missing = || ToolError::rejected(format!("{} is not a folder", path.display()));
        return path.is_dir().then_some(path.clone()).ok_or_else(missing);
    }
    let environment = Environment::current();
    let loaded = tunables::read(&environment);
    let (folder, problems) = directory::open(&setup::cache_location(&loaded.tunables, &environment));
    let reasons = || problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    folder.ok_or_else(|| ToolError::rejected(format!("there is no usable cache folder: {}", reasons())))
}

fn ls(files: &[list::CacheFile]) -> Result<(), ToolError> {
    print(table::render(files).as_bytes())
}

fn verify(files: &[list::CacheFile]) -> Result<(), ToolError> {
    let entries: Vec<_> = files.iter().filter(|file| file.kind == list::FileKind::Entry).collect();
    let damage = |file: &&list::CacheFile| Some(format!("{}: {}\n", file.path.display(), file.read().err()?));
    let damaged: Vec<_> = entries.iter().filter_map(damage).collect();
    print(damaged.concat().as_bytes())?;
    if !damaged.is_empty() {
        return Err(ToolError::rejected(format!("{} of {} entries are damaged", damaged.len(), entries.len())));
    }
    print(format!("{} entries, none damaged\n", entries.len()).as_bytes())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run("sinter-cache", || {
        let folder = folder(arguments.cache_dir)?;
        let unreadable = |error| ToolError::rejected(format!("{}: {error}", folder.display()));
        let files = list::files(&folder).map_err(unreadable)?;
        match arguments.command {
            Command::Ls => ls(&files),
            Command::Verify => verify(&files),
        }
    })
}
