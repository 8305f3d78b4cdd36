//! Runs programs with 1 to 64 damaged bytes in the sections that stage 1 embedded.
//!
//! *Invariant:* no such program is ended by a signal or computes wrong numbers; unusable data is an
//! error that says to rebuild the program.
//! rebuild the program.

use super::{
    outcome::Outcome,
    programs::{Ended, Setup},
    random,
};
use crate::shell;
use anyhow::{Context, Result};
use std::{
    fs::{self, Permissions},
    ops::Range,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    path::Path,
    process::Command,
};

/// Number of kernels that a damaged program runs.
const FEW: &str = "2";
/// Prefix of the sections of stage 1.
const PREFIX: &str = ".sinter.";

/// Ranges of a file that hold sections of stage 1, from the table that `llvm-readelf -SW` prints.
fn sections(table: &str) -> Vec<Range<usize>> {
    let section = |line: &str| {
        let mut words = line.split_once(']')?.1.split_whitespace();
        words.next().filter(|name| name.starts_with(PREFIX))?;
        let mut number = || usize::from_str_radix(words.next()?, 16).ok();
        let (_type, _address) = (number(), number()?);
        let (offset, size) = (number()?, number()?);
        (size > 0).then_some(offset..offset + size)
    };
    table.lines().filter_map(section).collect()
}

fn sections_of(program: &Path) -> Result<Vec<Range<usize>>> {
    let mut command = Command::new(shell::llvm_prefix().join("bin/llvm-readelf"));
    let table = shell::output(command.arg("-SW").arg(program)).context("llvm-readelf does not run")?;
    Some(sections(&table)).filter(|found| !found.is_empty()).context("the program has no section of stage 1")
}

fn judge(ended: &Ended, outcome: &mut Outcome) {
    let describe = || ended.describe("a damaged program");
    let errors = ended.output.lines().filter(|line| line.starts_with("error: ")).collect::<Vec<_>>();
    let explained = errors.iter().all(|error| error.contains("kernel")) && ended.output.contains("rebuild");
    match (ended.status.signal(), ended.number("wrong"), ended.number("errors")) {
        _ if ended.hung => outcome.fail("hung", describe()),
        (Some(_), ..) => outcome.fail("signal", describe()),
        (_, Some(0), Some(0)) => outcome.count("ran as before", 1),
        (_, Some(0), Some(_)) if explained => outcome.count("refused with a typed error", 1),
        (_, Some(1..), _) => outcome.fail("wrong result", describe()),
        _ => outcome.fail("error without remedy", describe()),
    }
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let program = setup.kernels()?;
    let (bytes, sections, path) = (fs::read(&program)?, sections_of(&program)?, setup.folder.join("damaged"));
    while setup.goes_on() {
        let mut damaged = bytes.clone();
        let place = sections[setup.random.below(sections.len())].clone();
        random::flip(&mut damaged, place, &mut setup.random);
        fs::write(&path, damaged)?;
        fs::set_permissions(&path, Permissions::from_mode(0o755))?;
        let mut command = setup.command(&path);
        command.args(["plain", FEW]).env("SINTER_CACHE", "off");
        outcome.tries += 1;
        judge(&setup.run(command)?, outcome);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn sections_of_stage_1_are_found_in_a_table() {
        let table = "  [ 9] .text             PROGBITS        0000000000001000 001000 000200 00  AX  0   0 16\n\
                       [18] .sinter.container PROGBITS        0000000000009dc0 009dc0 00a040 00  Ao  0   0 64\n\
                       [19] .sinter.empty     PROGBITS        0000000000009dc0 019dc0 000000 00  Ao  0   0 64\n";
        let found: Vec<_> = sections(table).into_iter().map(|range| (range.start, range.end)).collect();
        assert_eq!(found, [(0x9dc0, 0x9dc0 + 0xa040)]);
    }
}
