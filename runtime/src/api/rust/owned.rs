//! A container in memory that the runtime owns.
//!
//! In: a container's bytes, parsed. Out: a copy with the records that stage 1 embeds beside a
//! container in a program. *Invariant:* the records point into memory that the value owns and that
//! does not move.

use crate::{abi, error::RuntimeError};
use sinter_core::container::{Container, ContainerImage};

/// A container with the records that point into it.
pub(super) struct Owned {
    record: Box<abi::WholeContainer>,
    _images: Box<[abi::Image]>,
    _names: Vec<Box<[u8]>>,
    _bytes: Box<[u8]>,
}

/// Record of an image, with the memory for the names that it points to.
fn image(container: &Container<'_>, image: &ContainerImage<'_>) -> Result<(abi::Image, Box<[u8]>), RuntimeError> {
    let record = abi::Image::new(container.place_of(image), &image.exported_symbols, &image.imported_symbols);
    let (record, names) = record.map_err(|error| RuntimeError::invalid("container", error.to_string()))?;
    let names: Box<[u8]> = names.into();
    Ok((abi::Image { names: names.as_ptr().cast(), ..record }, names))
}

impl Owned {
    /// Copies `container`; `bytes` is its serialised form.
    pub(super) fn new(container: &Container<'_>, bytes: &[u8]) -> Result<Self, RuntimeError> {
        let images = container.images().iter().map(|one| image(container, one)).collect::<Result<Vec<_>, _>>()?;
        let (images, names): (Vec<_>, Vec<_>) = images.into_iter().unzip();
        let (images, bytes): (Box<[abi::Image]>, Box<[u8]>) = (images.into(), bytes.into());
        let (size, object_id) = (bytes.len() as u64, *blake3::hash(&bytes).as_bytes());
        let mut record = Box::new(abi::WholeContainer::new(size, object_id, images.len() as u32));
        record.container.data = bytes.as_ptr().cast();
        record.index.images = images.as_ptr();
        Ok(Owned { record, _images: images, _names: names, _bytes: bytes })
    }

    /// Record for the registry. Valid for as long as the value lives.
    pub(super) fn record(&self) -> *const abi::Container {
        (&raw const *self.record).cast()
    }
}
