//! One runtime: drivers, translator, cache and the kernels that are loaded.
//!
//! *Invariant:* making one does nothing but store its options; devices, cache folder and translator are looked for on first
//! need. The C interface holds one for the whole process, tests hold as many as they like.
#![expect(unsafe_code, reason = "passes on the promises of those who launch")]

use crate::{
    abi,
    cache::{DiskCache, DiskCacheOptions},
    code::{
        Kernels, Planner,
        translator::{LazyTranslator, TranslatorSource},
        variant::CodeOptions,
    },
    devices::{self, DeviceEntry, Devices},
    error::RuntimeError,
    launch::{Launcher, shape::LaunchSize, values::Constant},
    queue::Queue,
    registry::Registry,
    settings::visibility::VisibilityMask,
    statistics::Statistics,
    vendor::{DeviceLibraries, LibraryOptions},
};
use sinter_driver::{Driver, Kernel, Ticket};
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
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
    registry: Arc<Registry>,
    launcher: Launcher,
    statistics: Arc<Statistics>,
}

impl Runtime {
    /// A runtime for the containers of `registry`.
    pub fn new(options: RuntimeOptions, registry: Arc<Registry>) -> Self {
        let RuntimeOptions { drivers, translator, mut cache, visibility, dump, code, libraries, progress } = options;
        // An entry served from the cache would leave nothing to dump.
        cache.read &= dump.is_none();
        let statistics = Arc::<Statistics>::default();
        let planner = Planner {
            registry: Arc::clone(&registry),
            translator: Arc::new(LazyTranslator::new(translator)),
            libraries: DeviceLibraries::new(libraries),
            options: code,
            cache: Arc::new(DiskCache::open(&cache, Arc::clone(&statistics))),
        };
        let kernels = Kernels::new(planner, &statistics, dump, progress);
        let launcher = Launcher::new(kernels, code.separate_allocations, &statistics);
        Runtime { drivers, visibility, devices: OnceLock::new(), registry, launcher, statistics }
    }

    /// Submits a kernel with its argument block.
    ///
    /// # Safety
    /// `kernel` and everything it points to is a descriptor that stage 1 made, valid and unchanged until its container is
    /// unregistered. Every pointer in `block` that the kernel dereferences is valid on the queue's device until the
    /// returned ticket is complete.
    #[inline]
    pub unsafe fn launch(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
    ) -> Result<Ticket, RuntimeError> {
        // SAFETY: passed on to the caller.
        unsafe { self.launcher.launch(queue, kernel, block, size, &[]) }
    }

    /// Submits a kernel with its argument block and values of constants. A constant that is not given has the value that
    /// the program initialises it with.
    ///
    /// # Safety
    /// As for [`Runtime::launch`].
    #[inline]
    pub unsafe fn launch_with(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
        constants: &[Constant<'_>],
    ) -> Result<Ticket, RuntimeError> {
        // SAFETY: passed on to the caller.
        unsafe { self.launcher.launch(queue, kernel, block, size, constants) }
    }

    /// The kernel of a launch, loaded on the queue's device. It is right for all pointers, because the caller may pass
    /// others to it.
    ///
    /// # Safety
    /// `kernel` is a descriptor as for [`Runtime::launch`].
    pub unsafe fn loaded_kernel(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
        constants: &[Constant<'_>],
    ) -> Result<Arc<dyn Kernel>, RuntimeError> {
        // SAFETY: passed on to the caller.
        unsafe { self.launcher.loaded_kernel(queue, kernel, block, size, constants) }
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
        self.launcher.forget(container);
    }
}
