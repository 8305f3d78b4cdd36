//! Reads and writes the entries of one cache folder, and reads those of the caches below it.
//!
//! An entry of key `abcd..` is the file `ab/abcd...sco`. *Invariant:* an entry appears under its name complete (temporary
//! file, then rename), and nothing is served that [`entry::decode_for`] does not accept.
#![forbid(unsafe_code)]

use super::{
    ENTRY_EXTENSION, FAILED_FOLDER, LOCK_EXTENSION, QUARANTINE_EXTENSION, REQUEST_EXTENSION,
    directory::{self, CacheLocation, Owners},
    entry,
    evict::{self, Limits},
    files,
    layers::Layers,
    ledger,
    lock::{self, KeyLock},
};
use crate::{
    statistics::{Statistics, count},
    tunables::{CacheMode, Tunables},
};
use sinter_core::{CacheKey, CodeObject, KeyFields};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

/// A hit renews the time of an entry that is older than this, which orders evictions well enough and writes rarely.
const TOUCH_AFTER: Duration = Duration::from_secs(6 * 3600);
/// Writes between two sweeps where the size of the cache cannot be recorded.
const BLIND_WRITES: u64 = 256;

/// How the disk cache is to be used.
#[derive(Debug, Clone)]
pub struct DiskCacheOptions {
    /// Where it may be.
    pub location: CacheLocation,
    /// Caches below it, which are only read.
    pub layers: Vec<PathBuf>,
    /// Whether it is used.
    pub mode: CacheMode,
    /// What it may hold.
    pub limits: Limits,
    /// How long to wait for another process that compiles a kernel and gives no sign of life.
    pub patience: Duration,
    /// Whether entries are served; off while translations are dumped.
    pub read: bool,
}

impl DiskCacheOptions {
    /// What the settings say, for a cache at `location`.
    pub fn new(location: CacheLocation, tunables: &Tunables) -> Self {
        DiskCacheOptions {
            location,
            layers: tunables.cache_dirs.clone(),
            mode: tunables.cache,
            limits: Limits { bytes: tunables.cache_size, age: tunables.cache_age },
            patience: tunables.cache_wait,
            read: true,
        }
    }
}

/// Which cache an entry came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The one that is written.
    User,
    /// One that is only read.
    System,
}

/// An entry that was found.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The code object.
    pub code: CodeObject,
    /// Where it was.
    pub layer: Layer,
}

/// The entries of one cache folder and of the caches below it.
pub struct DiskCache {
    folder: Option<PathBuf>,
    layers: Layers,
    options: DiskCacheOptions,
    writable: AtomicBool,
    /// Writes after which the size could not be recorded.
    blind: AtomicU64,
    warned: AtomicBool,
    statistics: Arc<Statistics>,
}

/// The path of a key's file in a cache.
fn name(key: &CacheKey, extension: &str) -> PathBuf {
    let name = key.to_string();
    Path::new(&name[..2]).join(&name).with_extension(extension)
}

impl DiskCache {
    /// Chooses and checks the folders. Reports why there is none, if so.
    pub fn open(options: &DiskCacheOptions, statistics: Arc<Statistics>) -> Self {
        let is_used = options.mode != CacheMode::Off;
        let folder = if is_used { open_folder(&options.location, &statistics) } else { None };
        DiskCache {
            writable: AtomicBool::new(folder.is_some() && options.mode == CacheMode::On),
            folder,
            layers: if is_used { Layers::open(&options.layers) } else { Layers::default() },
            options: options.clone(),
            blind: AtomicU64::new(0),
            warned: AtomicBool::new(false),
            statistics,
        }
    }

    /// Whether entries are still written.
    pub fn is_writable(&self) -> bool {
        self.writable.load(Ordering::Relaxed)
    }

    /// The code object stored under `key`.
    pub fn get(&self, key: &CacheKey) -> Option<Hit> {
        if !self.options.read {
            return None;
        }
        let own = self.get_own(key).map(|code| Hit { code, layer: Layer::User });
        own.or_else(|| self.get_below(key).map(|code| Hit { code, layer: Layer::System }))
    }

    fn get_own(&self, key: &CacheKey) -> Option<CodeObject> {
        let path = self.path(key, ENTRY_EXTENSION)?;
        let touch_after = self.is_writable().then(|| TOUCH_AFTER.min(self.options.limits.age / 4));
        let bytes = match files::read(&path, Owners::User, touch_after) {
            Ok(bytes) => bytes,
            Err(error) if files::is_missing(&error) => return None,
            Err(error) if files::is_distrusted(&error) => {
                self.quarantine(key, &error.to_string());
                return None;
            }
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

    fn get_below(&self, key: &CacheKey) -> Option<CodeObject> {
        let decode = |bytes: &[u8]| entry::decode_for(bytes, key).map_err(|error| error.to_string());
        let (found, problems) = self.layers.find(&name(key, ENTRY_EXTENSION), decode);
        for (path, reason) in problems {
            count(&self.statistics.cache_errors);
            tracing::warn!("cache entry {} not used: {reason}", path.display());
        }
        found
    }

    /// Takes the lock of `key` among processes, if entries are written. A long wait for `kernel` is announced.
    pub fn lock(&self, key: &CacheKey, kernel: &str) -> Option<KeyLock> {
        let path = self.path(key, LOCK_EXTENSION).filter(|_| self.is_writable())?;
        directory::create_private(path.parent()?).ok()?;
        Some(lock::acquire(&path, kernel, self.options.patience))
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
        match (files::write(path, bytes), &self.folder) {
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                directory::prepare(folder).map_err(io::Error::other)?;
                files::write(path, bytes)
            }
            (result, _) => result,
        }
    }

    /// Sets an entry aside, so that it is not served again and can be looked at.
    pub fn quarantine(&self, key: &CacheKey, reason: &str) {
        let Some(path) = self.path(key, ENTRY_EXTENSION) else { return };
        count(&self.statistics.cache_errors);
        tracing::warn!("cache entry {} set aside: {reason}", path.display());
        if self.options.mode == CacheMode::On && fs::rename(&path, path.with_extension(QUARANTINE_EXTENSION)).is_err() {
            // Removing may be allowed where renaming is not; if neither is, the next process finds it damaged again.
            let _ = fs::remove_file(&path);
        }
    }

    /// Keeps the request of a failed translation for replay.
    pub fn save_failed(&self, key: &CacheKey, request: &[u8]) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| self.is_writable())?.join(FAILED_FOLDER);
        let path = folder.join(key.to_string()).with_extension(REQUEST_EXTENSION);
        self.write_entry(&path, request).ok()?;
        // Too many of them are a nuisance only, and the next failure tries again.
        let _ = evict::limit_failed(&folder);
        self.account(request.len() as u64);
        Some(path)
    }

    /// A small file that this runtime keeps beside the entries.
    pub(crate) fn note(&self, name: &str) -> Option<Vec<u8>> {
        files::read(&self.folder.as_ref()?.join(name), Owners::User, None).ok()
    }

    /// Keeps such a file, where that is possible. What it says can be found out again.
    pub(crate) fn set_note(&self, name: &str, content: &[u8]) {
        if let Some(folder) = self.folder.as_ref().filter(|_| self.is_writable()) {
            // Another process, or the next one, writes it if this one cannot.
            let _ = files::write(&folder.join(name), content);
        }
    }

    fn path(&self, key: &CacheKey, extension: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(name(key, extension)))
    }

    /// Records that something was written, and sweeps if the cache may be beyond its limits.
    fn account(&self, added: u64) {
        let Some(folder) = &self.folder else { return };
        let is_blind = self.blind.load(Ordering::Relaxed) > 0;
        if is_blind && !self.blind.fetch_add(1, Ordering::Relaxed).is_multiple_of(BLIND_WRITES) {
            return;
        }
        if ledger::add(folder, added, self.options.limits.bytes, SystemTime::now())
            && evict::enforce(folder, self.options.limits).is_err()
        {
            self.blind.fetch_max(1, Ordering::Relaxed);
        }
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
