//! Runs a suite of the benches crate against an install tree.

use crate::{dist, opencl, release, shell};
use anyhow::{Result, bail};
use std::process::Command;

/// Measures the tree of `cargo xtask dist` instead of `dist/`.
const OF_ARCHIVE: &str = "--dist";

/// Builds, then runs the suite that `args` starts with.
pub(crate) fn bench(args: &[String]) -> Result<()> {
    let (ours, suite): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| *arg == OF_ARCHIVE);
    if suite.is_empty() {
        bail!(
            "which suite? `cargo xtask bench cpu`, or `cargo xtask bench cpu --dist` for the translator with LLVM linked in; \
             `cargo xtask bench cuda` on a machine with an NVIDIA GPU and nvcc; `cargo xtask bench vulkan` on one with its driver; \
             `cargo xtask bench opencl` after `cargo xtask opencl`"
        );
    }
    if needs_gpu(&suite)
        && shell::output(Command::new("nvidia-smi").arg("--list-gpus")).is_none_or(|gpus| gpus.is_empty())
    {
        println!("skipped: no NVIDIA GPU: `nvidia-smi` does not list one. `--rehearse` shows that the suite works");
        return Ok(());
    }
    let mut command = shell::cargo(&["run", "--release", "--quiet", "-p", "sinter-benches", "--"]);
    if is_for(&suite, "opencl") && !opencl::offer(&mut command) {
        println!("skipped: there is no OpenCL for CPUs; `cargo xtask opencl` fetches it");
        return Ok(());
    }
    let tree = if ours.is_empty() {
        dist::build()?;
        shell::dist_folder()
    } else {
        release::build()?
    };
    command.args(suite).env("SINTER_DIST", tree).env("SINTER_LLVM", shell::llvm_prefix());
    shell::run(&mut command)
}

/// True if the suite measures a GPU of this machine.
fn needs_gpu(suite: &[&String]) -> bool {
    (is_for(suite, "cuda") || is_for(suite, "vulkan"))
        && !["--rehearse", "--stage"].into_iter().any(|word| has(suite, word))
}

/// True if the suite of this name was selected.
fn is_for(suite: &[&String], name: &str) -> bool {
    has(suite, name) && !["--help", "-h"].into_iter().any(|word| has(suite, word))
}

fn has(suite: &[&String], word: &str) -> bool {
    suite.iter().any(|arg| *arg == word)
}
