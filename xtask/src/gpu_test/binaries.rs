//! Adds tests that cargo builds: those of drivers for GPUs, and translated kernels with their
//! runner.
//!
//! *Invariant:* no program here contains or needs a compiler.

use super::plan::{Judge, Plan};
use crate::{dist, release, shell, suites};
use anyhow::{Context, Result};
use std::{path::Path, process::Stdio};

/// A driver whose tests are packed.
struct Driver {
    package: &'static str,
    /// The group of the tests in the list.
    group: &'static str,
    /// Tests that need files of the workspace, or a C compiler.
    left_out: &'static [&'static str],
}

const DRIVERS: [Driver; 2] = [
    Driver { package: "sinter-driver-cuda", group: "driver", left_out: &[] },
    Driver { package: "sinter-driver-vulkan", group: "driver-vulkan", left_out: &["shared", "text"] },
];
const CASES: &str = "sinter-device-cases";
/// Number of processes that share the cases.
const PARTS: u32 = 8;
/// Targets of the cases: the GPU, and the host, on which the script itself can be tested.
const TARGETS: [(&str, &str); 2] = [("cuda", "sm_90"), ("host", "host")];

/// Adds all of them to the plan.
pub(crate) fn add(tree: &Path, plan: &mut Plan) -> Result<()> {
    DRIVERS.iter().try_for_each(|of| driver(of, tree, plan))?;
    cases(tree, plan)
}

/// The tests of a driver.
fn driver(of: &Driver, tree: &Path, plan: &mut Plan) -> Result<()> {
    let Driver { package, group, left_out } = of;
    let mut command = release::command(&["test", "--release", "--no-run", "--lib", "--tests", "-p", package]);
    command.args(["--message-format=json-render-diagnostics"]).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let output = command.output().context("cannot run cargo")?;
    anyhow::ensure!(output.status.success(), "the tests of {package} do not compile");
    let found = suites::executables(&String::from_utf8_lossy(&output.stdout));
    let missing = left_out.iter().find(|name| !found.iter().any(|suite| suite.name() == **name));
    anyhow::ensure!(missing.is_none(), "{package} has no test {missing:?} to leave out");
    for suite in found.iter().filter(|suite| !left_out.contains(&&*suite.name())) {
        let name = suite.name();
        let file = format!("tests/{group}/{name}");
        dist::copy(&suite.program, &tree.join(&file))?;
        let command = format!("$ROOT/{file} --nocapture --test-threads=4");
        plan.test(&format!("{group}/{name}"), Judge::Status, 300, &command);
        plan.keep(file);
    }
    Ok(())
}

/// The kernels of the differential tests, translated here.
fn cases(tree: &Path, plan: &mut Plan) -> Result<()> {
    shell::run(release::command(&["build", "--release", "-p", CASES]).arg("--quiet"))?;
    dist::copy(&release::built().join("release").join(CASES), &tree.join("tests/src/differential").join(CASES))?;
    plan.keep(Path::new("tests/src/differential").join(CASES));
    for (driver, target) in TARGETS {
        let file = format!("tests/src/differential/{target}.cases");
        write(target, &tree.join(&file))?;
        for part in 1..=PARTS {
            let command = format!("$ROOT/tests/src/differential/{CASES} $ROOT/{file} {driver} {part}/{PARTS}");
            plan.test(&format!("differential-{driver}/{part}"), Judge::Pass, 120, &command);
        }
        plan.keep(file);
    }
    Ok(())
}

/// Writes the cases by running the test that makes them. It is a test because it uses code of
/// tests.
fn write(target: &str, file: &Path) -> Result<()> {
    let mut command = shell::cargo(&["test", "--release", "-p", "sinter-tests", "--test", "devices"]);
    command.args(["write_cases", "--", "--ignored", "--exact", "--nocapture"]);
    shell::run(command.env("SINTER_CASES_TARGET", target).env("SINTER_CASES_FILE", file))
        .with_context(|| format!("the kernels of tests/src/differential cannot be translated for {target}"))
}
