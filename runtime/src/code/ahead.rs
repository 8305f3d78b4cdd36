//! Prepares the code of kernels that are likely to be launched next.
//!
//! In: a launch that has found no code. Out: the other variants that the last run of the program
//! launched, or where there is no list, the other kernels of the container with the most usual kind
//! of launch; and for each its code in the cache. *Invariant:* a launch gets the same code as if
//! nothing had been prepared, and no failure of this is remembered or reported. No vendor library
//! is called, because the process may end meanwhile: code for GPUs is left to be assembled.
#![forbid(unsafe_code)]

use super::{
    launched::{self, Contents, Origin},
    load::Kernels,
    obtain::{Reuse, Waiting},
    tiers::JitMode,
    translation::Translation,
};
use crate::{devices::DeviceEntry, registry::ListedKernel, system};
use sinter_core::{CacheKey, KernelConfig, Specialization};
use std::collections::BTreeMap;

/// A variant that may be launched.
pub(crate) struct Likely {
    pub(crate) kernel: ListedKernel,
    /// As it was launched in the last run; `None` for a guess.
    variant: Option<KernelConfig>,
}

/// Pointers that a launch tells apart, as in `launch/allocations.rs`.
const MOST_POINTERS: usize = 15;

/// A launch of a kernel that nothing is known about, like another launch. All its pointers are
/// taken to lead to different allocations.
fn guess(kernel: &ListedKernel, usual: &KernelConfig, separates: bool) -> KernelConfig {
    let number = |(index, parameter): (u32, &u32)| (*parameter, index + 1);
    let is_separate = separates && kernel.pointers.len() > 1;
    let allocations =
        if is_separate { (0..).zip(&kernel.pointers).take(MOST_POINTERS).map(number).collect() } else { Vec::new() };
    let specialization = Specialization { allocations, ..Specialization::default() };
    KernelConfig { entry: kernel.symbol.clone(), specialization, sub_group_size: None, ..usual.clone() }
}

impl Kernels {
    /// Notes that a launch has found no code. True if kernels should be prepared.
    pub(crate) fn misses(&self, origin: Origin, device: &DeviceEntry) -> bool {
        self.launches.misses(origin, || self.list_name(Contents::Launched, origin, device))
    }

    /// The name of a list of the container's file and the kind of device.
    pub(super) fn list_name(&self, contents: Contents, origin: Origin, device: &DeviceEntry) -> CacheKey {
        let container = std::ptr::without_provenance(origin.container);
        let object_id = self.registry().find(container).map_or([0; 32], |container| container.object_id());
        let file = system::file_of(container.cast());
        launched::list_of(contents, file.as_deref(), &object_id, device.target().family())
    }

    /// Variants that may be launched, the most likely first, as many as the budget allows.
    pub(crate) fn likely(&self, origin: Origin) -> Vec<Likely> {
        let expected = self.launches.expected(origin);
        let is_guess = expected.is_empty();
        let mut likely = if is_guess { self.guesses(origin) } else { self.listed(origin, expected) };
        likely.truncate(self.budget.take(likely.len()));
        tracing::debug!(kernels = likely.len(), is_guess, "prepares kernels");
        likely
    }

    /// The kernels of a container whose variants do not depend on values.
    fn guesses(&self, origin: Origin) -> Vec<Likely> {
        let kernels = self.registry().kernels_of(origin.container).into_iter();
        let plain = kernels.filter(|kernel| !kernel.is_specialized);
        plain.map(|kernel| Likely { kernel, variant: None }).collect()
    }

    /// The variants of a list whose kernels are in containers of the same file.
    fn listed(&self, origin: Origin, expected: Vec<KernelConfig>) -> Vec<Likely> {
        let file = |container: usize| system::file_of(std::ptr::without_provenance(container));
        let own = file(origin.container);
        let others = self.registry().addresses().into_iter().filter(|other| *other != origin.container);
        let beside = others.filter(|other| own.is_some() && file(*other) == own);
        let mut kernels = BTreeMap::new();
        for container in std::iter::once(origin.container).chain(beside) {
            if expected.iter().all(|variant| kernels.contains_key(&variant.entry)) {
                break;
            }
            let listed = self.registry().kernels_of(container).into_iter();
            kernels.extend(listed.map(|kernel| (kernel.symbol.clone(), kernel)));
        }
        let kernel = |variant: &KernelConfig| kernels.get(&variant.entry).cloned();
        let likely = |variant| Some(Likely { kernel: kernel(&variant)?, variant: Some(variant) });
        expected.into_iter().filter_map(likely).collect()
    }

    /// Makes the code that the first launch of a variant would wait for, unless there is some.
    pub(crate) fn prepare(&self, origin: Origin, device: &DeviceEntry, likely: &Likely) {
        let Likely { kernel, variant } = likely;
        let guessed = || Some(guess(kernel, &self.launches.usual(origin)?, self.planner.options.separate_allocations));
        let Some(variant) = variant.clone().or_else(guessed) else { return };
        let wants = |translation: &Translation| self.codes.lacks(device, translation);
        let is_quick = self.mode == JitMode::Fallback;
        let planned = self.planner.plan_listed(device.target(), kernel, variant, is_quick, wants);
        let made = planned.and_then(|translation| match translation {
            Some(translation) => {
                self.codes.obtain(device, &translation, Reuse::Allowed, Waiting::Guess, &|| ()).map(drop)
            }
            None => Ok(()),
        });
        if let Err(error) = made {
            tracing::debug!("nothing is prepared: {}", error.chain());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_separates_the_pointers_of_a_kernel() {
        let kernel = |pointers| ListedKernel {
            container: 0,
            symbol: "k".to_owned(),
            image: 0,
            ir_hash: None,
            pointers,
            is_specialized: false,
        };
        let usual = KernelConfig {
            dimensions: 2,
            group_size: Some([8; 3]),
            sub_group_size: Some(8),
            ..KernelConfig::generic("u")
        };
        let guessed = guess(&kernel(vec![0, 3]), &usual, true);
        assert_eq!((&guessed.entry[..], guessed.dimensions, guessed.group_size), ("k", 2, Some([8; 3])));
        assert_eq!((guessed.specialization.allocations, guessed.sub_group_size), (vec![(0, 1), (3, 2)], None));
        assert!(guess(&kernel(vec![0]), &usual, true).specialization.allocations.is_empty(), "nothing to tell apart");
        assert!(guess(&kernel(vec![0, 3]), &usual, false).specialization.allocations.is_empty());
    }
}
