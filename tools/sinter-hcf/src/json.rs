//! Lists containers as JSON: an array with one object per container, with the keys of the container
//! format.

use crate::source::sources;
use serde_json::{Value, json};
use sinter_core::{
    Parameter,
    container::{Container, ContainerImage, ContainerKernel},
    names::readable,
};
use sinter_tool_common::{Input, ToolError, print};

/// Prints every container of the input.
pub(crate) fn ls(input: &Input) -> Result<(), ToolError> {
    let values: Vec<Value> = sources(input)?.iter().map(|source| container(&source.container)).collect();
    print(
        format!(
            "{:#}
",
            Value::from(values)
        )
        .as_bytes(),
    )
}

fn container(container: &Container<'_>) -> Value {
    json!({
        "object-id": container.object_id(),
        "generator": container.generator(),
        "images": container.images().iter().map(image).collect::<Vec<_>>(),
        "kernels": container.kernels().iter().map(kernel).collect::<Vec<_>>(),
    })
}

fn image(image: &ContainerImage<'_>) -> Value {
    let ContainerImage { name, variant, format, exported_symbols, imported_symbols, has_debug, digest, bytes } = image;
    json!({
        "name": name,
        "variant": variant,
        "format": format,
        "exported-symbols": exported_symbols,
        "imported-symbols": imported_symbols,
        "debug-information": has_debug,
        "digest": digest.map(hex),
        "size": bytes.len(),
    })
}

fn hex(digest: [u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn kernel(kernel: &ContainerKernel<'_>) -> Value {
    let options: serde_json::Map<String, Value> =
        kernel.compile_options.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    json!({
        "name": readable(kernel.symbol),
        "symbol": kernel.symbol,
        "image-providers": kernel.image_providers,
        "compile-flags": kernel.compile_flags,
        "compile-options": options,
        "ir-hash": kernel.ir_hash.map(hex),
        "block-size": kernel.block_size,
        "parameters": kernel.parameters.iter().map(parameter).collect::<Vec<_>>(),
    })
}

fn parameter(parameter: &Parameter) -> Value {
    let Parameter { byte_offset, byte_size, original_index, kind, annotations } = parameter;
    json!({
        "byte-offset": byte_offset,
        "byte-size": byte_size,
        "original-index": original_index,
        "type": kind.to_string(),
        "annotations": annotations,
    })
}
