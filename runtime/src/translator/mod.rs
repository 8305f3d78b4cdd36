//! Gives the runtime a translator, as late as possible.
//!
//! In: a path, a folder to search, or a translator that the application links in. Out: its fingerprint, and later the
//! translator itself. *Invariant:* asking for the fingerprint, which every key needs, loads nothing: a process whose kernels
//! are all cached never maps LLVM.

mod find;
mod library;
mod note;

pub use find::{LIBRARY_NAME, LibrarySearch};
pub use note::{NoteError, read as read_fingerprint};

use crate::error::RuntimeError;
use sinter_core::{Fingerprint, Translator, fingerprint::TRANSLATOR_ABI};
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// Where the translator comes from.
pub enum TranslatorSource {
    /// A shared library that is opened on the first miss.
    Library(LibrarySearch),
    /// One that the application brought.
    Injected(Arc<dyn Translator>),
}

/// A translator that may not be open yet.
pub struct LazyTranslator {
    source: TranslatorSource,
    located: OnceLock<Result<(PathBuf, Fingerprint), RuntimeError>>,
    opened: OnceLock<Result<Arc<dyn Translator>, RuntimeError>>,
}

impl LazyTranslator {
    /// A translator from `source`, not looked for yet.
    pub fn new(source: TranslatorSource) -> Self {
        LazyTranslator { source, located: OnceLock::new(), opened: OnceLock::new() }
    }

    /// Its identity.
    pub fn fingerprint(&self) -> Result<Fingerprint, RuntimeError> {
        match &self.source {
            TranslatorSource::Injected(translator) => Ok(translator.fingerprint()),
            TranslatorSource::Library(search) => self.locate(search).map(|(_, fingerprint)| fingerprint),
        }
    }

    /// The translator itself.
    pub fn open(&self) -> Result<Arc<dyn Translator>, RuntimeError> {
        match &self.source {
            TranslatorSource::Injected(translator) => Ok(Arc::clone(translator)),
            TranslatorSource::Library(search) => self.opened.get_or_init(|| self.open_library(search)).clone(),
        }
    }

    fn locate(&self, search: &LibrarySearch) -> Result<(PathBuf, Fingerprint), RuntimeError> {
        self.located.get_or_init(|| identify(search)).clone()
    }

    fn open_library(&self, search: &LibrarySearch) -> Result<Arc<dyn Translator>, RuntimeError> {
        let (path, fingerprint) = self.locate(search)?;
        let library = library::LibraryTranslator::open(&path, fingerprint)?;
        tracing::info!("translator {} opened ({fingerprint})", path.display());
        Ok(Arc::new(library))
    }
}

/// Finds the library and reads who it is.
fn identify(search: &LibrarySearch) -> Result<(PathBuf, Fingerprint), RuntimeError> {
    let path = search.find()?;
    let fingerprint = note::read(&path)
        .map_err(|error| RuntimeError::Translator { reason: format!("{}: {error}", path.display()) })?;
    if fingerprint.abi != TRANSLATOR_ABI {
        let (path, theirs) = (path.display(), fingerprint.abi);
        let reason = format!(
            "{path} has translator interface {theirs}, this runtime needs {TRANSLATOR_ABI}: install both from one release"
        );
        return Err(RuntimeError::Translator { reason });
    }
    Ok((path, fingerprint))
}
