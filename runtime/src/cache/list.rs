//! Walks the files of a cache folder.
//!
//! *Invariant:* links are never followed, and only names that the cache itself gives are looked at, so that a cache in a
//! folder with other things does not touch them.
#![forbid(unsafe_code)]

use super::{
    entry::{self, Entry, EntryError},
    files,
    folder::Folder,
    names::{
        ENTRY_EXTENSION, FAILED_FOLDER, LOCK_EXTENSION, QUARANTINE_EXTENSION, REQUEST_EXTENSION, TEMPORARY_PREFIX,
    },
};
use sinter_core::CacheKey;
use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
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
    /// The request of a failed translation.
    Request,
    /// A file that is being written, or was when its process died.
    Temporary,
    /// Nothing that the cache writes.
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
    /// Where it is below the cache folder.
    pub(super) place: PathBuf,
    /// Whether it is a lock or temporary file that no process holds.
    pub(super) is_abandoned: bool,
}

impl CacheFile {
    /// The key in the file name of an entry.
    pub fn key(&self) -> Option<CacheKey> {
        self.path.file_stem()?.to_str()?.parse().ok()
    }

    /// Time since the last use; none if that is in the future, which only a wrong clock says.
    pub fn age(&self, now: SystemTime) -> Duration {
        now.duration_since(self.modified).unwrap_or_default()
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

impl ReadError {
    /// Whether the entry was removed since it was listed.
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
        Some(LOCK_EXTENSION) => FileKind::Lock,
        Some(REQUEST_EXTENSION) => FileKind::Request,
        _ => FileKind::Other,
    }
}

/// A file of a folder at `place` below the cache folder.
fn file(folder: &Folder, place: &Path, name: &OsStr) -> Option<CacheFile> {
    let (about, path) = (folder.about_file(name).ok()?, folder.path().join(name));
    let kind = kind(&path);
    // A link in the place of an entry is set aside as well; removing it leaves alone what it names.
    let is_ours = about.is_file || (about.is_link && kind == FileKind::Quarantined);
    is_ours.then_some(())?;
    let is_working = matches!(kind, FileKind::Lock | FileKind::Temporary);
    let is_abandoned = is_working && files::is_abandoned(folder, name);
    Some(CacheFile { kind, path, size: about.size, modified: about.modified, place: place.join(name), is_abandoned })
}

/// Whether the cache makes folders of this name: two digits of a key, or the one of failed requests.
fn is_folder_name(name: &OsStr) -> bool {
    let is_digit = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    name == FAILED_FOLDER || (name.len() == 2 && name.as_encoded_bytes().iter().all(is_digit))
}

/// True if the folder holds only folders with names that the cache gives, as an emptied cache does.
/// False if it cannot be read.
pub fn has_folders_only(cache: &Path) -> bool {
    let Ok(content) = fs::read_dir(cache) else { return false };
    content
        .flatten()
        .all(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_folder_name(&entry.file_name()))
}

/// The files in one of the folders of the cache.
pub(super) fn folder(cache: &Folder, name: impl AsRef<OsStr>) -> io::Result<Vec<CacheFile>> {
    let (folder, place) = (cache.folder(name.as_ref())?, Path::new(name.as_ref()));
    Ok(folder.names()?.iter().filter_map(|name| file(&folder, place, name)).collect())
}

/// The files of an open cache, in the order of their paths. Of those beside its folders only what was being written counts.
pub(super) fn files_in(cache: &Folder) -> io::Result<Vec<CacheFile>> {
    let (folders, beside): (Vec<_>, Vec<_>) = cache.names()?.into_iter().partition(|name| is_folder_name(name));
    // One that is no folder, or was removed meanwhile, holds none.
    let inside = folders.iter().filter_map(|name| folder(cache, name).ok()).flatten();
    let beside = beside.iter().filter(|name| kind(Path::new(name)) == FileKind::Temporary);
    let mut files: Vec<_> = inside.chain(beside.filter_map(|name| file(cache, Path::new(""), name))).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The files of the cache in `folder`, in the order of their paths. A folder that does not exist holds none.
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
