//! Provides the translator as late as possible.
//!
//! In: a path, a folder to search, or a translator that the application links in. Out: its
//! fingerprint, and later the translator itself. *Invariant:* reading the fingerprint, which every
//! key contains, loads nothing: a process whose kernels are all cached never maps LLVM. Only
//! success is remembered: a library that is missing now may exist at the next launch.

mod find;
mod library;
mod note;
mod run_path;

pub use find::{LIBRARY_NAME, LibrarySearch};
pub use note::{NoteError, read as read_fingerprint};

use crate::error::RuntimeError;
use sinter_core::{Fingerprint, Translator, fingerprint::TRANSLATOR_ABI};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// Source of the translator.
pub enum TranslatorSource {
    /// A shared library, opened on the first miss.
    Library(LibrarySearch),
    /// A translator that the application provides.
    Injected(Arc<dyn Translator>),
}

/// A translator that is opened on first use.
pub struct LazyTranslator {
    source: TranslatorSource,
    located: OnceLock<(PathBuf, Fingerprint)>,
    opened: OnceLock<Arc<dyn Translator>>,
}

impl LazyTranslator {
    /// Defers the search for the translator.
    pub fn new(source: TranslatorSource) -> Self {
        LazyTranslator { source, located: OnceLock::new(), opened: OnceLock::new() }
    }

    /// Fingerprint of the translator. Does not open the library.
    pub fn fingerprint(&self) -> Result<Fingerprint, RuntimeError> {
        match &self.source {
            TranslatorSource::Injected(translator) => Ok(translator.fingerprint()),
            TranslatorSource::Library(search) => self.locate(search).map(|(_, fingerprint)| fingerprint),
        }
    }

    /// Opens the translator on the first call.
    pub fn open(&self) -> Result<Arc<dyn Translator>, RuntimeError> {
        match &self.source {
            TranslatorSource::Injected(translator) => Ok(Arc::clone(translator)),
            TranslatorSource::Library(search) => keep(&self.opened, || self.open_library(search)),
        }
    }

    fn locate(&self, search: &LibrarySearch) -> Result<(PathBuf, Fingerprint), RuntimeError> {
        keep(&self.located, || identify(search))
    }

    fn open_library(&self, search: &LibrarySearch) -> Result<Arc<dyn Translator>, RuntimeError> {
        let (path, fingerprint) = self.locate(search)?;
        let library = library::LibraryTranslator::open(&path, fingerprint)?;
        tracing::info!("translator {} opened ({fingerprint})", path.display());
        Ok(Arc::new(library))
    }
}

/// Returns the content of `cell`; fills it with the result of `make` if empty. Concurrent threads
/// may each run `make`.
fn keep<T: Clone>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, RuntimeError>) -> Result<T, RuntimeError> {
    match cell.get() {
        Some(known) => Ok(known.clone()),
        None => make().map(|made| cell.get_or_init(|| made).clone()),
    }
}

/// Finds the library and reads its fingerprint.
fn identify(search: &LibrarySearch) -> Result<(PathBuf, Fingerprint), RuntimeError> {
    let path = search.find()?;
    let fingerprint = note::read(&path).map_err(|error| unreadable(search, &path, &error))?;
    if fingerprint.abi != TRANSLATOR_ABI {
        let (path, theirs) = (path.display(), fingerprint.abi);
        let reason = format!(
            "{path} has translator interface {theirs}, this runtime needs {TRANSLATOR_ABI}: install both from one release"
        );
        return Err(RuntimeError::Translator { reason });
    }
    Ok((path, fingerprint))
}

/// The error names the setting that chose the file, because that is what the user has to change.
fn unreadable(search: &LibrarySearch, path: &Path, error: &NoteError) -> RuntimeError {
    let path = path.display();
    let reason = match &search.explicit {
        Some(_) => format!(
            "SINTER_TRANSLATOR={path}: {error}; set it to the path of a {LIBRARY_NAME}, or unset it to use the one that is installed"
        ),
        None => format!(
            "the translator {path} cannot be used: {error}; install it again, or set SINTER_TRANSLATOR to the path of another"
        ),
    };
    RuntimeError::Translator { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translator_that_cannot_be_used_is_looked_for_again() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join(LIBRARY_NAME);
        let search = LibrarySearch { explicit: Some(path.clone()), ..LibrarySearch::default() };
        let translator = LazyTranslator::new(TranslatorSource::Library(search));
        let missing = translator.open().map(drop).expect_err("no file").to_string();
        assert!(missing.contains("not found"), "{missing}");
        std::fs::write(&path, "not ELF").expect("write");
        let damaged = translator.fingerprint().expect_err("no library").to_string();
        assert!(damaged.contains("ELF") && damaged.starts_with("SINTER_TRANSLATOR="), "{damaged}");
        std::fs::copy(std::env::current_exe().expect("path"), &path).expect("copy");
        let other = translator.open().map(drop).expect_err("no note").to_string();
        assert!(other.contains("no note"), "{other}");
    }
}
