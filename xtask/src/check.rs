//! Runs the tests and all other checks of the continuous integration.

use crate::{dist, opencl, ptxas, setup, shell};
use anyhow::{Context, Result};
use std::process::Command;

/// Compiled programs of the tests, which are run on several devices. Removed on drop.
struct Programs(tempfile::TempDir);

impl Programs {
    fn new() -> Result<Self> {
        Ok(Programs(tempfile::tempdir_in(shell::target_folder()).context("no folder for the tests' programs")?))
    }

    /// Lets tests keep and reuse the programs that they compile (tests/src/programs.rs).
    fn offer(&self, command: &mut Command) {
        command.env("KEPT_TEST_PROGRAMS", self.0.path());
    }
}

/// The start of all test commands. A selection of packages would select other features of the
/// crates that they share, and compile the runtime and the tests anew.
const TEST: &[&str] = &["test", "--workspace", "--release"];

/// Builds, then runs all tests against the install tree.
pub(crate) fn test(args: &[String]) -> Result<()> {
    dist::build()?;
    let mut command = shell::cargo(TEST);
    command.args(args).env("SINTER_DIST", shell::dist_folder());
    let programs = Programs::new()?;
    programs.offer(&mut command);
    if let Some(assembler) = ptxas::find() {
        command.env(ptxas::VARIABLE, assembler);
    }
    let runs_spirv = opencl::offer(&mut command);
    shell::run(&mut command).context("a test failed; run it alone with `cargo xtask test -- NAME`")?;
    if !args.is_empty() {
        return Ok(());
    }
    OTHER_CPUS.iter().try_for_each(|cpu| test_for_cpu(cpu, &programs))?;
    if runs_spirv { test_spirv(&programs) } else { Ok(()) }
}

/// Further CPUs to generate code for: with fewer features than the native one, and of another
/// vendor.
const OTHER_CPUS: [&str; 3] = ["x86-64-v2", PROGRAMS_CPU, "other"];
/// The one of them for which programs are run too: most machines have at least its features.
const PROGRAMS_CPU: &str = "x86-64-v3";

/// Tests that run kernels on the host CPU: translated in the process of the test, and in programs.
const TRANSLATING: [&str; 3] = ["barriers", "differential", "run_host"];
const RUNNING: [&str; 3] = ["corpus", "programs", "samples"];

/// Runs the tests of the host CPU with code for another CPU.
fn test_for_cpu(cpu: &str, programs: &Programs) -> Result<()> {
    eprintln!("xtask: tests with code for the CPU `{cpu}`");
    // Running all programs takes minutes, and the settings of programs accept only the names of
    // levels.
    let tests = if cpu == PROGRAMS_CPU { &[&TRANSLATING[..], &RUNNING].concat() } else { &TRANSLATING[..] };
    let mut command = shell::cargo(TEST);
    command.args(tests.iter().flat_map(|test| ["--test", test])).arg("--");
    command.args(SAME_EVERYWHERE.iter().chain(&LARGE_GROUPS).flat_map(|test| ["--skip", test]));
    command.env("SINTER_DIST", shell::dist_folder()).env("SINTER_HOST_CPU", cpu);
    programs.offer(&mut command);
    shell::run(&mut command).with_context(|| format!("a test failed; SINTER_HOST_CPU={cpu} makes such code"))
}

/// Groups of programs with so many kernels that another CPU takes minutes. The kernels are made of
/// the same pieces as those of the other groups.
const LARGE_GROUPS: [&str; 2] = ["stdpar/", "interposed/"];

/// Tests that do not depend on the device.
const SAME_EVERYWHERE: [&str; 5] = ["rejects/", "no_symbol", "the_header", "the_files", "the_corpus"];

/// Runs the programs of the tests on a SPIR-V device.
fn test_spirv(programs: &Programs) -> Result<()> {
    let mut command = shell::cargo(TEST);
    command.args(RUNNING.iter().flat_map(|test| ["--test", test])).arg("--");
    command.args(SAME_EVERYWHERE.iter().flat_map(|test| ["--skip", test]));
    command.env("SINTER_DIST", shell::dist_folder());
    opencl::demand(&mut command);
    programs.offer(&mut command);
    shell::run(&mut command).context("a test failed on OpenCL; SINTER_TEST_DEVICES=opencl runs it there")
}

/// Runs formatting, clippy, tests and documentation.
pub(crate) fn check() -> Result<()> {
    setup::setup()?;
    shell::run(&mut shell::cargo(&["fmt", "--all", "--check"])).context("run `cargo fmt --all`")?;
    shell::run(&mut shell::cargo(&["clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    test(&[])?;
    document()
}

fn document() -> Result<()> {
    let mut command = shell::cargo(&["doc", "--release", "--workspace", "--no-deps"]);
    shell::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}
