//! Makes a folder for measurements on another machine: programs, sources of the peers, scripts.
//!
//! *Invariant:* there the folder needs no Rust, no clang and no network, only nvcc, a driver and
//! the install tree's `lib`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BenchError;
use crate::processes::{self, Small};
use crate::{lab, run};

/// Programs by folder and name.
const PROGRAMS: [(&str, &str); 9] = [
    ("cuda", "stream"),
    ("cuda", "fixed"),
    ("cuda", "special"),
    ("cuda", "observed"),
    ("cuda", "patterns"),
    ("cuda", "launch"),
    ("cpu", "buffers"),
    ("cuda", "first"),
    ("cuda", "kernels"),
];
/// Folder of the small programs.
pub(super) const SMALL: &str = "small";
const SCRIPTS: [&str; 2] = ["bench.sh", "profile.sh"];
/// Source folders from which the peers are built.
const SOURCES: [&str; 5] = ["include", "include/gpu", "include/gpu/patterns", "peers", "peers/patterns"];
const KINDS: [&str; 3] = ["cu", "cuh", "hpp"];
const EXECUTABLE: &str = "sinter-benches";

/// The folder of the workspace, on the build machine of this program.
pub(super) fn workspace() -> PathBuf {
    let sources = crate_folder();
    sources.parent().unwrap_or(&sources).to_owned()
}

/// The install tree that `SINTER_DIST` names, or `dist/`.
pub(super) fn dist() -> PathBuf {
    std::env::var_os("SINTER_DIST")
        .filter(|value| !value.is_empty())
        .map_or_else(|| workspace().join("dist"), Into::into)
}

/// Fills `folder` with programs, sources and scripts.
pub(super) fn fill(folder: &Path) -> Result<(), BenchError> {
    lab::make_folder(&folder.join("ours"))?;
    let ours = folder.join("ours");
    PROGRAMS.iter().try_for_each(|(of, name)| compile(&format!("{of}/{name}"), &[], &ours.join(name)))?;
    lab::make_folder(&ours.join(SMALL))?;
    let small = |one: &Small| compile("cuda/patterns", &one.definitions(), &ours.join(SMALL).join(one.test));
    processes::PROGRAMS.iter().try_for_each(small)?;
    SOURCES.iter().try_for_each(|name| copy_files(name, folder))?;
    SCRIPTS.iter().try_for_each(|name| copy(&crate_folder().join("cuda").join(name), &folder.join(name)))?;
    let own = std::env::current_exe().map_err(|source| BenchError::Start { program: EXECUTABLE.to_owned(), source })?;
    copy(&own, &folder.join(EXECUTABLE))
}

fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

// Compiles `NAME.cpp`.
fn compile(name: &str, flags: &[String], program: &Path) -> Result<(), BenchError> {
    let compiler = dist().join("bin/sinter-cc");
    if !compiler.exists() {
        let remedy = "run `cargo xtask build` or set SINTER_DIST to an install tree";
        return Err(BenchError::Missing { path: compiler, remedy });
    }
    eprintln!("compiling {}", program.display());
    let mut command = Command::new(compiler);
    command.args(["-O3", "-std=c++17"]).args(flags).arg("-I").arg(crate_folder().join("include"));
    command.arg(crate_folder().join(format!("{name}.cpp"))).arg("-o").arg(program);
    run::finish(&mut command).map(drop)
}

// Copies headers and CUDA sources of one folder, without subfolders.
fn copy_files(name: &str, folder: &Path) -> Result<(), BenchError> {
    let (from, to) = (crate_folder().join(name), folder.join("sources").join(name));
    lab::make_folder(&to)?;
    let unreadable = |source| BenchError::Read { path: from.clone(), source };
    for entry in fs::read_dir(&from).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|end| KINDS.iter().any(|kind| end == *kind)) {
            copy(&path, &to.join(path.file_name().unwrap_or(OsStr::new("file"))))?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), BenchError> {
    // A running program cannot be overwritten, but can be replaced.
    let _ = fs::remove_file(to);
    fs::copy(from, to).map(drop).map_err(|source| BenchError::Write { path: to.to_owned(), source })
}
