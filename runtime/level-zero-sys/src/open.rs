//! Finds the loader.
//!
//! In: a path, or nothing. Out: the table of functions, or what was looked for and what the system said. *Invariant:* the system's own
//! search finds the loader, so that one that the program has loaded is the one that is used.

use crate::Api;
use libloading::Library;
use std::{
    error::Error,
    path::{Path, PathBuf},
};

/// The loader's name.
pub const NAME: &str = "libze_loader.so.1";

/// Why there is no table of functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// The loader could not be loaded.
    NotLoaded {
        /// The name or path that was tried.
        tried: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// It lacks a function.
    TooOld {
        /// The function.
        symbol: &'static str,
    },
}

impl Api {
    /// Opens the loader, or a library at `path` that has its functions.
    pub fn open(path: Option<&Path>) -> Result<Self, OpenError> {
        let tried = path.unwrap_or(Path::new(NAME)).to_owned();
        // SAFETY: the loader's initialisation is one that any program may run.
        let loaded = unsafe { Library::new(&tried) };
        let library = loaded.map_err(|error| {
            let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
            OpenError::NotLoaded { tried, reason: format!("{error}{source}") }
        })?;
        Api::resolve(library).map_err(|symbol| OpenError::TooOld { symbol })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_loader_says_what_was_tried() {
        let error = Api::open(Some(Path::new("/no/such/loader.so"))).map(drop).expect_err("no loader");
        let OpenError::NotLoaded { tried, reason } = error else { panic!("{error:?}") };
        assert!(tried.ends_with("loader.so") && reason.contains("No such file"), "{reason}");
    }

    #[test]
    fn another_library_lacks_functions() {
        let error = Api::open(Some(Path::new("libc.so.6"))).map(drop).expect_err("no loader");
        assert_eq!(error, OpenError::TooOld { symbol: "zeInit" });
    }
}
