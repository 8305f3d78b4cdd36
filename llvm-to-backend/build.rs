//! Digests the sources that decide what the translator generates.
//!
//! The digest is part of every cache key, so that code made by one build is never served to
//! another.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Relative to the root of the workspace.
const SOURCES: [&str; 5] =
    ["llvm-to-backend", "runtime/core/src", "runtime/program/src/parameter.rs", "kernels", "Cargo.lock"];

/// All files below `path`, in an order that does not depend on the file system.
fn files(path: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        found.push(path.to_owned());
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    entries.iter().filter(|entry| !entry.ends_with("target")).try_for_each(|entry| files(entry, found))
}

fn digest(root: &Path) -> io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    for source in SOURCES {
        let mut found = Vec::new();
        println!("cargo:rerun-if-changed={}", root.join(source).display());
        files(&root.join(source), &mut found)?;
        for file in found {
            let (name, content) = (file.strip_prefix(root).unwrap_or(&file).display().to_string(), fs::read(&file)?);
            hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
            hasher.update(&(content.len() as u64).to_le_bytes()).update(&content);
        }
    }
    Ok(hasher.finalize())
}

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("..");
    println!("cargo:rustc-env=SINTER_TRANSLATOR_BUILD={}", digest(&root)?.to_hex());
    Ok(())
}
