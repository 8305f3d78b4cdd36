//! Checks of a whole container that a launch does not need.
//!
//! In: a parsed container. Out: what was checked, or the first thing that does not hold.

use super::{
    GENERATOR_PREFIX,
    error::ContainerError,
    read::{Container, ContainerKernel},
    write::content_id,
};

/// What [`Container::verify`] found to be true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// The object id was compared with the content. Foreign containers have random ids.
    pub object_id: bool,
    /// Images whose bytes lie in the container.
    pub images: usize,
    /// Kernels with a provider and, where the block size is known, parameters inside the block.
    pub kernels: usize,
}

impl Container<'_> {
    /// Whether the container was written by this project, so that its object id is a content hash. Either sign of it
    /// is enough, or damage to the generator's name would switch the check off.
    pub fn is_native(&self) -> bool {
        self.generator().starts_with(GENERATOR_PREFIX) || self.object_id_bytes().is_some()
    }

    /// Checks object id, image providers and parameter records.
    pub fn verify(&self) -> Result<Verified, ContainerError> {
        self.verify_content()?;
        self.kernels().iter().try_for_each(|kernel| self.verify_kernel(kernel))?;
        Ok(Verified { object_id: self.is_native(), images: self.images().len(), kernels: self.kernels().len() })
    }

    /// Compares the object id with the content, where it was made from it. Who reads a container from a file must call this
    /// before a compiler sees the images: damaged bitcode may end LLVM's reader, or be read as other code.
    pub fn verify_content(&self) -> Result<(), ContainerError> {
        if !self.is_native() {
            return Ok(());
        }
        let rest = self.bytes.iter().position(|byte| *byte == b'\n').map_or(&[][..], |end| &self.bytes[end + 1..]);
        let computed = content_id(rest);
        if computed == self.object_id() {
            return Ok(());
        }
        Err(ContainerError::ObjectId { recorded: self.object_id().to_owned(), computed })
    }

    fn verify_kernel(&self, kernel: &ContainerKernel<'_>) -> Result<(), ContainerError> {
        let missing = |image: &str| ContainerError::Provider { kernel: kernel.symbol.into(), image: image.into() };
        if kernel.image_providers.is_empty() {
            return Err(missing(""));
        }
        match kernel.image_providers.iter().find(|name| self.image(name).is_none()) {
            Some(name) => Err(missing(name)),
            None => verify_parameters(kernel),
        }
    }
}

fn verify_parameters(kernel: &ContainerKernel<'_>) -> Result<(), ContainerError> {
    let Some(block_size) = kernel.block_size else { return Ok(()) };
    for (index, parameter) in kernel.parameters.iter().enumerate() {
        let (offset, size) = (parameter.byte_offset, parameter.byte_size);
        if u64::from(offset) + u64::from(size) > block_size {
            return Err(ContainerError::Parameter { kernel: kernel.symbol.into(), index, offset, size, block_size });
        }
    }
    Ok(())
}
