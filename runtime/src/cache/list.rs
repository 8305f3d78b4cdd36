//! Walks the files of a cache folder.
//!
//! *Invariant:* links are never followed, and only names that the cache itself gives are
//! considered, so that a cache in a folder with other files does not touch them.
#![forbid(unsafe_code)]

use super::{
    entry::{self, Entry, EntryError},
    files,
    folder::Folder,
    names::{
        ENTRY_EXTENSION, FAILED_FOLDER, LIST_EXTENSION, LOCK_EXTENSION, QUARANTINE_EXTENSION, REQUEST_EXTENSION,
        TEMPORARY_PREFIX,
    },
};
use sinter_core::CacheKey;
use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// Role of a file in the cache folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A code object (`.sco`).
    Entry,
    /// A damaged entry that was set aside (`.bad`).
    Quarantined,
    /// A list of the kernels that a program launched (`.launched`).
    List,
    /// A lock on a key.
    Lock,
    /// The request of a failed translation, for replay.
    Request,
    /// A file that is being written, or was when its process died.
    Temporary,
    /// A file that the cache did not write.
    Other,
}

/// A file in the cache folder.
#[derive(Debug, Clone)]
pub struct CacheFile {
    /// Full path of the file.
    pub path: PathBuf,
    /// Role, derived from the name.
    pub kind: FileKind,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last write or, roughly, of the last use.
    pub modified: SystemTime,
    /// Path relative to the cache folder.
    pub(super) place: PathBuf,
    /// True for a lock or temporary file that no process holds.
    pub(super) is_abandoned: bool,
}

impl CacheFile {
    /// Key in the file name; `None` unless the file is an entry.
    pub fn key(&self) -> Option<CacheKey> {
        self.path.file_stem()?.to_str()?.parse().ok()
    }

    /// Time since the last use; zero if that is in the future, which only a wrong clock says.
    pub fn age(&self, now: SystemTime) -> Duration {
        now.duration_since(self.modified).unwrap_or_default()
    }

    /// Reads and validates the entry.
    pub fn read(&self) -> Result<Entry, ReadError> {
        let entry = entry::decode(&fs::read(&self.path)?)?;
        match self.key() {
            Some(key) if key == entry.key => Ok(entry),
            _ => Err(EntryError::Key { found: entry.key }.into()),
        }
    }
}

/// Reason why an entry could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The content is damaged.
    #[error(transparent)]
    Entry(#[from] EntryError),
}

impl ReadError {
    /// True if the entry was removed after it was listed.
    pub fn is_gone(&self) -> bool {
        matches!(self, ReadError::Io(error) if files::is_missing(error))
    }
}

fn kind(path: &Path) -> FileKind {
    if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(TEMPORARY_PREFIX.as_bytes())) {
        return FileKind::Temporary;
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(ENTRY_EXTENSION) => FileKind::Entry,
        Some(QUARANTINE_EXTENSION) => FileKind::Quarantined,
        Some(LIST_EXTENSION) => FileKind::List,
        Some(LOCK_EXTENSION) => FileKind::Lock,
        Some(REQUEST_EXTENSION) => FileKind::Request,
        _ => FileKind::Other,
    }
}

/// The file at `place`, a path relative to the cache folder; `None` if it cannot be inspected.
fn file(folder: &Folder, place: &Path, name: &OsStr) -> Option<CacheFile> {
    let (about, path) = (folder.about_file(name).ok()?, folder.path().join(name));
    let kind = kind(&path);
    // A link in the place of an entry was quarantined as well; removing it does not affect its
    // target.
    let is_ours = about.is_file || (about.is_link && kind == FileKind::Quarantined);
    is_ours.then_some(())?;
    let is_working = matches!(kind, FileKind::Lock | FileKind::Temporary);
    let is_abandoned = is_working && files::is_abandoned(folder, name);
    Some(CacheFile { kind, path, size: about.size, modified: about.modified, place: place.join(name), is_abandoned })
}

/// True for names of subfolders of a cache: two hexadecimal digits of a key, or the folder of
/// failed requests.
fn is_folder_name(name: &OsStr) -> bool {
    let is_digit = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    name == FAILED_FOLDER || (name.len() == 2 && name.as_encoded_bytes().iter().all(is_digit))
}

/// True if the folder contains only subfolders that a cache creates, as an emptied cache does.
/// False if it cannot be read.
pub fn has_folders_only(cache: &Path) -> bool {
    let Ok(content) = fs::read_dir(cache) else { return false };
    content
        .flatten()
        .all(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_folder_name(&entry.file_name()))
}

/// Files in one subfolder of the cache.
pub(super) fn folder(cache: &Folder, name: impl AsRef<OsStr>) -> io::Result<Vec<CacheFile>> {
    let (folder, place) = (cache.folder(name.as_ref())?, Path::new(name.as_ref()));
    Ok(folder.names()?.iter().filter_map(|name| file(&folder, place, name)).collect())
}

/// Files of an open cache, sorted by path. Outside its subfolders only temporary files count.
pub(super) fn files_in(cache: &Folder) -> io::Result<Vec<CacheFile>> {
    let (folders, beside): (Vec<_>, Vec<_>) = cache.names()?.into_iter().partition(|name| is_folder_name(name));
    // A name that is not a folder, or was removed meanwhile, holds no files.
    let inside = folders.iter().filter_map(|name| folder(cache, name).ok()).flatten();
    let beside = beside.iter().filter(|name| kind(Path::new(name)) == FileKind::Temporary);
    let mut files: Vec<_> = inside.chain(beside.filter_map(|name| file(cache, Path::new(""), name))).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Files of the cache in `folder`, sorted by path. Empty if the folder does not exist.
pub fn files(folder: &Path) -> io::Result<Vec<CacheFile>> {
    match Folder::open_named(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        result => files_in(&result?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_the_cache_are_looked_at() {
        let root = tempfile::tempdir().expect("folder");
        for name in ["0f/a.sco", "failed/a.sinterq", "0F/a.sco", "documents/a.bad", "xy/a.lock", "0f/below/a.sco"] {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("parent")).expect("folder");
            fs::write(path, "").expect("write");
        }
        for link in ["0f/b.bad", "0f/b.sco"] {
            std::os::unix::fs::symlink(root.path().join("xy/a.lock"), root.path().join(link)).expect("link");
        }
        let kinds: Vec<_> = files(root.path()).expect("list").iter().map(|file| file.kind).collect();
        assert_eq!(kinds, [FileKind::Entry, FileKind::Quarantined, FileKind::Request]);
        assert!(files(&root.path().join("missing")).expect("list").is_empty());
    }
}
