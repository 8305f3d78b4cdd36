//! Keeps the list of the kernels that a program launched.
//!
//! In: the containers of a file, and variants when they are launched first. Out: the variants of
//! the last process, and if their code may be missing from the cache. A list belongs to the file of
//! a program or library and to one kind of device. Its stamp is a digest of the containers and the
//! translator, so that a process which finds the same stamp expects to find all code. *Invariant:*
//! nothing is written by a process that launches nothing, or nothing new of the same stamp, and
//! nothing at all without a cache.
#![forbid(unsafe_code)]

use super::lists::{Origin, encode, stored, without_settings};
use crate::{cache::DiskCache, forks::ForkSafe};
use serde::{Deserialize, Serialize};
use sinter_core::{CacheKey, KernelConfig};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum number of variants in a list, and of those that a process notes for a file.
const MOST: usize = 256;

/// Digest of what the code of a file is made of and by.
pub(super) type Stamp = [u8; 32];

/// A file and the target of a device.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The name of the list, which is for all targets of a kind.
    pub(super) list: CacheKey,
    pub(super) target: String,
}

/// The list of a file, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct List {
    stamp: Stamp,
    /// Those of later processes first.
    variants: Vec<KernelConfig>,
}

/// The launches of a file for one target.
struct Run {
    stamp: Stamp,
    /// The list that the process found.
    found: Option<List>,
    /// The variants that the process launched, in that order.
    variants: Vec<KernelConfig>,
    has_begun: bool,
}

/// Kernels to prepare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Variants that the last process launched, and this one has not.
    Listed(Vec<KernelConfig>),
    /// There was no process before.
    Unknown,
}

#[derive(Default)]
struct State {
    /// The place of each container and device.
    places: BTreeMap<Origin, Place>,
    runs: BTreeMap<Place, Run>,
}

impl State {
    fn run(&mut self, origin: Origin) -> Option<&mut Run> {
        self.runs.get_mut(self.places.get(&origin)?)
    }
}

/// The launches of a process.
pub(super) struct Launches {
    cache: Arc<DiskCache>,
    state: ForkSafe<Mutex<State>>,
}

impl Run {
    fn list(&self, before: Option<List>) -> List {
        let mut variants = self.variants.clone();
        let further = before.into_iter().flat_map(|list| list.variants);
        variants.extend(further.filter(|variant| !self.variants.contains(variant)));
        variants.truncate(MOST);
        List { stamp: self.stamp, variants }
    }

    /// True if the process launched what the list does not have for this stamp.
    fn is_new(&self) -> bool {
        let has = |list: &List| {
            list.stamp == self.stamp && self.variants.iter().all(|variant| list.variants.contains(variant))
        };
        !self.variants.is_empty() && !self.found.as_ref().is_some_and(has)
    }
}

impl Launches {
    pub(super) fn new(cache: &Arc<DiskCache>) -> Self {
        Launches { cache: Arc::clone(cache), state: ForkSafe::default() }
    }

    fn with<R>(&self, work: impl FnOnce(&mut State) -> R) -> R {
        self.state.with(|state| work(&mut state.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Those containers whose list was not read.
    pub(super) fn unknown(&self, containers: impl Iterator<Item = Origin>) -> Vec<Origin> {
        self.with(|state| containers.filter(|origin| !state.places.contains_key(origin)).collect())
    }

    /// Reads the list of a file for containers of it, unless that was done. True if code of the
    /// file may be missing from the cache.
    pub(super) fn open(&self, place: &Place, containers: &[Origin], stamp: Stamp) -> bool {
        let found: Option<List> = stored(&self.cache, &place.list);
        let is_same = found.as_ref().is_some_and(|list| list.stamp == stamp);
        self.with(|state| {
            state.places.extend(containers.iter().map(|origin| (*origin, place.clone())));
            let is_known = state.runs.contains_key(place);
            let run = Run { stamp, found, variants: Vec::new(), has_begun: false };
            state.runs.entry(place.clone()).or_insert(run);
            !is_known && !is_same
        })
    }

    /// Notes the first launch of a variant.
    pub(super) fn note(&self, origin: Origin, config: &KernelConfig) {
        self.with(|state| {
            let Some(run) = state.run(origin) else { return };
            let variant = without_settings(config);
            if run.variants.len() < MOST && !run.variants.contains(&variant) {
                run.variants.push(variant);
            }
        });
    }

    /// Kernels of a container's file that are to be prepared; `None` if that has begun.
    pub(super) fn begin(&self, origin: Origin) -> Option<Expected> {
        self.with(|state| {
            let run = state.run(origin)?;
            if std::mem::replace(&mut run.has_begun, true) {
                return None;
            }
            let Some(list) = &run.found else { return Some(Expected::Unknown) };
            let left = list.variants.iter().filter(|variant| !run.variants.contains(variant));
            Some(Expected::Listed(left.cloned().collect()))
        })
    }

    /// Writes the lists of a container that is unregistered, and forgets the container, and its
    /// file with the last one.
    pub(super) fn keep(&self, container: usize) {
        let is_here = |origin: &Origin| origin.container == container;
        let places: Vec<_> = self.with(|state| {
            state.places.iter().filter(|(origin, _)| is_here(origin)).map(|(_, place)| place.clone()).collect()
        });
        places.iter().for_each(|place| self.write(place));
        self.with(|state| {
            state.places.retain(|origin, _| !is_here(origin));
            let State { places: left, runs } = state;
            runs.retain(|place, _| left.values().any(|other| other == place));
        });
    }

    /// Writes a list, if the process launched what it does not have.
    fn write(&self, place: &Place) {
        let is_new = |state: &mut State| state.runs.get(place).is_some_and(Run::is_new);
        if !self.with(is_new) {
            return;
        }
        let before: Option<List> = stored(&self.cache, &place.list);
        let list = self.with(|state| {
            let run = state.runs.get_mut(place)?;
            let list = run.list(before);
            run.found = Some(list.clone());
            Some(list)
        });
        list.and_then(|list| encode(&list)).iter().for_each(|bytes| self.cache.set_list(&place.list, bytes));
    }
}

impl Drop for Launches {
    fn drop(&mut self) {
        let places: Vec<_> = self.with(|state| state.runs.keys().cloned().collect());
        places.iter().for_each(|place| self.write(place));
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

    fn place() -> Place {
        Place { list: CacheKey([3; 32]), target: "host".to_owned() }
    }

    fn launches(folder: &Path) -> Launches {
        let location = CacheLocation::explicit(folder.to_owned());
        let options = DiskCacheOptions::new(location, &Tunables::default());
        Launches::new(&Arc::new(DiskCache::open(&options, Arc::default())))
    }

    /// A process that launches kernels of a file with this stamp. Returns those that it expected;
    /// `None` where it finds the same stamp.
    fn run(folder: &Path, stamp: u8, kernels: &[&str]) -> Option<Expected> {
        let launches = launches(folder);
        assert_eq!(launches.unknown([ORIGIN].into_iter()), [ORIGIN]);
        let is_missing = launches.open(&place(), &[ORIGIN], [stamp; 32]);
        assert!(launches.unknown([ORIGIN].into_iter()).is_empty());
        assert!(!launches.open(&place(), &[ORIGIN], [stamp; 32]), "once");
        let expected = is_missing.then(|| launches.begin(ORIGIN)).flatten();
        kernels.iter().for_each(|kernel| launches.note(ORIGIN, &KernelConfig::generic(*kernel)));
        launches.keep(ORIGIN.container);
        expected
    }

    fn listed(names: &[&str]) -> Option<Expected> {
        Some(Expected::Listed(names.iter().map(|name| KernelConfig::generic(*name)).collect()))
    }

    #[test]
    fn a_process_of_another_build_expects_what_the_last_one_launched() {
        let root = tempfile::tempdir().expect("folder");
        assert_eq!(run(root.path(), 1, &["a", "b"]), Some(Expected::Unknown));
        assert_eq!(run(root.path(), 1, &["a"]), None, "the code is there");
        assert_eq!(run(root.path(), 2, &["c", "a"]), listed(&["a", "b"]));
        assert_eq!(run(root.path(), 3, &[]), listed(&["c", "a", "b"]));
        assert_eq!(run(root.path(), 4, &[]), listed(&["c", "a", "b"]), "a process without launches changes nothing");
    }

    #[test]
    fn what_was_launched_before_is_not_expected_and_kernels_are_prepared_once() {
        let root = tempfile::tempdir().expect("folder");
        run(root.path(), 1, &["a", "b"]);
        let launches = launches(root.path());
        assert!(launches.begin(ORIGIN).is_none());
        assert!(!launches.open(&place(), &[ORIGIN], [1; 32]));
        launches.note(ORIGIN, &KernelConfig::generic("b"));
        assert_eq!((launches.begin(ORIGIN), launches.begin(ORIGIN)), (listed(&["a"]), None));
    }

    #[test]
    fn a_file_that_is_loaded_again_is_a_new_one() {
        let root = tempfile::tempdir().expect("folder");
        let (launches, other) = (launches(root.path()), Origin { container: 0x2000, device: 0 });
        assert!(launches.open(&place(), &[ORIGIN, other], [1; 32]));
        launches.begin(ORIGIN);
        launches.keep(ORIGIN.container);
        assert_eq!(launches.begin(other), None, "a container of the file is left");
        launches.keep(other.container);
        assert!(launches.open(&place(), &[ORIGIN], [2; 32]) && launches.begin(ORIGIN).is_some());
    }

    #[test]
    fn a_list_is_written_if_it_changes() {
        let root = tempfile::tempdir().expect("folder");
        let written = || std::fs::read_dir(root.path()).expect("list").count();
        assert_eq!((run(root.path(), 1, &[]), written()), (Some(Expected::Unknown), 0));
        let launches = launches(root.path());
        launches.open(&place(), &[ORIGIN], [1; 32]);
        launches.note(ORIGIN, &KernelConfig::generic("a"));
        drop(launches);
        assert!(written() > 0, "also at the end of the runtime");
    }
}
