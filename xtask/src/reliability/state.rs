//! Compares signal handlers, alternate stacks, limits, descriptors and the other process state that
//! `process/launches.cpp` records before and after launches.
//! after launches.
//!
//! *Invariant:* neither the first launches of a process, each of which translates, nor later ones
//! change any of it.

use super::{outcome::Outcome, programs::Setup};
use anyhow::Result;

const LEVELS: [&str; 4] = ["O0", "O1", "O2", "O3"];
const THREADS: [&str; 3] = ["1", "2", "7"];

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let program = setup.compile("process/launches.cpp", &["-O1"], "launches")?;
    while setup.goes_on() {
        let (level, threads) = (setup.random.one_of(&LEVELS), setup.random.one_of(&THREADS));
        let mut command = setup.command(&program);
        command.envs([("SINTER_CACHE", "off"), ("SINTER_OPT_LEVEL", level), ("SINTER_THREADS", threads)]);
        let ended = setup.run(command)?;
        outcome.tries += 1;
        outcome.expect(ended.passed(), "changed state", || ended.describe(&format!("{level}, {threads} threads")));
    }
    Ok(())
}
