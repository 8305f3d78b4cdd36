//! Runs a suite of the benches crate against the install tree.

use crate::{dist, shell};
use anyhow::{Result, bail};

/// Builds, then runs the suite that `args` starts with.
pub(crate) fn bench(args: &[String]) -> Result<()> {
    if args.is_empty() {
        bail!("which suite? `cargo xtask bench cpu`");
    }
    dist::build()?;
    let mut command = shell::cargo(&["run", "--release", "--quiet", "-p", "sinter-benches", "--"]);
    command.args(args).env("SINTER_DIST", shell::dist_folder()).env("SINTER_LLVM", shell::llvm_prefix());
    shell::run(&mut command)
}
