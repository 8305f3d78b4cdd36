//! Runs cold launches under AddressSanitizer, UndefinedBehaviorSanitizer or Valgrind.
//!
//! *Invariant:* every finding is a failure; a missing tool is skipped with the reason.

use super::{
    outcome::Outcome,
    programs::{Setup, is_installed},
};
use crate::shell;
use anyhow::Result;
use std::{path::PathBuf, process::Command};

/// GCC's libraries, which define all handlers that clang 19 calls except those of function pointer
/// checks.
const SANITIZERS: [(&str, &str); 2] = [("address", "asan"), ("undefined", "ubsan")];
/// Valgrind does not support AVX-512.
const CPU: &str = "x86-64-v3";
const FOUND: &str = "--error-exitcode=9";

fn has_library(name: &str) -> bool {
    let found = shell::output(Command::new("c++").arg(format!("-print-file-name=lib{name}.so")));
    found.is_some_and(|path| path.contains('/'))
}

fn sanitized(setup: &Setup, sanitizer: &str, library: &str) -> Result<PathBuf> {
    let instrument = format!("-fsanitize={sanitizer}");
    let flags = ["-O1", &instrument, "-fno-sanitize=function", "-fno-sanitize-recover=all", "-c"];
    let object = setup.compile("process/sanitized.cpp", &flags, &format!("{sanitizer}.o"))?;
    let program = setup.folder.join(sanitizer);
    let mut command = Command::new(shell::dist_folder().join("bin/sinter-cc"));
    shell::run(command.arg(object).args([&format!("-l{library}"), "-pthread", "-o"]).arg(&program))?;
    Ok(program)
}

fn programs(setup: &Setup, outcome: &mut Outcome) -> Result<Vec<(&'static str, PathBuf)>> {
    let mut programs = Vec::new();
    for (sanitizer, library) in SANITIZERS {
        match has_library(library) {
            true => programs.push((sanitizer, sanitized(setup, sanitizer, library)?)),
            false => outcome.skip(format!("lib{library} is not installed")),
        }
    }
    Ok(programs)
}

fn valgrind(setup: &Setup, outcome: &mut Outcome) -> Result<()> {
    if !is_installed("valgrind") {
        outcome.skip("valgrind is not installed (apt-get install valgrind)");
        return Ok(());
    }
    let program = setup.kernels()?;
    let mut command = setup.command("valgrind");
    command.args(["-q", FOUND]).arg(program).args(["plain", "2"]);
    let ended = setup.run({
        command.envs([("SINTER_CACHE", "off"), ("SINTER_HOST_CPU", CPU), ("SINTER_PROGRESS", "off")]);
        command
    })?;
    outcome.tries += 1;
    outcome.count("valgrind", 1);
    let is_good = ended.status.success() && ended.number("right") == Some(2);
    outcome.expect(is_good, "valgrind", || ended.describe("valgrind"));
    Ok(())
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let programs = programs(setup, outcome)?;
    while !programs.is_empty() && setup.goes_on() {
        for (sanitizer, program) in &programs {
            let mut command = setup.command(program);
            let ended = setup.run({
                command.env("SINTER_CACHE", "off");
                command
            })?;
            outcome.tries += 1;
            outcome.count(sanitizer, 1);
            outcome.expect(ended.passed(), sanitizer, || ended.describe(sanitizer));
        }
    }
    // It may exceed the budget, and must not use the time of the others.
    valgrind(setup, outcome)
}
