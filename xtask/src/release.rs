//! Builds the archive, which runs programs on machines without LLVM.
//!
//! In: the workspace. Out: `target/dist/sinter-VERSION-x86_64`, an install tree without symbols and
//! local paths, and `dist/sinter-VERSION-x86_64.tar.xz`.
//! *Invariant:* the guarantees of the archive are checked before it is packed (`portable`), and its
//! bytes depend only on the contents, not on the time or the user.

use crate::{dist, isolate, licences, portable, setup, shell};
use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Size limit of the packed archive in bytes.
const LIMIT: u64 = 60 << 20;
const CHECK: &str = "--check";

/// Builds and packs; with `--check`, runs programs from the archive.
pub(crate) fn dist(args: &[String]) -> Result<()> {
    let check = match args {
        [] => false,
        [only] if only == CHECK => true,
        _ => bail!("unexpected arguments `{}`; this command takes `{CHECK}` or none", args.join(" ")),
    };
    let tree = build()?;
    let glibc = portable::check(&tree)?;
    let archive = pack(&tree)?;
    print!("{}", table(&tree, &archive)?);
    println!("Programs need glibc {glibc} or later, libstdc++ and libgcc_s; compiling them needs clang 19.");
    if size(&archive)? > LIMIT {
        bail!("{} is larger than {} MiB", archive.display(), LIMIT >> 20);
    }
    if check { isolate::check(&archive, &name()) } else { Ok(()) }
}

fn name() -> String {
    format!("sinter-{}-x86_64", dist::VERSION)
}

/// Folder of the archive's tree.
pub(crate) fn folder() -> PathBuf {
    shell::target_folder().join("dist")
}

/// Build folder of the archive: its own, unless everything is built without local paths.
pub(crate) fn built() -> PathBuf {
    if flags().contains(&remapping()) { shell::target_folder() } else { folder() }
}

fn flags() -> String {
    env::var("RUSTFLAGS").unwrap_or_default()
}

/// Flags that replace local paths.
fn remapping() -> String {
    let paths = [(shell::root(), "/sinter"), (shell::cargo_home(), "/cargo")];
    paths.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).join(" ")
}

/// Builds the contents of the archive and installs them into its folder. Returns the folder.
pub(crate) fn build() -> Result<PathBuf> {
    setup::setup()?;
    dist::compile(|| command(dist::BUILD))?;
    let tree = folder().join(name());
    dist::install(&built().join("release"), &tree)?;
    licences::install(&tree.join("share/sinter/licences"))?;
    strip_archive(&tree.join("lib/libsinter.a"))?;
    strip_programs(&tree)?;
    Ok(tree)
}

/// A cargo command that builds without local paths. Symbols are stripped later, because a linker
/// would also strip those by which debuggers find kernels.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = shell::cargo(args);
    command.arg("--target-dir").arg(built()).env("CARGO_PROFILE_RELEASE_STRIP", "none");
    if built() == folder() {
        command.env("RUSTFLAGS", flags() + " " + &remapping());
    }
    command
}

/// Cargo leaves debug information of the standard library in archives.
fn strip_archive(library: &Path) -> Result<()> {
    shell::run(strip().args(["--strip-debug", "--enable-deterministic-archives"]).arg(library))
}

/// Strips all symbols of programs and shared libraries except those that debuggers need.
fn strip_programs(tree: &Path) -> Result<()> {
    let kept = portable::DEBUGGER_SYMBOLS.iter().flat_map(|name| ["--keep-symbol", name]);
    shell::run(strip().arg("--strip-all").args(kept).args(portable::programs(tree)?))
}

fn strip() -> Command {
    Command::new(shell::llvm_prefix().join("bin/llvm-strip"))
}

/// Packs the tree. Owners, order and times are fixed.
fn pack(tree: &Path) -> Result<PathBuf> {
    let archive = shell::dist_folder().join(name() + ".tar.xz");
    fs::create_dir_all(shell::dist_folder()).context("cannot create dist/")?;
    let mut command = Command::new("tar");
    command.args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go+rX,go-w"]);
    command.arg(format!("--mtime=@{}", time())).args(["--use-compress-program", "xz -6 -T2", "--file"]);
    command.arg(&archive).arg("--directory").arg(folder()).arg(name());
    debug_assert!(tree.ends_with(name()), "the tree is what is packed");
    shell::run(&mut command).context("tar and xz pack the archive; on Debian: apt-get install tar xz-utils")?;
    Ok(archive)
}

/// Timestamp of the files in seconds: `SOURCE_DATE_EPOCH`, or else the time of the last commit.
fn time() -> String {
    let given = env::var("SOURCE_DATE_EPOCH").ok();
    let committed =
        || shell::output(Command::new("git").current_dir(shell::root()).args(["log", "-1", "--format=%ct"]));
    let time = given.or_else(committed).unwrap_or_default().trim().to_owned();
    if time.is_empty() || !time.bytes().all(|byte| byte.is_ascii_digit()) { "0".to_owned() } else { time }
}

fn size(path: &Path) -> Result<u64> {
    // The size of a link itself: its target is listed too.
    let data = fs::symlink_metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(data.len())
}

/// A table with the sizes of programs and libraries, of all other files, and of the archive.
fn table(tree: &Path, archive: &Path) -> Result<String> {
    let (mut lines, mut total, mut named) = (String::new(), 0, 0);
    for path in shell::files(tree)? {
        let (bytes, name) = (size(&path)?, path.strip_prefix(tree).unwrap_or(&path).display().to_string());
        total += bytes;
        if name.starts_with("bin/") || name.starts_with("lib/lib") {
            named += bytes;
            lines += &row(&name, bytes);
        }
    }
    lines += &row("headers, samples, licences, package files", total - named);
    lines += &row("together", total);
    Ok(lines + &row(&archive.display().to_string(), size(archive)?))
}

fn row(name: &str, bytes: u64) -> String {
    format!("{:>9.2} MiB  {name}\n", bytes as f64 / (1 << 20) as f64)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_are_aligned() {
        assert_eq!(super::row("bin/a", 3 << 19), "     1.50 MiB  bin/a\n");
    }

    #[test]
    fn other_arguments_are_refused() {
        let error = super::dist(&["--chekc".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("--check"), "{error}");
    }
}
