//! Packs the folder.
//!
//! *Invariant:* an archive that is too large for where it has to go is an error that says which files are.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What the archive may hold, packed.
const LIMIT: u64 = 60 << 20;
/// Files that an error names.
const NAMED: usize = 10;

/// Makes `NAME.tar.xz` beside the folder `NAME`.
pub(crate) fn pack(folder: &Path, name: &str) -> Result<()> {
    let archive = folder.join(name).with_extension("tar.xz");
    let mut command = Command::new("tar");
    // The window spans the translator and the tool, which share most of their code: half the size for twice the time.
    command.args(["--create", "--sort=name", "--owner=0", "--group=0", "--use-compress-program"]);
    command.args(["xz -T2 --lzma2=preset=6,dict=192MiB", "--file"]).arg(&archive);
    // Logs of a run from that folder.
    command.arg(format!("--exclude={name}/out"));
    shell::run(command.arg("--directory").arg(folder).arg(name))?;
    let size = size(&archive)?;
    println!("{:.1} MiB  {}", size as f64 / f64::from(1 << 20), archive.display());
    if size > LIMIT {
        bail!(
            "{} is larger than {} MiB; its largest files are{}",
            archive.display(),
            LIMIT >> 20,
            largest(&folder.join(name))?
        );
    }
    Ok(())
}

fn size(path: &Path) -> Result<u64> {
    Ok(fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len())
}

fn largest(tree: &Path) -> Result<String> {
    let sized = |path: PathBuf| Ok((size(&path)?, path));
    let mut files = shell::files(tree)?.into_iter().map(sized).collect::<Result<Vec<_>>>()?;
    files.sort();
    let lines =
        files.iter().rev().take(NAMED).map(|(size, path)| format!("\n{:>8} KiB  {}", size >> 10, path.display()));
    Ok(lines.collect())
}
