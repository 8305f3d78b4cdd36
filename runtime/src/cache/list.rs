//! Walks the files of a cache folder.
//!
//! *Invariant:* links are never followed and nothing outside the two levels that the cache itself makes is looked at.
#![forbid(unsafe_code)]

use super::{
    ENTRY_EXTENSION, LOCK_EXTENSION, QUARANTINE_EXTENSION,
    entry::{self, Entry, EntryError},
};
use sinter_core::CacheKey;
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// What a file of the cache is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A code object.
    Entry,
    /// A damaged entry that was set aside.
    Quarantined,
    /// A lock.
    Lock,
    /// Anything else that the cache writes: temporary files and requests of failed translations.
    Other,
}

/// One file of the cache.
#[derive(Debug, Clone)]
pub struct CacheFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub kind: FileKind,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written or, roughly, used.
    pub modified: SystemTime,
}

impl CacheFile {
    /// The key in the file name of an entry.
    pub fn key(&self) -> Option<CacheKey> {
        self.path.file_stem()?.to_str()?.parse().ok()
    }

    /// Reads and checks an entry.
    pub fn read(&self) -> Result<Entry, ReadError> {
        let entry = entry::decode(&fs::read(&self.path)?)?;
        match self.key() {
            Some(key) if key == entry.key => Ok(entry),
            _ => Err(EntryError::Key { found: entry.key }.into()),
        }
    }
}

/// Why an entry could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is damaged.
    #[error(transparent)]
    Entry(#[from] EntryError),
}

fn kind(path: &Path) -> FileKind {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(ENTRY_EXTENSION) => FileKind::Entry,
        Some(QUARANTINE_EXTENSION) => FileKind::Quarantined,
        Some(LOCK_EXTENSION) => FileKind::Lock,
        _ => FileKind::Other,
    }
}

fn file(item: &fs::DirEntry) -> Option<CacheFile> {
    let metadata = item.metadata().ok().filter(fs::Metadata::is_file)?;
    let path = item.path();
    Some(CacheFile { kind: kind(&path), path, size: metadata.len(), modified: metadata.modified().ok()? })
}

/// The files of the cache in `folder`, in the order of their paths. A folder that does not exist holds none.
pub fn files(folder: &Path) -> io::Result<Vec<CacheFile>> {
    let outer = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        result => result?,
    };
    let folders = outer.flatten().filter(|item| item.file_type().is_ok_and(|kind| kind.is_dir()));
    let items = folders.filter_map(|item| fs::read_dir(item.path()).ok()).flat_map(Iterator::flatten);
    let mut files: Vec<_> = items.filter_map(|item| file(&item)).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}
