//! Opens a vendor library.
//!
//! In: names and paths to try. Out: the library, or the names that were tried and the system's
//! message. *Invariant:* a library that the program has already loaded is preferred, because two
//! copies in one process would not know each other's memory.

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::path::{Path, PathBuf};

/// Reason why a library cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// The system could not load any of the libraries.
    NotLoaded {
        /// Names and paths that were tried.
        tried: Vec<PathBuf>,
        /// The system's message about the first library that exists but does not load, or else
        /// about the first one.
        reason: String,
    },
    /// The library lacks a function, and no other library was found.
    TooOld {
        /// Path that was opened; `None` for a library that the program had loaded.
        path: Option<PathBuf>,
        /// Name of the missing function.
        symbol: &'static str,
    },
}

impl OpenError {
    /// The library that lacks a function, or the names that were tried, for use in a sentence.
    pub fn place(&self) -> String {
        match self {
            OpenError::NotLoaded { tried, .. } => {
                tried.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
            }
            OpenError::TooOld { path: Some(path), .. } => path.display().to_string(),
            OpenError::TooOld { path: None, .. } => "that the program has loaded".to_owned(),
        }
    }
}

/// The message of `dlerror`. `libloading` stores it as the source of its error, whose own message
/// only says that loading failed.
pub fn reason(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

fn load(path: &Path, flags: i32) -> Result<Library, String> {
    // SAFETY: the library is a vendor's, whose initialisation any program may run.
    unsafe { Library::open(Some(path), flags) }.map_err(|error| reason(&error))
}

/// A library of one of these names that the program has already loaded.
fn loaded(names: &[&str]) -> Option<Library> {
    names.iter().find_map(|name| load(Path::new(name), RTLD_NOW | RTLD_LOCAL | libc::RTLD_NOLOAD).ok())
}

/// Opens the first of the paths that loads and has all functions.
fn first<T>(
    paths: Vec<PathBuf>,
    resolve: &impl Fn(libloading::Library) -> Result<T, &'static str>,
) -> Result<T, OpenError> {
    let (mut reasons, mut lacking) = (Vec::new(), None);
    for path in &paths {
        match load(path, RTLD_NOW | RTLD_LOCAL).map(|library| resolve(library.into())) {
            Ok(Ok(table)) => return Ok(table),
            Ok(Err(symbol)) => lacking = lacking.or(Some(OpenError::TooOld { path: Some(path.clone()), symbol })),
            Err(reason) => reasons.push(reason),
        }
    }
    if let Some(error) = lacking {
        return Err(error);
    }
    // A library that exists but lacks a dependency is more informative than one that does not
    // exist.
    let absent = |reason: &String| paths.iter().any(|path| reason.contains(&absent_text(path)));
    let at = reasons.iter().position(|reason| !absent(reason)).unwrap_or(0);
    let reason = reasons.into_iter().nth(at).unwrap_or_default();
    Err(OpenError::NotLoaded { tried: paths, reason })
}

/// The system's message about a file that does not exist.
fn absent_text(path: &Path) -> String {
    format!("{}: cannot open shared object file: No such file", path.display())
}

/// Opens a library. `path` is used exclusively if given; otherwise the library of one of these
/// names that the program has loaded, or the first candidate that has all functions.
pub fn open<T>(
    path: Option<&Path>,
    names: &[&str],
    candidates: impl FnOnce() -> Vec<PathBuf>,
    resolve: impl Fn(libloading::Library) -> Result<T, &'static str>,
) -> Result<T, OpenError> {
    match path {
        Some(path) => first(vec![path.to_owned()], &resolve),
        None => match loaded(names) {
            Some(library) => resolve(library.into()).map_err(|symbol| OpenError::TooOld { path: None, symbol }),
            None => first(candidates(), &resolve),
        },
    }
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
        let open = |paths| first(paths, &|_| Ok(())).expect_err("no library");
        let OpenError::NotLoaded { tried, reason } = open(vec![absent.clone(), broken]) else { panic!("not loaded") };
        assert!(tried.len() == 2 && reason.contains("libvendor.so.6"), "{reason}");
        assert!(matches!(open(vec![absent]), OpenError::NotLoaded { reason, .. } if reason.contains("No such file")));
        std::fs::remove_dir_all(&folder).expect("remove");
    }

    #[test]
    fn a_library_without_the_functions_is_named() {
        let lacking = first(vec!["libc.so.6".into()], &|_| Err::<(), _>("vendorInit")).expect_err("it lacks one");
        assert_eq!(lacking, OpenError::TooOld { path: Some("libc.so.6".into()), symbol: "vendorInit" });
    }
}
