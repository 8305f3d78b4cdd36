//! Assembles the container.
//!
//! In: the image and the kernels. Out: the container's bytes and the data that descriptors repeat.
//! *Invariant:* each kernel's hash is computed from the image's bytes, as the translator does; each
//! image has everything that its kernels reach.

use crate::{
    error::Stage1Error,
    flatten::Kernel,
    image::{self, DeviceImage},
    requirements::Requirements,
};
use sinter_core::{
    container::{
        Container as Parsed, ContainerBuilder, EXPORTS_IMAGE, GLOBAL_IMAGE, ImageRecord, KernelRecord, LAUNCHED_OVER,
    },
    parameter::Parameter,
};
use sinter_llvm::kernel_hash::{Division, Part, closure_of, divide};
use std::sync::Arc;

/// A finished container.
#[derive(Debug, Clone)]
pub(crate) struct Container {
    pub(crate) bytes: Vec<u8>,
    pub(crate) object_id: [u8; 32],
    pub(crate) images: Vec<PlacedImage>,
    pub(crate) kernels: Vec<HashedKernel>,
}

/// Image data for the table beside the container.
#[derive(Debug, Clone)]
pub(crate) struct PlacedImage {
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) digest: [u8; 32],
    pub(crate) exports: Vec<String>,
    pub(crate) imports: Vec<String>,
    pub(crate) has_debug: bool,
}

/// Kernel data for the descriptors.
#[derive(Debug, Clone)]
pub(crate) struct HashedKernel {
    pub(crate) symbol: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) block_size: u64,
    pub(crate) ir_hash: [u8; 32],
    pub(crate) required: Requirements,
    /// Index of the image in the container.
    pub(crate) image: u32,
}

/// Options of a kernel: what it requires of launches, and their form.
fn options(kernel: &Kernel) -> Vec<(String, String)> {
    let form = kernel.form.map(|form| (LAUNCHED_OVER.to_owned(), form.to_string()));
    kernel.required.options().into_iter().chain(form).collect()
}

pub(crate) fn build(image: DeviceImage, kernels: Vec<Kernel>) -> Result<Container, Stage1Error> {
    let mut builder = ContainerBuilder::new();
    let symbols: Vec<&str> = kernels.iter().map(|kernel| kernel.symbol.as_str()).collect();
    let variables: Vec<&str> = image.variables.iter().map(String::as_str).collect();
    let Division { hashes, parts } = divide(&image.record.bytes, &symbols, &variables)?;
    let providers = providers(&parts);
    for ((kernel, ir_hash), provider) in kernels.iter().zip(&hashes).zip(providers) {
        builder.kernel(KernelRecord {
            symbol: kernel.symbol.clone(),
            image_providers: vec![provider],
            compile_flags: kernel.flags.clone(),
            compile_options: options(kernel),
            parameters: kernel.parameters.clone(),
            ir_hash: *ir_hash,
            block_size: kernel.block_size,
        });
    }
    for image in images(image.record, &parts, &variables)? {
        builder.image(image);
    }
    finish(builder.build()?, kernels, hashes)
}

/// Name of the image of a part.
fn name(parts: &[Part], number: usize) -> String {
    if parts.len() == 1 { GLOBAL_IMAGE.to_owned() } else { format!("{GLOBAL_IMAGE}.{number}") }
}

/// Name of the image of each kernel.
fn providers(parts: &[Part]) -> impl Iterator<Item = String> {
    parts.iter().enumerate().flat_map(move |(number, part)| part.kernels.clone().map(move |_| name(parts, number)))
}

/// Images of the parts. With several parts, one more image has the exports of the translation unit.
fn images(whole: ImageRecord, parts: &[Part], variables: &[&str]) -> Result<Vec<ImageRecord>, Stage1Error> {
    if parts.len() == 1 {
        return Ok(vec![whole]);
    }
    let record = |name: String, bytes: &Arc<[u8]>, exported_symbols: &[String]| ImageRecord {
        name,
        bytes: bytes.to_vec(),
        exported_symbols: exported_symbols.to_vec(),
        has_debug: whole.has_debug,
        imported_symbols: if whole.imported_symbols.is_empty() { Vec::new() } else { image::imports_of(bytes) },
    };
    let parts = parts.iter().enumerate().map(|(number, part)| record(name(parts, number), &part.bitcode, &[]));
    let mut images: Vec<_> = parts.collect();
    if !whole.exported_symbols.is_empty() {
        let exports: Vec<&str> = whole.exported_symbols.iter().map(String::as_str).collect();
        let own = closure_of(&Arc::from(whole.bytes.as_slice()), &exports, variables)?;
        images.push(record(EXPORTS_IMAGE.to_owned(), &own, &whole.exported_symbols));
    }
    Ok(images)
}

/// Reads the positions of the images back from the container.
fn finish(bytes: Vec<u8>, kernels: Vec<Kernel>, hashes: Vec<[u8; 32]>) -> Result<Container, Stage1Error> {
    let parsed = Parsed::parse(&bytes)?;
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let placed = parsed.images().iter().map(|image| PlacedImage {
        offset: parsed.offset_of(image) as u64,
        size: image.bytes.len() as u64,
        digest: image.identity(),
        exports: owned(&image.exported_symbols),
        imports: owned(&image.imported_symbols),
        has_debug: image.has_debug,
    });
    let number = |symbol: &str| parsed.number_of(parsed.image_of(parsed.kernel(symbol)?)?);
    let hashed = kernels.into_iter().zip(hashes).map(|(kernel, ir_hash)| {
        let image = number(&kernel.symbol).unwrap_or_default();
        let Kernel { symbol, parameters, block_size, required, .. } = kernel;
        HashedKernel { symbol, parameters, block_size, ir_hash, required, image }
    });
    let (images, kernels) = (placed.collect(), hashed.collect());
    let object_id = parsed.object_id_bytes().unwrap_or_default();
    Ok(Container { bytes, object_id, images, kernels })
}
