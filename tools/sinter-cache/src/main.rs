//! `sinter-cache`: inspects and cleans the disk cache.
//!
//! In: a cache folder. Out: its entries, their defects and sizes, and the differences between two
//! of them.
//! *Invariant:* only `gc` changes the cache; a cache that does not exist counts as empty and is not
//! created.
#![forbid(unsafe_code)]

mod cache;
mod explain;
mod gc;
mod ls;
mod stat;
mod text;
mod verify;

use cache::{Answer, Cache};
use clap::{Parser, Subcommand};
use sinter::{
    cache::{
        CacheLocation,
        directory::{self, Owners},
        list,
    },
    settings::{self, Environment},
    setup,
};
use sinter_tool_common::{ToolError, print, run};
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

const EXAMPLES: &str = "Examples:
  sinter-cache ls
  sinter-cache --cache-dir /scratch/cache verify
  sinter-cache gc --max-size 500M --max-age 30d --dry-run
  sinter-cache explain 3fa2 9c01
  sinter-cache explain 3fa2 failed.sinterq --json

Exit status: 0 done, 1 input rejected or damaged, 2 usage, 3 a defect of the tool.";

/// Look into Sinter's cache of compiled kernels.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// Cache folder; without it, the one that programs would use
    #[arg(long, global = true, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the entries: key, kernel, target, size, time since the last use
    Ls,
    /// Check the digest of every entry; exit with 1 if one is damaged
    Verify,
    /// Sum up: entries, bytes, when they were last used, failed requests, quarantined entries
    Stat,
    /// Remove entries beyond the limits, the least recently used first
    Gc {
        /// Bytes to keep at most, with K, M or G; without it, SINTER_CACHE_SIZE
        #[arg(long, value_name = "BYTES", value_parser = settings::size)]
        max_size: Option<u64>,
        /// Time since the last use, with h or d; without it, SINTER_CACHE_AGE
        #[arg(long, value_name = "TIME", value_parser = settings::age)]
        max_age: Option<Duration>,
        /// Only list what would be removed
        #[arg(long)]
        dry_run: bool,
    },
    /// Say which fields of two keys differ
    Explain {
        /// The first digits of a key, an entry file or a request file
        a: String,
        /// Another one
        b: String,
    },
}

/// Rejects a path that is not a folder, as opposed to one that cannot be accessed.
fn check_folder(path: &Path) -> Result<(), ToolError> {
    let reason = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => format!(": {error}"),
        _ => " is not a folder".to_owned(),
    };
    Err(ToolError::rejected(format!("{}{reason}", path.display())))
}

/// The folder that programs use, or would use if it were usable.
fn in_force(location: &CacheLocation) -> Result<PathBuf, ToolError> {
    let folder = directory::find(location)
        .ok_or_else(|| ToolError::rejected(format!("there is no disk cache ({})", location.reason)))?;
    match directory::check(folder, Owners::User) {
        Err(problem) if folder.exists() => eprintln!("sinter-cache: warning: programs do not use it: {problem}"),
        _ => {}
    }
    Ok(folder.clone())
}

/// Rejects a folder given on the command line that holds only foreign files.
fn check_content(folder: &Path, files: &[list::CacheFile]) -> Result<(), ToolError> {
    let is_ours = files.iter().any(|file| file.kind != list::FileKind::Other);
    let is_empty = fs::read_dir(folder).is_ok_and(|mut content| content.next().is_none());
    if is_ours || is_empty || list::has_folders_only(folder) {
        return Ok(());
    }
    let advice = "sinter-info shows the folder that programs use";
    Err(ToolError::rejected(format!(
        "{} is not a cache: it holds other files and no kernel; {advice}",
        folder.display()
    )))
}

fn open(asked: Option<PathBuf>) -> Result<Cache, ToolError> {
    let environment = Environment::current();
    let tunables = settings::read(&environment).tunables;
    asked.as_deref().map_or(Ok(()), check_folder)?;
    let is_named = asked.is_some();
    let folder = asked.map_or_else(|| in_force(&setup::cache_location(&tunables, &environment)), Ok)?;
    let unreadable = |error| ToolError::rejected(format!("{}: {error}", folder.display()));
    let files = list::files(&folder).map_err(unreadable)?;
    if is_named {
        check_content(&folder, &files)?;
    }
    Ok(Cache { files, folder, tunables })
}

fn answer(cache: &Cache, command: &Command) -> Result<Answer, ToolError> {
    match command {
        Command::Ls => Ok(ls::answer(cache)),
        Command::Verify => Ok(verify::answer(cache)),
        Command::Stat => Ok(stat::answer(cache)),
        Command::Gc { max_size, max_age, dry_run } => gc::answer(cache, *max_size, *max_age, *dry_run),
        Command::Explain { a, b } => explain::answer(cache, a, b),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run("sinter-cache", || {
        let cache = open(arguments.cache_dir)?;
        let Answer { text, json, problem } = answer(&cache, &arguments.command)?;
        let text = if arguments.json { format!("{json:#}\n") } else { text };
        print(text.as_bytes())?;
        problem.map_or(Ok(()), |problem| Err(ToolError::rejected(problem)))
    })
}
