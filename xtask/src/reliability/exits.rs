//! Ends processes while another thread translates.
//!
//! In: `process/ends.cpp`, which exits in five ways, 0 to 100 ms after the start of a cold launch.
//! *Invariant:* its exit status is its own, and nothing is printed.
//! is its own, and nothing is printed.

use super::{
    outcome::Outcome,
    programs::{Running, Setup},
};
use anyhow::Result;
use std::{path::Path, time::Duration};

const WAYS: [&str; 5] = ["exit", "return", "quick_exit", "_exit", "fork"];
/// Exit status of `ends.cpp`.
const STATUS: i32 = 7;
/// Latest exit, in milliseconds.
const LATEST: usize = 100;
const AT_ONCE: usize = 4;
const LIMIT: Duration = Duration::from_secs(60);

fn start(setup: &mut Setup, program: &Path, number: usize) -> Result<(&'static str, usize, Running)> {
    let (way, delay) = (setup.random.one_of(&WAYS), setup.random.below(LATEST + 1));
    let mut command = setup.command(program);
    command.args([way, &delay.to_string()]).env("SINTER_CACHE", "off");
    Ok((way, delay, setup.start(command, &format!("end{number}"))?))
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    let program = setup.compile("process/ends.cpp", &["-O1"], "ends")?;
    while setup.goes_on() {
        let all = (0..AT_ONCE).map(|number| start(setup, &program, number)).collect::<Result<Vec<_>>>()?;
        for (way, delay, process) in all {
            let ended = process.wait(LIMIT)?;
            outcome.tries += 1;
            outcome.count(way, 1);
            let is_good = ended.status.code() == Some(STATUS) && ended.output.is_empty();
            outcome.expect(is_good, way, || ended.describe(&format!("{way} after {delay} ms")));
        }
    }
    Ok(())
}
