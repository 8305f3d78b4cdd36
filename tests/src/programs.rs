//! Compiles programs with the installed `sinter-cc` and runs them.
//!
//! *Invariant:* a hanging program is a failure, not a hang of the test, and its output never blocks
//! it.

use crate::devices;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::Mutex,
    time::{Duration, Instant},
};

pub type Fallible<T = ()> = Result<T, Box<dyn Error>>;

/// Longer than any compiler or program takes on a busy machine; only a hang reaches it.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// A word of a command line.
pub trait Argument: AsRef<std::ffi::OsStr> {}
impl<T: AsRef<std::ffi::OsStr>> Argument for T {}

/// Compiles and links. If `KEPT_TEST_PROGRAMS` names a folder, the output is kept there and
/// reused by later test binaries, which run the same programs on other devices: none of its inputs
/// may change meanwhile.
///
/// The output is a link then and not a copy: this process must never have a program open for
/// writing, as a child that another thread starts meanwhile inherits the file, and the program
/// cannot be run until that child ends (`ETXTBSY`).
pub fn sinter_cc(arguments: &[&dyn Argument]) -> Fallible {
    let Some((kept, output)) = kept(arguments) else { return compile(arguments) };
    if !kept.exists() {
        compile_into(arguments, output, &kept)?;
    }
    // As a compiler does, this replaces an older output.
    let output = Path::new(arguments[output].as_ref());
    if output.symlink_metadata().is_ok() {
        fs::remove_file(output)?;
    }
    std::os::unix::fs::symlink(kept, output)?;
    Ok(())
}

/// The header of SYCL, compiled with these flags: most programs then take two thirds of the time.
/// `None` unless outputs are kept.
pub fn precompiled(flags: &[&dyn Argument]) -> Fallible<Option<PathBuf>> {
    static FIRST: Mutex<()> = Mutex::new(());
    let Some(folder) = kept_folder() else { return Ok(None) };
    let _first = FIRST.lock().map_err(|_| "another thread failed here")?;
    let header = folder.join("precompiled.hpp");
    if !header.exists() {
        fs::write(&header, "#pragma once\n#include <sycl/sycl.hpp>\n")?;
    }
    let output = header.with_extension("pch");
    let last: [&dyn Argument; 5] = [&"-x", &"c++-header", &header, &"-o", &output];
    let arguments = [flags, &last].concat();
    let Some((kept, output)) = kept(&arguments) else { return Ok(None) };
    if !kept.exists() {
        compile_into(&arguments, output, &kept)?;
    }
    Ok(Some(kept))
}

fn kept_folder() -> Option<PathBuf> {
    std::env::var_os("KEPT_TEST_PROGRAMS").map(PathBuf::from)
}

/// The kept output of a command line, and the place of the output's name in it.
fn kept(arguments: &[&dyn Argument]) -> Option<(PathBuf, usize)> {
    let folder = kept_folder()?;
    let words = || arguments.iter().map(|argument| argument.as_ref());
    let output = words().position(|word| word == "-o")? + 1;
    let mut hasher = blake3::Hasher::new();
    for (_, word) in words().enumerate().filter(|(index, _)| *index != output) {
        hasher.update(&word.len().to_le_bytes()).update(word.as_encoded_bytes());
    }
    Some((folder.join(&*hasher.finalize().to_hex()), output))
}

/// Compiles into `kept`, which other processes may do at the same time.
fn compile_into(arguments: &[&dyn Argument], output: usize, kept: &Path) -> Fallible {
    let folder = tempfile::tempdir_in(kept.parent().ok_or("a file in a folder")?)?;
    let compiled = folder.path().join("output");
    let mut arguments = arguments.to_vec();
    arguments[output] = &compiled;
    compile(&arguments)?;
    fs::rename(compiled, kept)?;
    Ok(())
}

fn compile(arguments: &[&dyn Argument]) -> Fallible {
    let compiler = dist().join("bin/sinter-cc");
    assert!(compiler.exists(), "{} is missing: run `cargo xtask build`", compiler.display());
    let mut command = Command::new(compiler);
    command.args(arguments);
    let folder = tempfile::tempdir()?;
    let outcome = execute(&mut command, folder.path())?;
    if outcome.status.success() { Ok(()) } else { Err(outcome.describe("sinter-cc").into()) }
}

/// Runs a program that must print `PASS`; `folder` also holds its cache.
pub fn run(command: &mut Command, folder: &Path) -> Fallible {
    run_with(command, folder, &[])
}

/// Like [`run`], with these settings.
pub fn run_with(command: &mut Command, folder: &Path, wanted: &[(&str, &str)]) -> Fallible {
    devices::settle(command);
    command.env("SINTER_CACHE_DIR", folder.join("cache")).current_dir(folder);
    command.envs(wanted.iter().copied());
    let outcome = execute(command, folder)?;
    let prints = outcome.output.lines().any(|line| line == "PASS") && !devices::is_invalid(&outcome.output);
    let passed = outcome.status.success() && prints;
    if passed { Ok(()) } else { Err(outcome.describe("the program").into()) }
}

pub struct Outcome {
    pub status: ExitStatus,
    pub output: String,
}

impl Outcome {
    pub fn describe(&self, what: &str) -> String {
        format!("{what} ended with {}\n{}", self.status, self.output.trim_end())
    }
}

/// Runs a command until it ends, or to the time limit. Its output goes through a file, so that it
/// never blocks.
pub fn execute(command: &mut Command, folder: &Path) -> Fallible<Outcome> {
    let path = folder.join("output");
    let file = fs::File::create(&path)?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let mut child = command.spawn()?;
    let status = wait(&mut child)?;
    let output = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
    Ok(Outcome { status, output })
}

fn wait(child: &mut Child) -> Fallible<ExitStatus> {
    let end = Instant::now() + TIME_LIMIT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            return Err(format!("no end after {} s", TIME_LIMIT.as_secs()).into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The installation under test: `SINTER_DIST`, or else `dist/` of the workspace.
pub fn dist() -> PathBuf {
    std::env::var_os("SINTER_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from)
}

/// The folder of the groups of programs.
pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}
