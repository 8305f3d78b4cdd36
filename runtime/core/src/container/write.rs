//! Writes containers.
//!
//! In: images and kernels. Out: the bytes, with a content hash as `object-id`. *Invariant:* the
//! same records give the same bytes, in whatever order they were added, and reading them back
//! returns the records.

use super::{
    DEBUG_KEY, DEBUG_VALUE, GENERATOR_PREFIX, GLOBAL_VARIANT, LLVM_IR_FORMAT, MARKER,
    error::{ContainerError, shorten},
};
use crate::parameter::Parameter;
use std::{collections::BTreeMap, fmt::Write};

/// An image to write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImageRecord {
    /// Name of its node, for example [`super::GLOBAL_IMAGE`].
    pub name: String,
    /// LLVM bitcode.
    pub bytes: Vec<u8>,
    /// Functions that kernels of other containers may call.
    pub exported_symbols: Vec<String>,
    /// Functions that must come from other containers.
    pub imported_symbols: Vec<String>,
    /// True if the code has debug information with source lines.
    pub has_debug: bool,
}

/// A kernel to write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KernelRecord {
    /// Symbol in the image.
    pub symbol: String,
    /// Names of the images that define the kernel.
    pub image_providers: Vec<String>,
    /// Flags that the kernel was compiled with.
    pub compile_flags: Vec<String>,
    /// Options with a value that the kernel was compiled with.
    pub compile_options: Vec<(String, String)>,
    /// Parameter records, in the order of the parameters.
    pub parameters: Vec<Parameter>,
    /// Digest of the kernel's own IR closure.
    pub ir_hash: [u8; 32],
    /// Size of the argument block in bytes.
    pub block_size: u64,
}

/// Collects images and kernels, then writes them.
#[derive(Debug, Clone, Default)]
pub struct ContainerBuilder {
    images: BTreeMap<String, ImageRecord>,
    kernels: BTreeMap<String, KernelRecord>,
}

impl ContainerBuilder {
    /// An empty container.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an image, or replaces the one with the same name.
    pub fn image(&mut self, image: ImageRecord) -> &mut Self {
        self.images.insert(image.name.clone(), image);
        self
    }

    /// Adds a kernel, or replaces the one with the same symbol.
    pub fn kernel(&mut self, kernel: KernelRecord) -> &mut Self {
        self.kernels.insert(kernel.symbol.clone(), kernel);
        self
    }

    /// Serialises the container. Fails if a name or value cannot be represented.
    pub fn build(&self) -> Result<Vec<u8>, ContainerError> {
        let mut text = Text::default();
        text.entry("generator", &format!("{GENERATOR_PREFIX} {}", env!("CARGO_PKG_VERSION")))?;
        text.node("images", |text| self.write_images(text))?;
        text.node("kernels", |text| self.kernels.values().try_for_each(|kernel| write_kernel(text, kernel)))?;
        let mut rest = text.out;
        rest.push_str(MARKER);
        let mut rest = rest.into_bytes();
        self.images.values().for_each(|image| rest.extend_from_slice(&image.bytes));
        let mut container = id_line(content_id(&rest).to_hex().as_str()).into_bytes();
        container.extend_from_slice(&rest);
        Ok(container)
    }

    fn write_images(&self, text: &mut Text) -> Result<(), ContainerError> {
        let mut start = 0;
        for image in self.images.values() {
            text.node(&image.name, |text| write_image(text, image, start))?;
            start += image.bytes.len();
        }
        Ok(())
    }
}

/// Line with the object id; always the first of a container written here.
pub(super) fn id_line(id: &str) -> String {
    format!("object-id = {id}\n")
}

/// Object id of a container: the hash of everything after its first line.
pub(super) fn content_id(rest: &[u8]) -> blake3::Hash {
    blake3::hash(rest)
}

fn write_image(text: &mut Text, image: &ImageRecord, start: usize) -> Result<(), ContainerError> {
    text.entry("variant", GLOBAL_VARIANT)?;
    text.entry("format", LLVM_IR_FORMAT)?;
    text.entry("digest", blake3::hash(&image.bytes).to_hex().as_str())?;
    text.list("exported-symbols", &image.exported_symbols)?;
    text.list("imported-symbols", &image.imported_symbols)?;
    if image.has_debug {
        text.entry(DEBUG_KEY, DEBUG_VALUE)?;
    }
    text.node("__binary", |text| {
        text.entry("start", &start.to_string())?;
        text.entry("size", &image.bytes.len().to_string())
    })
}

fn write_kernel(text: &mut Text, kernel: &KernelRecord) -> Result<(), ContainerError> {
    text.node(&kernel.symbol, |text| {
        text.entry("ir-hash", blake3::Hash::from(kernel.ir_hash).to_hex().as_str())?;
        text.entry("block-size", &kernel.block_size.to_string())?;
        text.list("image-providers", &kernel.image_providers)?;
        text.node("compile-flags", |text| kernel.compile_flags.iter().try_for_each(|flag| text.entry(flag, "1")))?;
        text.node("compile-options", |text| kernel.compile_options.iter().try_for_each(|(k, v)| text.entry(k, v)))?;
        text.node("parameters", |text| write_parameters(text, &kernel.parameters))
    })
}

fn write_parameters(text: &mut Text, parameters: &[Parameter]) -> Result<(), ContainerError> {
    for (i, parameter) in parameters.iter().enumerate() {
        let Parameter { byte_offset, byte_size, original_index, kind, annotations } = parameter;
        text.node(&i.to_string(), |text| {
            text.entry("byte-offset", &byte_offset.to_string())?;
            text.entry("byte-size", &byte_size.to_string())?;
            text.entry("original-index", &original_index.to_string())?;
            text.entry("type", &kind.to_string())?;
            text.node("annotations", |text| annotations.iter().try_for_each(|name| text.entry(name, "1")))
        })?;
    }
    Ok(())
}

/// The text being written.
#[derive(Default)]
struct Text {
    out: String,
    depth: usize,
}

impl Text {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{:width$}{line}", "", width = self.depth * 2);
    }

    fn entry(&mut self, key: &str, value: &str) -> Result<(), ContainerError> {
        check(key, key.contains('=') || key.starts_with("{.") || key.starts_with("}."))?;
        check(value, false)?;
        self.line(format_args!("{key} = {value}"));
        Ok(())
    }

    fn node(
        &mut self,
        name: &str,
        body: impl FnOnce(&mut Self) -> Result<(), ContainerError>,
    ) -> Result<(), ContainerError> {
        check(name, false)?;
        self.line(format_args!("{{.{name}"));
        self.depth += 1;
        body(self)?;
        self.depth -= 1;
        self.line(format_args!("}}.{name}"));
        Ok(())
    }

    fn list(&mut self, name: &str, elements: &[String]) -> Result<(), ContainerError> {
        self.node(name, |text| elements.iter().try_for_each(|element| text.node(element, |_| Ok(()))))
    }
}

/// Rejects strings that would be read back differently. LLVM allows any byte in a symbol.
fn check(text: &str, is_syntax: bool) -> Result<(), ContainerError> {
    let refuse = |reason| Err(ContainerError::Unwritable { text: shorten(text), reason });
    if text.contains('\n') {
        refuse("it has a line break")
    } else if text.trim() != text {
        refuse("it starts or ends with white space")
    } else if is_syntax {
        refuse("it reads as syntax")
    } else if text.contains("_hcf_binary_appendix") {
        refuse("it has the text that marks the end of the tree")
    } else {
        Ok(())
    }
}
