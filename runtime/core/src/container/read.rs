//! Typed, borrowed views of a container.
//!
//! In: bytes. Out: images and kernels with every number parsed and every reference checked against
//! the appendix. *Invariant:* no image is copied. Checks that need the whole container are in
//! [`Container::verify`].

use super::{
    DEBUG_KEY, DEBUG_VALUE,
    error::{ContainerError, shorten},
    tree::{self, Node},
};
use crate::{parameter::Parameter, records::ImagePlace};
use std::collections::BTreeMap;

/// Code of a translation unit, or of a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerImage<'a> {
    /// Name of its node, for example `llvm-ir.global`.
    pub name: &'a str,
    /// Variant of the code; `global-module` for images of stage 1.
    pub variant: &'a str,
    /// Format of the bytes; `llvm-ir` for bitcode.
    pub format: &'a str,
    /// Functions that kernels of other containers may call.
    pub exported_symbols: Vec<&'a str>,
    /// Functions that must come from other containers.
    pub imported_symbols: Vec<&'a str>,
    /// True if the code has debug information with source lines; foreign and older containers do
    /// not record it.
    pub has_debug: bool,
    /// BLAKE3 digest of the code when it was written; foreign and older containers do not record
    /// it.
    pub digest: Option<[u8; 32]>,
    /// LLVM bitcode, borrowed from the container.
    pub bytes: &'a [u8],
}

impl ContainerImage<'_> {
    /// Digest of the code: the recorded one, which [`ContainerImage::is_intact`] checks, or else
    /// the digest of the bytes.
    pub fn identity(&self) -> [u8; 32] {
        self.digest.unwrap_or_else(|| *blake3::hash(self.bytes).as_bytes())
    }

    /// True if the code has the recorded digest. LLVM may abort the process on damaged bitcode, or
    /// read it as other code.
    pub fn is_intact(&self) -> bool {
        self.digest.is_none_or(|digest| blake3::hash(self.bytes) == digest)
    }
}

/// Record of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerKernel<'a> {
    /// Symbol in the image.
    pub symbol: &'a str,
    /// Names of the images that define the kernel.
    pub image_providers: Vec<&'a str>,
    /// Flags that the kernel was compiled with, for example `fast-math`.
    pub compile_flags: Vec<&'a str>,
    /// Options with a value that the kernel was compiled with.
    pub compile_options: Vec<(&'a str, &'a str)>,
    /// Parameter records, in the order of the parameters.
    pub parameters: Vec<Parameter>,
    /// Digest of the kernel's own IR closure; foreign containers have none.
    pub ir_hash: Option<[u8; 32]>,
    /// Size of the argument block in bytes; foreign containers do not record it.
    pub block_size: Option<u64>,
}

/// A parsed container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container<'a> {
    pub(super) bytes: &'a [u8],
    object_id: &'a str,
    generator: &'a str,
    images: Vec<ContainerImage<'a>>,
    kernels: Vec<ContainerKernel<'a>>,
    images_by_name: BTreeMap<&'a str, usize>,
    kernels_by_symbol: BTreeMap<&'a str, usize>,
}

impl<'a> Container<'a> {
    /// Parses a container. Bytes after it are treated as part of the appendix.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ContainerError> {
        let (root, appendix) = tree::parse(bytes)?;
        let images = nodes(&root, "images").iter().map(|node| image(node, appendix)).collect::<Result<Vec<_>, _>>()?;
        let kernels = nodes(&root, "kernels").iter().map(kernel).collect::<Result<Vec<_>, _>>()?;
        let images_by_name = index(nodes(&root, "images"))?;
        let kernels_by_symbol = index(nodes(&root, "kernels"))?;
        let object_id = required(&root, "the root", "object-id")?;
        let generator = root.value("generator").unwrap_or_default();
        Ok(Container { bytes, object_id, generator, images, kernels, images_by_name, kernels_by_symbol })
    }

    /// Recorded identity: a content hash in containers written here, a random number in
    /// AdaptiveCpp's.
    pub fn object_id(&self) -> &'a str {
        self.object_id
    }

    /// Recorded identity as bytes; `None` unless it is 64 hexadecimal digits.
    pub fn object_id_bytes(&self) -> Option<[u8; 32]> {
        parse_digest(self.object_id)
    }

    /// Name of the tool that wrote the container.
    pub fn generator(&self) -> &'a str {
        self.generator
    }

    /// Images, in the order of the text.
    pub fn images(&self) -> &[ContainerImage<'a>] {
        &self.images
    }

    /// Finds an image by the name of its node.
    pub fn image(&self, name: &str) -> Option<&ContainerImage<'a>> {
        self.images_by_name.get(name).map(|i| &self.images[*i])
    }

    /// Index of an image in [`Container::images`], found by name.
    pub fn number_of(&self, image: &ContainerImage<'_>) -> Option<u32> {
        self.images_by_name.get(image.name).and_then(|i| u32::try_from(*i).ok())
    }

    /// Offset of an image of this container in the container's bytes.
    pub fn offset_of(&self, image: &ContainerImage<'a>) -> usize {
        image.bytes.as_ptr().addr() - self.bytes.as_ptr().addr()
    }

    /// Data for the record of an image of this container, without its names.
    pub fn place_of(&self, image: &ContainerImage<'a>) -> ImagePlace {
        let (offset, size) = (self.offset_of(image) as u64, image.bytes.len() as u64);
        ImagePlace { offset, size, digest: image.identity(), has_debug: image.has_debug }
    }

    /// Kernels, in the order of the text.
    pub fn kernels(&self) -> &[ContainerKernel<'a>] {
        &self.kernels
    }

    /// Finds a kernel by its symbol.
    pub fn kernel(&self, symbol: &str) -> Option<&ContainerKernel<'a>> {
        self.kernels_by_symbol.get(symbol).map(|i| &self.kernels[*i])
    }

    /// The image that defines a kernel: the first of its providers that the container has.
    pub fn image_of(&self, kernel: &ContainerKernel<'_>) -> Option<&ContainerImage<'a>> {
        kernel.image_providers.iter().find_map(|name| self.image(name))
    }
}

fn nodes<'n, 'a>(root: &'n Node<'a>, name: &str) -> &'n [Node<'a>] {
    root.child(name).map_or(&[], |node| &node.children)
}

/// Maps names to positions. A duplicate name is an error, because a lookup would be ambiguous.
fn index<'a>(nodes: &[Node<'a>]) -> Result<BTreeMap<&'a str, usize>, ContainerError> {
    let mut positions = BTreeMap::new();
    for (i, node) in nodes.iter().enumerate() {
        if positions.insert(node.name, i).is_some() {
            return Err(ContainerError::Duplicate { offset: node.offset, node: shorten(node.name) });
        }
    }
    Ok(positions)
}

fn required<'a>(node: &Node<'a>, path: &str, key: &'static str) -> Result<&'a str, ContainerError> {
    node.value(key).ok_or_else(|| ContainerError::Missing { offset: node.offset, node: shorten(path), key })
}

fn bad_value(node: &Node<'_>, path: &str, key: &'static str, value: &str, expected: &'static str) -> ContainerError {
    ContainerError::Value { offset: node.offset, node: shorten(path), key, value: shorten(value), expected }
}

fn number<T: TryFrom<u64>>(
    node: &Node<'_>,
    path: &str,
    key: &'static str,
    expected: &'static str,
) -> Result<T, ContainerError> {
    let text = required(node, path, key)?;
    let value = text.parse::<u64>().ok().and_then(|value| T::try_from(value).ok());
    value.ok_or_else(|| bad_value(node, path, key, text, expected))
}

fn image<'a>(node: &Node<'a>, appendix: &'a [u8]) -> Result<ContainerImage<'a>, ContainerError> {
    Ok(ContainerImage {
        name: node.name,
        variant: node.value("variant").unwrap_or_default(),
        format: required(node, node.name, "format")?,
        exported_symbols: node.list("exported-symbols"),
        imported_symbols: node.list("imported-symbols"),
        has_debug: node.value(DEBUG_KEY) == Some(DEBUG_VALUE),
        digest: digest(node, "digest")?,
        bytes: binary(node, appendix)?,
    })
}

fn binary<'a>(node: &Node<'a>, appendix: &'a [u8]) -> Result<&'a [u8], ContainerError> {
    let key = "__binary";
    let missing = || ContainerError::Missing { offset: node.offset, node: shorten(node.name), key };
    let record = node.child(key).ok_or_else(missing)?;
    let start: u64 = number(record, node.name, "start", "an offset of at most 64 bits")?;
    let size: u64 = number(record, node.name, "size", "a size of at most 64 bits")?;
    let range = usize::try_from(start).ok().zip(start.checked_add(size).and_then(|end| usize::try_from(end).ok()));
    range.and_then(|(start, end)| appendix.get(start..end)).ok_or_else(|| ContainerError::OutOfBounds {
        offset: record.offset,
        node: shorten(node.name),
        start,
        size,
        appendix: appendix.len(),
    })
}

fn kernel<'a>(node: &Node<'a>) -> Result<ContainerKernel<'a>, ContainerError> {
    let options = node.child("compile-options").map(|options| options.entries.clone()).unwrap_or_default();
    Ok(ContainerKernel {
        symbol: node.name,
        image_providers: node.list("image-providers"),
        compile_flags: flags(node.child("compile-flags")),
        compile_options: options,
        parameters: parameters(node)?,
        ir_hash: digest(node, "ir-hash")?,
        block_size: node.value("block-size").map(|_| number(node, node.name, "block-size", "a size")).transpose()?,
    })
}

/// Names with the value `1`; other values are reserved by the format.
fn flags<'a>(node: Option<&Node<'a>>) -> Vec<&'a str> {
    let entries = node.map_or(&[][..], |node| &node.entries);
    entries.iter().filter(|(_, value)| *value == "1").map(|(name, _)| *name).collect()
}

fn digest(node: &Node<'_>, key: &'static str) -> Result<Option<[u8; 32]>, ContainerError> {
    let Some(text) = node.value(key) else { return Ok(None) };
    let bad = || bad_value(node, node.name, key, text, "64 lower-case hexadecimal digits");
    parse_digest(text).map(Some).ok_or_else(bad)
}

/// Parses 64 lower-case hexadecimal digits.
fn parse_digest(text: &str) -> Option<[u8; 32]> {
    text.parse::<crate::key::CacheKey>().ok().map(|key| key.0)
}

/// Parses parameters: nodes named 0, 1, ... in any order; a gap is an error.
fn parameters(kernel: &Node<'_>) -> Result<Vec<Parameter>, ContainerError> {
    let records = nodes(kernel, "parameters");
    let mut parameters = vec![None; records.len()];
    for record in records {
        let slot = record.name.parse::<usize>().ok().and_then(|i| parameters.get_mut(i));
        let empty = slot.filter(|slot| slot.is_none());
        let path = || format!("{}/parameters/{}", kernel.name, record.name);
        let slot = empty.ok_or_else(|| ContainerError::Duplicate { offset: record.offset, node: shorten(&path()) })?;
        *slot = Some(parameter(record, kernel.name)?);
    }
    Ok(parameters.into_iter().flatten().collect())
}

fn parameter(record: &Node<'_>, kernel: &str) -> Result<Parameter, ContainerError> {
    let path = format!("{kernel}/parameters/{}", record.name);
    let field = |key| number(record, &path, key, "a number of at most 32 bits");
    let kind = required(record, &path, "type")?;
    let kinds = "one of pointer, integer, floating-point, other-by-value";
    Ok(Parameter {
        byte_offset: field("byte-offset")?,
        byte_size: field("byte-size")?,
        original_index: field("original-index")?,
        kind: kind.parse().map_err(|()| bad_value(record, &path, "type", kind, kinds))?,
        annotations: flags(record.child("annotations")).into_iter().map(str::to_owned).collect(),
    })
}
