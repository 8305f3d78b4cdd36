//! Finds the images that define what a kernel's image imports.
//!
//! In: an image and every registered container. Out: the images it needs, transitively
//! ([`Exports::reachable`](sinter_core::imports::Exports::reachable)). *Invariant:* the results are copies: another library
//! may be unloaded at any time.
#![forbid(unsafe_code)]

use super::{Registered, Registry};
use sinter_core::{container::ContainerImage, imports::Exports};
use std::sync::Arc;

/// An image that another one needs: the digest of its bytes, and a copy of them.
pub(crate) type Import = ([u8; 32], Arc<[u8]>);

/// The images that `image` needs, nearest first.
pub(crate) fn resolve(registry: &Registry, image: &ContainerImage<'static>, kernel: &str) -> Vec<Import> {
    if image.imported_symbols.is_empty() {
        return Vec::new();
    }
    registry.with_all(|containers| {
        let found = exports(containers, kernel).reachable(&image.imported_symbols);
        found.into_iter().map(|import| (import.identity, Arc::from(import.bytes))).collect()
    })
}

/// What all containers export.
fn exports(containers: &mut dyn Iterator<Item = &Registered>, kernel: &str) -> Exports<'static> {
    // A damaged container of another library must not fail this kernel: its symbols are reported as unresolved.
    Exports::of(containers.filter_map(|container| container.open(kernel).ok()).flat_map(|c| c.images()))
}
