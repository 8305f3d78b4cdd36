//! Runs a suite of the benches crate against an install tree.

use crate::{dist, release, shell};
use anyhow::{Result, bail};

/// Measures the tree of `cargo xtask dist` instead of `dist/`.
const OF_ARCHIVE: &str = "--dist";

/// Builds, then runs the suite that `args` starts with.
pub(crate) fn bench(args: &[String]) -> Result<()> {
    let (ours, suite): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| *arg == OF_ARCHIVE);
    if suite.is_empty() {
        bail!(
            "which suite? `cargo xtask bench cpu`, or `cargo xtask bench cpu --dist` for the translator with LLVM linked in"
        );
    }
    let tree = if ours.is_empty() {
        dist::build()?;
        shell::dist_folder()
    } else {
        release::build()?
    };
    let mut command = shell::cargo(&["run", "--release", "--quiet", "-p", "sinter-benches", "--"]);
    command.args(suite).env("SINTER_DIST", tree).env("SINTER_LLVM", shell::llvm_prefix());
    shell::run(&mut command)
}
