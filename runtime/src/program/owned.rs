//! A container in memory of our own.
//!
//! In: a container's bytes, parsed. Out: a copy with the records that stage 1 leaves beside a container in a program.
//! *Invariant:* the records point into memory that the value owns and that does not move.

use crate::{abi, error::RuntimeError};
use sinter_core::container::{Container, ContainerImage, SealedContainer, SealedImage, image_flags, seal_of_names};

/// A container and its records.
pub(super) struct Owned {
    record: Box<abi::WholeContainer>,
    _images: Box<[abi::Image]>,
    _names: Vec<Box<[u8]>>,
    _bytes: Box<[u8]>,
}

/// Names as a record has them: each ended by a zero byte.
fn list(names: &[&str]) -> Vec<u8> {
    names.iter().flat_map(|name| name.bytes().chain([0])).collect()
}

/// The record of an image and the names that it points to.
fn image(container: &Container<'_>, image: &ContainerImage<'_>) -> Result<(abi::Image, Box<[u8]>), RuntimeError> {
    let [exports, imports] = [&image.exported_symbols, &image.imported_symbols].map(|names| list(names));
    let size = |list: &[u8]| {
        u32::try_from(list.len()).map_err(|_| RuntimeError::invalid("container", "it has 4 GiB of names of symbols"))
    };
    let (exports_size, imports_size) = (size(&exports)?, size(&imports)?);
    let names: Box<[u8]> = [exports, imports].concat().into();
    let (offset, size, digest) = (container.offset_of(image) as u64, image.bytes.len() as u64, image.identity());
    let (names_seal, flags) = (seal_of_names(&names), image_flags(image.has_debug));
    let seal = SealedImage { offset, size, digest, exports_size, imports_size, flags, names_seal }.seal();
    let (pointer, reserved) = (names.as_ptr().cast(), 0);
    let record = abi::Image {
        offset,
        size,
        digest,
        names: pointer,
        exports_size,
        imports_size,
        flags,
        reserved,
        names_seal,
        seal,
    };
    Ok((record, names))
}

impl Owned {
    /// A copy of `container`, whose bytes are given.
    pub(super) fn new(container: &Container<'_>, bytes: &[u8]) -> Result<Self, RuntimeError> {
        let images = container.images().iter().map(|one| image(container, one)).collect::<Result<Vec<_>, _>>()?;
        let (images, names): (Vec<_>, Vec<_>) = images.into_iter().unzip();
        let (images, bytes): (Box<[abi::Image]>, Box<[u8]>) = (images.into(), bytes.into());
        let (struct_size, abi_version) = (size_of::<abi::WholeContainer>() as u32, abi::ABI_VERSION);
        let (size, object_id, image_count) =
            (bytes.len() as u64, *blake3::hash(&bytes).as_bytes(), images.len() as u32);
        let seal = SealedContainer { struct_size, abi_version, size, object_id, image_count }.seal();
        let container = abi::Container { struct_size, abi_version, data: bytes.as_ptr().cast(), size, object_id };
        let index = abi::ContainerIndex { images: images.as_ptr(), image_count, reserved: 0, seal };
        let record = Box::new(abi::WholeContainer { container, index });
        Ok(Owned { record, _images: images, _names: names, _bytes: bytes })
    }

    /// The record, for as long as the value lives.
    pub(super) fn record(&self) -> *const abi::Container {
        (&raw const *self.record).cast()
    }
}
