//! Runs programs that exceed limits on descriptors, memory or file sizes.
//!
//! *Invariant:* the program continues, computes no wrong number, and runs all kernels once the
//! shortage is over; cache entries remain.

use super::{
    outcome::Outcome,
    programs::{Ended, KERNELS, Setup},
};
use anyhow::Result;
use std::{path::Path, process::Command};

/// Most memory that is left to the kernels, in KiB: a cold launch needs less.
const MOST: usize = 400 << 10;
/// Range of address space limits, in KiB, of a process that is limited from its start. With less it
/// may have no queue; with more there is no shortage.
const WHOLE: [usize; 2] = [200_000, 600_000];

fn expect_survivor(ended: &Ended, kind: &'static str, outcome: &mut Outcome) {
    let wrong = ended.number("wrong") != Some(0) || ended.number("short wrong").is_some_and(|wrong| wrong > 0);
    outcome.expect(ended.status.success() && !wrong && !ended.hung, kind, || ended.describe(kind));
}

fn descriptors(setup: &Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    let mut command = setup.command(program);
    command.arg("descriptors");
    let ended = setup.run(command)?;
    expect_survivor(&ended, "descriptors", outcome);
    ended.expect_all_right("when descriptors are back", outcome);
    outcome.count("without descriptors", 1);
    Ok(())
}

fn memory(setup: &mut Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    // Small amounts are as frequent as large ones.
    let room = setup.random.below(MOST) >> setup.random.below(12);
    let mut command = setup.command(program);
    command.args(["memory", &KERNELS.to_string(), &room.to_string()]);
    let ended = setup.run(command)?;
    outcome.count("with little memory", 1);
    expect_survivor(&ended, "memory", outcome);
    ended.expect_all_right("when memory is back", outcome);
    Ok(())
}

/// Runs a process that is limited from its start.
fn limited(setup: &mut Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    let limit = WHOLE[0] + setup.random.below(WHOLE[1] - WHOLE[0]);
    let mut command: Command = setup.command("bash");
    command.args(["-c", &format!("ulimit -v {limit}; exec \"$0\"")]).arg(program).env("SINTER_CACHE", "off");
    let ended = setup.run(command)?;
    outcome.count("with little memory from the start", 1);
    expect_survivor(&ended, "memory from the start", outcome);
    Ok(())
}

fn file_size(setup: &mut Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    let limit = setup.random.one_of(&["0", "4"]);
    // The output is a file too, so it goes through a pipe.
    let mut command: Command = setup.command("bash");
    command.args(["-c", &format!("(ulimit -f {limit}; exec \"$0\") | cat; exit ${{PIPESTATUS[0]}}")]).arg(program);
    let ended = setup.run(command)?;
    expect_survivor(&ended, "file size", outcome);
    outcome.count("with small files", 1);
    Ok(())
}

fn try_once(setup: &mut Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    if setup.random.below(2) == 0 {
        setup.empty_cache()?;
    }
    let before = setup.entries();
    match setup.random.below(4) {
        0 => descriptors(setup, program, outcome)?,
        1 => memory(setup, program, outcome)?,
        2 => limited(setup, program, outcome)?,
        _ => file_size(setup, program, outcome)?,
    }
    let lost: Vec<_> = before.iter().filter(|path| !path.exists()).collect();
    outcome.expect(lost.is_empty(), "lost entries", || format!("{lost:?}"));
    setup.run(setup.command(program))?.expect_all_right("a process after the shortage", outcome);
    let verified = setup.cache_tool(&["verify"])?;
    outcome.expect(verified.status.success(), "damaged entry", || verified.describe("verify"));
    Ok(())
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let program = setup.kernels()?;
    setup.empty_cache()?;
    while setup.goes_on() {
        outcome.tries += 1;
        try_once(setup, &program, outcome)?;
    }
    Ok(())
}
