//! Fetches PyPI packages that tests use if the vendor offers no other.
//!
//! In: the address of a package and its digest. Out: its files in a folder. *Invariant:* a file
//! with another digest is not used.

use crate::shell;
use anyhow::Result;
use std::{fs, path::Path, process::Command};

/// A package.
pub(crate) struct Wheel {
    pub(crate) address: &'static str,
    pub(crate) sha256: &'static str,
}

impl Wheel {
    /// Unpacks the package into an existing folder.
    pub(crate) fn fetch(&self, folder: &Path) -> Result<()> {
        anyhow::ensure!(
            cfg!(all(target_os = "linux", target_arch = "x86_64")),
            "there is a package for Linux on x86-64 alone"
        );
        let package = folder.join("package.zip");
        shell::run(
            Command::new("curl")
                .args(["-sSfL", "--retry", "2", "--max-time", "300", "-o"])
                .arg(&package)
                .arg(self.address),
        )?;
        self.check(&package)?;
        shell::run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&package).arg(folder))?;
        Ok(fs::remove_file(&package)?)
    }

    fn check(&self, package: &Path) -> Result<()> {
        let digest = shell::output(Command::new("sha256sum").arg(package)).unwrap_or_default();
        if !digest.starts_with(self.sha256) {
            let _ = fs::remove_file(package);
            anyhow::bail!("{} is not the file it was", self.address);
        }
        Ok(())
    }
}
