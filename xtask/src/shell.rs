//! Runs programs and accesses files, with errors that name the action.

use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// The install tree.
pub(crate) fn dist_folder() -> PathBuf {
    root().join("dist")
}

/// Folder for build results.
pub(crate) fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target))
}

/// Prefix of Debian's LLVM 19.
pub(crate) const DEBIAN_PREFIX: &str = "/usr/lib/llvm-19";

/// Installation prefix of LLVM.
pub(crate) fn llvm_prefix() -> PathBuf {
    env::var_os("LLVM_SYS_191_PREFIX").map_or_else(|| PathBuf::from(DEBIAN_PREFIX), PathBuf::from)
}

/// The cargo that runs us, in the root of the workspace.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Folder in which cargo keeps the sources of crates.
pub(crate) fn cargo_home() -> PathBuf {
    let home = || env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home).unwrap_or_default()
}

/// All files below `folder`, sorted.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Prints and runs a command; an error names it.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    eprintln!("$ {}", shown(command));
    let status = command.status().with_context(|| format!("cannot run `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Prints and runs a command. Prints its output and returns it. An error names the command.
pub(crate) fn shown_output(command: &mut Command) -> Result<String> {
    eprintln!("$ {}", shown(command));
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot run `{}`", shown(command)))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    print!("{text}");
    if !output.status.success() {
        bail!("`{}` failed ({})", shown(command), output.status);
    }
    Ok(text)
}

/// Standard output of a command; `None` if it does not start or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// True if a command starts and succeeds. Its output is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    output(command.stdin(Stdio::null())).is_some()
}

/// Creates an empty folder at `path`, removing an old one.
pub(crate) fn fresh_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot empty {}", path.display()));
        }
        _ => {}
    }
    fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))
}
