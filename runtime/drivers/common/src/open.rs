//! Opens a vendor's library.
//!
//! In: names and paths where it may be. Out: the library, or what was looked for and what the system said. *Invariant:* a library that
//! the program has loaded already is the one that is used: two in one process would not know each other's memory.

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::path::{Path, PathBuf};

/// No library could be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotLoaded {
    /// The names and paths that were tried.
    pub tried: Vec<PathBuf>,
    /// What the system said about the one that seems to be there, or about the first.
    pub reason: String,
}

fn load(path: &Path, flags: i32) -> Result<Library, String> {
    // SAFETY: the library is a vendor's, whose initialisation any program may run.
    unsafe { Library::open(Some(path), flags) }.map_err(|error| {
        let source = std::error::Error::source(&error).map(|source| format!(": {source}"));
        format!("{error}{}", source.unwrap_or_default())
    })
}

/// The library that the program has loaded.
fn loaded(names: &[&str]) -> Option<Library> {
    names.iter().find_map(|name| load(Path::new(name), RTLD_NOW | RTLD_LOCAL | libc::RTLD_NOLOAD).ok())
}

/// Loads the first of the paths that can be.
fn first(paths: Vec<PathBuf>) -> Result<Library, NotLoaded> {
    let mut reasons = Vec::new();
    for path in &paths {
        match load(path, RTLD_NOW | RTLD_LOCAL) {
            Ok(library) => return Ok(library),
            Err(reason) => reasons.push(reason),
        }
    }
    // A library that is there but lacks another one says more than one that is not there.
    let absent = |reason: &String| paths.iter().any(|path| reason.contains(&absent_text(path)));
    let at = reasons.iter().position(|reason| !absent(reason)).unwrap_or(0);
    let reason = reasons.into_iter().nth(at).unwrap_or_default();
    Err(NotLoaded { tried: paths, reason })
}

/// What the system says about a file that is not there.
fn absent_text(path: &Path) -> String {
    format!("{}: cannot open shared object file: No such file", path.display())
}

/// Opens a library: that at `path`, or the one of these names that the program has loaded, or the first of the candidates.
pub fn open(
    path: Option<&Path>,
    names: &[&str],
    candidates: impl FnOnce() -> Vec<PathBuf>,
) -> Result<libloading::Library, NotLoaded> {
    let library = match path {
        Some(path) => first(vec![path.to_owned()])?,
        None => match loaded(names) {
            Some(library) => library,
            None => first(candidates())?,
        },
    };
    Ok(library.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_broken_says_more_than_what_is_absent() {
        let folder = std::env::temp_dir().join(format!("sinter-open-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("folder");
        let broken = folder.join("libvendor.so.6");
        std::fs::write(&broken, "no library").expect("write");
        let absent = folder.join("libvendor.so.7");
        let error = first(vec![absent.clone(), broken.clone()]).map(drop).expect_err("no library");
        let NotLoaded { tried, reason } = error;
        assert!(tried.len() == 2 && reason.contains("libvendor.so.6"), "{reason}");
        let error = first(vec![absent]).map(drop).expect_err("no library");
        assert!(error.reason.contains("No such file"));
        std::fs::remove_dir_all(&folder).expect("remove");
    }
}
