//! LLVM's tools, and the libraries as files. The tools are independent of this project.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test says what it expects by unwrapping; each uses a part of this"
)]

pub(crate) mod calls;

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// A tool of the LLVM that the workspace is built with.
pub(crate) fn tool(name: &str) -> Command {
    let prefix = env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    Command::new(PathBuf::from(prefix).join("bin").join(name))
}

/// A folder for this test only.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file of this crate.
pub(crate) fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Writes a file; returns its path.
pub(crate) fn file(folder: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// Runs a command that must succeed and returns its output.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{text}{errors}", output.status);
    text.into_owned()
}

/// The names that llvm-nm lists with this option.
pub(crate) fn symbols(option: &str, module: &Path) -> BTreeSet<String> {
    run(tool("llvm-nm").args([option, "--just-symbol-name"]).arg(module)).lines().map(str::to_owned).collect()
}

/// NVIDIA's assembler, from `SINTER_PTXAS` or `PATH`.
pub(crate) fn ptxas() -> Option<PathBuf> {
    let named = env::var_os("SINTER_PTXAS").map(PathBuf::from);
    let searched = env::var_os("PATH").into_iter().flat_map(|path| env::split_paths(&path).collect::<Vec<_>>());
    named.into_iter().chain(searched.map(|folder| folder.join("ptxas"))).find(|path| path.is_file())
}

/// NVIDIA's math library, from `SINTER_LIBDEVICE` or next to the assembler.
pub(crate) fn libdevice() -> Option<PathBuf> {
    let named = env::var_os("SINTER_LIBDEVICE").map(PathBuf::from);
    let beside = ptxas().and_then(|ptxas| Some(ptxas.parent()?.parent()?.join("nvvm/libdevice/libdevice.10.bc")));
    named.into_iter().chain(beside).find(|path| path.is_file())
}

/// AMD's math library, from `SINTER_OCML` or the paths of Debian and ROCm.
pub(crate) fn ocml() -> Option<PathBuf> {
    let named = env::var_os("SINTER_OCML").map(PathBuf::from);
    let usual = ["/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc", "/opt/rocm/amdgcn/bitcode/ocml.bc"];
    named.into_iter().chain(usual.map(PathBuf::from)).find(|path| path.is_file())
}

/// Runs `test` for each item, on all cores.
pub(crate) fn for_each_at_once<T: Sync>(items: &[T], test: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            test(item);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
}
