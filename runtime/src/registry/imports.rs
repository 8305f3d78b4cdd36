//! Finds the images that define what a kernel's image imports.
//!
//! In: an image and every registered container. Out: the images it needs, transitively. *Invariant:* the result depends
//! on the content of the images only, never on the order in which they were registered; a symbol that nobody exports is left
//! to the translator, which reports it with its call chain. The results are copies: another library may be unloaded at any
//! time.
#![forbid(unsafe_code)]

use super::{Registered, Registry};
use sinter_core::container::ContainerImage;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

/// An image of any registered container.
struct Provider {
    identity: [u8; 32],
    bytes: &'static [u8],
    imports: Vec<&'static str>,
}

/// The providers of each exported symbol. Where several export one, the smallest digest wins.
fn providers(containers: &mut dyn Iterator<Item = &Registered>, kernel: &str) -> BTreeMap<&'static str, Arc<Provider>> {
    let mut exports: BTreeMap<&'static str, Arc<Provider>> = BTreeMap::new();
    // A damaged container of another library must not fail this kernel: its symbols are reported as unresolved.
    for image in containers.filter_map(|container| container.exporting(kernel).ok()).flatten() {
        let identity = image.identity();
        let provider = Arc::new(Provider { identity, bytes: image.bytes, imports: image.imported_symbols.clone() });
        for symbol in &image.exported_symbols {
            let known = exports.entry(symbol).or_insert_with(|| Arc::clone(&provider));
            if provider.identity < known.identity {
                *known = Arc::clone(&provider);
            }
        }
    }
    exports
}

/// An image that another one needs: the digest that its bytes should have, and a copy of them.
pub(crate) type Import = ([u8; 32], Arc<[u8]>);

/// The images that `image` needs, nearest first.
pub(crate) fn resolve(registry: &Registry, image: &ContainerImage<'static>, kernel: &str) -> Vec<Import> {
    if image.imported_symbols.is_empty() {
        return Vec::new();
    }
    registry.with_all(|containers| reachable(&providers(containers, kernel), image))
}

/// What can be reached from the imports of `image`.
fn reachable(exports: &BTreeMap<&'static str, Arc<Provider>>, image: &ContainerImage<'static>) -> Vec<Import> {
    let mut seen = BTreeSet::from([image.identity()]);
    let mut wanted: VecDeque<&str> = image.imported_symbols.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(symbol) = wanted.pop_front() {
        let Some(provider) = exports.get(symbol) else { continue };
        if seen.insert(provider.identity) {
            found.push((provider.identity, Arc::from(provider.bytes)));
            wanted.extend(provider.imports.iter().copied());
        }
    }
    found
}
