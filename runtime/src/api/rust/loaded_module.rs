//! The kernels of a container, with a descriptor for each.
//!
//! *Invariant:* descriptors have fixed addresses. When a module is dropped, the runtime forgets
//! everything that it stored under such an address, before the memory is reused.
#![expect(unsafe_code, reason = "keeps pointers into memory that it owns")]

use super::owned::Owned;
use crate::{abi, error::RuntimeError, runtime::Runtime};
use sinter_core::{
    Parameter,
    container::{Container, ContainerKernel, Required, seal_of_content},
};
use std::{
    ffi::{CString, c_char},
    mem::offset_of,
    sync::Arc,
};

/// No closure is larger, in bytes; a larger number means a damaged record.
const MAX_BLOCK: u64 = 1 << 24;

/// A descriptor with the part that only kernels have that require aspects.
#[repr(C)]
pub(super) struct Sealed {
    pub(super) whole: abi::WholeKernel,
    aspects: abi::KernelAspects,
}

/// A kernel with a descriptor as stage 1 would have emitted it.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) descriptor: Box<Sealed>,
    /// Owns the string that the descriptor points to.
    _symbol: CString,
    _records: Box<[abi::Parameter]>,
}

pub(super) struct Inner {
    pub(super) runtime: Arc<Runtime>,
    pub(super) entries: Vec<Entry>,
    pub(super) container: *const abi::Container,
    pub(super) owned: Option<Owned>,
}

// SAFETY: the pointers point to memory that the value owns, or that linked objects own while they
// are loaded; that memory is never written.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.owned.is_some() {
            self.runtime.registry().unregister(self.container);
        }
        self.runtime.forget(self.container);
    }
}

/// The kernels of a container. Cheap to clone; the container is freed with the last clone and the
/// last of its kernels.
#[derive(Clone)]
pub struct Module(pub(super) Arc<Inner>);

/// Size of the argument block in bytes: as recorded, or, in foreign containers, computed from the
/// parameters.
fn block_size(kernel: &ContainerKernel<'_>) -> u64 {
    let end = |parameter: &Parameter| u64::from(parameter.byte_offset) + u64::from(parameter.byte_size);
    kernel.block_size.unwrap_or_else(|| kernel.parameters.iter().map(end).max().unwrap_or(0))
}

/// Requirements of the container on launches of a kernel.
fn requirements(required: &Required) -> abi::KernelRequirements {
    abi::KernelRequirements {
        required_group_size: required.group_size.unwrap_or_default(),
        required_sub_group_size: required.sub_group_size.unwrap_or_default(),
    }
}

/// Fills the third part of a descriptor: the number of the image that has the kernel, and the seal
/// over all parts.
fn seal(descriptor: &mut abi::WholeKernel, image: u32, symbol: &str, records: &[abi::Parameter]) {
    let content_seal = seal_of_content(symbol.as_bytes(), records.iter().map(abi::Parameter::words));
    descriptor.image = abi::KernelImage { image, symbol_size: symbol.len() as u32, content_seal, seal: 0 };
    *descriptor = descriptor.sealed();
}

impl Entry {
    /// `image` is the index of the kernel's image in the container's table, or `None` without a
    /// table.
    fn new(
        kernel: &ContainerKernel<'_>,
        container: *const abi::Container,
        image: Option<u32>,
    ) -> Result<Self, RuntimeError> {
        let refuse =
            |reason: &str| RuntimeError::Kernel { kernel: kernel.symbol.to_owned(), reason: reason.to_owned() };
        let symbol = CString::new(kernel.symbol).map_err(|_| refuse("its name has a NUL byte"))?;
        let size = block_size(kernel);
        let is_inside = |p: &Parameter| u64::from(p.byte_offset) + u64::from(p.byte_size) <= size;
        if size > MAX_BLOCK || !kernel.parameters.iter().all(is_inside) {
            return Err(refuse("its parameters do not fit its argument block; rebuild the container"));
        }
        let records: Box<[_]> = kernel.parameters.iter().map(abi::Parameter::from).collect();
        // The error names an option without a meaning.
        let required = kernel.required().map_err(|error| refuse(&error.to_string()))?;
        let requirements = requirements(&required);
        let without_image = offset_of!(abi::WholeKernel, image);
        let first = abi::Kernel {
            struct_size: image.map_or(without_image as u32, |_| abi::WholeKernel::size(required.aspects)),
            parameter_count: records.len() as u32,
            container,
            symbol: symbol.as_ptr().cast::<c_char>(),
            parameters: records.as_ptr(),
            block_size: size,
            ir_hash: kernel.ir_hash.unwrap_or_default(),
            slot: std::ptr::null_mut(),
        };
        let mut whole = abi::WholeKernel { kernel: first, requirements, image: Default::default() };
        if let Some(image) = image {
            seal(&mut whole, image, kernel.symbol, &records);
        }
        let aspects = whole.require(required.aspects).unwrap_or_default();
        let descriptor = Box::new(Sealed { whole, aspects });
        let (name, parameters) = (kernel.symbol.to_owned(), kernel.parameters.clone());
        Ok(Entry { name, parameters, descriptor, _symbol: symbol, _records: records })
    }
}

/// `has_table`: the container has a table of images, in the order of the container's text.
pub(super) fn entries(
    parsed: &Container<'_>,
    container: *const abi::Container,
    has_table: bool,
) -> Result<Vec<Entry>, RuntimeError> {
    let number = |kernel| parsed.image_of(kernel).and_then(|image| parsed.number_of(image)).filter(|_| has_table);
    parsed.kernels().iter().map(|kernel| Entry::new(kernel, container, number(kernel))).collect()
}
