//! Builds an archive of tests that runs on a bare machine with a GPU, and runs it on this machine.
//!
//! In: the workspace. Out: `target/gpu-test/sinter-gpu-test`, with the runtime of the released
//! archive, compiled programs, tests of the drivers, translated kernels and a script that runs them
//! all; and the packed folder.
//! *Invariant:* the machine needs a C library, bash and the GPU's driver. The benchmarks, which
//! also need nvcc, are in `bench`.

mod binaries;
mod pack;
mod plan;
pub(crate) mod programs;

use crate::{dist, release, shell};
use anyhow::{Context, Result, bail};
use plan::Plan;
use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// Top folder of the archive.
const NAME: &str = "sinter-gpu-test";
const RUN: &str = "--run";
/// Exit status of the script if there is no device to test.
const SKIPPED: i32 = 77;
/// Files of the install tree that the archive contains.
const INSTALLED: [&str; 5] = [
    "bin/sinter-info",
    "bin/sinter-cache",
    "lib/libsinter.so",
    "lib/libsinter_stdpar.so",
    "lib/libsinter_translate.so",
];
/// Parts of Vulkan on this machine, for machines with a GPU's driver alone: the loader, and the
/// validation layer. The package of each, and the files.
const VULKAN: [(&str, &[&str]); 2] = [
    ("libvulkan1", &["/usr/lib/x86_64-linux-gnu/libvulkan.so.1"]),
    (
        "vulkan-validationlayers",
        &[
            "/usr/lib/x86_64-linux-gnu/libVkLayer_khronos_validation.so",
            "/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json",
        ],
    ),
];
/// Their folder in the archive.
const VULKAN_FOLDER: &str = "lib/vulkan";
const TOOL: &str = "bin/llvm-to-ptx-tool";
/// Runs the benchmarks from the folder of the test script.
const BENCH_SCRIPT: &str = "#!/bin/sh\nexec \"$(dirname \"$0\")/bench/bench.sh\" \"$@\"\n";

/// Builds and packs; with `--run`, runs the packed tests with the remaining arguments.
pub(crate) fn gpu_test(args: &[String]) -> Result<()> {
    let run = match args {
        [] => None,
        [first, rest @ ..] if first == RUN => Some(rest),
        _ => bail!("unexpected arguments `{}`; this command takes `{RUN} [SUITE]` or none", args.join(" ")),
    };
    if run.is_some() && !script(&shell::root().join("tests/gpu"), &["probe".to_owned()])? {
        return Ok(());
    }
    let tree = build()?;
    pack::pack(&folder(), NAME)?;
    run.map_or(Ok(()), |suite| script(&tree, suite).map(drop))
}

fn folder() -> PathBuf {
    shell::target_folder().join("gpu-test")
}

/// Builds the folder of the archive. Returns its path.
fn build() -> Result<PathBuf> {
    let (installed, tree) = (release::build()?, folder().join(NAME));
    for name in INSTALLED {
        dist::copy(&installed.join(name), &tree.join(name))?;
    }
    dist::copy(&installed.join(TOOL), &tree.join(TOOL))?;
    VULKAN.iter().try_for_each(|(package, files)| bring(package, files, &tree.join(VULKAN_FOLDER)))?;
    for script in ["gpu/run.sh", "gpu/vulkan.sh", "numerics/numerics.sh"] {
        let from = shell::root().join("tests").join(script);
        dist::copy(&from, &tree.join(from.file_name().unwrap_or_default()))?;
    }
    let mut plan = Plan::default();
    binaries::add(&tree, &mut plan)?;
    programs::add(&installed, &tree, &mut plan)?;
    bench(&installed, &tree)?;
    dist::write(&tree.join("tests/list"), plan.text().as_bytes())?;
    plan.sweep(&tree)?;
    Ok(tree)
}

/// Copies files of a package of Debian, if it is installed.
fn bring(package: &str, files: &[&str], folder: &Path) -> Result<()> {
    if let Some(missing) = files.iter().find(|file| !Path::new(file).is_file()) {
        eprintln!("xtask: no {missing} to bring along; Debian has it in {package}");
        return Ok(());
    }
    for file in files.iter().map(Path::new) {
        dist::copy(file, &folder.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Adds the benchmarks of the `cuda` suite, as the benches crate lays them out.
fn bench(installed: &Path, tree: &Path) -> Result<()> {
    let mut command = release::command(&["run", "--release", "--quiet", "-p", "sinter-benches"]);
    command.args(["--", "cuda", "--stage"]).arg(tree.join("bench")).env("SINTER_DIST", installed);
    shell::run(&mut command).context("the measurements cannot be laid out")?;
    let script = tree.join("bench.sh");
    dist::write(&script, BENCH_SCRIPT.as_bytes())?;
    fs::set_permissions(&script, Permissions::from_mode(0o755))
        .with_context(|| format!("cannot change {}", script.display()))
}

/// Runs the script in `tree`. True if there was a device to test.
fn script(tree: &Path, suite: &[String]) -> Result<bool> {
    let mut command = Command::new("bash");
    command.arg(tree.join("run.sh")).args(suite).env("OUT", folder().join("out"));
    let status = command.status().context("cannot run bash")?;
    match status.code() {
        Some(0) => Ok(true),
        Some(SKIPPED) => {
            println!("The tests were skipped, for the reason above.");
            Ok(false)
        }
        _ => bail!("tests failed ({status})"),
    }
}
