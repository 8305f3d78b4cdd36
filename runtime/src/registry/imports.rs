//! Finds the images that define the imports of a kernel's image.
//!
//! In: an image and every registered container. Out: the digests of the images that it needs,
//! transitively ([`Exports::reachable`](sinter_core::imports::Exports::reachable)), and on demand
//! copies of their bytes. *Invariant:* no result borrows from a container, because another library
//! may be unloaded at any time.
#![forbid(unsafe_code)]

use super::Registry;
use sinter_core::{IrHash, container::ContainerImage, imports::Import};
use std::sync::Arc;

impl Registry {
    /// Recorded digests of the images that `image` needs, nearest first.
    pub(crate) fn resolve_imports(&self, image: &ContainerImage<'static>, kernel: &str) -> Vec<IrHash> {
        if image.imported_symbols.is_empty() {
            return Vec::new();
        }
        let digests = |found: Vec<Import<'_>>| found.into_iter().map(|import| import.identity).collect();
        self.with_exports(kernel, |exports| digests(exports.reachable(&image.imported_symbols)))
    }

    /// Copies the image with this recorded digest; `None` if no registered container exports it any
    /// more.
    pub(crate) fn copy_import(&self, digest: &IrHash, kernel: &str) -> Option<Arc<[u8]>> {
        self.with_exports(kernel, |exports| exports.image(digest).map(|import| Arc::from(import.bytes)))
    }
}
