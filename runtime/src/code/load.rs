//! Publishes the code of a kernel on a device.
//!
//! In: a descriptor, a device, a class of launches, values. Out: a kernel that can be submitted. *Invariant:* code from the disk that
//! the device does not accept is set aside and translated again; code that was just translated is not. A system that is
//! short of something says nothing about the code: the next launch tries again.
#![forbid(unsafe_code)]

use super::{
    obtain::{Obtained, Sources},
    plan::Plan,
};
use crate::{
    code::variant::{self, ShapeClass},
    devices::DeviceEntry,
    error::RuntimeError,
    launch::{pack::PackPlan, table::Bound},
    registry::descriptor::Descriptor,
    runtime::Runtime,
    statistics::{Source, VariantRecord, add},
    system,
};
use sinter_core::{CacheKey, CodeObject, Specialization, names::readable};
use sinter_driver::{DriverError, Kernel};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Bytes of address space that loading a small kernel takes at most. Rust ends the process if an
/// allocation fails.
const ROOM: usize = 512 << 10;

/// A published kernel and what it cost.
struct Loaded {
    kernel: Arc<dyn Kernel>,
    source: Source,
    translate: Duration,
    assemble: Duration,
    load: Duration,
}

/// Whether the code itself is at fault.
pub(crate) fn is_refused(error: &RuntimeError) -> bool {
    matches!(error, RuntimeError::Driver(error) if matches!(**error, DriverError::Load { .. }))
}

impl Runtime {
    /// A kernel for a descriptor, from wherever its code is. Cache, dumps and the translator write files meanwhile.
    pub(crate) fn prepare(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<Bound, RuntimeError> {
        sinter_signals::quiet(|| self.prepare_quietly(device, kernel, class, specialization))
    }

    fn prepare_quietly(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<Bound, RuntimeError> {
        if !system::has_room(ROOM) {
            return Err(RuntimeError::OutOfMemory { kernel: kernel.symbol.to_owned() });
        }
        let variant = variant::describe(class, &specialization);
        let plan = self.plan(device, kernel, class, specialization)?;
        let target = device.device.target();
        let span = tracing::info_span!("prepare", kernel = readable(kernel.symbol), %target, key = %plan.key);
        let _entered = span.enter();
        let loaded = self.load(device, &plan)?;
        let arguments = PackPlan::new(kernel, loaded.kernel.entry())?;
        let record = self.statistics.record(VariantRecord {
            kernel: kernel.symbol.to_owned(),
            device: device.device.info().name.clone(),
            variant,
            source: loaded.source,
            translate: loaded.translate,
            assemble: loaded.assemble,
            load: loaded.load,
            launches: 0.into(),
        });
        let limit = i64::try_from(device.limits.local_memory).unwrap_or(i64::MAX);
        let dynamic_limit = limit - i64::from(loaded.kernel.entry().local_memory);
        // A kernel that knows one for any range knows one for all.
        let chooses_group =
            class.group_size().is_none() && sinter_signals::aloud(|| loaded.kernel.choose_group_size([1; 3])).is_some();
        let has_imports = plan.has_imports();
        let depends_on_allocations = loaded.kernel.entry().depends_on_allocations && self.code.separate_allocations;
        let kernel = loaded.kernel;
        Ok(Bound { kernel, plan: arguments, record, chooses_group, dynamic_limit, has_imports, depends_on_allocations })
    }

    fn load(&self, device: &DeviceEntry, plan: &Plan) -> Result<Loaded, RuntimeError> {
        if let Some(kernel) = self.loaded_before(device, &plan.key) {
            let nothing = Duration::ZERO;
            return Ok(Loaded { kernel, source: Source::Memory, translate: nothing, assemble: nothing, load: nothing });
        }
        let obtained = self.obtain(device, plan, Sources::All)?;
        match self.publish(device, plan, &obtained) {
            Err(error) if obtained.from_disk && is_refused(&error) => {
                if !self.disk().quarantine(&plan.key, &error.to_string()) {
                    tracing::warn!("code from a cache that is only read not used: {error}");
                }
                let again = self.obtain(device, plan, Sources::Translator)?;
                let result = self.publish(device, plan, &again);
                self.remember_refusal(device, plan, result)
            }
            result => self.remember_refusal(device, plan, result),
        }
    }

    /// Passes a result on. Code that the device does not accept is not made again.
    fn remember_refusal(
        &self,
        device: &DeviceEntry,
        plan: &Plan,
        result: Result<Loaded, RuntimeError>,
    ) -> Result<Loaded, RuntimeError> {
        result.inspect_err(|error| {
            if is_refused(error) {
                self.disk().quarantine(&plan.key, &error.to_string());
                self.codes.fail(plan.key, device.index, error);
            }
        })
    }

    /// The same code on the same device, for another descriptor.
    fn loaded_before(&self, device: &DeviceEntry, key: &CacheKey) -> Option<Arc<dyn Kernel>> {
        self.loaded.get(&(*key, device.index)).and_then(|kernel| kernel.upgrade())
    }

    fn publish(&self, device: &DeviceEntry, plan: &Plan, obtained: &Obtained) -> Result<Loaded, RuntimeError> {
        let code: &CodeObject = &obtained.code;
        let start = Instant::now();
        // A vendor's library may start threads, which would keep the mask.
        let kernel = sinter_signals::aloud(|| device.device.load(code))?;
        let load = start.elapsed();
        add(&self.statistics.load_nanoseconds, load);
        tracing::debug!(?load, source = obtained.source.name(), bytes = code.bytes.len(), "loaded");
        self.loaded.insert((plan.key, device.index), Arc::downgrade(&kernel));
        let Obtained { source, translate, assemble, .. } = *obtained;
        Ok(Loaded { kernel, source, translate, assemble, load })
    }
}
