//! One runtime: drivers, translator, cache and the kernels that are loaded.
//!
//! *Invariant:* making one does nothing but store its options; devices, cache folder and translator are looked for on first
//! need. The C interface holds one for the whole process, tests hold as many as they like.
#![forbid(unsafe_code)]

use crate::{
    abi,
    cache::{DiskCache, DiskCacheOptions},
    code::obtain::CodeStore,
    code::translator::{LazyTranslator, TranslatorSource},
    code::variant::CodeOptions,
    devices::{self, DeviceEntry, Devices},
    error::RuntimeError,
    launch::{HotTable, Preparing},
    queue::Queue,
    registry::Registry,
    settings::visibility::VisibilityMask,
    statistics::Statistics,
    vendor::{DeviceLibraries, LibraryOptions},
};
use dashmap::DashMap;
use sinter_core::{CacheKey, Observer};
use sinter_driver::{Driver, Kernel};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Once, OnceLock, Weak},
};

/// What a runtime is made of.
pub struct RuntimeOptions {
    /// The drivers to ask for devices, in order.
    pub drivers: Vec<Box<dyn Driver>>,
    /// Where the translator comes from.
    pub translator: TranslatorSource,
    /// How the disk cache is used.
    pub cache: DiskCacheOptions,
    /// Devices to use; `None` means all.
    pub visibility: Option<VisibilityMask>,
    /// Folder that receives the steps of every translation.
    pub dump: Option<PathBuf>,
    /// How kernels are compiled, beyond what each launch says.
    pub code: CodeOptions,
    /// Where the vendors' device functions are looked for.
    pub libraries: LibraryOptions,
    /// Whether a translation that takes long is announced on standard error.
    pub progress: bool,
}

/// One runtime.
pub struct Runtime {
    drivers: Vec<Box<dyn Driver>>,
    visibility: Option<VisibilityMask>,
    devices: OnceLock<Devices>,
    cache: DiskCacheOptions,
    disk: OnceLock<DiskCache>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) translator: LazyTranslator,
    pub(crate) observer: Observer,
    dump_checked: Once,
    pub(crate) code: CodeOptions,
    pub(crate) libraries: DeviceLibraries,
    pub(crate) progress: bool,
    pub(crate) statistics: Arc<Statistics>,
    pub(crate) hot: HotTable,
    pub(crate) preparing: Preparing,
    pub(crate) codes: CodeStore,
    pub(crate) loaded: DashMap<(CacheKey, u32), Weak<dyn Kernel>>,
}

impl Runtime {
    /// A runtime for the containers of `registry`.
    pub fn new(options: RuntimeOptions, registry: Arc<Registry>) -> Self {
        let RuntimeOptions { drivers, translator, mut cache, visibility, dump, code, libraries, progress } = options;
        // An entry served from the cache would leave nothing to dump.
        cache.read &= dump.is_none();
        Runtime {
            drivers,
            visibility,
            devices: OnceLock::new(),
            cache,
            disk: OnceLock::new(),
            registry,
            translator: LazyTranslator::new(translator),
            observer: Observer { dump },
            dump_checked: Once::new(),
            code,
            libraries: DeviceLibraries::new(libraries),
            progress,
            statistics: Arc::default(),
            hot: HotTable::new(),
            preparing: Preparing::default(),
            codes: CodeStore::default(),
            loaded: DashMap::new(),
        }
    }

    /// What the drivers found.
    pub fn devices(&self) -> &Devices {
        self.devices.get_or_init(|| devices::discover(&self.drivers, self.visibility.as_ref()))
    }

    /// The device with this number.
    pub fn device(&self, index: u32) -> Result<&Arc<DeviceEntry>, RuntimeError> {
        self.devices().get(index)
    }

    /// A new queue on the device with this number.
    pub fn create_queue(&self, device: u32) -> Result<Queue, RuntimeError> {
        Queue::new(self.device(device)?)
    }

    /// The containers that kernels come from.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The counters so far.
    pub fn statistics(&self) -> abi::Statistics {
        self.statistics.snapshot().statistics
    }

    /// The counters so far, with those that were added later.
    pub fn whole_statistics(&self) -> abi::WholeStatistics {
        self.statistics.snapshot()
    }

    /// The records behind the report.
    pub fn variants(&self) -> &Statistics {
        &self.statistics
    }

    /// Forgets the kernels of a container that is being unregistered. Commands that were submitted keep theirs.
    pub fn forget(&self, container: *const abi::Container) {
        self.hot.forget(container);
        self.loaded.retain(|_, kernel| kernel.strong_count() > 0);
    }

    /// Warns, once, where dumps were asked for and cannot be written. The translator has nobody to tell.
    pub(crate) fn check_dump(&self) {
        let Some(folder) = &self.observer.dump else { return };
        self.dump_checked.call_once(|| {
            if let Err(error) = make_writable(folder) {
                tracing::warn!("SINTER_DUMP: nothing can be written to {}: {error}", folder.display());
            }
        });
    }

    pub(crate) fn disk(&self) -> &DiskCache {
        self.disk.get_or_init(|| DiskCache::open(&self.cache, Arc::clone(&self.statistics)))
    }
}

/// Makes a folder, and a file in it that is gone at once.
fn make_writable(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_cannot_take_a_dump_are_found() {
        let root = tempfile::tempdir().expect("folder");
        let (made, file) = (root.path().join("a/b"), root.path().join("file"));
        fs::write(&file, "").expect("write");
        make_writable(&made).expect("a folder is made");
        assert_eq!(fs::read_dir(&made).expect("folder").count(), 0);
        assert!(make_writable(&file).is_err() && make_writable(&file.join("below")).is_err());
        assert!(make_writable(Path::new("/proc/no-such-folder")).is_err());
    }
}
