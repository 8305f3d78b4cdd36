//! Assembles the container.
//!
//! In: the image and the kernels. Out: the container's bytes and what descriptors repeat from it. *Invariant:* each
//! kernel's hash is computed from the image's bytes, as the translator does.

use crate::{error::Stage1Error, flatten::Kernel, requirements::Requirements};
use sinter_core::{
    container::{Container as Parsed, ContainerBuilder, GLOBAL_IMAGE, ImageRecord, KernelRecord},
    parameter::Parameter,
};
use sinter_llvm::kernel_hash::kernel_hashes;

/// A finished container.
#[derive(Debug, Clone)]
pub(crate) struct Container {
    pub(crate) bytes: Vec<u8>,
    pub(crate) object_id: [u8; 32],
    pub(crate) kernels: Vec<HashedKernel>,
}

/// A kernel as descriptors need it.
#[derive(Debug, Clone)]
pub(crate) struct HashedKernel {
    pub(crate) symbol: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) block_size: u64,
    pub(crate) ir_hash: [u8; 32],
    pub(crate) required: Requirements,
}

pub(crate) fn build(image: ImageRecord, kernels: Vec<Kernel>) -> Result<Container, Stage1Error> {
    let mut builder = ContainerBuilder::new();
    let mut hashed = Vec::new();
    let symbols: Vec<&str> = kernels.iter().map(|kernel| kernel.symbol.as_str()).collect();
    let hashes = kernel_hashes(&image.bytes, &symbols)?;
    for (kernel, ir_hash) in kernels.into_iter().zip(hashes) {
        let Kernel { symbol, parameters, block_size, flags, required } = kernel;
        builder.kernel(KernelRecord {
            symbol: symbol.clone(),
            image_providers: vec![GLOBAL_IMAGE.to_owned()],
            compile_flags: flags,
            compile_options: required.options(),
            parameters: parameters.clone(),
            ir_hash,
            block_size,
        });
        hashed.push(HashedKernel { symbol, parameters, block_size, ir_hash, required });
    }
    let bytes = builder.image(image).build()?;
    let object_id = Parsed::parse(&bytes)?.object_id_bytes().unwrap_or_default();
    Ok(Container { bytes, object_id, kernels: hashed })
}
