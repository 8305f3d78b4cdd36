//! Tests, and everything that the continuous integration looks at.

use crate::{dist, opencl, ptxas, setup, shell};
use anyhow::{Context, Result};

/// Builds, then runs all tests against the install tree.
pub(crate) fn test(args: &[String]) -> Result<()> {
    dist::build()?;
    let mut command = shell::cargo(&["test", "--workspace", "--release"]);
    command.args(args).env("SINTER_DIST", shell::dist_folder());
    if let Some(assembler) = ptxas::find() {
        command.env(ptxas::VARIABLE, assembler);
    }
    let runs_spirv = opencl::offer(&mut command);
    shell::run(&mut command).context("a test failed; run it alone with `cargo xtask test -- NAME`")?;
    if runs_spirv && args.is_empty() { test_spirv() } else { Ok(()) }
}

/// Runs the programs of the tests once more, on a device that takes SPIR-V.
fn test_spirv() -> Result<()> {
    let mut command =
        shell::cargo(&["test", "--release", "-p", "sinter-tests", "--test", "corpus", "--test", "programs", "--"]);
    for same_everywhere in ["rejects", "no_symbol", "the_header", "every_group", "the_files", "the_corpus"] {
        command.args(["--skip", same_everywhere]);
    }
    command.env("SINTER_DIST", shell::dist_folder());
    opencl::demand(&mut command);
    shell::run(&mut command).context("a test failed on OpenCL; SINTER_TEST_DEVICES=opencl runs it there")
}

/// Formatting, clippy, tests, documentation.
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
