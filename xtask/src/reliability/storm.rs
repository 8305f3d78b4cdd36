//! Starts sixty-four processes at once with one cold cache.
//!
//! *Invariant:* each kernel is translated by exactly one of them.

use super::{
    outcome::Outcome,
    programs::{KERNELS, Setup},
};
use anyhow::Result;
use std::{path::Path, time::Duration};

const PROCESSES: usize = 64;
const LIMIT: Duration = Duration::from_secs(120);

fn try_once(setup: &Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    setup.empty_cache()?;
    let start = |number| setup.start(setup.command(program), &format!("process{number}"));
    let all = (0..PROCESSES).map(start).collect::<Result<Vec<_>>>()?;
    let ended = all.into_iter().map(|one| one.wait(LIMIT)).collect::<Result<Vec<_>>>()?;
    ended.iter().for_each(|one| one.expect_all_right("one of the processes", outcome));
    let translated: u64 = ended.iter().filter_map(|one| one.number("translated")).sum();
    outcome.count("translations", translated);
    outcome.expect(translated == KERNELS, "translations", || format!("{translated} of {KERNELS} kernels"));
    Ok(())
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let program = setup.kernels()?;
    while setup.goes_on() {
        outcome.tries += 1;
        outcome.count("processes", PROCESSES as u64);
        try_once(setup, &program, outcome)?;
    }
    Ok(())
}
