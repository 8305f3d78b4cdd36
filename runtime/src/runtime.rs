//! A runtime: drivers, translator, cache and loaded kernels.
//!
//! *Invariant:* construction only stores the options; devices, cache folder and translator are
//! searched for on first use. The C interface holds one runtime for the whole process; tests may
//! create any number.
#![expect(unsafe_code, reason = "passes on the promises of those who launch")]

use crate::{
    abi,
    buffers::Submission,
    cache::{DiskCache, DiskCacheOptions},
    code::{
        Kernels, Planner,
        tiers::{AheadOptions, JitMode},
        translator::{LazyTranslator, TranslatorSource},
        variant::CodeOptions,
    },
    compilations::{Compilation, Observation, Region},
    device_globals::constants::Knowledge,
    devices::{self, DeviceEntry, Devices},
    error::RuntimeError,
    forks,
    launch::{Launcher, Leads, TuningOptions, shape::LaunchSize, values::Constant},
    queue::Queue,
    registry::Registry,
    settings::visibility::VisibilityMask,
    statistics::Statistics,
    vendor::{DeviceLibraries, LibraryOptions},
};
use sinter_core::{Rows, SubGroupSize};
use sinter_driver::{Driver, Kernel, Ticket};
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// Configuration of a runtime.
pub struct RuntimeOptions {
    /// Drivers to ask for devices, in order.
    pub drivers: Vec<Box<dyn Driver>>,
    /// Source of the translator.
    pub translator: TranslatorSource,
    /// Options of the disk cache.
    pub cache: DiskCacheOptions,
    /// Devices to use; `None` means all.
    pub visibility: Option<VisibilityMask>,
    /// Folder for the IR after each step of every translation.
    pub dump: Option<PathBuf>,
    /// Compiler options that launches do not set.
    pub code: CodeOptions,
    /// Treatment of launches whose code is in no cache.
    pub jit_mode: JitMode,
    /// Kernels that are prepared before their first launch.
    pub ahead: AheadOptions,
    /// Variants of a kernel for values of arguments that launches repeat, at most.
    pub specials: usize,
    /// The choice of work-group sizes that launches leave open.
    pub tuning: TuningOptions,
    /// Search options for vendor libraries.
    pub libraries: LibraryOptions,
    /// True if long translations are announced on standard error.
    pub progress: bool,
    /// True if a CPU uses the host's copy of a buffer.
    pub shared_buffers: bool,
}

/// Shared state behind both interfaces.
pub struct Runtime {
    drivers: Vec<Box<dyn Driver>>,
    visibility: Option<VisibilityMask>,
    shared_buffers: bool,
    code: CodeOptions,
    devices: OnceLock<Devices>,
    /// The CPU of the host, where the mask hides it.
    host: OnceLock<Option<Arc<DeviceEntry>>>,
    registry: Arc<Registry>,
    launcher: Arc<Launcher>,
    statistics: Arc<Statistics>,
}

impl Runtime {
    /// Creates a runtime for the containers of `registry`.
    pub fn new(options: RuntimeOptions, registry: Arc<Registry>) -> Self {
        let RuntimeOptions {
            drivers,
            translator,
            mut cache,
            visibility,
            dump,
            code,
            jit_mode,
            ahead,
            specials,
            tuning,
            libraries,
            progress,
            shared_buffers,
        } = options;
        // An entry served from the cache would leave no steps to dump.
        cache.read &= dump.is_none();
        let statistics = Arc::<Statistics>::default();
        let constants = Arc::<Knowledge>::default();
        let planner = Planner {
            registry: Arc::clone(&registry),
            translator: Arc::new(LazyTranslator::new(translator)),
            libraries: DeviceLibraries::new(libraries),
            options: code,
            cache: Arc::new(DiskCache::open(&cache, Arc::clone(&statistics))),
            constants: Arc::clone(&constants),
        };
        let kernels = Kernels::new(planner, jit_mode, ahead, &statistics, dump, progress);
        let specials = if jit_mode == JitMode::Require { 0 } else { specials };
        let launcher = Launcher::new(kernels, constants, code.separate_allocations, specials, tuning, &statistics);
        Runtime {
            drivers,
            visibility,
            shared_buffers,
            code,
            devices: OnceLock::new(),
            host: OnceLock::new(),
            registry,
            launcher,
            statistics,
        }
    }

    /// The size of sub-groups of a kernel that requires none, or its limit.
    pub fn default_sub_group_size(&self, device: &DeviceEntry) -> u64 {
        match device.device.target().runs_in_process() {
            true if self.code.rows == Rows::Off => SubGroupSize::ONE.get().into(),
            true => self.code.default_sub_group_size.get().into(),
            false => device.device.info().sub_group_sizes.iter().max().copied().unwrap_or(1),
        }
    }

    /// Submits a kernel with its argument block.
    ///
    /// # Safety
    /// `kernel` and everything it points to is a descriptor that stage 1 made, valid and unchanged
    /// until its container is unregistered. Every pointer in `block` that the kernel dereferences
    /// is valid on the queue's device until the returned ticket is complete.
    #[inline]
    pub unsafe fn launch(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
    ) -> Result<Ticket, RuntimeError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.launcher.launch(queue, kernel, block, size, &[]) }
    }

    /// Submits a kernel with its argument block and values of constants. A constant without a value
    /// has the one that the program initialises it with.
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
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.launcher.launch(queue, kernel, block, size, constants) }
    }

    /// Submits a command with requirements on buffers.
    ///
    /// # Safety
    /// As for [`Runtime::launch`]; addresses in the command are valid until it is complete.
    pub(crate) unsafe fn submit(&self, submission: &mut Submission<'_>) -> Result<Ticket, RuntimeError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { submission.submit(&self.launcher) }
    }

    /// The kernel of a launch, loaded on the queue's device. It is valid for all pointers, because
    /// the caller may pass others to it.
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
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.launcher.loaded_kernel(queue, kernel, block, size, constants) }
    }

    /// The reach of the code of a launch's kernel.
    ///
    /// # Safety
    /// `kernel` is a descriptor as for [`Runtime::launch`].
    pub(crate) unsafe fn leads(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
    ) -> Result<Arc<Leads>, RuntimeError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.launcher.leads(queue, kernel, block, size) }
    }

    /// Returns when every kernel launched so far has the code that it keeps. The calling thread
    /// helps to make it. Code that cannot be made is reported in the log, and its kernel keeps the
    /// code that it has.
    pub fn wait_for_jit(&self) {
        self.launcher.wait_for_upgrades();
    }

    /// Has a function called for each attempt to make code of a kernel ready, until the result is
    /// dropped. [`Observation`] says on which threads, and what the function must not do.
    pub fn observe_compilations(&self, told: impl Fn(&Compilation) + Send + Sync + 'static) -> Observation {
        self.launcher.compilations().observe(Box::new(told))
    }

    /// Opens a region in which nothing should be compiled, by any thread; its end says if something
    /// was.
    pub fn open_region(&self) -> Region {
        self.launcher.compilations().open_region()
    }

    /// Runs a part of a benchmark. [`RuntimeError::Compiled`] if code of a kernel was made ready
    /// meanwhile; the error names the kernels.
    pub fn compiles_nothing<R>(&self, part: impl FnOnce() -> R) -> Result<R, RuntimeError> {
        let region = self.open_region();
        let result = part();
        region.end()?;
        Ok(result)
    }

    /// Discovers the devices on the first call. No other thread forks meanwhile.
    pub fn devices(&self) -> &Devices {
        let discover = || {
            let found = devices::discover(&self.drivers, self.visibility.as_ref());
            found.visible.iter().filter(|_| !self.shared_buffers).for_each(|entry| entry.buffers.keep_copies());
            found
        };
        self.devices.get().unwrap_or_else(|| forks::between_forks(|| self.devices.get_or_init(discover)))
    }

    /// The device of this driver, for what no visible device can run.
    pub(crate) fn fallback(&self, driver: &str) -> Option<&Arc<DeviceEntry>> {
        let visible = self.devices().visible.iter().find(|device| device.info().driver == driver);
        let hidden = || {
            let driver = self.drivers.iter().find(|known| known.name() == driver)?;
            let device = driver.devices().ok()?.into_iter().next()?;
            Some(Devices::hidden(device))
        };
        visible.or_else(|| self.host.get_or_init(hidden).as_ref())
    }

    /// The device at `index`.
    pub fn device(&self, index: u32) -> Result<&Arc<DeviceEntry>, RuntimeError> {
        self.devices().get(index)
    }

    /// Creates a queue on the device at index `device`.
    pub fn create_queue(&self, device: u32) -> Result<Queue, RuntimeError> {
        let device = self.device(device)?;
        self.expect_launches(device);
        Queue::new(device)
    }

    /// Has kernels prepared that launches on a device are likely to need.
    pub(crate) fn expect_launches(&self, device: &Arc<DeviceEntry>) {
        self.launcher.expect_launches(device);
    }

    /// Containers that kernels come from.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Current values of the counters.
    pub fn statistics(&self) -> abi::Statistics {
        self.statistics.snapshot().statistics
    }

    /// Current values of the counters, including those appended later.
    pub fn whole_statistics(&self) -> abi::WholeStatistics {
        self.statistics.snapshot()
    }

    /// Records of loaded variants, for the report.
    pub fn variants(&self) -> &Statistics {
        &self.statistics
    }

    /// Notes that the program may change variables of devices unseen: kernels that got them by
    /// value get pointers from now on.
    pub(crate) fn lose_constants(&self) {
        self.launcher.lose_constants();
    }

    /// Forgets the kernels of a container that is being unregistered. Submitted commands keep
    /// theirs alive.
    pub fn forget(&self, container: *const abi::Container) {
        self.launcher.forget(container);
    }
}
