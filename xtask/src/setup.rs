//! Installs the packages that are needed to build the workspace.
//!
//! In: the machine. Out: LLVM 19 with clang and lld, installed with sufficient rights, or
//! [`Missing`] with the exact command.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::{fmt, path::Path, process::Command};

const PACKAGES: [&str; 13] = [
    "llvm-19-dev",
    "libpolly-19-dev",
    "clang-19",
    "libclang-19-dev",
    "liblld-19-dev",
    "lld-19",
    "libomp-19-dev",
    "libtbb-dev",
    "libclc-19",
    "libzstd-dev",
    "zlib1g-dev",
    "libxml2-dev",
    "cmake",
];

/// Packages are missing and we have no right to install them.
#[derive(Debug)]
pub(crate) struct Missing(Vec<&'static str>);

impl std::error::Error for Missing {}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packages = self.0.join(" ");
        writeln!(f, "these packages are missing, and this user may not install them: {packages}")?;
        write!(
            f,
            "Run this, then the command again:\n\n    sudo apt-get update && sudo apt-get install -y --no-install-recommends {packages}\n\n"
        )?;
        write!(
            f,
            "Elsewhere than on Debian 12: install LLVM 19.1 with clang and lld, and set LLVM_SYS_191_PREFIX to its prefix."
        )
    }
}

/// Checks for the packages and installs what is missing.
pub(crate) fn setup() -> Result<()> {
    if shell::llvm_prefix() != Path::new(shell::DEBIAN_PREFIX) {
        return check_prefix(&shell::llvm_prefix());
    }
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    let Some(prefix) = privilege().filter(|_| has_apt()) else { return Err(Missing(missing).into()) };
    eprintln!("xtask: installing {}", missing.join(" "));
    apt(prefix, &["update"])?;
    apt(prefix, &[&["install", "-y", "--no-install-recommends"], &missing[..]].concat())
        .context("the packages could not be installed; on a release without LLVM 19, see https://apt.llvm.org")
}

/// A user's own LLVM must have the right version and be complete.
fn check_prefix(prefix: &Path) -> Result<()> {
    let version = shell::output(Command::new(prefix.join("bin/llvm-config")).arg("--version")).unwrap_or_default();
    if !version.starts_with("19.1.") {
        let found = if version.is_empty() { "none" } else { version.trim() };
        bail!(
            "LLVM_SYS_191_PREFIX is {}, but there is no LLVM 19.1 (found: {found}); correct or unset it",
            prefix.display()
        );
    }
    for file in ["bin/clang++", "bin/llvm-link", "lib/liblldELF.a"] {
        if !prefix.join(file).exists() {
            bail!(
                "{} has no {file}; install clang and lld of the same LLVM there, or unset LLVM_SYS_191_PREFIX",
                prefix.display()
            );
        }
    }
    Ok(())
}

fn missing() -> Vec<&'static str> {
    PACKAGES.into_iter().filter(|package| !installed(package)).collect()
}

fn installed(package: &str) -> bool {
    let status = shell::output(Command::new("dpkg-query").args(["-W", "-f=${Status}", package]));
    status.is_some_and(|status| status.ends_with(" installed"))
}

fn has_apt() -> bool {
    shell::succeeds(Command::new("apt-get").arg("--version"))
}

/// The words before a command that needs root; `None` without root rights and passwordless sudo.
fn privilege() -> Option<&'static [&'static str]> {
    if shell::output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0") {
        Some(&[])
    } else if shell::succeeds(Command::new("sudo").args(["-n", "true"])) {
        Some(&["sudo", "-n"])
    } else {
        None
    }
}

fn apt(prefix: &[&str], args: &[&str]) -> Result<()> {
    // `env` because sudo drops variables.
    let words = [prefix, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"], args].concat();
    shell::run(Command::new(words[0]).args(&words[1..]))
}
