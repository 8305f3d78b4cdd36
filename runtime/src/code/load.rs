//! Loads kernels on devices.
//!
//! In: a descriptor, a device, a class of launches, values. Out: a loaded kernel. *Invariant:* code
//! from the disk that the device does not accept is set aside and translated again; code that was
//! just translated is not. A system that is short of something says nothing about the code: the next
//! launch tries again.
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
    registry::descriptor::Descriptor,
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

/// Bytes of address space that loading a small kernel takes at most. Rust ends the process if an
/// allocation fails.
const ROOM: usize = 512 << 10;

/// A kernel that a device has loaded.
pub(crate) struct LoadedKernel {
    pub(crate) kernel: Arc<dyn Kernel>,
    /// Its line in the report.
    pub(crate) record: Arc<VariantRecord>,
    /// True if it has functions of other containers.
    pub(crate) has_imports: bool,
}

/// A kernel and what it cost.
struct Loading {
    kernel: Arc<dyn Kernel>,
    source: Source,
    translate: Duration,
    assemble: Duration,
    load: Duration,
}

/// Builds kernels and loads them.
pub(crate) struct Kernels {
    planner: Planner,
    codes: Codes,
    /// By the key that their code is stored under, and device.
    loaded: DashMap<(CacheKey, u32), Weak<dyn Kernel>>,
    statistics: Arc<Statistics>,
}

impl Kernels {
    /// Nothing is looked for yet. Steps of translations go to the folder `dump`; those that take long
    /// are announced on standard error.
    pub(crate) fn new(planner: Planner, statistics: &Arc<Statistics>, dump: Option<PathBuf>, announces: bool) -> Self {
        let codes = Codes::new(&planner.cache, &planner.translator, statistics, dump, announces);
        Kernels { planner, codes, loaded: DashMap::new(), statistics: Arc::clone(statistics) }
    }

    /// The kernel of a descriptor, from wherever its code is. Cache, dumps and the translator write
    /// files meanwhile.
    pub(crate) fn build(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<LoadedKernel, RuntimeError> {
        sinter_signals::quiet(|| self.build_quietly(device, kernel, class, specialization))
    }

    fn build_quietly(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<LoadedKernel, RuntimeError> {
        if !system::has_room(ROOM) {
            return Err(RuntimeError::OutOfMemory { kernel: kernel.symbol.to_owned() });
        }
        let variant = variant::describe(class, &specialization);
        let target = device.device.target();
        let translation = self.planner.plan(target, kernel, class, specialization)?;
        let key = translation.key.digest;
        let span = tracing::info_span!("prepare", kernel = readable(kernel.symbol), %target, %key);
        let _entered = span.enter();
        let Loading { kernel: loaded, source, translate, assemble, load } = self.load(device, &translation)?;
        let record = self.statistics.record(VariantRecord {
            kernel: kernel.symbol.to_owned(),
            device: device.device.info().name.clone(),
            variant,
            source,
            translate,
            assemble,
            load,
            launches: 0.into(),
        });
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
                    tracing::warn!("code from a cache that is only read not used: {error}");
                }
                let again = self.codes.obtain(device, translation, Reuse::Never)?;
                self.remember_refusal(device, translation, &again, self.publish(device, &again))
            }
            result => self.remember_refusal(device, translation, &obtained, result),
        }
    }

    /// Passes a result on. Code that the device does not accept is not made again.
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

    /// The same code on the same device, for another descriptor or other allocations.
    fn loaded_before(&self, device: &DeviceEntry, translation: &Translation) -> Option<Arc<dyn Kernel>> {
        translation.keys().find_map(|key| {
            let kernel = self.loaded.get(&(key.digest, device.index))?.upgrade()?;
            translation.accepts(key, kernel.entry()).then_some(kernel)
        })
    }

    fn publish(&self, device: &DeviceEntry, obtained: &Obtained) -> Result<Loading, RuntimeError> {
        let code: &CodeObject = &obtained.code;
        let start = Instant::now();
        // A vendor's library may start threads, which would keep the mask.
        let kernel = sinter_signals::aloud(|| device.device.load(code))?;
        let load = start.elapsed();
        add(&self.statistics.load_nanoseconds, load);
        tracing::debug!(?load, source = obtained.source.name(), bytes = code.bytes.len(), "loaded");
        self.loaded.insert((obtained.key, device.index), Arc::downgrade(&kernel));
        let Obtained { source, translate, assemble, .. } = *obtained;
        Ok(Loading { kernel, source, translate, assemble, load })
    }

    /// Forgets the places of kernels that nobody holds any more.
    pub(crate) fn forget_unloaded(&self) {
        self.loaded.retain(|_, kernel| kernel.strong_count() > 0);
    }
}
