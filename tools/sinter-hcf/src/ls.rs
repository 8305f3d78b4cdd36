//! Lists containers as text.

use crate::source::{Source, sources};
use sinter_core::{
    Parameter,
    container::{ContainerImage, ContainerKernel},
    names::{printable, with_symbol},
};
use sinter_tool_common::{Input, ToolError, print};

/// Prints every container of the input.
pub(crate) fn ls(input: &Input) -> Result<(), ToolError> {
    let text = sources(input)?.iter().enumerate().map(|(i, source)| listing(i, source)).collect::<String>();
    print(text.as_bytes())
}

/// One container, its images and kernels.
fn listing(index: usize, source: &Source<'_>) -> String {
    let Source { bytes, container } = source;
    let generator = if container.generator().is_empty() { "an unknown generator" } else { container.generator() };
    let head = format!(
        "container {index}: {} bytes by {}, object id {}\n",
        bytes.len(),
        printable(generator),
        printable(container.object_id())
    );
    let images = container.images().iter().map(image);
    let kernels = container.kernels().iter().map(kernel);
    std::iter::once(head).chain(images).chain(kernels).collect()
}

fn image(image: &ContainerImage<'_>) -> String {
    let ContainerImage { name, variant, format, exported_symbols, imported_symbols, has_debug, digest: _, bytes } =
        image;
    let debug = if *has_debug { " with debug information" } else { "" };
    let mut text = format!("  image {}: {} bytes of {}{debug}", printable(name), bytes.len(), printable(format));
    for (label, value) in [("variant", (*variant).to_owned()), ("exports", exported_symbols.join(" "))] {
        text += &labelled(label, &value);
    }
    text + &labelled("imports", &imported_symbols.join(" ")) + "\n"
}

fn kernel(kernel: &ContainerKernel<'_>) -> String {
    let mut text =
        format!("  kernel {} in {}", with_symbol(kernel.symbol), printable(&kernel.image_providers.join(" ")));
    if let Some(size) = kernel.block_size {
        text += &format!(", block of {size} bytes");
    }
    text += &labelled("flags", &kernel.compile_flags.join(" "));
    let options = kernel.compile_options.iter().map(|(name, value)| format!("{name}={value}"));
    text += &labelled("options", &options.collect::<Vec<_>>().join(" "));
    let parameters = kernel.parameters.iter().enumerate().map(|(i, record)| parameter(i, record));
    text + "\n" + &parameters.collect::<String>()
}

fn parameter(index: usize, parameter: &Parameter) -> String {
    let Parameter { byte_offset, byte_size, original_index, kind, annotations } = parameter;
    let annotations = labelled("annotations", &annotations.join(" "));
    format!("    {index}: {kind}, {byte_size} bytes at {byte_offset}, of field {original_index}{annotations}\n")
}

fn labelled(label: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(", {label} {}", printable(value)) }
}
