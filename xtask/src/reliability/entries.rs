//! Runs programs on cache entries with flipped bytes or truncated.
//!
//! *Invariant:* every damaged entry is detected and only its kernel is translated again, and all
//! results are right.

use super::{
    outcome::Outcome,
    programs::{KERNELS, Setup},
    random,
};
use anyhow::Result;
use std::{fs, path::Path};

/// Damages some entries; returns their number.
fn damage_some(setup: &mut Setup) -> Result<u64> {
    let mut entries = setup.entries();
    let count = 1 + setup.random.below(KERNELS as usize);
    for _ in 0..count {
        let path = entries.swap_remove(setup.random.below(entries.len()));
        let mut bytes = fs::read(&path)?;
        random::damage(&mut bytes, &mut setup.random);
        fs::write(&path, bytes)?;
    }
    Ok(count as u64)
}

fn try_once(setup: &mut Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    let damaged = damage_some(setup)?;
    outcome.count("entries damaged", damaged);
    let ended = setup.run(setup.command(program))?;
    ended.expect_all_right("with damaged entries", outcome);
    let translated = ended.number("translated");
    outcome.expect(translated == Some(damaged), "not detected", || ended.describe(&format!("{damaged} damaged")));
    let warm = setup.run(setup.command(program))?;
    warm.expect_all_right("after the repair", outcome);
    outcome.expect(warm.number("translated") == Some(0), "not repaired", || warm.describe("after the repair"));
    Ok(())
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let program = setup.kernels()?;
    while setup.goes_on() {
        setup.empty_cache()?;
        setup.run(setup.command(&program))?.expect_all_right("the first process", outcome);
        outcome.tries += 1;
        try_once(setup, &program, outcome)?;
    }
    Ok(())
}
