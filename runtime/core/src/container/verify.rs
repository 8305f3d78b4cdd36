//! Checks of a whole container that launches skip.
//!
//! In: a parsed container. Out: a summary of the checks, or the first failure.

use super::{
    GENERATOR_PREFIX,
    error::{ContainerError, shorten},
    read::{Container, ContainerImage, ContainerKernel},
    write::content_id,
};

/// Successful checks of [`Container::verify`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// True if the object id was compared with the content. Foreign containers have random ids.
    pub object_id: bool,
    /// Number of images whose bytes lie in the container.
    pub images: usize,
    /// Number of kernels with a provider and, if the block size is known, parameters inside the
    /// block.
    pub kernels: usize,
}

impl Container<'_> {
    /// True if Sinter wrote the container, so that its object id is a content hash. One indication
    /// suffices: damage rarely removes all of them, and must not disable the check.
    pub fn is_native(&self) -> bool {
        self.generator().starts_with(GENERATOR_PREFIX)
            || self.object_id_bytes().is_some()
            || self.images().iter().any(|image| image.digest.is_some())
            || self.kernels().iter().any(|kernel| kernel.ir_hash.is_some() || kernel.block_size.is_some())
    }

    /// Checks object id, images, image providers and parameter records.
    pub fn verify(&self) -> Result<Verified, ContainerError> {
        self.verify_content()?;
        self.images().iter().try_for_each(ContainerImage::verify)?;
        self.kernels().iter().try_for_each(|kernel| self.verify_kernel(kernel))?;
        Ok(Verified { object_id: self.is_native(), images: self.images().len(), kernels: self.kernels().len() })
    }

    /// Compares the object id with the content, if it is a content hash. Call this for a container
    /// from a file before a compiler sees the images: LLVM may abort the process on damaged
    /// bitcode, or read it as other code.
    pub fn verify_content(&self) -> Result<(), ContainerError> {
        if !self.is_native() {
            return Ok(());
        }
        let computed = self.content();
        if computed.to_hex().as_str() == self.object_id() {
            return Ok(());
        }
        Err(ContainerError::ObjectId { recorded: self.object_id().to_owned(), computed: computed.to_hex().to_string() })
    }

    /// Compares the content with an object id that was recorded elsewhere.
    pub fn verify_content_is(&self, object_id: &[u8; 32]) -> Result<(), ContainerError> {
        let computed = self.content();
        if computed == *object_id {
            return Ok(());
        }
        let recorded = blake3::Hash::from(*object_id).to_hex().to_string();
        Err(ContainerError::ObjectId { recorded, computed: computed.to_hex().to_string() })
    }

    /// Hash of the content, as in the object ids that Sinter writes.
    fn content(&self) -> blake3::Hash {
        let rest = self.bytes.iter().position(|byte| *byte == b'\n').map_or(&[][..], |end| &self.bytes[end + 1..]);
        content_id(rest)
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

impl ContainerImage<'_> {
    /// Compares the code with its recorded digest.
    pub fn verify(&self) -> Result<(), ContainerError> {
        if self.is_intact() { Ok(()) } else { Err(ContainerError::ImageDigest { image: shorten(self.name) }) }
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
