//! Keeps the list of the kernels that a program launched.
//!
//! In: variants, when they are launched first. Out: those of the last run, and the most usual kind
//! of launch. A list belongs to the file of a program or library and to one kind of device; it has
//! all that the key of a variant needs and no setting, so that it serves a program that was built
//! again, or another translator. *Invariant:* nothing is read or written in a process whose
//! launches find all code in the cache, and nothing at all without a cache.
#![forbid(unsafe_code)]

use crate::{cache::DiskCache, forks::ForkSafe};
use sinter_core::{CacheKey, KernelConfig};
use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Maximum number of variants in a list, and of those that a process notes for a container.
const MOST: usize = 256;
/// First bytes of a list: the name and version of its format.
const MAGIC: &[u8; 8] = b"SINTERL2";
/// Size of the digest at the end of a list.
const SUM: usize = blake3::OUT_LEN;

/// A container and the device that its kernels are launched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Origin {
    /// Address of the container.
    pub(crate) container: usize,
    /// Index of the device.
    pub(crate) device: u32,
}

/// The launches of one container on one device.
#[derive(Default)]
struct Launched {
    /// Variants that were launched in this process, in that order.
    variants: Vec<KernelConfig>,
    /// Name of the list, once a launch has missed.
    list: Option<CacheKey>,
}

/// The launches of a process.
pub(super) struct Launches {
    cache: Arc<DiskCache>,
    is_on: bool,
    launched: ForkSafe<Mutex<BTreeMap<Origin, Launched>>>,
}

/// The name of the list of a file and a kind of device. `object_id` stands for a file without a
/// name.
pub(super) fn list_of(file: Option<&Path>, object_id: &[u8; 32], family: &str) -> CacheKey {
    let place = file.map_or(&object_id[..], |file| file.as_os_str().as_encoded_bytes());
    CacheKey(*blake3::hash(&[b"launched", place, &[0], family.as_bytes()].concat()).as_bytes())
}

fn encode(variants: &[KernelConfig]) -> Option<Vec<u8>> {
    let content = [&MAGIC[..], &postcard::to_allocvec(variants).ok()?].concat();
    Some([&content, &blake3::hash(&content).as_bytes()[..]].concat())
}

/// The variants of a list; none if it is damaged or of another version.
fn decode(bytes: &[u8]) -> Vec<KernelConfig> {
    let content = bytes.split_last_chunk::<SUM>().filter(|(content, sum)| blake3::hash(content) == **sum);
    let variants = content.and_then(|(content, _)| content.strip_prefix(MAGIC));
    variants.and_then(|variants| postcard::from_bytes(variants).ok()).unwrap_or_default()
}

fn has(variants: &[KernelConfig], other: &KernelConfig) -> bool {
    variants.iter().any(|variant| variant == other)
}

/// The facts of a variant's launches, without settings.
pub(super) fn without_settings(config: &KernelConfig) -> KernelConfig {
    KernelConfig {
        specialization: config.specialization.clone(),
        dimensions: config.dimensions,
        group_size: config.group_size,
        sub_group_size: config.sub_group_size,
        sizes_fit_i32: config.sizes_fit_i32,
        ..KernelConfig::generic(config.entry.clone())
    }
}

impl Launches {
    pub(super) fn new(cache: &Arc<DiskCache>, is_on: bool) -> Self {
        let launched = ForkSafe::new(Mutex::new(BTreeMap::new()));
        Launches { is_on: is_on && cache.is_read(), cache: Arc::clone(cache), launched }
    }

    fn with<R>(&self, work: impl FnOnce(&mut BTreeMap<Origin, Launched>) -> R) -> R {
        let lock = |launched: &Mutex<_>| -> R {
            let mut launched: MutexGuard<'_, _> = launched.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut launched)
        };
        self.launched.with(lock)
    }

    /// Notes the first launch of a variant.
    pub(super) fn note(&self, origin: Origin, config: &KernelConfig) {
        if !self.is_on {
            return;
        }
        self.with(|launched| {
            let variants = &mut launched.entry(origin).or_default().variants;
            if variants.len() < MOST {
                variants.push(without_settings(config));
            }
        });
    }

    /// Notes that a launch has found no code. True for the first one, which `name`s the list.
    pub(super) fn misses(&self, origin: Origin, name: impl FnOnce() -> CacheKey) -> bool {
        let is_first = || self.with(|launched| launched.entry(origin).or_default().list.is_none());
        if !self.is_on || !is_first() {
            return false;
        }
        let list = name();
        self.with(|launched| launched.entry(origin).or_default().list.replace(list).is_none())
    }

    /// Variants that the last run launched, and this one has not.
    pub(super) fn expected(&self, origin: Origin) -> Vec<KernelConfig> {
        let known = self.with(|launched| launched.get(&origin).map(|known| (known.list, known.variants.clone())));
        let Some((Some(list), variants)) = known else { return Vec::new() };
        let mut expected = decode(&self.cache.list(&list).unwrap_or_default());
        expected.retain(|variant| !has(&variants, variant));
        expected
    }

    /// The launch that is most like the others, to guess with. The later one of two equals.
    pub(super) fn usual(&self, origin: Origin) -> Option<KernelConfig> {
        let class = |config: &KernelConfig| (config.dimensions, config.group_size, config.sizes_fit_i32);
        self.with(|launched| {
            let variants = &launched.get(&origin)?.variants;
            let alike = |one: &&KernelConfig| variants.iter().filter(|other| class(other) == class(one)).count();
            variants.iter().max_by_key(alike).cloned()
        })
    }

    /// Writes the lists of a container that is unregistered, if one of its launches found no code.
    /// Variants of this run come first, then those of earlier ones.
    pub(super) fn keep(&self, container: usize) {
        let is_here = |origin: &Origin| origin.container == container;
        let gone: Vec<_> = self.with(|launched| {
            let origins: Vec<_> = launched.keys().copied().filter(is_here).collect();
            origins.iter().filter_map(|origin| launched.remove(origin)).collect()
        });
        gone.into_iter().for_each(|launched| self.write(launched));
    }

    fn write(&self, launched: Launched) {
        let Launched { mut variants, list: Some(list) } = launched else { return };
        let before = decode(&self.cache.list(&list).unwrap_or_default());
        let further: Vec<_> = before.iter().filter(|variant| !has(&variants, variant)).cloned().collect();
        variants.extend(further);
        variants.truncate(MOST);
        if variants != before
            && let Some(bytes) = encode(&variants)
        {
            self.cache.set_list(&list, &bytes);
        }
    }
}

impl Drop for Launches {
    fn drop(&mut self) {
        let all = self.with(std::mem::take);
        all.into_values().for_each(|launched| self.write(launched));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cache::{CacheLocation, DiskCacheOptions},
        settings::Tunables,
    };

    const ORIGIN: Origin = Origin { container: 0x1000, device: 0 };

    fn launches(folder: &Path, is_on: bool) -> Launches {
        let location = CacheLocation::explicit(folder.to_owned());
        let options = DiskCacheOptions::new(location, &Tunables::default());
        Launches::new(&Arc::new(DiskCache::open(&options, Arc::default())), is_on)
    }

    fn named(names: &[&str]) -> Vec<KernelConfig> {
        names.iter().map(|name| KernelConfig::generic(*name)).collect()
    }

    /// A run that launches kernels and finds no code of the first. Returns those that it expected.
    fn run(folder: &Path, kernels: &[&str]) -> Vec<String> {
        let launches = launches(folder, true);
        let (first, rest) = kernels.split_first().expect("a kernel");
        launches.note(ORIGIN, &KernelConfig::generic(*first));
        assert!(launches.misses(ORIGIN, || list_of(None, &[1; 32], "host")));
        assert!(!launches.misses(ORIGIN, || unreachable!("the list has a name")));
        let expected = launches.expected(ORIGIN);
        rest.iter().for_each(|kernel| launches.note(ORIGIN, &KernelConfig::generic(*kernel)));
        expected.into_iter().map(|variant| variant.entry).collect()
    }

    #[test]
    fn a_run_expects_what_the_last_one_launched() {
        let root = tempfile::tempdir().expect("folder");
        assert!(run(root.path(), &["a", "b", "c"]).is_empty());
        assert_eq!(run(root.path(), &["b", "d"]), ["a", "c"]);
        assert_eq!(run(root.path(), &["x"]), ["b", "d", "a", "c"]);
    }

    #[test]
    fn without_a_miss_or_a_budget_nothing_is_written() {
        let root = tempfile::tempdir().expect("folder");
        let all_found = launches(root.path(), true);
        all_found.note(ORIGIN, &KernelConfig::generic("a"));
        all_found.keep(ORIGIN.container);
        let off = launches(root.path(), false);
        off.note(ORIGIN, &KernelConfig::generic("a"));
        assert!(!off.misses(ORIGIN, || unreachable!("it is off")));
        drop((all_found, off));
        assert_eq!(std::fs::read_dir(root.path()).expect("list").count(), 0);
    }

    #[test]
    fn a_damaged_list_is_empty() {
        let (variants, mut bytes) = (named(&["a", "b"]), encode(&named(&["a", "b"])).expect("a list"));
        assert_eq!(decode(&bytes), variants);
        for place in 0..bytes.len() {
            bytes[place] ^= 4;
            assert!(decode(&bytes).is_empty(), "{place}");
            bytes[place] ^= 4;
            assert!(decode(&bytes[..place]).is_empty());
        }
    }

    #[test]
    fn the_usual_launch_is_that_of_most_kernels() {
        let root = tempfile::tempdir().expect("folder");
        let launches = launches(root.path(), true);
        assert_eq!(launches.usual(ORIGIN), None);
        for (name, dimensions) in [("a", 2), ("b", 1), ("c", 1), ("d", 2), ("e", 2)] {
            launches.note(ORIGIN, &KernelConfig { dimensions, ..KernelConfig::generic(name) });
        }
        assert_eq!(launches.usual(ORIGIN).map(|usual| (usual.entry, usual.dimensions)), Some(("e".to_owned(), 2)));
    }

    #[test]
    fn lists_belong_to_a_file_and_a_kind_of_device() {
        let names = [
            list_of(Some(Path::new("/a")), &[0; 32], "host"),
            list_of(Some(Path::new("/a")), &[0; 32], "ptx"),
            list_of(Some(Path::new("/b")), &[0; 32], "host"),
            list_of(None, &[0; 32], "host"),
            list_of(None, &[1; 32], "host"),
        ];
        assert!((0..names.len()).all(|one| !names[..one].contains(&names[one])));
        assert_eq!(list_of(Some(Path::new("/a")), &[1; 32], "host"), names[0]);
    }
}
