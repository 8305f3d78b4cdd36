//! Prepares the code of kernels that are likely to be launched.
//!
//! In: a device that gets its first queue, or a launch that had to translate. Out: the variants
//! that the last process of the program launched, or in its first process the kernels of a small
//! program as they are usually launched; and for each its code in the cache. *Invariant:* a launch
//! gets the same code as if nothing had been prepared, and no failure of this is remembered or
//! reported.
#![forbid(unsafe_code)]

use super::{
    launched::{Expected, Place, Stamp},
    lists::{Contents, Origin},
    load::Kernels,
    obtain::{Part, Reuse, Waiting},
    tiers::JitMode,
    translation::Translation,
    variant::{self, ShapeClass},
};
use crate::{
    aspects,
    devices::DeviceEntry,
    registry::ListedKernel,
    statistics::{Made, Variant},
    system,
};
use sinter_core::{
    KernelConfig, Specialization,
    container::{LaunchForm, Required},
};
use std::collections::BTreeMap;

/// Kernels of a program whose first process prepares them: it mostly launches all.
const MOST_GUESSED: usize = 8;
/// Size in bytes up to which code is assembled. The end of the process waits for an assembler, and
/// NVIDIA's takes 80 ms for 25 KB of PTX, 200 ms for 38 KB.
const MOST_ASSEMBLED: usize = 32 << 10;
/// Pointers that a launch tells apart.
pub(crate) const MOST_POINTERS: usize = 15;
/// Work-group sizes that most programs use, for one to three dimensions.
const USUAL_GROUPS: [[u32; 3]; 3] = [[256, 1, 1], [16, 16, 1], [256, 1, 1]];

/// A variant that may be launched.
pub(crate) struct Likely {
    pub(crate) kernel: ListedKernel,
    config: KernelConfig,
}

impl Likely {
    /// The variant in the words of the report.
    pub(crate) fn variant(&self, device: &DeviceEntry) -> Variant {
        let description = variant::describe(&ShapeClass::of_config(&self.config), &self.config.specialization);
        Variant { kernel: self.kernel.symbol.clone(), device: device.info().name.clone(), description }
    }
}

/// The usual launch of a kernel, with pointers to different allocations. `None` where too little is
/// known.
fn guess(kernel: &ListedKernel, separates: bool) -> Option<KernelConfig> {
    let (dimensions, group_size) = match kernel.form.filter(|_| kernel.specialized.is_empty())? {
        LaunchForm::Range(dimensions) => (dimensions, None),
        LaunchForm::Groups(dimensions) => (dimensions, Some(USUAL_GROUPS[usize::from(dimensions) - 1])),
    };
    let number = |(index, parameter): (u32, &u32)| (*parameter, index + 1);
    let pointers = kernel.pointers.iter().take(MOST_POINTERS);
    let is_separate = separates && kernel.pointers.len() > 1;
    let allocations = if is_separate { (0..).zip(pointers).map(number).collect() } else { Vec::new() };
    Some(KernelConfig {
        specialization: Specialization { allocations, ..Specialization::default() },
        dimensions,
        group_size: kernel.required.group_size.or(group_size),
        sub_group_size: kernel.required.sub_group_size,
        sizes_fit_i32: true,
        ..KernelConfig::generic(kernel.symbol.clone())
    })
}

/// True if a variant of an older build of the kernel can be one of this build.
fn is_of(kernel: &ListedKernel, config: &KernelConfig) -> bool {
    let Specialization { allocations, arguments, .. } = &config.specialization;
    let Required { group_size, sub_group_size, .. } = kernel.required;
    allocations.iter().all(|(parameter, _)| kernel.pointers.contains(parameter))
        && arguments.iter().map(|(parameter, _)| parameter).eq(&kernel.specialized)
        && (group_size.is_none() || group_size == config.group_size)
        && sub_group_size == config.sub_group_size
}

/// True if a launch of the kernel on the device is not refused.
fn can_run(kernel: &ListedKernel, device: &DeviceEntry) -> bool {
    let Required { sub_group_size, aspects, .. } = kernel.required;
    let (info, lacks) = (device.info(), aspects & !aspects::of(device.info()));
    lacks == 0 && sub_group_size.is_none_or(|size| info.sub_group_sizes.contains(&size.into()))
}

impl Kernels {
    /// Has `told` called with a device before a launch has code assembled for it.
    pub(crate) fn before_assembly(&self, told: impl Fn(&DeviceEntry) + Send + Sync + 'static) {
        let _ = self.codes.before_assembly.set(Box::new(told));
    }

    /// True if kernels are prepared in this process.
    fn prepares(&self) -> bool {
        self.ahead.most > 0 && self.mode != JitMode::Require && self.planner.cache.is_read()
    }

    /// The kernels that are to be prepared for a device, for each file that was not looked at
    /// before and whose code may be missing: all files, or that of one container.
    pub(crate) fn unprepared(&self, device: &DeviceEntry, container: Option<usize>) -> Vec<(Origin, Expected)> {
        if !self.prepares() {
            return Vec::new();
        }
        let origin = |container| Origin { container, device: device.index };
        let all = || self.registry().addresses().into_iter().map(origin).collect();
        let meant = container.map_or_else(all, |container| vec![origin(container)]);
        let unknown = self.launches.unknown(meant.into_iter());
        let look = |one: &Origin| self.look_at_file(*one, device);
        sinter_signals::with_signals_blocked(|| {
            unknown.into_iter().filter(look).filter_map(|one| Some((one, self.launches.begin(one)?))).collect()
        })
    }

    /// The kernels that are to be prepared after a launch of `origin` had to translate.
    pub(crate) fn unprepared_of(&self, origin: Origin) -> Option<Expected> {
        if self.prepares() { self.launches.begin(origin) } else { None }
    }

    /// Reads the list of a container's file, unless that was done for another one. True if code of
    /// the file may be missing.
    fn look_at_file(&self, origin: Origin, device: &DeviceEntry) -> bool {
        if self.launches.unknown([origin].into_iter()).is_empty() {
            return false;
        }
        let containers = self.beside(origin);
        let Some(stamp) = self.stamp(&containers) else { return false };
        let list = self.list_name(Contents::Launched, origin, device);
        self.launches.open(&Place { list, target: device.target().to_string() }, &containers, stamp)
    }

    /// The containers of the same file.
    fn beside(&self, origin: Origin) -> Vec<Origin> {
        let base = |container: usize| system::base_of(std::ptr::without_provenance(container));
        let own = base(origin.container);
        let others = self.registry().addresses().into_iter().filter(|other| *other != origin.container);
        let of_file = others.filter(|other| own.is_some() && base(*other) == own);
        std::iter::once(origin.container).chain(of_file).map(|container| Origin { container, ..origin }).collect()
    }

    /// Digest of containers and the translator. `None` without a translator.
    fn stamp(&self, containers: &[Origin]) -> Option<Stamp> {
        let id = |origin: &Origin| self.registry().while_registered(origin.container, |one| one.object_id());
        let mut ids: Vec<_> = containers.iter().filter_map(id).collect();
        ids.sort_unstable();
        let mut digest = blake3::Hasher::new();
        digest.update(&self.planner.translator.fingerprint().ok()?.to_bytes());
        digest.update(ids.as_flattened());
        Some(*digest.finalize().as_bytes())
    }

    /// False if there are no variants that may be launched.
    pub(crate) fn has_likely(&self, expected: &Expected) -> bool {
        match expected {
            Expected::Listed(variants) => !variants.is_empty(),
            Expected::Unknown => self.ahead.guesses,
        }
    }

    /// Variants that may be launched, the most likely first.
    pub(crate) fn likely(&self, origin: Origin, device: &DeviceEntry, expected: &Expected) -> Vec<Likely> {
        let mut likely = match expected {
            _ if !self.has_likely(expected) => Vec::new(),
            Expected::Listed(variants) => self.listed(origin, variants),
            Expected::Unknown => self.guesses(origin),
        };
        likely.retain(|one| can_run(&one.kernel, device));
        likely.truncate(self.ahead.most);
        tracing::debug!(kernels = likely.len(), "prepares kernels");
        likely
    }

    /// The kernels of a program that has few.
    fn guesses(&self, origin: Origin) -> Vec<Likely> {
        let containers = self.beside(origin).into_iter();
        let kernels = containers.flat_map(|one| self.registry().kernels_of(one.container));
        let kernels: Vec<_> = kernels.take(MOST_GUESSED + 1).collect();
        if kernels.len() > MOST_GUESSED {
            return Vec::new();
        }
        let separates = self.planner.options.separate_allocations;
        let guessed = |kernel| guess(&kernel, separates).map(|config| Likely { kernel, config });
        kernels.into_iter().filter_map(guessed).collect()
    }

    /// The variants of a list whose kernels are in containers of the same file.
    fn listed(&self, origin: Origin, variants: &[KernelConfig]) -> Vec<Likely> {
        let all = self.beside(origin).into_iter().flat_map(|one| self.registry().kernels_of(one.container));
        let kernels: BTreeMap<_, _> = all.map(|kernel| (kernel.symbol.clone(), kernel)).collect();
        let likely = |config: &KernelConfig| {
            let kernel = kernels.get(&config.entry).filter(|kernel| is_of(kernel, config))?;
            Some(Likely { kernel: kernel.clone(), config: config.clone() })
        };
        variants.iter().filter_map(likely).collect()
    }

    /// The translation that a launch of a variant would wait for. `None` if there is its code, or a
    /// launch is making it, or it cannot be made.
    pub(crate) fn plan_likely(&self, device: &DeviceEntry, likely: &Likely, part: Part) -> Option<Translation> {
        let (is_quick, config) = (self.mode == JitMode::Fallback, likely.config.clone());
        let wants = |translation: &Translation| self.wants(device, translation, part);
        let planned = self.planner.plan_ahead(device.target(), &likely.kernel, config, is_quick, wants);
        planned.inspect_err(|error| tracing::debug!("nothing is prepared: {}", error.chain())).ok()?
    }

    fn wants(&self, device: &DeviceEntry, translation: &Translation, part: Part) -> bool {
        let is_small = || self.codes.size(device, translation).is_some_and(|size| size <= MOST_ASSEMBLED);
        self.codes.lacks(device, translation, part) && (part == Part::Translation || is_small())
    }

    /// Makes a part of the code of a translation. `None` if that fails.
    pub(crate) fn prepare(&self, device: &DeviceEntry, translation: &Translation, part: Part) -> Option<Made> {
        let made = self.codes.obtain(device, translation, Reuse::Allowed, Waiting::Guess(part));
        made.inspect_err(|error| tracing::debug!("nothing is prepared: {}", error.chain())).ok().map(|one| one.made())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::ConstantValue;

    fn kernel(form: Option<LaunchForm>, pointers: &[u32]) -> ListedKernel {
        ListedKernel {
            container: 0,
            symbol: "k".to_owned(),
            image: 0,
            ir_hash: None,
            pointers: pointers.to_owned(),
            specialized: Vec::new(),
            required: Required::default(),
            form,
        }
    }

    #[test]
    fn a_guess_is_the_usual_launch_of_a_kernel() {
        let guessed = |form| guess(&kernel(Some(form), &[0, 3]), true).expect("a guess");
        let range = guessed(LaunchForm::Range(2));
        assert_eq!((range.dimensions, range.group_size, range.sizes_fit_i32), (2, None, true));
        assert_eq!(range.specialization.allocations, [(0, 1), (3, 2)]);
        assert_eq!(guessed(LaunchForm::Groups(2)).group_size, Some([16, 16, 1]));
        let required = Required { group_size: Some([8, 1, 1]), sub_group_size: Some(16), aspects: 0 };
        let required = ListedKernel { required, ..kernel(Some(LaunchForm::Groups(1)), &[]) };
        let required = guess(&required, true).expect("a guess");
        assert_eq!((required.group_size, required.sub_group_size), (Some([8, 1, 1]), Some(16)));
    }

    #[test]
    fn nothing_is_guessed_without_knowledge_of_launches() {
        assert!(guess(&kernel(None, &[0]), true).is_none());
        let specialized = ListedKernel { specialized: vec![1], ..kernel(Some(LaunchForm::Range(1)), &[0]) };
        assert!(guess(&specialized, true).is_none());
    }

    #[test]
    fn a_variant_of_another_build_has_to_fit() {
        let kernel = ListedKernel { specialized: vec![1], ..kernel(None, &[0, 3]) };
        let variant = |allocations: &[(u32, u32)], arguments: &[u32]| {
            let arguments = arguments.iter().map(|parameter| (*parameter, ConstantValue::I32(1))).collect();
            let specialization =
                Specialization { allocations: allocations.to_vec(), arguments, ..Specialization::default() };
            KernelConfig { specialization, ..KernelConfig::generic("k") }
        };
        assert!(is_of(&kernel, &variant(&[(0, 1), (3, 2)], &[1])));
        assert!(!is_of(&kernel, &variant(&[(0, 1), (2, 2)], &[1])), "parameter 2 is no pointer any more");
        assert!(!is_of(&kernel, &variant(&[], &[])) && !is_of(&kernel, &variant(&[], &[1, 4])));
        let required = Required { sub_group_size: Some(8), ..Required::default() };
        assert!(!is_of(&ListedKernel { required, ..kernel }, &variant(&[], &[1])));
    }

    #[test]
    fn pointers_are_separate_where_that_is_wanted() {
        let allocations = |pointers: &[u32], separates| {
            guess(&kernel(Some(LaunchForm::Range(1)), pointers), separates).map(|one| one.specialization.allocations)
        };
        assert_eq!(allocations(&[0, 3], false), Some(vec![]));
        assert_eq!(allocations(&[0], true), Some(vec![]), "nothing to tell apart");
    }
}
