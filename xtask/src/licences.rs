//! Collects the licences of the code in the binaries.
//!
//! In: Debian's copyright files and the sources of the linked crates. Out: a folder with their
//! texts. *Invariant:* a crate or library without a licence text is an error, never left out.

use crate::{dist, shell};
use anyhow::{Context, Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

/// Libraries that are linked statically: name, Debian package.
const LIBRARIES: [(&str, &str); 4] =
    [("LLVM", "llvm-19-dev"), ("zstd", "libzstd-dev"), ("zlib", "zlib1g-dev"), ("libstdc++", "libstdc++-12-dev")];
/// Prefixes of the names of licence files.
const NAMES: [&str; 4] = ["LICENSE", "LICENCE", "COPYING", "UNLICENSE"];

/// Crates under Apache-2.0 that come without its text.
const WITHOUT_FILE: [&str; 2] = ["rspirv", "spirv"];
const APACHE: &str = "LICENSE-APACHE";

const HEADING: &str = "The binaries contain these crates, and the standard library of Rust, which is licensed under MIT or Apache-2.0 as well.\n\n";

/// Writes the texts below `folder`.
pub(crate) fn install(folder: &Path) -> Result<()> {
    for (name, package) in LIBRARIES {
        dist::write(&folder.join(format!("{name}.txt")), library(package)?.as_bytes())?;
    }
    dist::write(&folder.join("crates.txt"), crates()?.as_bytes())?;
    Ok(())
}

/// Debian's copyright file of a package. `SINTER_LICENCES` names a folder with such files for
/// systems without Debian's.
fn library(package: &str) -> Result<String> {
    let folder = env::var_os("SINTER_LICENCES").map_or_else(|| PathBuf::from("/usr/share/doc"), PathBuf::from);
    let file = folder.join(package).join("copyright");
    fs::read_to_string(&file).with_context(|| {
        format!(
            "the licence {} is missing; install {package}, or name a folder that has it in SINTER_LICENCES",
            file.display()
        )
    })
}

/// Licence texts of all crates; each text once, after the crates that have it.
fn crates() -> Result<String> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, licence) in linked()? {
        for text in files(&name)? {
            texts.entry(text).or_default().insert(format!("{name} ({licence})"));
        }
    }
    let mut sections: Vec<String> = texts.iter().map(|(text, names)| section(names, text)).collect();
    sections.sort();
    Ok(HEADING.to_owned() + &sections.concat())
}

fn section(names: &BTreeSet<String>, text: &str) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("=== {}\n\n{}\n\n", names.join(", "), text.trim_end())
}

/// Crates from the registry that are linked into installed binaries: `name-version` and licence.
fn linked() -> Result<BTreeMap<String, String>> {
    let mut command =
        shell::cargo(&["tree", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}|{l}"]);
    command.args(dist::TRANSLATING.iter().chain(&dist::OTHERS).flat_map(|name| ["-p", name]));
    let text = shell::output(&mut command).context("`cargo tree` failed; run it to see why")?;
    Ok(text.lines().filter_map(parse).collect())
}

/// Parses a line such as `libc v0.2.1|MIT`. Crates of the workspace have their path behind the
/// version.
fn parse(line: &str) -> Option<(String, String)> {
    let (package, licence) = line.split_once('|')?;
    let (name, version) = package.split_once(" v")?;
    let version = version.trim_end_matches(" (proc-macro)");
    (!version.contains(' ')).then(|| (format!("{name}-{version}"), licence.trim_end_matches(" (*)").to_owned()))
}

/// The licence texts in the sources of a crate.
fn files(name: &str) -> Result<Vec<String>> {
    let sources = shell::cargo_home().join("registry/src");
    let folders = fs::read_dir(&sources).with_context(|| format!("cannot read {}", sources.display()))?;
    let folder = folders.flatten().map(|entry| entry.path().join(name)).find(|path| path.is_dir());
    let folder = folder.with_context(|| format!("the sources of {name} are not in {}", sources.display()))?;
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| is_licence(path)).collect();
    paths.sort();
    if paths.is_empty() {
        let known = WITHOUT_FILE.iter().any(|known| name.strip_prefix(known).is_some_and(|rest| rest.starts_with('-')));
        if !known {
            bail!("{} has no licence file; add its text to this list by hand", folder.display());
        }
        paths.push(shell::root().join(APACHE));
    }
    let read = |path: &PathBuf| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    paths.iter().map(read).collect()
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
    path.is_file() && NAMES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_of_the_registry_are_told_from_our_own() {
        let libc = ("libc-0.2.1".to_owned(), "MIT OR Apache-2.0".to_owned());
        assert_eq!(parse("libc v0.2.1|MIT OR Apache-2.0 (*)"), Some(libc));
        let derive = ("a-1.0.0".to_owned(), "MIT".to_owned());
        assert_eq!(parse("a v1.0.0 (proc-macro)|MIT"), Some(derive));
        assert_eq!(parse("sinter v0.1.0 (/src/runtime)|MIT"), None);
    }
}
