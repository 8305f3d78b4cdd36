//! Checks the dependencies of the archive's programs and libraries on the system.
//!
//! In: an install tree. Out: the oldest sufficient glibc, or an error that names the file.
//! *Invariant:* only the C library and libgcc_s are needed, and the translator exports no symbol of
//! its LLVM, so that it cannot conflict with a second LLVM in the process. The stage-1 plugin is
//! the exception: it runs inside clang and uses clang's LLVM.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Libraries that every machine has that runs C++ programs.
const ALLOWED: [&str; 7] =
    ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "libdl.so.2", "libpthread.so.0", "librt.so.1"];
const PLUGIN: &str = "libsinter_stage1.so";
const TRANSLATOR: &str = "lib/libsinter_translate.so";
const RUNTIME: &str = "lib/libsinter.so";
/// Symbols of the runtime by which debuggers find kernels.
pub(crate) const DEBUGGER_SYMBOLS: [&str; 2] = ["__jit_debug_descriptor", "__jit_debug_register_code"];
/// Prefix of the versions of symbols that glibc defines.
const GLIBC: &str = "GLIBC_";

/// Checks all programs and shared libraries. Returns the version of glibc that they need.
pub(crate) fn check(tree: &Path) -> Result<String> {
    let mut newest = Vec::new();
    for path in programs(tree)?.into_iter().filter(|path| !path.ends_with(PLUGIN)) {
        let text = read(&path, "llvm-readelf", &["--dynamic-table", "--version-info"])?;
        if let Some(library) = needed(&text).find(|name| !ALLOWED.contains(name)) {
            bail!("{} needs {library}, which a machine without LLVM may not have", path.display());
        }
        newest = newest.max(glibc(&text));
    }
    only_our_symbols(&tree.join(TRANSLATOR))?;
    debuggers_find_kernels(&tree.join(RUNTIME))?;
    Ok(newest.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
}

/// Programs and shared libraries of an install tree.
pub(crate) fn programs(tree: &Path) -> Result<Vec<PathBuf>> {
    let folders = ["bin", "lib"].map(|folder| shell::files(&tree.join(folder)));
    let files = folders.into_iter().collect::<Result<Vec<_>>>()?.concat();
    let is_program = |path: &PathBuf| path.extension().is_none_or(|extension| extension == "so") && !path.is_symlink();
    Ok(files.into_iter().filter(is_program).collect())
}

/// The list of kernels is a local symbol, which only a symbol table has
/// (`runtime/drivers/host/src/loader/debugger.rs`).
fn debuggers_find_kernels(library: &Path) -> Result<()> {
    let text = read(library, "llvm-nm", &["--defined-only", "--just-symbol-name"])?;
    match DEBUGGER_SYMBOLS.iter().find(|symbol| !text.lines().any(|line| line == **symbol)) {
        Some(symbol) => bail!("{} was stripped of {symbol}: debuggers cannot see kernels", library.display()),
        None => Ok(()),
    }
}

fn read(path: &Path, tool: &str, arguments: &[&str]) -> Result<String> {
    let tool = shell::llvm_prefix().join("bin").join(tool);
    shell::output(Command::new(&tool).args(arguments).arg(path))
        .with_context(|| format!("{} cannot read {}", tool.display(), path.display()))
}

/// Libraries in a dynamic table: `(NEEDED) Shared library: [libc.so.6]`.
fn needed(text: &str) -> impl Iterator<Item = &str> {
    let named = text.lines().filter(|line| line.contains("(NEEDED)"));
    named.filter_map(|line| line.split_once('[')?.1.split_once(']')).map(|(name, _)| name)
}

/// Newest glibc version in the version requirements, as numbers.
fn glibc(text: &str) -> Vec<u32> {
    let versions = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
    let numbers = |version: &str| version.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
    versions.filter_map(|word| numbers(word.strip_prefix(GLIBC)?)).max().unwrap_or_default()
}

fn only_our_symbols(library: &Path) -> Result<()> {
    let text = read(library, "llvm-nm", &["--dynamic", "--defined-only", "--just-symbol-name"])?;
    match text.lines().find(|name| !name.starts_with("sinter_")) {
        Some(name) => bail!("{} exports `{name}`, which could clash with another LLVM", library.display()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_libraries_are_found() {
        let text = " 0x0000000000000001 (NEEDED)  Shared library: [libc.so.6]\n 0x01 (SONAME) [x.so]\n";
        assert_eq!(needed(text).collect::<Vec<_>>(), ["libc.so.6"]);
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        let text = "Name: GLIBC_2.2.5  Flags: none\nName: GLIBC_2.34\nName: GLIBC_2.4\nName: GLIBC_PRIVATE\n";
        assert_eq!(glibc(text), [2, 34]);
    }
}
