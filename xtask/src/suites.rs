//! Runs test programs side by side.
//!
//! In: the tests of the workspace, which cargo builds and lists, and commands that run them. Out:
//! the output and the time of each command when it ends; an error that lists those that failed.
//! Cargo itself runs one test program after the other, and many of them keep one core busy.
//! *Invariant:* the output of a command stays together, and none is left out because another
//! failed.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::{
    io::{Read, Seek},
    path::PathBuf,
    process::{Command, Stdio},
    sync::Mutex,
    thread,
    time::Instant,
};

/// The start of all commands that build tests. A selection of packages would select other features
/// of the crates that they share, and compile the runtime and the tests anew.
const TEST: &[&str] = &["test", "--workspace", "--release"];

/// Commands that run at the same time. Each may use all cores, but many use one.
fn lanes() -> usize {
    thread::available_parallelism().map_or(2, |cores| cores.get().div_ceil(2).max(2))
}

/// A program with tests.
pub(crate) struct Suite {
    pub(crate) program: PathBuf,
    /// Folder of its package, in which it runs.
    package: PathBuf,
}

impl Suite {
    /// Name of its target: `programs`.
    pub(crate) fn name(&self) -> String {
        let stem = self.program.file_stem().unwrap_or_default().to_string_lossy();
        // Cargo appends a digest.
        stem.rsplit_once('-').map_or(&*stem, |(name, _)| name).to_owned()
    }

    /// Runs it; the title says how.
    pub(crate) fn run(&self, how: &str) -> Run {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.package).env("CARGO_MANIFEST_DIR", &self.package);
        let package = self.package.strip_prefix(shell::root()).unwrap_or(&self.package);
        Run { title: format!("{} of {}{how}", self.name(), package.display()), command }
    }
}

/// A command, and what it tests.
pub(crate) struct Run {
    title: String,
    pub(crate) command: Command,
}

/// The cargo command that runs tests.
pub(crate) fn cargo() -> Command {
    shell::cargo(TEST)
}

/// The examples in the documentation.
pub(crate) fn documentation() -> Run {
    let mut command = cargo();
    command.arg("--doc");
    Run { title: "examples in the documentation".to_owned(), command }
}

/// The models of `runtime/models`, a workspace of its own.
pub(crate) fn models() -> Run {
    let mut command = shell::cargo(&["test", "--release", "--quiet", "--manifest-path", "runtime/models/Cargo.toml"]);
    command.arg("--target-dir").arg(shell::target_folder().join("models"));
    Run { title: "models of threads".to_owned(), command }
}

/// Builds all tests.
pub(crate) fn build() -> Result<Vec<Suite>> {
    let mut command = cargo();
    command.args(["--no-run", "--message-format=json-render-diagnostics"]).stderr(Stdio::inherit());
    let output = command.output().context("cannot run cargo")?;
    if !output.status.success() {
        bail!("the tests do not compile");
    }
    Ok(executables(&String::from_utf8_lossy(&output.stdout)))
}

/// The test programs in cargo's messages, each a line of JSON.
pub(crate) fn executables(messages: &str) -> Vec<Suite> {
    let suite = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let path = |key: &str| message[key].as_str().map(PathBuf::from);
        let is_test = message["profile"]["test"] == true;
        let (program, manifest) = (path("executable").filter(|_| is_test)?, path("manifest_path")?);
        Some(Suite { program, package: manifest.parent()?.to_owned() })
    };
    messages.lines().filter_map(suite).collect()
}

/// Runs all, those in front first.
pub(crate) fn side_by_side(runs: Vec<Run>) -> Result<()> {
    let (waiting, failed) = (Mutex::new(runs.into_iter()), Mutex::new(Vec::new()));
    let next = || waiting.lock().ok()?.next();
    let lane = || {
        while let Some(run) = next() {
            let title = run.title.clone();
            if let (Err(error), Ok(mut failed)) = (finish(run), failed.lock()) {
                failed.push(format!("{title}: {error:#}"));
            }
        }
    };
    thread::scope(|scope| (0..lanes()).for_each(|_| drop(scope.spawn(lane))));
    match failed.into_inner().unwrap_or_default() {
        failed if failed.is_empty() => Ok(()),
        failed => bail!("{}; run a test alone with `cargo xtask test -- NAME`", failed.join("; ")),
    }
}

/// Runs one to its end and prints what it says. That goes through a file: a pipe would also wait
/// for processes that it left behind.
fn finish(Run { title, mut command }: Run) -> Result<()> {
    eprintln!("xtask: {title} starts");
    let start = Instant::now();
    let mut file = tempfile::tempfile().context("no file for what it prints")?;
    let ends = file.try_clone().and_then(|one| Ok((one, file.try_clone()?))).context("no file for what it prints")?;
    let status = command.stdin(Stdio::null()).stdout(ends.0).stderr(ends.1).status();
    let status = status.with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let mut said = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut said)).context("cannot read what it prints")?;
    println!("\nxtask: {title}, {:.0} s\n{}", start.elapsed().as_secs_f64(), String::from_utf8_lossy(&said));
    if status.success() { Ok(()) } else { bail!("{status}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// For a test, for a program that is built beside it, and for a library.
    const MESSAGES: &str = r#"{"manifest_path":"/w/tests/Cargo.toml","profile":{"test":true},"executable":"/t/programs-0a1b"}
{"manifest_path":"/w/tools/Cargo.toml","profile":{"test":false},"executable":"/t/tool"}
{"manifest_path":"/w/runtime/Cargo.toml","profile":{"test":true},"executable":null}
"#;

    #[test]
    fn test_programs_are_found_in_messages() {
        let [suite] = &executables(MESSAGES)[..] else { panic!("one test program") };
        assert_eq!((suite.name(), suite.package.as_path()), ("programs".to_owned(), Path::new("/w/tests")));
    }

    #[test]
    fn all_run_and_all_failures_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = |script: &str| {
            let mut command = Command::new("sh");
            command.current_dir(&folder).args(["-c", script]);
            Run { title: script.to_owned(), command }
        };
        let error = side_by_side(["exit 3", "exit 0", "exit 4", "touch done"].map(run).into()).expect_err("failures");
        assert!(error.to_string().contains("exit 3: exit status: 3") && error.to_string().contains("exit 4: "));
        assert!(!error.to_string().contains("exit 0") && folder.path().join("done").exists());
    }
}
