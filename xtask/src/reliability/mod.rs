//! Repeats operations that must never fail, against the install tree, and counts failures.
//!
//! In: `dist/` and a time budget for each campaign. Out: `target/reliability/reliability.md` and
//! `.json`, and an error if anything failed.
//! *Invariant:* random choices follow from the printed seed; only timing, which also depends on the
//! machine, is not reproduced by it.

mod containers;
mod debuggers;
mod disk;
mod entries;
mod exits;
mod kills;
mod options;
mod outcome;
mod programs;
mod random;
mod sanitizers;
mod shortages;
mod state;
mod storm;

use crate::shell;
use anyhow::{Context, Result, bail};
use options::{Options, USAGE};
use outcome::{Outcome, Row};
use programs::Setup;
use random::Random;
use std::{
    fs,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

/// A campaign: its name, and the function that repeats it within the budget.
type Campaign = (&'static str, fn(&mut Setup, &mut Outcome) -> Result<()>);

const CAMPAIGNS: &[Campaign] = &[
    ("kills", kills::run),
    ("entries", entries::run),
    ("containers", containers::run),
    ("storm", storm::run),
    ("disk", disk::run),
    ("shortages", shortages::run),
    ("state", state::run),
    ("sanitizers", sanitizers::run),
    ("exits", exits::run),
    ("debuggers", debuggers::run),
];

/// Runs the campaigns that `args` selects.
pub(crate) fn reliability(args: &[String]) -> Result<()> {
    let names: Vec<_> = CAMPAIGNS.iter().map(|(name, _)| *name).collect();
    let options = Options::parse(args, &names)?;
    let compiler = shell::dist_folder().join("bin/sinter-cc");
    if !compiler.exists() {
        bail!("{} is missing: run `cargo xtask build`. {USAGE}", compiler.display());
    }
    let seed = options.seed.unwrap_or_else(seed_of_clock);
    println!("seed {seed}");
    let folder = shell::target_folder().join("reliability");
    shell::fresh_folder(&folder)?;
    let wanted = CAMPAIGNS.iter().filter(|(name, _)| options.wants(name));
    let rows: Vec<_> = wanted.map(|campaign| row(campaign, seed, &folder, options.budget)).collect();
    report(seed, &rows, &folder)
}

fn seed_of_clock() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

fn row((name, run): &Campaign, seed: u64, folder: &Path, budget: Duration) -> Row {
    let (start, mut outcome) = (Instant::now(), Outcome::default());
    let random = Random::new(seed, name);
    let ran = Setup::new(folder.join(name), random, budget).and_then(|mut setup| run(&mut setup, &mut outcome));
    if let Err(error) = ran {
        outcome.fail("the campaign stopped", format!("{error:#}"));
    }
    println!("{name}: {} tries, {} failures", outcome.tries, outcome.failed());
    Row { name, outcome, seconds: start.elapsed().as_secs() }
}

fn report(seed: u64, rows: &[Row], folder: &Path) -> Result<()> {
    let table = outcome::markdown(seed, rows);
    println!("\n{table}");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write("reliability.md", &table)?;
    write("reliability.json", &outcome::json(seed, rows))?;
    match rows.iter().map(|row| row.outcome.failed()).sum::<u64>() {
        0 => Ok(()),
        failed => bail!("{failed} failures; {} has their messages", folder.join("reliability.md").display()),
    }
}
