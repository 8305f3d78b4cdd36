//! Finds the images that define what a kernel's image imports.
//!
//! In: an image and every registered container. Out: the images it needs, transitively
//! ([`Exports::reachable`](sinter_core::imports::Exports::reachable)). *Invariant:* the results are copies: another library
//! may be unloaded at any time.
#![forbid(unsafe_code)]

use super::{Registered, Registry};
use sinter_core::{container::ContainerImage, imports::Exports};
use std::sync::Arc;

/// An image that another one needs: the digest that its bytes should have, and a copy of them.
pub(crate) type Import = ([u8; 32], Arc<[u8]>);

/// The images that `image` needs, nearest first.
pub(crate) fn resolve(registry: &Registry, image: &ContainerImage<'static>, kernel: &str) -> Vec<Import> {
    if image.imported_symbols.is_empty() {
        return Vec::new();
    }
    registry.with_all(|containers| {
        let exporting = exporting(containers, kernel);
        let found = Exports::of(&exporting).reachable(&image.imported_symbols);
        found.into_iter().map(|import| (import.identity, Arc::from(import.bytes))).collect()
    })
}

/// The images that export something. A damaged container of another library must not fail this kernel: its symbols are
/// reported as unresolved.
fn exporting(containers: &mut dyn Iterator<Item = &Registered>, kernel: &str) -> Vec<ContainerImage<'static>> {
    containers.filter_map(|container| container.exporting(kernel).ok()).flatten().collect()
}
