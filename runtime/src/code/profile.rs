//! Keeps the values that code was made for, so that a later process has it made at once.
//!
//! In: variants for values, once it is known whether they gain. Out: the variants of earlier
//! processes for a kernel and a kind of launch. A profile belongs to the file of a program or
//! library and to one kind of device, in the form of `lists.rs`.
//! *Invariant:* a profile says which values may repeat and nothing else; the code for them comes
//! from the cache or the translator like any other. Nothing is read or written without a cache, or
//! for a kernel whose launches are not observed.
#![forbid(unsafe_code)]

use super::lists::{Contents, Origin, encode, stored, without_settings};
use crate::cache::DiskCache;
use crate::forks::ForkSafe;
use sinter_core::{CacheKey, ConstantValue, KernelConfig};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum number of variants in a profile.
const MOST: usize = 256;

/// Values of arguments, by index of the parameter record.
pub(crate) type Values = Vec<(u32, ConstantValue)>;

/// Values that earlier processes had code for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    /// Code for them was faster than code for all values.
    pub(crate) gained: Vec<Values>,
    /// It was not.
    pub(crate) lost: Vec<Values>,
}

/// A list of variants: its name in the cache, and the variants, those of later processes first.
#[derive(Clone)]
struct List {
    name: CacheKey,
    variants: Vec<KernelConfig>,
}

/// The variants that gained, and those that did not.
#[derive(Clone)]
struct Profile([List; 2]);

/// The profiles that this process uses.
pub(super) struct Profiles {
    cache: Arc<DiskCache>,
    known: ForkSafe<Mutex<BTreeMap<Origin, Profile>>>,
}

/// The lists of a profile.
const LISTS: [Contents; 2] = [Contents::Gained, Contents::Lost];

/// The values of a variant beyond those of another one. `None` if it is not of that variant.
fn further(special: &KernelConfig, general: &KernelConfig) -> Option<Values> {
    let given = &general.specialization.arguments;
    let mut plain = special.clone();
    plain.specialization.arguments.clone_from(given);
    let is_of = plain == *general && given.iter().all(|value| special.specialization.arguments.contains(value));
    let further = || special.specialization.arguments.iter().filter(|value| !given.contains(value)).cloned().collect();
    is_of.then(further).filter(|values: &Values| !values.is_empty())
}

impl List {
    /// Adds or removes a variant. True if that changed the list.
    fn change(&mut self, special: &KernelConfig, is_here: bool) -> bool {
        if self.variants.contains(special) == is_here {
            return false;
        }
        match is_here {
            true => self.variants.insert(0, special.clone()),
            false => self.variants.retain(|variant| variant != special),
        }
        self.variants.truncate(MOST);
        true
    }
}

impl Profiles {
    pub(super) fn new(cache: &Arc<DiskCache>) -> Self {
        Profiles { cache: Arc::clone(cache), known: ForkSafe::new(Mutex::new(BTreeMap::new())) }
    }

    fn with<R>(&self, work: impl FnOnce(&mut BTreeMap<Origin, Profile>) -> R) -> R {
        self.known.with(|known| work(&mut known.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn read(&self, name: CacheKey) -> List {
        List { name, variants: stored(&self.cache, &name).unwrap_or_default() }
    }

    /// The profile of an origin, which is read once. `name` names its lists.
    fn profile(&self, origin: Origin, name: impl Fn(Contents) -> CacheKey) -> Profile {
        if let Some(profile) = self.with(|known| known.get(&origin).cloned()) {
            return profile;
        }
        let profile = Profile(LISTS.map(|contents| self.read(name(contents))));
        self.with(|known| known.entry(origin).or_insert(profile).clone())
    }

    /// Values that earlier processes had code for, in launches of this variant.
    pub(super) fn expected(
        &self,
        origin: Origin,
        variant: &KernelConfig,
        name: impl Fn(Contents) -> CacheKey,
    ) -> Expected {
        if !self.cache.is_read() {
            return Expected::default();
        }
        let general = without_settings(variant);
        let Profile(lists) = self.profile(origin, name);
        let [gained, lost] = lists.map(|list| list.variants.iter().filter_map(|one| further(one, &general)).collect());
        Expected { gained, lost }
    }

    /// Notes a variant for values that has gained or not, and writes the profile if that is new.
    pub(super) fn note(
        &self,
        origin: Origin,
        special: &KernelConfig,
        has_gained: bool,
        name: impl Fn(Contents) -> CacheKey,
    ) {
        if !self.cache.is_read() {
            return;
        }
        let special = without_settings(special);
        self.profile(origin, name);
        let is_here = [has_gained, !has_gained];
        for (index, is_here) in is_here.into_iter().enumerate() {
            let changed = self.with(|known| {
                let list = &mut known.get_mut(&origin)?.0[index];
                list.change(&special, is_here).then_some(list.name)
            });
            // Another process may have changed the list, so that only the variant is replaced.
            if let Some(name) = changed {
                let mut list = self.read(name);
                list.change(&special, is_here);
                encode(&list.variants).iter().for_each(|bytes| self.cache.set_list(&name, bytes));
            }
        }
    }

    /// Forgets a container that is unregistered; another may come to its address.
    pub(super) fn forget(&self, container: usize) {
        self.with(|known| known.retain(|origin, _| origin.container != container));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cache::{CacheLocation, DiskCacheOptions},
        settings::Tunables,
    };
    use std::path::Path;

    const ORIGIN: Origin = Origin { container: 0x1000, device: 0 };
    const NOTHING: [Vec<Values>; 2] = [const { Vec::new() }; 2];

    fn profiles(folder: &Path) -> Profiles {
        let location = CacheLocation::explicit(folder.to_owned());
        let options = DiskCacheOptions::new(location, &Tunables::default());
        Profiles::new(&Arc::new(DiskCache::open(&options, Arc::default())))
    }

    fn values(list: &[(u32, u32)]) -> Values {
        list.iter().map(|(parameter, value)| (*parameter, ConstantValue::I32(*value))).collect()
    }

    fn special(list: &[(u32, u32)]) -> KernelConfig {
        let mut config = KernelConfig::generic("k");
        config.specialization.arguments = values(list);
        config
    }

    fn name(contents: Contents) -> CacheKey {
        CacheKey([contents as u8; 32])
    }

    fn expected(profiles: &Profiles, variant: &KernelConfig) -> [Vec<Values>; 2] {
        let Expected { gained, lost } = profiles.expected(ORIGIN, variant, name);
        [gained, lost]
    }

    #[test]
    fn a_second_process_expects_the_values_of_the_first() {
        let root = tempfile::tempdir().expect("folder");
        let first = profiles(root.path());
        assert_eq!(expected(&first, &special(&[])), NOTHING);
        for (list, has_gained) in
            [(&[(1, 5)][..], true), (&[(1, 6), (2, 7)], true), (&[(1, 5)], true), (&[(3, 1)], false)]
        {
            first.note(ORIGIN, &special(list), has_gained, name);
        }
        let second = profiles(root.path());
        let both = vec![values(&[(1, 6), (2, 7)]), values(&[(1, 5)])];
        assert_eq!(expected(&second, &special(&[])), [both, vec![values(&[(3, 1)])]]);
        assert_eq!(expected(&second, &special(&[(1, 6)]))[0], [values(&[(2, 7)])], "the program gives the first");
        let other = KernelConfig { dimensions: 2, ..special(&[]) };
        assert_eq!(expected(&second, &other), NOTHING, "another kind of launch");
    }

    #[test]
    fn processes_change_a_profile_together() {
        let root = tempfile::tempdir().expect("folder");
        let both = [profiles(root.path()), profiles(root.path())];
        both.iter().for_each(|profiles| assert_eq!(expected(profiles, &special(&[])), NOTHING));
        for (value, profiles) in (0..).zip(&both) {
            profiles.note(ORIGIN, &special(&[(0, value)]), true, name);
        }
        both[0].note(ORIGIN, &special(&[(0, 0)]), false, name);
        let [gained, lost] = expected(&profiles(root.path()), &special(&[]));
        assert_eq!((gained, lost), (vec![values(&[(0, 1)])], vec![values(&[(0, 0)])]));
    }

    #[test]
    fn a_damaged_profile_is_empty() {
        let root = tempfile::tempdir().expect("folder");
        let first = profiles(root.path());
        first.note(ORIGIN, &special(&[(1, 5)]), true, name);
        first.cache.set_list(&name(Contents::Gained), b"SINTERL1 and something else");
        assert_eq!(expected(&profiles(root.path()), &special(&[])), NOTHING);
    }
}
