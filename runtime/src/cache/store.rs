//! Reads and writes the entries of one cache folder, and reads those of the caches below it.
//!
//! An entry of key `abcd..` is the file `ab/abcd...sco`. *Invariant:* an entry appears under its name complete (temporary
//! file, then rename), and nothing is served that [`entry::decode_for`] does not accept.
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
    names::{ENTRY_EXTENSION, FAILED_FOLDER, LOCK_EXTENSION, QUARANTINE_EXTENSION, REQUEST_EXTENSION},
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

/// A hit renews the time of an entry that is older than this, which orders evictions well enough and writes rarely.
const TOUCH_AFTER: Duration = Duration::from_secs(6 * 3600);
/// Time after which a folder that could not be opened or written is tried again.
const RETRY: Duration = Duration::from_secs(20);
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
    /// Time after which a folder that could not be opened or written is tried again.
    pub retry: Duration,
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
            retry: RETRY,
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

/// Whether the folder takes entries, as far as is known.
#[derive(Debug, Clone, Copy)]
enum Writing {
    Untried,
    Works,
    /// It did not at that time, for a reason that lasts.
    Fails(Instant),
}

/// The entries of one cache folder and of the caches below it.
pub struct DiskCache {
    place: Place,
    /// Opened on first need.
    layers: OnceLock<Layers>,
    options: DiskCacheOptions,
    writing: Mutex<Writing>,
    /// Writes after which the size could not be recorded.
    blind: AtomicU64,
    warned: AtomicBool,
    waits: Throttle,
    statistics: Arc<Statistics>,
}

/// The place of a key's file in a cache.
fn name(key: &CacheKey, extension: &str) -> PathBuf {
    let name = key.to_string();
    Path::new(&name[..2]).join(&name).with_extension(extension)
}

impl DiskCache {
    /// A cache whose folders are opened when they are first needed.
    pub fn open(options: &DiskCacheOptions, statistics: Arc<Statistics>) -> Self {
        DiskCache {
            place: Place::new(options.location.clone(), options.retry, Arc::clone(&statistics)),
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

    /// The folder, if entries are written. A folder that cannot be written is tried again after a while.
    fn writable(&self) -> Option<Arc<Folder>> {
        let is_tried = self.options.mode == CacheMode::On && !matches!(self.writing(), Writing::Fails(_));
        self.folder().filter(|_| is_tried)
    }

    /// The folder, if it takes entries.
    fn probed(&self) -> Option<Arc<Folder>> {
        let folder = self.writable()?;
        if matches!(self.writing(), Writing::Untried) {
            match files::probe(&folder) {
                Ok(()) => {
                    self.set_writing(Writing::Works);
                    // Not on a hit, which it would slow down: entries of other users are not served in any case.
                    directory::exposure(folder.path()).inspect(|exposure| tracing::warn!("{exposure}"));
                }
                Err(error) if is_persistent(&error) => return self.not_written(&error),
                Err(_) => {}
            }
        }
        Some(folder)
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

    /// Takes the lock of `key` among processes, if entries can be stored: otherwise whoever waited for it would wait in vain. A
    /// long wait for `kernel` is announced.
    pub fn lock(&self, key: &CacheKey, kernel: &str) -> Option<KeyLock> {
        let waiter = Waiter { kernel, patience: self.options.patience, messages: &self.waits };
        let acquire = |folder: &Folder, name: &OsStr| Ok(lock::acquire_in(folder, name, waiter));
        self.probed()?.make_within(&name(key, LOCK_EXTENSION), acquire).ok()
    }

    /// Stores a code object. Returns whether it is on disk now.
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

    /// Writes a file, if any are written, and makes the folder again if somebody removed it.
    fn write(&self, place: &Path, bytes: &[u8]) -> Option<io::Result<()>> {
        let write = || Some(self.writable()?.make_within(place, |folder, name| files::write(folder, name, bytes)));
        match write()? {
            Err(error) if error.kind() == io::ErrorKind::NotFound => write(),
            result => Some(result),
        }
    }

    /// Sets an entry aside, so that it is not served again and can be looked at. Returns whether there was one.
    pub fn quarantine(&self, key: &CacheKey, reason: &str) -> bool {
        let Some(folder) = self.folder() else { return false };
        let place = name(key, ENTRY_EXTENSION);
        let done = match self.options.mode {
            CacheMode::On => folder.within(&place, set_aside),
            _ => folder.within(&place, |folder, name| folder.about_file(name).map(|_| "not used")),
        };
        // Otherwise another process was faster, or it was never stored.
        let Ok(done) = done else { return false };
        count(&self.statistics.cache_errors);
        tracing::warn!("cache entry {} {done}: {reason}", folder.path().join(place).display());
        true
    }

    /// Keeps the request of a failed translation for replay.
    pub fn save_failed(&self, key: &CacheKey, request: &[u8]) -> Option<PathBuf> {
        let place = Path::new(FAILED_FOLDER).join(key.to_string()).with_extension(REQUEST_EXTENSION);
        self.write(&place, request)?.ok()?;
        let folder = self.folder()?;
        // Too many of them are a nuisance only, and the next failure tries again.
        let _ = evict::limit_failed(&folder);
        self.account(request.len() as u64);
        Some(folder.path().join(place))
    }

    /// A small file that this runtime keeps beside the entries.
    pub(crate) fn note(&self, name: &str) -> Option<Vec<u8>> {
        files::read(&*self.folder()?, OsStr::new(name), Owners::User, None).ok()
    }

    /// Keeps such a file, where that is possible. What it says can be found out again.
    pub(crate) fn set_note(&self, name: &str, content: &[u8]) {
        if let Some(folder) = self.writable() {
            // Another process, or the next one, writes it if this one cannot.
            let _ = files::write(&folder, OsStr::new(name), content);
        }
    }

    /// Records that something was written, and sweeps if the cache may be beyond its limits.
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

    /// Remembers for a while that writing is pointless, if it is.
    fn not_written<T>(&self, error: &io::Error) -> Option<T> {
        if is_persistent(error) {
            self.set_writing(Writing::Fails(Instant::now()));
        }
        self.trouble("written", error)
    }

    /// Counts a failure of the file system and reports the first one.
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

/// Gives an entry another name, or removes it. Says what was done.
fn set_aside(folder: &Folder, name: &OsStr) -> io::Result<&'static str> {
    let aside = Path::new(name).with_extension(QUARANTINE_EXTENSION);
    match folder.rename(name, aside.as_os_str()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Ok(()) => Ok("set aside"),
        // Removing may be allowed where renaming is not; if neither is, the next process finds it damaged again.
        Err(_) => Ok(folder.remove(name).map_or("not used", |()| "removed")),
    }
}

/// Whether writing again soon is pointless, as opposed to what passes at once: too many open files, a removed folder.
fn is_persistent(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), FileTooLarge | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}
