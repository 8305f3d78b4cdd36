//! Finds kernels in a freshly linked program that cannot be launched.
//!
//! In: the program, and the folders that the linker searched. Out: one line for each symbol that a
//! kernel reaches and that nothing linked defines for devices. The imports and exports of
//! containers are compared here; llvm-to-host-tool reads code only if a symbol is missing.
//! *Invariant:* there is no line if a library that may define the symbol was not found, or a file
//! cannot be read: a failed check must not fail the link.

use crate::{clang::Installation, device_code::DeviceCode};
use std::{
    collections::{BTreeSet, VecDeque},
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

const TOOL: &str = "bin/llvm-to-host-tool";
/// Libraries without device code that most programs need.
const PLAIN: [&str; 9] = [
    "ld-linux-x86-64.so",
    "libc.so",
    "libdl.so",
    "libgcc_s.so",
    "libm.so",
    "libpthread.so",
    "librt.so",
    "libsinter.so",
    "libstdc++.so",
];
/// Folders that the dynamic linker searches last.
const FOLDERS: [&str; 6] =
    ["/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib", "/lib"];

/// Lines for a program. `folders` are those that the linker searched for libraries.
pub(crate) fn missing(installation: &Installation, program: &Path, folders: &[PathBuf]) -> Vec<String> {
    look(installation, program, folders).unwrap_or_default()
}

fn look(installation: &Installation, program: &Path, folders: &[PathBuf]) -> Option<Vec<String>> {
    let code = DeviceCode::read(program)?;
    if code.missing(&BTreeSet::new()).is_empty() {
        return Some(Vec::new());
    }
    let libraries = libraries(program, &code, folders)?;
    let exports = libraries.iter().flat_map(|(_, library)| library.exports.iter().cloned()).collect();
    if code.missing(&exports).is_empty() && libraries.iter().all(|(_, library)| library.missing(&exports).is_empty()) {
        return Some(Vec::new());
    }
    let mut command = Command::new(installation.root.join(TOOL));
    command.arg("--list-missing").arg(program);
    for (path, _) in libraries.iter().filter(|(_, library)| library.has_containers) {
        command.arg("--with").arg(path);
    }
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// All libraries that a program needs, directly or transitively. `None` if one was not found or
/// cannot be read.
fn libraries(program: &Path, code: &DeviceCode, folders: &[PathBuf]) -> Option<Vec<(PathBuf, DeviceCode)>> {
    let mut queue: VecDeque<(String, Vec<PathBuf>)> = needed(program, code, folders).collect();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some((name, folders)) = queue.pop_front() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let path = folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file())?;
        let library = DeviceCode::read(&path)?;
        queue.extend(needed(&path, &library, &folders));
        found.push((path, library));
    }
    Some(found)
}

/// The libraries that a file needs, with the folders to search for them.
fn needed<'f>(
    file: &'f Path,
    code: &'f DeviceCode,
    folders: &'f [PathBuf],
) -> impl Iterator<Item = (String, Vec<PathBuf>)> + 'f {
    let origin = file.parent().filter(|folder| *folder != OsStr::new("")).unwrap_or(Path::new("."));
    let own = code.run_paths.iter().map(|path| {
        PathBuf::from(
            path.replace("$ORIGIN", &origin.to_string_lossy()).replace("${ORIGIN}", &origin.to_string_lossy()),
        )
    });
    let folders: Vec<PathBuf> = own.chain(folders.iter().cloned()).chain(FOLDERS.map(PathBuf::from)).collect();
    let names = code.needed.iter().filter(|name| !PLAIN.iter().any(|plain| name.starts_with(plain)));
    names.map(move |name| (name.clone(), folders.clone()))
}
