//! Finds the images that define the imports of a kernel's image.
//!
//! In: candidate images and the wanted symbols. Out: the images that are needed, transitively. The
//! kernel's own image is among them if another image calls back into it, because a translation uses
//! only the kernel's closure of the image that defines it. *Invariant:* the result depends only on
//! the content of the images, never on their order. A symbol without an export is left to the
//! translator, which reports it with its call chain.

use crate::container::{ContainerImage, LLVM_IR_FORMAT};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

/// An image that defines an import of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import<'a> {
    /// Recorded digest of the bytes.
    pub identity: [u8; 32],
    /// LLVM bitcode.
    pub bytes: &'a [u8],
    imports: Vec<&'a str>,
}

impl Import<'_> {
    /// Sort key of images that export the symbol; the smallest is preferred. An image that also
    /// imports the symbol defines it weakly.
    fn rank(&self, symbol: &str) -> (bool, [u8; 32]) {
        (self.imports.contains(&symbol), self.identity)
    }
}

/// Exported symbols with the images that define them.
#[derive(Debug, Default)]
pub struct Exports<'a> {
    by_symbol: BTreeMap<&'a str, Arc<Import<'a>>>,
    by_identity: BTreeMap<[u8; 32], Arc<Import<'a>>>,
}

impl<'a> Exports<'a> {
    /// Collects the exports of `images`. If several images export a symbol, a strong definition
    /// wins, and among those the one with the smallest digest.
    pub fn of<'i>(images: impl IntoIterator<Item = &'i ContainerImage<'a>>) -> Self
    where
        'a: 'i,
    {
        let mut exports = Exports::default();
        images.into_iter().filter(|image| image.format == LLVM_IR_FORMAT).for_each(|image| exports.add(image));
        exports
    }

    fn add(&mut self, image: &ContainerImage<'a>) {
        if image.exported_symbols.is_empty() {
            return;
        }
        let identity = image.identity();
        let import = Arc::new(Import { identity, bytes: image.bytes, imports: image.imported_symbols.clone() });
        for symbol in &image.exported_symbols {
            let known = self.by_symbol.entry(symbol).or_insert_with(|| Arc::clone(&import));
            if import.rank(symbol) < known.rank(symbol) {
                *known = Arc::clone(&import);
            }
        }
        self.by_identity.entry(identity).or_insert(import);
    }

    /// Finds an image by its recorded digest.
    pub fn image(&self, identity: &[u8; 32]) -> Option<&Import<'a>> {
        self.by_identity.get(identity).map(|import| &**import)
    }

    /// Images reachable from the symbols `wanted`, nearest first.
    pub fn reachable(&self, wanted: &[&str]) -> Vec<Import<'a>> {
        let mut seen = BTreeSet::new();
        let mut wanted: VecDeque<&str> = wanted.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(symbol) = wanted.pop_front() {
            let Some(import) = self.by_symbol.get(symbol) else { continue };
            if seen.insert(import.identity) {
                wanted.extend(import.imports.iter().copied());
                found.push(Import::clone(import));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::GLOBAL_VARIANT;

    fn image<'a>(bytes: &'a str, exports: &[&'a str], imports: &[&'a str]) -> ContainerImage<'a> {
        ContainerImage {
            name: bytes,
            variant: GLOBAL_VARIANT,
            format: LLVM_IR_FORMAT,
            exported_symbols: exports.to_vec(),
            imported_symbols: imports.to_vec(),
            has_debug: false,
            digest: None,
            bytes: bytes.as_bytes(),
        }
    }

    fn reached<'a>(images: &[ContainerImage<'a>], wanted: &[&str]) -> Vec<&'a [u8]> {
        Exports::of(images).reachable(wanted).into_iter().map(|import| import.bytes).collect()
    }

    #[test]
    fn an_image_that_is_called_back_into_is_needed_though_it_is_the_kernels() {
        let images = [image("a", &["g"], &["f"]), image("b", &["f"], &["g"]), image("c", &["h"], &[])];
        assert_eq!(reached(&images, &["f"]), [b"b", b"a"]);
    }

    #[test]
    fn chains_and_cycles_end_and_what_nobody_exports_is_left_out() {
        let images = [image("a", &["a"], &["b"]), image("b", &["b"], &["c", "nowhere"]), image("c", &["c"], &["a"])];
        assert_eq!(reached(&images, &["b"]), [b"b", b"c", b"a"]);
        assert_eq!(reached(&images, &["nowhere"]), Vec::<&[u8]>::new());
    }

    #[test]
    fn the_order_of_the_images_decides_nothing() {
        let (one, other) = (image("one", &["f", "g"], &[]), image("other", &["f"], &[]));
        let forward = reached(&[one.clone(), other.clone()], &["f"]);
        assert_eq!(forward, reached(&[other, one], &["f"]));
        assert_eq!(forward.len(), 1);
    }

    #[test]
    fn a_strong_definition_counts_where_there_is_one() {
        let (weak, strong, user) = (image("a", &["f"], &["f"]), image("z", &["f"], &[]), image("m", &[], &["f"]));
        assert_eq!(reached(&[weak.clone(), strong.clone(), user.clone()], &["f"]), [b"z"]);
        assert_eq!(reached(&[strong, weak.clone(), user.clone()], &["f"]), [b"z"]);
        assert_eq!(reached(&[user, weak], &["f"]), [b"a"]);
    }

    #[test]
    fn images_of_other_formats_export_nothing() {
        assert!(reached(&[ContainerImage { format: "ptx", ..image("a", &["f"], &[]) }], &["f"]).is_empty());
    }
}
