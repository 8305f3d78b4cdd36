//! Finds the images that define what a kernel's image imports.
//!
//! In: an image and every registered container. Out: the digests of the images it needs, transitively
//! ([`Exports::reachable`](sinter_core::imports::Exports::reachable)), and on demand copies of their bytes. *Invariant:* nothing
//! that leaves borrows from a container: another library may be unloaded at any time.
#![forbid(unsafe_code)]

use super::{Registered, Registry};
use sinter_core::{
    IrHash,
    container::ContainerImage,
    imports::{Exports, Import},
};
use std::sync::Arc;

impl Registry {
    /// The digests that the images that `image` needs should have, nearest first.
    pub(crate) fn resolve_imports(&self, image: &ContainerImage<'static>, kernel: &str) -> Vec<IrHash> {
        if image.imported_symbols.is_empty() {
            return Vec::new();
        }
        let digests = |found: Vec<Import<'_>>| found.into_iter().map(|import| import.identity).collect();
        self.with_exports(kernel, |exports| digests(exports.reachable(&image.imported_symbols)))
    }

    /// A copy of the bytes that should have this digest; none, if no registered container exports them any more.
    pub(crate) fn copy_import(&self, digest: &IrHash, kernel: &str) -> Option<Arc<[u8]>> {
        self.with_exports(kernel, |exports| exports.image(digest).map(|import| Arc::from(import.bytes)))
    }
}

/// What containers export. A damaged container of another library must not fail this kernel: its symbols are reported
/// as unresolved.
pub(super) fn exports<'r>(containers: impl Iterator<Item = &'r Registered>, kernel: &str) -> Exports<'static> {
    let images: Vec<_> = containers.filter_map(|container| container.exporting(kernel).ok()).flatten().collect();
    Exports::of(&images)
}
