//! Loads kernels on devices.
//!
//! In: a descriptor, a device, a shape class, values. Out: a loaded kernel. *Invariant:* code from
//! the disk that the device rejects is quarantined and translated again; freshly translated code is
//! not. Exhausted resources of the system (memory, descriptors) do not count against the code: the
//! next launch tries again.
#![forbid(unsafe_code)]

use super::{
    assemble::is_refused,
    obtain::{Codes, Reuse},
    store::Obtained,
    translation::{Planner, Translation},
    variant::{self, ShapeClass},
};
use crate::{
    devices::DeviceEntry,
    error::RuntimeError,
    forks,
    registry::{Registry, descriptor::Descriptor},
    statistics::{Source, Statistics, VariantRecord, add},
    system,
};
use dashmap::DashMap;
use sinter_core::{CacheKey, CodeObject, Specialization, names::readable};
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
}

/// A loaded kernel and the times that it took.
struct Loading {
    kernel: Arc<dyn Kernel>,
    source: Source,
    translate: Duration,
    assemble: Duration,
    load: Duration,
}

/// Builds kernels and loads them on devices.
pub(crate) struct Kernels {
    planner: Planner,
    codes: Codes,
    /// Loaded kernels, by cache key and device index.
    loaded: DashMap<(CacheKey, u32), Weak<dyn Kernel>>,
    statistics: Arc<Statistics>,
}

impl Kernels {
    /// Defers all searching. `dump` is the folder for the steps of translations. `announces`: long
    /// translations are announced on standard error.
    pub(crate) fn new(planner: Planner, statistics: &Arc<Statistics>, dump: Option<PathBuf>, announces: bool) -> Self {
        let codes = Codes::new(&planner.cache, &planner.translator, statistics, dump, announces);
        Kernels { planner, codes, loaded: DashMap::new(), statistics: Arc::clone(statistics) }
    }

    /// Builds and loads the kernel of a descriptor; its code comes from the process, a cache or the
    /// translator. SIGXFSZ and SIGPIPE are blocked meanwhile, because cache, dumps and translator
    /// write files. No other thread forks meanwhile.
    pub(crate) fn build(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<LoadedKernel, RuntimeError> {
        let build = || self.build_quietly(device, kernel, class, specialization);
        forks::between_forks(|| sinter_signals::with_signals_blocked(build))
    }

    fn build_quietly(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<LoadedKernel, RuntimeError> {
        if !system::has_address_space(ROOM) {
            return Err(RuntimeError::OutOfMemory { kernel: kernel.symbol.to_owned() });
        }
        let variant = variant::describe(class, &specialization);
        let target = device.device.target();
        let translation = self.planner.plan(target, kernel, class, specialization)?;
        let key = translation.key.digest;
        let span = tracing::info_span!("prepare", kernel = readable(kernel.symbol), %target, %key);
        let _entered = span.enter();
        let Loading { kernel: loaded, source, translate, assemble, load } = self.load(device, &translation)?;
        let record = VariantRecord {
            kernel: kernel.symbol.to_owned(),
            device: device.device.info().name.clone(),
            variant,
            source,
            translate,
            assemble,
            load,
            launches: 0.into(),
        };
        Ok(LoadedKernel { kernel: loaded, record, has_imports: translation.has_imports() })
    }

    fn load(&self, device: &DeviceEntry, translation: &Translation) -> Result<Loading, RuntimeError> {
        if let Some(kernel) = self.loaded_before(device, translation) {
            let nothing = Duration::ZERO;
            return Ok(Loading {
                kernel,
                source: Source::Memory,
                translate: nothing,
                assemble: nothing,
                load: nothing,
            });
        }
        let obtained = self.codes.obtain(device, translation, Reuse::Allowed)?;
        match self.publish(device, &obtained) {
            Err(error) if obtained.from_disk && is_refused(&error) => {
                if !self.codes.cache.quarantine(&obtained.key, &error.to_string()) {
                    tracing::warn!("code from a read-only cache rejected: {error}");
                }
                let again = self.codes.obtain(device, translation, Reuse::Never)?;
                self.remember_refusal(device, translation, &again, self.publish(device, &again))
            }
            result => self.remember_refusal(device, translation, &obtained, result),
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
                self.codes.cache.quarantine(&obtained.key, &error.to_string());
                self.codes.store.fail(translation.key.digest, device.index, error);
            }
        })
    }

    /// A kernel that this device has loaded from the same code, for another descriptor or other
    /// allocations.
    fn loaded_before(&self, device: &DeviceEntry, translation: &Translation) -> Option<Arc<dyn Kernel>> {
        translation.keys().find_map(|key| {
            let kernel = self.loaded.get(&(key.digest, device.index))?.upgrade()?;
            translation.accepts(key, kernel.entry()).then_some(kernel)
        })
    }

    fn publish(&self, device: &DeviceEntry, obtained: &Obtained) -> Result<Loading, RuntimeError> {
        let code: &CodeObject = &obtained.code;
        let start = Instant::now();
        // A vendor library may start threads, which would inherit the blocked signals.
        let kernel = sinter_signals::with_signals_restored(|| device.device.load(code))?;
        let load = start.elapsed();
        add(&self.statistics.load_nanoseconds, load);
        tracing::debug!(?load, source = obtained.source.name(), key = %obtained.key, bytes = code.bytes.len(), "loaded");
        self.loaded.insert((obtained.key, device.index), Arc::downgrade(&kernel));
        let Obtained { source, translate, assemble, .. } = *obtained;
        Ok(Loading { kernel, source, translate, assemble, load })
    }

    /// Containers and device globals of the program.
    pub(crate) fn registry(&self) -> &Registry {
        &self.planner.registry
    }

    /// Drops table entries of kernels that are no longer in use.
    pub(crate) fn drop_unloaded(&self) {
        self.loaded.retain(|_, kernel| kernel.strong_count() > 0);
    }
}
