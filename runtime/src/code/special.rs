//! Makes code of a kernel for values of its arguments, which no launch waits for.
//!
//! In: the variant that launches run, and values. Out: the loaded code for them. *Invariant:* only
//! memory of the runtime is read once the images are copied; a container that is gone gives no
//! code.
#![forbid(unsafe_code)]

use super::{
    lists::{self, Contents, Origin},
    load::{Kernels, LoadedKernel},
    obtain::Waiting,
    profile::{Expected, Values},
};
use crate::{
    devices::DeviceEntry,
    error::RuntimeError,
    statistics::{Reason, Variant},
    system,
};
use sinter_core::{CacheKey, KernelConfig, Specialization, names::readable};

/// Values that code is wanted for.
pub(crate) struct WantedValues<'a> {
    /// Address of the kernel's container.
    pub(crate) container: usize,
    /// The variant for all values.
    pub(crate) config: &'a KernelConfig,
    /// Values, by index of the parameter record.
    pub(crate) values: Values,
    /// The variant in the report.
    pub(crate) variant: Variant,
}

/// A variant for further values.
fn with_values(config: &KernelConfig, values: Values) -> KernelConfig {
    let mut arguments: Vec<_> = config.specialization.arguments.iter().cloned().chain(values).collect();
    arguments.sort_by_key(|(parameter, _)| *parameter);
    arguments.dedup_by_key(|(parameter, _)| *parameter);
    let specialization = Specialization { arguments, ..config.specialization.clone() };
    KernelConfig { specialization, ..config.clone() }
}

impl Kernels {
    /// Makes and loads code for values; `None` if the kernel's container is gone.
    pub(crate) fn specialize(
        &self,
        device: &DeviceEntry,
        wanted: WantedValues<'_>,
        waiting: Waiting,
    ) -> Result<Option<LoadedKernel>, RuntimeError> {
        let WantedValues { container, config, values, variant } = wanted;
        let kernels = self.registry().kernels_of(container).into_iter();
        let Some(kernel) = kernels.into_iter().find(|kernel| kernel.symbol == config.entry) else { return Ok(None) };
        let config = with_values(config, values);
        let target = device.device.target();
        let planned = self.planner.plan_listed(target, &kernel, config)?;
        let Some(translation) = planned else { return Ok(None) };
        let key = translation.key.digest;
        let span = tracing::info_span!("specialize", kernel = readable(&variant.kernel), %target, %key);
        let _entered = span.enter();
        self.load_later(device, &translation, (variant, Reason::Values), waiting).map(Some)
    }

    /// The name of a list of the container's file and the kind of device.
    pub(super) fn list_name(&self, contents: Contents, origin: Origin, device: &DeviceEntry) -> CacheKey {
        let object_id = self.registry().while_registered(origin.container, |container| container.object_id());
        let file = system::file_of(std::ptr::without_provenance(origin.container));
        lists::list_of(contents, file.as_deref(), &object_id.unwrap_or_default(), device.target().family())
    }

    /// Notes for later processes whether code for values has gained.
    pub(crate) fn note_values(
        &self,
        container: usize,
        device: &DeviceEntry,
        config: &KernelConfig,
        values: Values,
        has_gained: bool,
    ) {
        let origin = Origin { container, device: device.index };
        let (special, name) = (with_values(config, values), |contents| self.list_name(contents, origin, device));
        sinter_signals::with_signals_blocked(|| self.profiles.note(origin, &special, has_gained, name));
    }

    /// Values that earlier processes had code for, in launches of a variant.
    pub(crate) fn expected_values(&self, container: usize, device: &DeviceEntry, variant: &KernelConfig) -> Expected {
        let origin = Origin { container, device: device.index };
        let name = |contents| self.list_name(contents, origin, device);
        sinter_signals::with_signals_blocked(|| self.profiles.expected(origin, variant, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::ConstantValue;

    #[test]
    fn values_are_sorted_and_those_of_the_program_stay() {
        let mut config = KernelConfig::generic("k");
        config.specialization.arguments = vec![(2, ConstantValue::I32(5))];
        let both = with_values(&config, vec![(3, ConstantValue::I32(1)), (0, ConstantValue::I64(7))]);
        let parameters: Vec<_> = both.specialization.arguments.iter().map(|(parameter, _)| *parameter).collect();
        assert_eq!(parameters, [0, 2, 3]);
        let again = with_values(&config, vec![(2, ConstantValue::I32(6))]);
        assert_eq!(again.specialization.arguments, [(2, ConstantValue::I32(5))]);
    }
}
