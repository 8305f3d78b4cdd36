//! Reads and writes the entries of one cache folder, and reads those of the read-only caches below
//! it.
//!
//! The entry of key `abcd..` is the file `ab/abcd...sco`. *Invariant:* an entry appears under its
//! name only when complete (temporary file, then rename), and only entries that
//! [`entry::decode_for`] accepts are served.
#![forbid(unsafe_code)]

use super::{
    directory::{self, CacheLocation, Owners},
    entry,
    evict::{self, Limits},
    files,
    folder::Folder,
    layers::Layers,
    ledger,
    lock::{self, KeyLock, Waiter},
    names::{ENTRY_EXTENSION, FAILED_FOLDER, LIST_EXTENSION, LOCK_EXTENSION, QUARANTINE_EXTENSION, REQUEST_EXTENSION},
    place::Place,
};
use crate::{
    settings::{CacheMode, Tunables},
    statistics::{Statistics, count},
    throttle::Throttle,
};
use sinter_core::{CacheKey, CodeObject, KeyFields};
use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

/// A hit renews the time of an entry that is older than this. That is precise enough to order
/// evictions and causes few writes.
const TOUCH_AFTER: Duration = Duration::from_secs(6 * 3600);
/// Time after which a folder that could not be opened or written is tried again.
const RETRY: Duration = Duration::from_secs(20);
/// Writes between two sweeps if the size of the cache cannot be recorded.
const BLIND_WRITES: u64 = 256;

/// Configuration of the disk cache.
#[derive(Debug, Clone)]
pub struct DiskCacheOptions {
    /// Candidates for the folder that is written.
    pub location: CacheLocation,
    /// Read-only caches that are searched after it.
    pub layers: Vec<PathBuf>,
    /// On, off or read-only.
    pub mode: CacheMode,
    /// Size and age at which entries are evicted.
    pub limits: Limits,
    /// Time after which another process that compiles a kernel and shows no activity is not waited
    /// for.
    pub patience: Duration,
    /// True if entries are served; false while translations are dumped.
    pub read: bool,
    /// Time after which a folder that could not be opened or written is tried again.
    pub retry: Duration,
}

impl DiskCacheOptions {
    /// Options from the settings, for a cache at `location`.
    pub fn new(location: CacheLocation, tunables: &Tunables) -> Self {
        DiskCacheOptions {
            location,
            layers: tunables.cache_dirs.clone(),
            mode: tunables.cache,
            limits: Limits { bytes: tunables.cache_size, age: tunables.cache_age },
            patience: tunables.cache_wait,
            read: true,
            retry: RETRY,
        }
    }
}

/// Cache that an entry came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The user's cache, which is written.
    User,
    /// A read-only cache below it.
    System,
}

/// An entry found in a cache.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The cached code object.
    pub code: CodeObject,
    /// Cache that had it.
    pub layer: Layer,
}

/// State of the folder: not tried yet, writable or failing.
#[derive(Debug, Clone, Copy)]
enum Writing {
    Untried,
    Works,
    /// A write failed at that time, for a persistent reason.
    Fails(Instant),
}

/// The entries of one cache folder and of the read-only caches below it.
pub struct DiskCache {
    place: Place,
    /// Opened on first use.
    layers: OnceLock<Layers>,
    options: DiskCacheOptions,
    writing: Mutex<Writing>,
    /// Number of writes whose size could not be recorded.
    blind: AtomicU64,
    warned: AtomicBool,
    waits: Throttle,
    statistics: Arc<Statistics>,
}

/// Path of a key's file relative to the cache folder.
fn name(key: &CacheKey, extension: &str) -> PathBuf {
    let name = key.to_string();
    Path::new(&name[..2]).join(&name).with_extension(extension)
}

impl DiskCache {
    /// A cache whose folders are opened on first use.
    pub fn open(options: &DiskCacheOptions, statistics: Arc<Statistics>) -> Self {
        DiskCache {
            place: Place::new(options.location.clone(), options.mode, options.retry, Arc::clone(&statistics)),
            layers: OnceLock::new(),
            options: options.clone(),
            writing: Mutex::new(Writing::Untried),
            blind: AtomicU64::new(0),
            warned: AtomicBool::new(false),
            waits: Throttle::default(),
            statistics,
        }
    }

    fn layers(&self) -> &Layers {
        let is_used = self.options.mode != CacheMode::Off;
        self.layers.get_or_init(|| if is_used { Layers::open(&self.options.layers) } else { Layers::default() })
    }

    fn folder(&self) -> Option<Arc<Folder>> {
        if self.options.mode == CacheMode::Off { None } else { self.place.get() }
    }

    fn writing(&self) -> Writing {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Writing::Fails(since) = *writing
            && since.elapsed() >= self.options.retry
        {
            *writing = Writing::Untried;
        }
        *writing
    }

    fn set_writing(&self, writing: Writing) {
        *self.writing.lock().unwrap_or_else(PoisonError::into_inner) = writing;
    }

    /// The folder, if entries are written. After a failed write it is tried again when the retry
    /// time has passed.
    fn writable(&self) -> Option<Arc<Folder>> {
        let is_tried = self.options.mode == CacheMode::On && !matches!(self.writing(), Writing::Fails(_));
        self.folder().filter(|_| is_tried)
    }

    /// The folder, after a test write.
    fn probed(&self) -> Option<Arc<Folder>> {
        let folder = self.writable()?;
        if matches!(self.writing(), Writing::Untried) {
            match files::probe(&folder) {
                Ok(()) => {
                    self.set_writing(Writing::Works);
                    // Not on a hit, which it would slow down: entries of other users are never
                    // served anyway.
                    directory::exposure(folder.path()).inspect(|exposure| tracing::warn!("{exposure}"));
                }
                Err(error) if is_persistent(&error) => return self.not_written(&error),
                Err(_) => {}
            }
        }
        Some(folder)
    }

    /// Looks `key` up in the user's cache, then in the read-only ones.
    pub fn get(&self, key: &CacheKey) -> Option<Hit> {
        if !self.options.read {
            return None;
        }
        let own = self.get_own(key).map(|code| Hit { code, layer: Layer::User });
        own.or_else(|| self.get_below(key).map(|code| Hit { code, layer: Layer::System }))
    }

    fn get_own(&self, key: &CacheKey) -> Option<CodeObject> {
        let folder = self.folder()?;
        let touches = self.options.mode == CacheMode::On;
        let touch_after = touches.then(|| TOUCH_AFTER.min(self.options.limits.age / 4));
        let read = |folder: &Folder, name: &OsStr| files::read(folder, name, Owners::User, touch_after);
        let bytes = match folder.within(&name(key, ENTRY_EXTENSION), read) {
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
        let (found, problems) = self.layers().find(&name(key, ENTRY_EXTENSION), decode);
        for (path, reason) in problems {
            count(&self.statistics.cache_errors);
            tracing::warn!("cache entry {} not used: {reason}", path.display());
        }
        found
    }

    /// Takes the inter-process lock of `key`; `None` if entries cannot be stored, because other
    /// processes would wait for the entry in vain. Announces a long wait for `kernel`.
    pub fn lock(&self, key: &CacheKey, kernel: &str) -> Option<KeyLock> {
        let waiter = Waiter { kernel, patience: self.options.patience, messages: &self.waits };
        let acquire = |folder: &Folder, name: &OsStr| Ok(lock::acquire_in(folder, name, waiter));
        self.probed()?.make_within(&name(key, LOCK_EXTENSION), acquire).ok()
    }

    /// Stores a code object. Returns true if it is on disk now.
    pub fn put(&self, fields: &KeyFields, code: &CodeObject) -> bool {
        let Ok(bytes) = entry::encode(fields, code) else { return false };
        match self.write(&name(&fields.key(), ENTRY_EXTENSION), &bytes) {
            None => false,
            Some(Ok(())) => {
                self.account(bytes.len() as u64);
                true
            }
            Some(Err(error)) => {
                self.not_written::<()>(&error);
                false
            }
        }
    }

    /// Writes a file, if the cache is writable; recreates a folder that was removed.
    fn write(&self, place: &Path, bytes: &[u8]) -> Option<io::Result<()>> {
        let write = || Some(self.writable()?.make_within(place, |folder, name| files::write(folder, name, bytes)));
        match write()? {
            Err(error) if error.kind() == io::ErrorKind::NotFound => write(),
            result => Some(result),
        }
    }

    /// Quarantines an entry: it is not served again and can be inspected. Returns true if there was
    /// one.
    pub fn quarantine(&self, key: &CacheKey, reason: &str) -> bool {
        let Some(folder) = self.folder() else { return false };
        let place = name(key, ENTRY_EXTENSION);
        let done = match self.options.mode {
            CacheMode::On => folder.within(&place, set_aside),
            _ => folder.within(&place, |folder, name| folder.about_file(name).map(|_| "not used")),
        };
        // Another process was faster, or the entry was never stored.
        let Ok(done) = done else { return false };
        count(&self.statistics.cache_errors);
        tracing::warn!("cache entry {} {done}: {reason}", folder.path().join(place).display());
        true
    }

    /// Saves the request of a failed translation for replay. Returns its path.
    pub fn save_failed(&self, key: &CacheKey, request: &[u8]) -> Option<PathBuf> {
        let place = Path::new(FAILED_FOLDER).join(key.to_string()).with_extension(REQUEST_EXTENSION);
        self.write(&place, request)?.ok()?;
        let folder = self.folder()?;
        // Too many saved requests do no harm, and the next failure tries again.
        let _ = evict::limit_failed(&folder);
        self.account(request.len() as u64);
        Some(folder.path().join(place))
    }

    /// Reads a small file that the runtime keeps beside the entries.
    pub(crate) fn note(&self, name: &str) -> Option<Vec<u8>> {
        files::read(&*self.folder()?, OsStr::new(name), Owners::User, None).ok()
    }

    /// Writes such a file, if possible. Its content can always be computed again.
    pub(crate) fn set_note(&self, name: &str, content: &[u8]) {
        if let Some(folder) = self.writable() {
            // If this fails, another process or a later one writes it.
            let _ = files::write(&folder, OsStr::new(name), content);
        }
    }

    /// True if entries are read, so that code that is stored is found again.
    pub(crate) fn is_read(&self) -> bool {
        self.options.read && self.options.mode != CacheMode::Off
    }

    /// The list that is kept for a program.
    pub(crate) fn list(&self, program: &CacheKey) -> Option<Vec<u8>> {
        let touch_after = (self.options.mode == CacheMode::On).then_some(TOUCH_AFTER);
        let read = |folder: &Folder, name: &OsStr| files::read(folder, name, Owners::User, touch_after);
        self.folder()?.within(&name(program, LIST_EXTENSION), read).ok()
    }

    /// Keeps a list for a program, if possible.
    pub(crate) fn set_list(&self, program: &CacheKey, content: &[u8]) {
        if let Some(Ok(())) = self.write(&name(program, LIST_EXTENSION), content) {
            self.account(content.len() as u64);
        }
    }

    /// Records a write, and sweeps if the cache may exceed its limits.
    fn account(&self, added: u64) {
        let Some(folder) = self.folder() else { return };
        let is_blind = self.blind.load(Ordering::Relaxed) > 0;
        if is_blind && !self.blind.fetch_add(1, Ordering::Relaxed).is_multiple_of(BLIND_WRITES) {
            return;
        }
        if ledger::add(&folder, added, self.options.limits.bytes, SystemTime::now())
            && evict::enforce(&folder, self.options.limits).is_err()
        {
            self.blind.fetch_max(1, Ordering::Relaxed);
        }
    }

    /// Suspends writing for the retry time if the error is persistent.
    fn not_written<T>(&self, error: &io::Error) -> Option<T> {
        if is_persistent(error) {
            self.set_writing(Writing::Fails(Instant::now()));
        }
        self.trouble("written", error)
    }

    /// Counts a file system failure and reports the first one.
    fn trouble<T>(&self, verb: &str, error: &io::Error) -> Option<T> {
        count(&self.statistics.cache_errors);
        if !self.warned.swap(true, Ordering::Relaxed) {
            let folder = self.place.path();
            let folder = folder.display();
            tracing::warn!("the cache in {folder} cannot be {verb}: {error}; kernels stay in this process only");
        }
        None
    }
}

/// Renames an entry, or removes it. Returns a word for the message.
fn set_aside(folder: &Folder, name: &OsStr) -> io::Result<&'static str> {
    let aside = Path::new(name).with_extension(QUARANTINE_EXTENSION);
    match folder.rename(name, aside.as_os_str()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Ok(()) => Ok("set aside"),
        // Removing may be permitted where renaming is not. If neither is, the next process finds
        // the damaged entry again.
        Err(_) => Ok(folder.remove(name).map_or("not used", |()| "removed")),
    }
}

/// True if a retry soon is pointless; false for transient errors: too many open files, a removed
/// folder.
fn is_persistent(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), FileTooLarge | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}
