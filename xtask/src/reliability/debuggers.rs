//! Runs GDB on kernels, and measures the cost of many loaded kernels.
//!
//! *Invariant:* a fault in a kernel has the kernel's function and line; GDB attaches to a running
//! kernel; loading another kernel costs the same time and mappings when thousands are loaded.
//! Checks that cannot run are skipped with the reason. kernel costs no more, in time and mappings,
//! when thousands are loaded. What cannot be tried is skipped with the reason.

use super::{
    outcome::Outcome,
    programs::{Setup, is_installed},
};
use crate::shell;
use anyhow::{Context, Result};
use std::{
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

const LOADED: &str = "5000";
/// Limit for the time of a load with many loaded kernels, relative to one with few.
const SLOWER: f64 = 5.0;
/// Minimum number of kernels that share a mapping.
const SHARING: f64 = 10.0;
const PATIENCE: Duration = Duration::from_secs(30);

fn fault(setup: &mut Setup, program: &Path, level: &str, outcome: &mut Outcome) -> Result<()> {
    let kind = setup.random.one_of(&["range", "barrier"]);
    let mut command = setup.command("gdb");
    command.args(["-nx", "-batch", "-ex", &format!("set environment SINTER_OPT_LEVEL {level}")]);
    command.args(["-ex", "run", "-ex", "bt", "--args"]).arg(program).arg(kind);
    let ended = setup.run(command)?;
    outcome.tries += 1;
    outcome.count("faults", 1);
    let frames: Vec<_> = ended.output.lines().filter(|line| line.starts_with('#')).collect();
    let place = frames.first().is_some_and(|frame| frame.contains("fault.cpp:"));
    let chain = frames.iter().any(|frame| frame.contains("operator()") && frame.contains("fault.cpp:"));
    let whole = frames.iter().any(|frame| frame.contains("sinter_driver_host"));
    outcome.expect(place && chain && whole, "fault", || ended.describe(&format!("{kind} at {level}")));
    Ok(())
}

fn attach(setup: &Setup, program: &Path, outcome: &mut Outcome) -> Result<()> {
    let mut busy = setup.start(setup.command(program), "busy")?;
    let end = Instant::now() + PATIENCE;
    let (found, text) = loop {
        let mut command = setup.command("gdb");
        command.args(["-nx", "-batch", "-ex", "thread apply all bt", "-p", &busy.child.id().to_string()]);
        let text = setup.run(command)?.output;
        let found = text.contains("busy.cpp:") && text.contains("operator()");
        if found || Instant::now() > end || text.contains("Operation not permitted") {
            break (found, text);
        }
        thread::sleep(Duration::from_millis(100));
    };
    busy.child.kill()?;
    busy.child.wait()?;
    if text.contains("Operation not permitted") {
        outcome.skip("this system does not allow attaching to a process");
        return Ok(());
    }
    outcome.tries += 1;
    outcome.count("attached", 1);
    outcome.expect(found, "attach", || text);
    Ok(())
}

/// Loaded kernels, microseconds of a load and mappings, from each line that the example of the host
/// driver prints.
fn costs(text: &str) -> Vec<[f64; 3]> {
    let line = |line: &str| {
        let numbers: Vec<f64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let &[loaded, median, _, mappings] = numbers.as_slice() else { return None };
        Some([loaded, median, mappings])
    };
    text.lines().filter_map(line).collect()
}

/// An object of a sample's kernel, and the name of its entry.
fn object(setup: &Setup) -> Result<(String, String)> {
    let program = setup.kernels()?;
    let tool = shell::dist_folder().join("bin/llvm-to-host-tool");
    let object = setup.folder.join("kernel.o").display().to_string();
    shell::run(Command::new(tool).arg(program).args(["--kernel", "run<0>", "-o", &object]))?;
    let mut names = Command::new(shell::llvm_prefix().join("bin/llvm-nm"));
    let names = shell::output(names.args(["--defined-only", "--extern-only", "--format=just-symbols", &object]));
    let names = names.context("llvm-nm does not run")?;
    Ok((object, names.lines().next().context("the object has no symbol")?.to_owned()))
}

fn many_loaded(setup: &Setup, outcome: &mut Outcome) -> Result<()> {
    let (object, symbol) = object(setup)?;
    let mut command =
        shell::cargo(&["run", "--release", "--quiet", "-p", "sinter-driver-host", "--example", "load_cost"]);
    let text = shell::output(command.args(["--", &object, &symbol, LOADED])).context("load_cost failed")?;
    fs::write(setup.folder.join("load_cost.txt"), &text)?;
    let costs = costs(&text);
    let (Some(first), Some(last)) = (costs.first(), costs.last()) else {
        outcome.fail("many loaded", text);
        return Ok(());
    };
    outcome.tries += 1;
    outcome.count("kernels loaded", last[0] as u64);
    outcome.count("µs for a load among the first", first[1] as u64);
    outcome.count("µs for a load among the last", last[1] as u64);
    outcome.count("mappings at the end", last[2] as u64);
    outcome.expect(last[1] <= SLOWER * first[1].max(1.0), "slower loads", || text.clone());
    outcome.expect((last[2] - first[2]) * SHARING <= last[0] - first[0], "mappings", || text.clone());
    Ok(())
}

pub(super) fn run(setup: &mut Setup, outcome: &mut Outcome) -> Result<()> {
    many_loaded(setup, outcome)?;
    if !is_installed("gdb") {
        outcome.skip("gdb is not installed (apt-get install gdb)");
        return Ok(());
    }
    let plain = setup.compile("debug/fault.cpp", &["-O0", "-g"], "fault0")?;
    let optimised = setup.compile("debug/fault.cpp", &["-O2", "-g"], "fault2")?;
    let busy = setup.compile("debug/busy.cpp", &["-O2", "-g"], "busy")?;
    while setup.goes_on() {
        fault(setup, &plain, "O0", outcome)?;
        fault(setup, &optimised, "O0", outcome)?;
        attach(setup, &busy, outcome)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::costs;

    #[test]
    fn costs_are_read() {
        let text = "1234 bytes\n   loaded  median us  slowest us  mappings\n     500       10.5       99.0        80\n\
                    unloading all: 3.0 ms\n";
        assert_eq!(costs(text), [[500.0, 10.5, 80.0]]);
    }
}
