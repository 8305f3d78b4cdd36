//! Reads and writes the entries of one cache folder.
//!
//! An entry of key `abcd..` is the file `ab/abcd...sco`. *Invariant:* an entry appears under its name complete (temporary
//! file, then rename), and nothing is served that [`entry::decode_for`] does not accept.
#![forbid(unsafe_code)]

use super::{
    ENTRY_EXTENSION, FAILED_FOLDER, LOCK_EXTENSION, QUARANTINE_EXTENSION, REQUEST_EXTENSION, TEMPORARY_PREFIX,
    directory::{self, CacheLocation},
    entry, evict,
    lock::{self, KeyLock},
};
use crate::{
    statistics::{Statistics, count},
    system,
    tunables::CacheMode,
};
use sinter_core::{CacheKey, CodeObject, KeyFields};
use std::{
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

/// A hit renews the time of an entry that is older than this, which orders evictions well enough and writes rarely.
const TOUCH_AFTER: Duration = Duration::from_secs(6 * 3600);
/// No code object is larger; a longer file is damaged.
const MAX_ENTRY: u64 = 1 << 30;
/// The size of the cache has not been looked up yet.
const UNKNOWN: u64 = u64::MAX;

/// How the disk cache is to be used.
#[derive(Debug, Clone)]
pub struct DiskCacheOptions {
    /// Where it may be.
    pub location: CacheLocation,
    /// Whether it is used.
    pub mode: CacheMode,
    /// Size limit in bytes.
    pub size: u64,
    /// Whether entries are served; off while translations are dumped.
    pub read: bool,
}

/// The entries of one cache folder.
pub struct DiskCache {
    folder: Option<PathBuf>,
    mode: CacheMode,
    limit: u64,
    read: bool,
    used: AtomicU64,
    writable: AtomicBool,
    warned: AtomicBool,
    statistics: Arc<Statistics>,
}

impl DiskCache {
    /// Chooses and checks the folder. Reports why there is none, if so.
    pub fn open(options: &DiskCacheOptions, statistics: Arc<Statistics>) -> Self {
        let folder = if options.mode == CacheMode::Off { None } else { open_folder(&options.location, &statistics) };
        DiskCache {
            writable: AtomicBool::new(folder.is_some() && options.mode == CacheMode::On),
            folder,
            mode: options.mode,
            limit: options.size,
            read: options.read,
            used: AtomicU64::new(UNKNOWN),
            warned: AtomicBool::new(false),
            statistics,
        }
    }

    /// Whether entries are still written.
    pub fn is_writable(&self) -> bool {
        self.writable.load(Ordering::Relaxed)
    }

    /// The code object stored under `key`.
    pub fn get(&self, key: &CacheKey) -> Option<CodeObject> {
        let path = self.path(key, ENTRY_EXTENSION).filter(|_| self.read)?;
        let bytes = match self.read_file(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => return self.trouble("read", &error),
        };
        match entry::decode_for(&bytes, key) {
            Ok(code) => Some(code),
            Err(error) => {
                self.quarantine(key, &error.to_string());
                None
            }
        }
    }

    /// Takes the lock of `key` among processes, if entries are written.
    pub fn lock(&self, key: &CacheKey) -> Option<KeyLock> {
        let path = self.path(key, LOCK_EXTENSION).filter(|_| self.is_writable())?;
        directory::create_private(path.parent()?).ok()?;
        Some(lock::acquire(&path, lock::TIMEOUT))
    }

    /// Stores a code object. Returns whether it is on disk now.
    pub fn put(&self, fields: &KeyFields, code: &CodeObject) -> bool {
        let key = fields.key();
        let Some(path) = self.path(&key, ENTRY_EXTENSION).filter(|_| self.is_writable()) else { return false };
        let Ok(bytes) = entry::encode(fields, code) else { return false };
        match self.write_entry(&path, &bytes) {
            Ok(()) => self.account(bytes.len() as u64),
            Err(error) => {
                self.writable.fetch_and(!is_persistent(&error), Ordering::Relaxed);
                self.trouble::<()>("written", &error);
                return false;
            }
        }
        true
    }

    /// Writes an entry, and makes the folder again if somebody removed it.
    fn write_entry(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        match (write_file(path, bytes), &self.folder) {
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                directory::prepare(folder).map_err(io::Error::other)?;
                write_file(path, bytes)
            }
            (result, _) => result,
        }
    }

    /// Sets an entry aside, so that it is not served again and can be looked at.
    pub fn quarantine(&self, key: &CacheKey, reason: &str) {
        let Some(path) = self.path(key, ENTRY_EXTENSION) else { return };
        count(&self.statistics.cache_errors);
        tracing::warn!("cache entry {} set aside: {reason}", path.display());
        if self.mode == CacheMode::On && fs::rename(&path, path.with_extension(QUARANTINE_EXTENSION)).is_err() {
            // Removing may be allowed where renaming is not; if neither is, the next process finds it damaged again.
            let _ = fs::remove_file(&path);
        }
    }

    /// Keeps the request of a failed translation for replay.
    pub fn save_failed(&self, key: &CacheKey, request: &[u8]) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| self.is_writable())?.join(FAILED_FOLDER);
        let path = folder.join(key.to_string()).with_extension(REQUEST_EXTENSION);
        write_file(&path, request).ok().map(|()| path)
    }

    fn path(&self, key: &CacheKey, extension: &str) -> Option<PathBuf> {
        let name = key.to_string();
        Some(self.folder.as_ref()?.join(&name[..2]).join(&name).with_extension(extension))
    }

    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Without O_NONBLOCK a named pipe in the place of an entry would be waited for.
        let file = File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
        let metadata = file.metadata()?;
        check_owner(&metadata)?;
        let size = metadata.len().min(MAX_ENTRY);
        let mut bytes = Vec::with_capacity(size as usize);
        (&file).take(size).read_to_end(&mut bytes)?;
        let age = metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        // Without an age the time is in the future, and the entry would never be evicted.
        if self.is_writable() && age.is_none_or(|age| age > TOUCH_AFTER) {
            // Only the order of evictions suffers if this fails.
            let _ = file.set_modified(SystemTime::now());
        }
        Ok(bytes)
    }

    /// Adds to the size of the cache and shrinks it if it is beyond its limit.
    fn account(&self, added: u64) {
        let Some(folder) = &self.folder else { return };
        let used = match self.used.load(Ordering::Relaxed) {
            UNKNOWN => evict::usage(folder).unwrap_or(0),
            known => known.saturating_add(added),
        };
        let left = if used > self.limit { evict::enforce(folder, self.limit).unwrap_or(0) } else { used };
        self.used.store(left, Ordering::Relaxed);
    }

    /// Counts a failure of the file system and reports the first one.
    fn trouble<T>(&self, verb: &str, error: &io::Error) -> Option<T> {
        count(&self.statistics.cache_errors);
        if !self.warned.swap(true, Ordering::Relaxed) {
            let folder = self.folder.as_deref().unwrap_or(Path::new("")).display();
            tracing::warn!("the cache in {folder} cannot be {verb}: {error}; kernels stay in this process only");
        }
        None
    }
}

fn open_folder(location: &CacheLocation, statistics: &Statistics) -> Option<PathBuf> {
    if location.candidates.is_empty() {
        tracing::info!("no disk cache ({})", location.reason);
        return None;
    }
    let (folder, problems) = directory::open(location);
    let reasons = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    match &folder {
        Some(path) if !problems.is_empty() => tracing::warn!("the cache is in {}: {reasons}", path.display()),
        Some(_) => {}
        None => {
            count(&statistics.cache_errors);
            tracing::warn!("no disk cache, kernels stay in this process only: {reasons}");
        }
    }
    folder
}

/// Whether writing again is pointless in this process, as opposed to what passes: too many open files, a removed folder.
fn is_persistent(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), FileTooLarge | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

/// Checks that an open file is one that only this user could have written.
fn check_owner(metadata: &fs::Metadata) -> io::Result<()> {
    let (owner, mode) = (metadata.uid(), metadata.mode() & 0o777);
    let reason = if !metadata.is_file() {
        "an entry is not a regular file".to_owned()
    } else if owner != system::effective_user() {
        format!("an entry belongs to user {owner}")
    } else if mode & 0o022 != 0 {
        format!("an entry can be written by other users (mode {mode:03o})")
    } else {
        return Ok(());
    };
    Err(io::Error::other(reason))
}

/// Writes a file under its final name in one step.
fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    directory::create_private(folder)?;
    let mut file = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
