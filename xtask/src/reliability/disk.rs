//! Runs programs whose cache cannot be written.
//!
//! In: a file system that is full or read-only where one can be mounted, a file in place of the
//! cache folder, and a limit on the size of files.
//! *Invariant:* all processes compute right numbers, even while one of them is stopped during a
//! translation: no process waits for an entry that cannot be stored.

use super::{
    outcome::Outcome,
    programs::{Ended, Setup},
};
use crate::shell;
use anyhow::Result;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

/// Number of processes beside the stopped one.
const OTHERS: usize = 4;
/// Latest time at which it is stopped, in milliseconds; a cold launch takes longer.
const LATEST: usize = 150;
/// Time in seconds that processes would wait for one that can store its code; longer than they take
/// here.
const WAIT: &str = "60";
const LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disk {
    Full,
    ReadOnly,
    NoFolder,
    SmallFiles,
}

fn shell_script(script: &str, folder: &Path) -> bool {
    shell::succeeds(Command::new("sh").args(["-c", script]).arg(folder))
}

/// A mounted file system, until it is dropped.
struct Mounted(PathBuf);

impl Mounted {
    fn new(folder: &Path, disk: Disk) -> Option<Mounted> {
        shell::fresh_folder(folder).ok()?;
        let mounted = shell_script("mount -t tmpfs -o size=1m,mode=700 sinter \"$0\"", folder);
        let mounted = mounted.then(|| Mounted(folder.to_owned()))?;
        match disk {
            Disk::ReadOnly => shell_script("mount -o remount,ro \"$0\"", folder).then_some(mounted),
            // The file system is full when this write fails.
            _ => fs::write(folder.join("filler"), vec![1; 2 << 20]).is_err().then_some(mounted),
        }
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        shell_script("umount -l \"$0\"", &self.0);
    }
}

/// The program with its cache on the given disk.
fn command(setup: &Setup, program: &Path, disk: Disk, cache: &Path) -> Command {
    let mut command = setup.command("bash");
    let limit = if disk == Disk::SmallFiles { "ulimit -f 4; " } else { "" };
    command.arg("-c").arg(format!("{limit}exec \"$0\"")).arg(program);
    command.env("SINTER_CACHE_DIR", cache).env("SINTER_CACHE_WAIT", WAIT);
    command
}

fn send(signal: &str, process: u32) {
    shell::succeeds(Command::new("kill").args([signal, &process.to_string()]));
}

/// Runs processes beside one that is stopped after some milliseconds.
fn beside_a_stopped_one(setup: &mut Setup, program: &Path, disk: Disk, cache: &Path) -> Result<Vec<Ended>> {
    let start = |setup: &Setup, name: &str| setup.start(command(setup, program, disk, cache), name);
    let stopped = start(setup, "stopped")?;
    thread::sleep(Duration::from_millis(setup.random.below(LATEST) as u64));
    send("-STOP", stopped.child.id());
    let others = (0..OTHERS).map(|number| start(setup, &format!("other{number}"))).collect::<Result<Vec<_>>>()?;
    let ended = others.into_iter().map(|other| other.wait(LIMIT)).collect::<Result<Vec<_>>>();
    send("-CONT", stopped.child.id());
    let last = stopped.wait(LIMIT)?;
    Ok(ended?.into_iter().chain([last]).collect())
}

/// Prepares the cache's path; a mounted file system stays until the value is dropped. `None` if
/// nothing can be mounted.
fn prepare(cache: &Path, disk: Disk) -> Result<Option<Option<Mounted>>> {
    match disk {
        Disk::Full | Disk::ReadOnly => return Ok(Mounted::new(cache, disk).map(Some)),
        Disk::NoFolder => {
            shell::fresh_folder(cache)?;
            fs::remove_dir(cache)?;
            fs::write(cache, "")?;
        }
        Disk::SmallFiles => shell::fresh_folder(cache)?,
    }
    Ok(Some(None))
}

fn try_once(setup: &mut Setup, program: &Path, disk: Disk, outcome: &mut Outcome) -> Result<()> {
    let cache = setup.folder.join(format!("{disk:?}"));
    if cache.is_file() {
        fs::remove_file(&cache)?;
    }
    let Some(_mounted) = prepare(&cache, disk)? else {
        skip(outcome, "no file system can be mounted here");
        return Ok(());
    };
    outcome.tries += 1;
    outcome.count(name(disk), 1);
    let ended = beside_a_stopped_one(setup, program, disk, &cache)?;
    ended.iter().for_each(|one| one.expect_all_right(name(disk), outcome));
    Ok(())
}

fn skip(outcome: &mut Outcome, reason: &str) {
    if !outcome.skipped.iter().any(|known| known == reason) {
        outcome.skip(reason);
    }
}

fn name(disk: Disk) -> &'static str {
    match disk {
        Disk::Full => "full disk",
        Disk::ReadOnly => "read-only disk",
        Disk::NoFolder => "a file in the folder's place",
        Disk::SmallFiles => "files of 4 KiB at most",
    }
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let program = setup.kernels()?;
    while setup.goes_on() {
        for disk in [Disk::Full, Disk::ReadOnly, Disk::NoFolder, Disk::SmallFiles] {
            try_once(setup, &program, disk, outcome)?;
        }
    }
    Ok(())
}
