//! Runs the tests and all other checks of the continuous integration.

use crate::{
    dist, opencl, ptxas, setup, shell,
    suites::{self, Run, Suite},
    vulkan,
};
use anyhow::{Context, Result};
use std::{ffi::OsString, path::PathBuf, process::Command};

/// Given to all tests.
struct Given {
    /// Compiled programs of the tests, which are run on several devices. Removed on drop.
    programs: tempfile::TempDir,
    assembler: Option<PathBuf>,
    opencl: Option<[(&'static str, OsString); 2]>,
    vulkan: Option<Vec<(&'static str, OsString)>>,
}

impl Given {
    fn new() -> Result<Self> {
        let programs = tempfile::tempdir_in(shell::target_folder()).context("no folder for the tests' programs")?;
        let (opencl, vulkan) = (opencl::environment(), vulkan::environment());
        Ok(Given { programs, assembler: ptxas::find(), opencl, vulkan })
    }

    /// A variable that a command sets or removes itself stays so.
    fn give(&self, command: &mut Command) {
        let own: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
        // Lets tests keep and reuse the programs that they compile (tests/src/programs.rs).
        command.env("KEPT_TEST_PROGRAMS", self.programs.path()).env("SINTER_DIST", shell::dist_folder());
        command.envs(self.assembler.iter().map(|assembler| (ptxas::VARIABLE, assembler)));
        let found = self.opencl.iter().flatten().chain(self.vulkan.iter().flatten());
        command.envs(found.filter(|(name, _)| !own.iter().any(|own| own == name)).map(|(name, value)| (name, value)));
    }
}

/// Builds, then runs all tests against the install tree, or those that `args` of `cargo test`
/// select.
pub(crate) fn test(args: &[String]) -> Result<()> {
    dist::build()?;
    let given = Given::new()?;
    if !args.is_empty() {
        let mut command = suites::cargo();
        given.give(command.args(args));
        return shell::run(&mut command).context("a test failed");
    }
    let suites = suites::build()?;
    let mut first: Vec<Run> = select(&[PROGRAMS], &suites, "");
    first.extend(suites.iter().filter(|suite| suite.name() != PROGRAMS).map(|suite| suite.run("")));
    first.extend([suites::documentation(), suites::models()]);
    if takes_turns() {
        for Run { command, .. } in &mut first {
            command.env("TEST_CPU_IN_TURN", PROGRAMS_CPU);
        }
    }
    // These find the programs compiled.
    let mut further = if given.opencl.is_some() { on_spirv(&suites) } else { Vec::new() };
    if !further.is_empty() {
        first.iter_mut().for_each(|run| _ = run.command.env("OTHER_TEST_RUNS_FOLLOW", "1"));
    }
    further.extend(given.vulkan.iter().flat_map(|_| on_vulkan(&suites)));
    further.extend(OTHER_CPUS.iter().flat_map(|cpu| for_cpu(cpu, &suites)));
    for mut runs in [first, further] {
        runs.iter_mut().for_each(|run| given.give(&mut run.command));
        suites::side_by_side(runs)?;
    }
    Ok(())
}

/// Further CPUs to generate code for: with fewer features than the native one, and of another
/// vendor.
const OTHER_CPUS: [&str; 3] = ["x86-64-v2", PROGRAMS_CPU, "other"];
/// The one of them for which programs are run too: most machines have at least its features.
const PROGRAMS_CPU: &str = "x86-64-v3";

/// Tests that run kernels on the host CPU: translated in the process of the test, and in programs.
const TRANSLATING: [&str; 3] = ["barriers", "differential", "run_host"];
const RUNNING: [&str; 4] = [PROGRAMS, "corpus", "samples", "stdpar"];
const PROGRAMS: &str = "programs";

/// The tests of the host CPU, with code for another CPU.
fn for_cpu(cpu: &str, suites: &[Suite]) -> Vec<Run> {
    // Running all programs takes minutes, and the settings of programs accept only the names of
    // levels. In turns half of them have had code for the CPU.
    let translating = if takes_turns() { &[turn(cpu)] } else { &TRANSLATING[..] };
    let programs: &[_] = if cpu == PROGRAMS_CPU && !takes_turns() { &[PROGRAMS] } else { &[] };
    let tests = [programs, translating].concat();
    let mut runs = select(&tests, suites, &format!(" with SINTER_HOST_CPU={cpu}"));
    for Run { command, .. } in &mut runs {
        command.args(SAME_EVERYWHERE.iter().chain(&OTHER_GROUPS).flat_map(|test| ["--skip", test]));
        command.env("SINTER_HOST_CPU", cpu).env("PROPTEST_CASES", FEWER_CASES);
        // Programs have run full code from the first launch on the native CPU.
        command.env("SINTER_JIT_MODE", "fallback");
    }
    runs
}

/// True if tests take turns (`tests/src/devices.rs`), which halves the time of those that repeat
/// others.
fn takes_turns() -> bool {
    std::env::var_os("TESTS_TAKE_TURNS").is_some()
}

/// The test of translation for a CPU in turns.
fn turn(cpu: &str) -> &'static str {
    match cpu {
        PROGRAMS_CPU => "barriers",
        "x86-64-v2" => "differential",
        _ => "run_host",
    }
}

/// Groups of programs with small kernels, or with so many that another CPU takes minutes. They are
/// made of the same pieces as those of the other groups.
const OTHER_GROUPS: [&str; 9] =
    ["buffers/", "commands/", MANY_KERNELS, "hip/", "interposed/", "memory/", "ranges/", "stdpar/", "whole/"];

/// Programs with so many kernels that they run on the native CPU alone.
const MANY_KERNELS: &str = "groups/sub_group_operators";

/// Random kernels for each further CPU.
const FEWER_CASES: &str = "24";

/// Tests that do not depend on the device, and the kernels of the corpus in `differential`, which
/// choose their CPUs themselves.
const SAME_EVERYWHERE: [&str; 5] = ["rejects/", "no_symbol", "the_header", "the_files", "the_corpus"];

/// The programs of the tests, on a SPIR-V device.
fn on_spirv(suites: &[Suite]) -> Vec<Run> {
    let mut runs = select(&RUNNING, suites, " with SINTER_TEST_DEVICES=opencl");
    for Run { command, .. } in &mut runs {
        command.args(SAME_EVERYWHERE.iter().chain(&[MANY_KERNELS]).flat_map(|test| ["--skip", test]));
        opencl::demand(command);
    }
    runs
}

/// Tests that are run on Vulkan, with the part of a name that selects some: not all programs pass
/// there.
const ON_VULKAN: [(&str, &str); 14] = [
    ("samples", "samples::"),
    ("corpus", "every_kernel"),
    (PROGRAMS, "numerics/"),
    (PROGRAMS, "groups/votes"),
    (PROGRAMS, "memory/"),
    (PROGRAMS, "commands/"),
    (PROGRAMS, "local/"),
    (PROGRAMS, "nd_ranges/"),
    (PROGRAMS, "kernels/"),
    (PROGRAMS, "ranges/"),
    (PROGRAMS, "whole/"),
    (PROGRAMS, "stdpar/"),
    (PROGRAMS, "types/bfloat16"),
    (PROGRAMS, "types/half/"),
];
/// Not run there: warps, which lavapipe lacks, a process in which LLVM must not be loaded, which
/// lavapipe loads, and complex functions of f64, because it compiles them for minutes.
const NOT_ON_VULKAN: [&str; 3] = ["hip/", "second_process", "complex_f64"];

/// Some programs of the tests, on Vulkan.
fn on_vulkan(suites: &[Suite]) -> Vec<Run> {
    let run = |(name, part): (&str, &str)| {
        let mut runs = select(&[name], suites, " with SINTER_TEST_DEVICES=vulkan");
        for Run { command, .. } in &mut runs {
            command.arg(part).args(NOT_ON_VULKAN.iter().flat_map(|test| ["--skip", test]));
            vulkan::demand(command);
            if name == "corpus" {
                // Takes twice the time with the layer, and calls nothing that other runs do not.
                command.env_remove(vulkan::VALIDATION);
            }
        }
        runs
    };
    ON_VULKAN.into_iter().flat_map(run).collect()
}

/// Runs of the named tests.
fn select(names: &[&str], suites: &[Suite], how: &str) -> Vec<Run> {
    let found = names.iter().flat_map(|name| suites.iter().filter(move |suite| suite.name() == *name));
    found.map(|suite| suite.run(how)).collect()
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
