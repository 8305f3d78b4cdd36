//! Reads the table of images that stage 1 embeds beside a container.
//!
//! In: a `sinter_container` and its `sinter_image` records. Out: the image at an index.
//! *Invariant:* a size is trusted only after the seal of its record was checked, and the bytes of
//! an image are not read.
#![expect(unsafe_code, reason = "reads records in the program's memory")]

use crate::abi;
use sinter_core::container::{
    ContainerError, ContainerImage, GLOBAL_IMAGE, GLOBAL_VARIANT, LLVM_IR_FORMAT, seal_of_names,
};

/// Table of the images of one container.
#[derive(Debug, Clone, Copy)]
pub(super) struct Index {
    data: &'static [u8],
    images: &'static [abi::Image],
}

// SAFETY: the pointers point to memory of the program that is not written while the container is
// registered.
unsafe impl Send for Index {}
// SAFETY: as above.
unsafe impl Sync for Index {}

fn broken(record: &'static str) -> ContainerError {
    ContainerError::Seal { record }
}

impl Index {
    /// Reads the table of a container; `None` if its program was compiled before such tables
    /// existed.
    ///
    /// # Safety
    /// The record, and what it points to, is valid and unchanged while the value is used.
    pub(super) unsafe fn read(container: *const abi::Container) -> Result<Option<Self>, ContainerError> {
        // SAFETY: the same contract, upheld by the caller.
        let first = unsafe { &*container };
        if (first.struct_size as usize) < size_of::<abi::WholeContainer>() {
            return Ok(None);
        }
        // SAFETY: the size says that the second part is there.
        let whole = unsafe { *container.cast::<abi::WholeContainer>() };
        let abi::ContainerIndex { images, image_count, seal, .. } = whole.index;
        let abi::Container { data, size, .. } = whole.container;
        let is_there = !data.is_null() && size <= isize::MAX as u64 && (image_count == 0 || !images.is_null());
        if whole.checksum() != seal || !is_there {
            return Err(broken("record of the container"));
        }
        // SAFETY: not null and of a size that fits, which the seal vouches for; valid by the
        // caller's promise.
        let data = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size as usize) };
        let images: &[abi::Image] = match image_count {
            0 => &[],
            // SAFETY: as above.
            count => unsafe { std::slice::from_raw_parts(images, count as usize) },
        };
        Ok(Some(Index { data, images }))
    }

    /// The image at an index.
    pub(super) fn image(&self, number: u32) -> Result<ContainerImage<'static>, ContainerError> {
        let record = self.images.get(number as usize).ok_or(broken("number of the kernel's image"))?;
        let [exported_symbols, imported_symbols] = names(record)?;
        let end = record.offset.checked_add(record.size).and_then(|end| usize::try_from(end).ok());
        let bytes = end.and_then(|end| self.data.get(record.offset as usize..end));
        Ok(ContainerImage {
            name: GLOBAL_IMAGE,
            variant: GLOBAL_VARIANT,
            format: LLVM_IR_FORMAT,
            exported_symbols,
            imported_symbols,
            has_debug: record.flags & abi::IMAGE_HAS_DEBUG != 0,
            digest: Some(record.digest),
            bytes: bytes.ok_or(broken("place of an image"))?,
        })
    }

    /// Images that export functions to kernels of other containers. A damaged record exports
    /// nothing.
    pub(super) fn exporting(&self) -> impl Iterator<Item = ContainerImage<'static>> {
        let exporting = self.images.iter().zip(0..).filter(|(record, _)| record.exports_size > 0);
        exporting.filter_map(|(_, number)| self.image(number).ok())
    }
}

/// Names that an image exports and imports.
fn names(record: &abi::Image) -> Result<[Vec<&'static str>; 2], ContainerError> {
    let abi::Image { names, exports_size, imports_size, names_seal, seal, .. } = *record;
    if record.checksum() != seal {
        return Err(broken("record of an image"));
    }
    let bytes: &[u8] = match exports_size as usize + imports_size as usize {
        0 => &[],
        _ if names.is_null() => return Err(broken("list of an image's names")),
        // SAFETY: the seal vouches for the size; registration promises that what records point to
        // is valid.
        size => unsafe { std::slice::from_raw_parts(names.cast(), size) },
    };
    let (exports, imports) = bytes.split_at(exports_size as usize);
    match (seal_of_names(bytes) == names_seal, std::str::from_utf8(exports), std::str::from_utf8(imports)) {
        (true, Ok(exports), Ok(imports)) => Ok([exports, imports].map(|list| list.split_terminator('\0').collect())),
        _ => Err(broken("list of an image's names")),
    }
}
