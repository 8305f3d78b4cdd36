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
    opencl::offer(&mut command);
    shell::run(&mut command).context("a test failed; run it alone with `cargo xtask test -- NAME`")
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
