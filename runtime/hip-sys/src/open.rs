//! Finds the library.
//!
//! In: a path, or folders of ROCm installations. Out: the table of functions, or what was looked for and what the system said.
//! *Invariant:* a HIP library that the program has loaded already is the one that is used: two in one process would not know each other's
//! memory.

use crate::Api;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::path::{Path, PathBuf};

/// The library's names: that of developers, and those of the versions that are known.
pub const NAMES: [&str; 4] = ["libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"];

/// Why there is no table of functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// No library could be loaded.
    NotLoaded {
        /// The names and paths that were tried.
        tried: Vec<PathBuf>,
        /// What the system said about the one that seems to be there, or about the first.
        reason: String,
    },
    /// The library lacks a function, and no other was found.
    TooOld {
        /// The library, as it was looked for; `None` for one that the program has loaded.
        path: Option<PathBuf>,
        /// The function.
        symbol: &'static str,
    },
}

/// Where the library may be: by name, then in the folders of installations.
fn candidates(installations: &[PathBuf]) -> Vec<PathBuf> {
    let named = NAMES.iter().map(PathBuf::from);
    let placed = installations.iter().flat_map(|folder| NAMES.iter().map(move |name| folder.join("lib").join(name)));
    named.chain(placed).collect()
}

fn load(path: &Path, flags: i32) -> Result<Library, String> {
    // SAFETY: the library is AMD's, whose initialisation any program may run.
    unsafe { Library::open(Some(path), flags) }.map_err(|error| {
        let source = std::error::Error::source(&error).map(|source| format!(": {source}"));
        format!("{error}{}", source.unwrap_or_default())
    })
}

/// The library that the program has loaded.
fn loaded() -> Option<Library> {
    NAMES.iter().find_map(|name| load(Path::new(name), RTLD_NOW | RTLD_LOCAL | libc::RTLD_NOLOAD).ok())
}

/// Loads the first of the paths that can be and has all functions.
fn first(paths: Vec<PathBuf>) -> Result<Api, OpenError> {
    let (mut reasons, mut lacking) = (Vec::new(), None);
    for path in &paths {
        match load(path, RTLD_NOW | RTLD_LOCAL).map(|library| resolve(Some(path), library)) {
            Ok(Ok(api)) => return Ok(api),
            Ok(Err(error)) => lacking = lacking.or(Some(error)),
            Err(reason) => reasons.push(reason),
        }
    }
    if let Some(error) = lacking {
        return Err(error);
    }
    // A library that is there but lacks another one says more than one that is not there.
    let absent = |reason: &String| paths.iter().any(|path| reason.contains(&absent_text(path)));
    let at = reasons.iter().position(|reason| !absent(reason)).unwrap_or(0);
    let reason = reasons.into_iter().nth(at).unwrap_or_default();
    Err(OpenError::NotLoaded { tried: paths, reason })
}

fn resolve(path: Option<&Path>, library: Library) -> Result<Api, OpenError> {
    Api::resolve(library.into()).map_err(|symbol| OpenError::TooOld { path: path.map(Path::to_owned), symbol })
}

/// What the system says about a file that is not there.
fn absent_text(path: &Path) -> String {
    format!("{}: cannot open shared object file: No such file", path.display())
}

impl Api {
    /// Opens the library: that at `path`, or the one that the program has loaded, or the installed one.
    pub fn open(path: Option<&Path>, installations: &[PathBuf]) -> Result<Self, OpenError> {
        match path {
            Some(path) => first(vec![path.to_owned()]),
            None => match loaded() {
                Some(library) => resolve(None, library),
                None => first(candidates(installations)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_folders() {
        let paths = candidates(&["/opt/rocm".into()]);
        assert_eq!(paths[..2], ["libamdhip64.so", "libamdhip64.so.7"].map(PathBuf::from));
        assert_eq!(paths[4..6], ["/opt/rocm/lib/libamdhip64.so", "/opt/rocm/lib/libamdhip64.so.7"].map(PathBuf::from));
    }

    #[test]
    fn what_is_broken_says_more_than_what_is_absent() {
        let folder = std::env::temp_dir().join(format!("hip-sys-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("folder");
        let broken = folder.join("libamdhip64.so.6");
        std::fs::write(&broken, "no library").expect("write");
        let absent = folder.join("libamdhip64.so.7");
        let error = first(vec![absent.clone(), broken.clone()]).map(drop).expect_err("no library");
        let OpenError::NotLoaded { tried, reason } = error else { panic!("{error:?}") };
        assert!(tried.len() == 2 && reason.contains("libamdhip64.so.6"), "{reason}");
        let error = first(vec![absent]).map(drop).expect_err("no library");
        assert!(matches!(error, OpenError::NotLoaded { reason, .. } if reason.contains("No such file")));
        std::fs::remove_dir_all(&folder).expect("remove");
    }
}
