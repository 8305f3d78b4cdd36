//! Programs that run out of descriptors, memory or room in files.
//!
//! *Invariant:* the program goes on, gets no wrong number, and runs everything when what it lacked is back; entries stay.
//! Memory that runs out inside LLVM is remembered by the process (docs/limitations.md), so that then the next one is asked.

use super::{
    outcome::Outcome,
    programs::{Ended, KERNELS, Setup},
};
use anyhow::Result;
use std::{os::unix::process::ExitStatusExt, path::Path, process::Command};

/// Most memory that is left to the kernels, in KiB: a cold launch needs less.
const MOST: usize = 400 << 10;
/// The C library ends a process itself that cannot note a destructor of a thread.
const BY_GLIBC: &str = "Fatal glibc error: failed to register TLS destructor";

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
    // Small amounts as often as large ones.
    let room = setup.random.below(MOST) >> setup.random.below(12);
    let mut command = setup.command(program);
    command.args(["memory", &KERNELS.to_string(), &room.to_string()]);
    let ended = setup.run(command)?;
    outcome.count("with little memory", 1);
    match ended.status.signal() {
        Some(6) if ended.output.contains(BY_GLIBC) => outcome.count("of these ended by glibc", 1),
        _ => expect_survivor(&ended, "memory", outcome),
    }
    Ok(())
}

fn file_size(setup: &mut Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    let limit = setup.random.one_of(&["0", "4"]);
    // The output is a file too, so a pipe takes it.
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
    match setup.random.below(3) {
        0 => descriptors(setup, program, outcome)?,
        1 => memory(setup, program, outcome)?,
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
