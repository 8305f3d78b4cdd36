//! Kills processes at random times of a cold launch; they share one cache.
//!
//! Each try starts up to four processes and kills each after a random time, at most that of a cold
//! launch.
//! *Invariant:* cached entries remain and are intact, the next process computes right numbers, and
//! a sweep removes all files that the killed processes left.

use super::{
    outcome::Outcome,
    programs::{KERNELS, Setup},
};
use anyhow::Result;
use std::{
    collections::BTreeSet,
    fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

const AT_ONCE: usize = 4;
const LIMIT: Duration = Duration::from_secs(60);

/// Folders outside of the cache in which a translation could leave files.
const OUTSIDE: [&str; 2] = ["/dev/shm", "/tmp"];

/// Files in these folders; other programs of the machine make some too.
fn outside(setup: &Setup) -> BTreeSet<PathBuf> {
    let own = setup.folder.join("temporary");
    let all = OUTSIDE.iter().map(Path::new).chain([own.as_path()]);
    let items = all.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let paths = items.map(|item| item.path());
    paths.filter(|path| path.starts_with(&own) || path.display().to_string().contains("sinter")).collect()
}

fn kill_some(setup: &mut Setup, program: &Path, cold: Duration, outcome: &mut Outcome) -> Result<()> {
    let started: Result<Vec<_>> = (0..=setup.random.below(AT_ONCE))
        .map(|number| {
            let delay = Duration::from_micros(setup.random.below(cold.as_micros() as usize) as u64);
            Ok((delay, setup.start(setup.command(program), &format!("victim{number}"))?))
        })
        .collect();
    let (start, mut started) = (Instant::now(), started?);
    started.sort_by_key(|(delay, _)| *delay);
    for (delay, mut victim) in started {
        thread::sleep(delay.saturating_sub(start.elapsed()));
        victim.child.kill()?;
        let ended = victim.wait(LIMIT)?;
        match ended.status.signal() {
            Some(9) => outcome.count("processes killed", 1),
            _ => ended.expect_all_right("a process that was faster", outcome),
        }
    }
    Ok(())
}

/// Checks the results of the next processes and the cache.
fn check(setup: &Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    let verified = setup.cache_tool(&["verify"])?;
    outcome.expect(verified.status.success(), "damaged entry", || verified.describe("verify"));
    let next = setup.run(setup.command(program))?;
    next.expect_all_right("the next process", outcome);
    let warm = setup.run(setup.command(program))?;
    warm.expect_all_right("the process after that", outcome);
    outcome.expect(warm.number("translated") == Some(0), "not cached", || warm.describe("a warm process"));
    outcome.expect(setup.entries().len() as u64 == KERNELS, "entries", || format!("{:?}", setup.entries()));
    Ok(())
}

fn try_once(setup: &mut Setup, program: &Path, cold: Duration, outcome: &mut Outcome) -> Result<()> {
    // Half of the tries start with some kernels in the cache.
    match setup.random.below(2) {
        0 => setup.empty_cache()?,
        _ => {
            let kept = setup.random.below(KERNELS as usize);
            setup.entries().iter().skip(kept).try_for_each(fs::remove_file)?;
        }
    }
    let (before, files) = (setup.entries(), outside(setup));
    kill_some(setup, program, cold, outcome)?;
    let lost: Vec<_> = before.iter().filter(|path| !path.exists()).collect();
    outcome.expect(lost.is_empty(), "lost", || format!("{lost:?}"));
    let abandoned = setup.cached().len() - setup.entries().len();
    outcome.count("files of the dead before the sweep", abandoned as u64);
    check(setup, program, outcome)?;
    let left = setup.left_after_sweep()?;
    outcome.expect(left.is_empty(), "left in the cache", || format!("{left:?}"));
    let after = outside(setup);
    let left: Vec<_> = after.difference(&files).collect();
    outcome.expect(left.is_empty(), "left outside", || format!("{left:?}"));
    Ok(())
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let program = setup.kernels()?;
    let start = Instant::now();
    setup.run(setup.command(&program))?.expect_all_right("a first process", outcome);
    let cold = start.elapsed();
    while setup.goes_on() {
        outcome.tries += 1;
        try_once(setup, &program, cold, outcome)?;
    }
    Ok(())
}
