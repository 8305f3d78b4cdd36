//! Loads kernels on devices.
//!
//! In: a descriptor, a device, a shape class, values. Out: a loaded kernel, with an upgrade if its
//! code is quick and full code is to follow. *Invariant:* code from the disk that the device
//! rejects is quarantined and translated again; freshly translated code is not. Exhausted resources
//! of the system (memory, descriptors) do not count against the code: the next launch tries again.
#![forbid(unsafe_code)]

use super::{
    assemble::is_refused,
    launched::Launches,
    lists::Origin,
    obtain::{Codes, Reuse, Waiting},
    profile::Profiles,
    store::Obtained,
    tiers::{AheadOptions, ChosenMode, JitMode},
    translation::{Planner, Translation},
    variant::ShapeClass,
};
use crate::{
    abi,
    cache::DiskCache,
    devices::DeviceEntry,
    error::{RequiredBy, RuntimeError},
    forks::ForkSafe,
    registry::{Registry, descriptor::Descriptor},
    statistics::{Reason, Source, Statistics, Variant, VariantRecord, add},
    system, trace,
};
use dashmap::DashMap;
use sinter_core::{CacheKey, CodeObject, KernelConfig, OptLevel, Specialization, names::readable};
use sinter_driver::Kernel;
use std::{
    path::PathBuf,
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

/// Upper bound in bytes on the address space for loading a small kernel. Checked first, because
/// Rust aborts the process if an allocation fails.
const ROOM: usize = 512 << 10;

/// A kernel that a device has loaded.
pub(crate) struct LoadedKernel {
    pub(crate) kernel: Arc<dyn Kernel>,
    /// Its record in the report.
    pub(crate) record: VariantRecord,
    /// True if it contains functions of other containers.
    pub(crate) has_imports: bool,
    /// Full code to follow.
    pub(crate) upgrade: Option<Upgrade>,
    /// The configuration of full code.
    pub(crate) config: KernelConfig,
}

/// Full code for a kernel whose code is quick, to be made when no launch waits. *Invariant:* it
/// refers to no memory of the program, which may unload the kernel.
pub(crate) struct Upgrade {
    translation: Translation,
    variant: Variant,
}

impl Upgrade {
    /// The variant that it is for.
    pub(crate) fn variant(&self) -> &Variant {
        &self.variant
    }
}

/// Code that a launch needs.
pub(crate) struct Wanted<'a> {
    pub(crate) kernel: &'a Descriptor<'a>,
    pub(crate) class: &'a ShapeClass,
    pub(crate) specialization: Specialization,
    pub(crate) variant: Variant,
    pub(crate) mode: ChosenMode,
}

/// An error of a launch that needs code.
pub(crate) struct Unbuilt {
    pub(crate) error: RuntimeError,
    /// Something was tried: it is no error of an earlier launch.
    pub(crate) is_new: bool,
}

impl From<RuntimeError> for Unbuilt {
    fn from(error: RuntimeError) -> Self {
        Unbuilt { error, is_new: true }
    }
}

/// A loaded kernel and the times that it took.
struct Loading {
    kernel: Arc<dyn Kernel>,
    level: OptLevel,
    source: Source,
    translate: Duration,
    assemble: Duration,
    load: Duration,
}

impl Loading {
    fn of_memory((kernel, level): (Arc<dyn Kernel>, OptLevel)) -> Self {
        let nothing = Duration::ZERO;
        Loading { kernel, level, source: Source::Memory, translate: nothing, assemble: nothing, load: nothing }
    }

    /// The record of code that was loaded just now.
    fn record(&self, variant: Variant, reason: Reason, now: Duration) -> VariantRecord {
        let Loading { level, source, translate, assemble, load, .. } = *self;
        let begun = now.saturating_sub(translate + assemble + load);
        let (launches, verdict, choices) = (0.into(), Arc::default(), ForkSafe::default());
        VariantRecord { variant, level, reason, begun, source, translate, assemble, load, launches, verdict, choices }
    }
}

/// A kernel that is loaded as long as it is in use, and the level of its code.
type Loaded = (Weak<dyn Kernel>, OptLevel);

/// Builds kernels and loads them on devices.
pub(crate) struct Kernels {
    pub(super) planner: Planner,
    pub(super) codes: Codes,
    /// The mode of queues that have none.
    pub(crate) mode: JitMode,
    pub(super) ahead: AheadOptions,
    pub(super) launches: Launches,
    pub(super) profiles: Profiles,
    /// Loaded kernels and the levels of their code, by cache key and device index.
    loaded: ForkSafe<DashMap<(CacheKey, u32), Loaded>>,
    statistics: Arc<Statistics>,
}

impl Kernels {
    /// Defers all searching. `dump` is the folder for the steps of translations. `announces`: long
    /// translations are announced on standard error.
    pub(crate) fn new(
        planner: Planner,
        mode: JitMode,
        ahead: AheadOptions,
        statistics: &Arc<Statistics>,
        dump: Option<PathBuf>,
        announces: bool,
    ) -> Self {
        let codes = Codes::new(&planner.cache, &planner.translator, statistics, dump, announces);
        let (loaded, statistics) = (ForkSafe::new(DashMap::new()), Arc::clone(statistics));
        let (launches, profiles) = (Launches::new(&planner.cache), Profiles::new(&planner.cache));
        Kernels { planner, codes, mode, ahead, launches, profiles, loaded, statistics }
    }

    /// The disk cache.
    pub(crate) fn cache(&self) -> &Arc<DiskCache> {
        &self.planner.cache
    }

    /// Builds and loads the kernel of a descriptor; its code comes from the process, a cache or the
    /// translator. SIGXFSZ and SIGPIPE are blocked meanwhile, because cache, dumps and translator
    /// write files.
    pub(crate) fn build(&self, device: &DeviceEntry, wanted: Wanted<'_>) -> Result<LoadedKernel, Unbuilt> {
        sinter_signals::with_signals_blocked(|| self.build_quietly(device, wanted))
    }

    fn build_quietly(&self, device: &DeviceEntry, wanted: Wanted<'_>) -> Result<LoadedKernel, Unbuilt> {
        let Wanted { kernel, class, specialization, variant, mode } = wanted;
        if !system::has_address_space(ROOM) {
            return Err(RuntimeError::OutOfMemory { kernel: kernel.symbol.to_owned() }.into());
        }
        let target = device.device.target();
        let full = Arc::new(self.planner.plan(target, kernel, class, specialization)?);
        self.launches.note(Origin { container: kernel.container.addr(), device: device.index }, &full.config);
        let key = full.key.digest;
        let span = tracing::info_span!("prepare", kernel = readable(kernel.symbol), %target, %key);
        let _entered = span.enter();
        let is_known = self.codes.store.failure(key, device.index).is_some();
        let is_new = |error: &RuntimeError| !is_known && !matches!(error, RuntimeError::NotReady { .. });
        let loading = self.first(device, &full, mode);
        let loading = loading.map_err(|error| Unbuilt { is_new: is_new(&error), error })?;
        let is_quick = loading.level == OptLevel::O1 && full.config.opt_level != OptLevel::O1;
        let upgrade = if is_quick { self.upgrade_of(device, &full, &variant, mode) } else { None };
        let record = loading.record(variant, Reason::Launch, self.statistics.age());
        let (has_imports, config) = (full.has_imports(), full.config.clone());
        Ok(LoadedKernel { kernel: loading.kernel, record, has_imports, upgrade, config })
    }

    /// The code that a launch runs first.
    fn first(
        &self,
        device: &DeviceEntry,
        full: &Arc<Translation>,
        chosen: ChosenMode,
    ) -> Result<Loading, RuntimeError> {
        match chosen.mode {
            JitMode::Fallback if full.has_quick_code() => match self.ready(device, full)? {
                Some(ready) => Ok(ready),
                None => self.quick(device, full),
            },
            JitMode::Sync | JitMode::Fallback => self.load(device, full, Waiting::Launch),
            JitMode::Require => self.required(device, full, chosen.by),
        }
    }

    /// Quick code, or code of the translator if there is none.
    fn quick(&self, device: &DeviceEntry, full: &Arc<Translation>) -> Result<Loading, RuntimeError> {
        let quick = self.planner.quick(full)?;
        self.load(device, &quick, Waiting::Launch).or_else(|error| {
            tracing::debug!("no quick code: {}", error.chain());
            // Reports the error under the key of full code, or does without quick code.
            self.load(device, full, Waiting::Launch)
        })
    }

    /// Code that exists. It is an error if a compiler would have to run.
    fn required(&self, device: &DeviceEntry, full: &Arc<Translation>, by: RequiredBy) -> Result<Loading, RuntimeError> {
        if let Some(ready) = self.ready(device, full)? {
            return Ok(ready);
        }
        let quick = if full.has_quick_code() { self.ready(device, &self.planner.quick(full)?)? } else { None };
        quick.ok_or_else(|| RuntimeError::NotReady {
            kernel: full.config.entry.clone(),
            device: device.info().name.clone(),
            by,
        })
    }

    /// A kernel that needs no compiler: it is loaded already, or its code is stored.
    fn ready(&self, device: &DeviceEntry, translation: &Translation) -> Result<Option<Loading>, RuntimeError> {
        if let Some(found) = self.loaded_before(device, translation) {
            return Ok(Some(Loading::of_memory(found)));
        }
        let Some(stored) = self.codes.stored(device, translation) else { return Ok(None) };
        match self.publish(device, translation, &stored) {
            Err(error) if stored.from_disk && is_refused(&error) => {
                self.set_aside(&stored, &error);
                Ok(None)
            }
            result => result.map(Some),
        }
    }

    /// The work that remains after quick code. `None` if it would fail, because it failed before.
    fn upgrade_of(
        &self,
        device: &DeviceEntry,
        full: &Translation,
        variant: &Variant,
        chosen: ChosenMode,
    ) -> Option<Upgrade> {
        if chosen.mode != JitMode::Fallback || self.codes.store.failure(full.key.digest, device.index).is_some() {
            return None;
        }
        let copied = full.copied(&self.codes.cache);
        let copied = copied.inspect_err(|error| tracing::warn!("no full code will follow: {}", error.chain()));
        Some(Upgrade { translation: copied.ok()?, variant: variant.clone() })
    }

    /// Makes and loads full code.
    pub(crate) fn finish(
        &self,
        device: &DeviceEntry,
        upgrade: &Upgrade,
        waiting: Waiting,
    ) -> Result<LoadedKernel, RuntimeError> {
        let Upgrade { translation, variant } = upgrade;
        let (target, key) = (&translation.target, translation.key.digest);
        let span = tracing::info_span!("upgrade", kernel = readable(&variant.kernel), %target, %key);
        let _entered = span.enter();
        self.load_later(device, translation, (variant.clone(), Reason::Upgrade), waiting)
    }

    /// Makes and loads code that is to replace other code.
    pub(super) fn load_later(
        &self,
        device: &DeviceEntry,
        translation: &Translation,
        (variant, reason): (Variant, Reason),
        waiting: Waiting,
    ) -> Result<LoadedKernel, RuntimeError> {
        let loading = sinter_signals::with_signals_blocked(|| self.load(device, translation, waiting))?;
        let record = loading.record(variant, reason, self.statistics.age());
        let has_imports = translation.has_imports();
        let config = translation.config.clone();
        Ok(LoadedKernel { kernel: loading.kernel, record, has_imports, upgrade: None, config })
    }

    fn load(&self, device: &DeviceEntry, translation: &Translation, waiting: Waiting) -> Result<Loading, RuntimeError> {
        if let Some(found) = self.loaded_before(device, translation) {
            return Ok(Loading::of_memory(found));
        }
        let obtained = self.codes.obtain(device, translation, Reuse::Allowed, waiting)?;
        match self.publish(device, translation, &obtained) {
            Err(error) if obtained.from_disk && is_refused(&error) => {
                self.set_aside(&obtained, &error);
                let again = self.codes.obtain(device, translation, Reuse::Never, waiting)?;
                self.remember_refusal(device, translation, &again, self.publish(device, translation, &again))
            }
            result => self.remember_refusal(device, translation, &obtained, result),
        }
    }

    /// Quarantines stored code that the device rejected.
    fn set_aside(&self, stored: &Obtained, error: &RuntimeError) {
        if !self.codes.cache.quarantine(&stored.place, &error.to_string()) {
            tracing::warn!("code from a read-only cache rejected: {error}");
        }
    }

    /// Returns `result`. Code that the device rejects is remembered, so that it is not built again.
    fn remember_refusal(
        &self,
        device: &DeviceEntry,
        translation: &Translation,
        obtained: &Obtained,
        result: Result<Loading, RuntimeError>,
    ) -> Result<Loading, RuntimeError> {
        result.inspect_err(|error| {
            if is_refused(error) {
                self.codes.cache.quarantine(&obtained.place, &error.to_string());
                self.codes.store.fail(translation.key.digest, device.index, error);
            }
        })
    }

    /// A kernel that this device has loaded from the same code, for another descriptor or other
    /// allocations, and the level of the code.
    fn loaded_before(&self, device: &DeviceEntry, translation: &Translation) -> Option<(Arc<dyn Kernel>, OptLevel)> {
        translation.keys().find_map(|key| {
            let loaded = self.loaded.with(|loaded| Some(loaded.get(&(key.digest, device.index))?.clone()));
            let (kernel, level) = loaded?;
            let kernel = kernel.upgrade()?;
            translation.accepts(key, kernel.entry()).then_some((kernel, level))
        })
    }

    fn publish(
        &self,
        device: &DeviceEntry,
        translation: &Translation,
        obtained: &Obtained,
    ) -> Result<Loading, RuntimeError> {
        let code: &CodeObject = &obtained.code;
        let _span = trace::span("load", || [("kernel", readable(&code.entry.symbol))]);
        let start = Instant::now();
        // A vendor library may start threads, which would inherit the blocked signals.
        let kernel = sinter_signals::with_signals_restored(|| device.device.load(code))?;
        kernel.keep_with(&|| self.codes.keep(&*device.device, translation, obtained));
        self.codes.store.drop_prepared(&obtained.place);
        let load = start.elapsed();
        add(&self.statistics.load_nanoseconds, load);
        tracing::debug!(?load, source = obtained.source.name(), key = %obtained.key, bytes = code.bytes.len(), "loaded");
        let entry = (Arc::downgrade(&kernel), code.level);
        self.loaded.with(|loaded| loaded.insert((obtained.key, device.index), entry));
        let Obtained { source, translate, assemble, .. } = *obtained;
        Ok(Loading { kernel, level: code.level, source, translate, assemble, load })
    }

    /// Containers and device globals of the program.
    pub(crate) fn registry(&self) -> &Registry {
        &self.planner.registry
    }

    /// Forgets a container that is unregistered, and kernels that are no longer in use.
    pub(crate) fn forget(&self, container: *const abi::Container) {
        sinter_signals::with_signals_blocked(|| self.launches.keep(container.addr()));
        self.profiles.forget(container.addr());
        self.loaded.with(|loaded| loaded.retain(|_, (kernel, _)| kernel.strong_count() > 0));
    }
}
