//! Packs the folder.
//!
//! *Invariant:* an archive above the size limit is an error that lists its largest files.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Size limit of the packed archive in bytes.
const LIMIT: u64 = 60 << 20;
/// Number of files that an error lists.
const NAMED: usize = 10;

/// Packs the folder `NAME` to `NAME.tar.xz` beside it.
pub(crate) fn pack(folder: &Path, name: &str) -> Result<()> {
    let archive = folder.join(name).with_extension("tar.xz");
    let mut command = Command::new("tar");
    // The window spans the translator and the tool, which share most of their code: half the size
    // for twice the time.
    command.args(["--create", "--sort=name", "--owner=0", "--group=0", "--use-compress-program"]);
    command.args(["xz -T2 --lzma2=preset=6,dict=192MiB", "--file"]).arg(&archive);
    // Excludes logs of earlier runs.
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
