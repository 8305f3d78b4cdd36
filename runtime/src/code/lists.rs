//! The form of the lists of variants that are kept in the cache.
//!
//! In: variants. Out: their bytes, and back. A list belongs to the file of a program or library and
//! to one kind of device; it has all that the key of a variant needs and no setting, so that it
//! serves a program that was built again, or another translator. *Invariant:* a list that is
//! damaged or of another version is none.
#![forbid(unsafe_code)]

use crate::cache::DiskCache;
use serde::{Serialize, de::DeserializeOwned};
use sinter_core::{CacheKey, KernelConfig};
use std::path::Path;

/// First bytes of a list: the name and version of its format.
const MAGIC: &[u8; 8] = b"SINTERL1";
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

/// Contents of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contents {
    /// Variants that a process launched.
    Launched,
    /// Variants for values that launches repeated, faster than code for all values.
    Gained,
    /// Variants for values that were not faster.
    Lost,
}

/// The name of a list of a file and a kind of device. `object_id` stands for a file without a name.
pub(super) fn list_of(contents: Contents, file: Option<&Path>, object_id: &[u8; 32], family: &str) -> CacheKey {
    let contents: &[u8] = match contents {
        Contents::Launched => b"launched",
        Contents::Gained => b"gained",
        Contents::Lost => b"lost",
    };
    let place = file.map_or(&object_id[..], |file| file.as_os_str().as_encoded_bytes());
    CacheKey(*blake3::hash(&[contents, place, &[0], family.as_bytes()].concat()).as_bytes())
}

pub(super) fn encode(list: &impl Serialize) -> Option<Vec<u8>> {
    let content = [&MAGIC[..], &postcard::to_allocvec(list).ok()?].concat();
    Some([&content, &blake3::hash(&content).as_bytes()[..]].concat())
}

/// The contents of a list; `None` if it is damaged or of another version.
fn decode<L: DeserializeOwned>(bytes: &[u8]) -> Option<L> {
    let (content, _) = bytes.split_last_chunk::<SUM>().filter(|(content, sum)| blake3::hash(content) == **sum)?;
    postcard::from_bytes(content.strip_prefix(MAGIC)?).ok()
}

/// A list in the cache, if there is one.
pub(super) fn stored<L: DeserializeOwned>(cache: &DiskCache, name: &CacheKey) -> Option<L> {
    let list = decode(&cache.list(name)?);
    if list.is_none() {
        tracing::debug!(%name, "a list of variants is damaged or of another version");
    }
    list
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_list_is_none() {
        let variants: Vec<_> = ["a", "b"].map(KernelConfig::generic).into();
        let mut bytes = encode(&variants).expect("a list");
        assert_eq!(decode(&bytes), Some(variants.clone()));
        for place in 0..bytes.len() {
            bytes[place] ^= 4;
            assert_eq!(decode::<Vec<KernelConfig>>(&bytes), None, "{place}");
            bytes[place] ^= 4;
            assert_eq!(decode::<Vec<KernelConfig>>(&bytes[..place]), None);
        }
    }

    #[test]
    fn lists_belong_to_a_file_and_a_kind_of_device() {
        let names = [
            list_of(Contents::Gained, Some(Path::new("/a")), &[0; 32], "host"),
            list_of(Contents::Lost, Some(Path::new("/a")), &[0; 32], "host"),
            list_of(Contents::Launched, Some(Path::new("/a")), &[0; 32], "host"),
            list_of(Contents::Gained, Some(Path::new("/a")), &[0; 32], "ptx"),
            list_of(Contents::Gained, Some(Path::new("/b")), &[0; 32], "host"),
            list_of(Contents::Gained, None, &[0; 32], "host"),
            list_of(Contents::Gained, None, &[1; 32], "host"),
        ];
        assert!((0..names.len()).all(|one| !names[..one].contains(&names[one])));
        assert_eq!(list_of(Contents::Gained, Some(Path::new("/a")), &[1; 32], "host"), names[0]);
    }
}
