//! `sinter-hcf ls`: what is in the containers of a file, as text or JSON.

use crate::Source;
use clap::Args;
use serde_json::{Value, json};
use sinter_core::container::{Container, ContainerImage, ContainerKernel};
use sinter_tool_common::{Failure, Input, print};
use std::fmt::Write;

/// Arguments of `ls`.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A digest in hexadecimal.
fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn image_text(image: &ContainerImage<'_>) -> String {
    let mut text = format!("  image {}: {}, {} bytes\n", image.name, image.format, image.bytes.len());
    for (what, symbols) in [("exports", &image.exported_symbols), ("imports", &image.imported_symbols)] {
        if !symbols.is_empty() {
            let _ = writeln!(text, "    {what} {}", symbols.join(" "));
        }
    }
    text
}

fn kernel_text(kernel: &ContainerKernel<'_>) -> String {
    let hash = kernel.ir_hash.map(|hash| hex(&hash[..8])).unwrap_or_else(|| "unknown".to_owned());
    let mut text = format!("  kernel {}: ir hash {hash}\n", kernel.symbol);
    if let Some(size) = kernel.block_size {
        let _ = writeln!(text, "    argument block of {size} bytes");
    }
    for (index, parameter) in kernel.parameters.iter().enumerate() {
        let (offset, size, kind) = (parameter.byte_offset, parameter.byte_size, parameter.kind);
        let _ = writeln!(text, "    parameter {index}: {kind}, {size} bytes at offset {offset}");
    }
    text
}

fn container_text(index: usize, container: &Container<'_>) -> String {
    let mut text = format!("container {index}: {} by {}\n", container.object_id(), container.generator());
    text.extend(container.images().iter().map(image_text));
    text.extend(container.kernels().iter().map(kernel_text));
    text
}

fn image_json(image: &ContainerImage<'_>) -> Value {
    json!({
        "name": image.name, "variant": image.variant, "format": image.format, "bytes": image.bytes.len(),
        "exported_symbols": image.exported_symbols, "imported_symbols": image.imported_symbols,
    })
}

fn kernel_json(kernel: &ContainerKernel<'_>) -> Value {
    let parameters = kernel.parameters.iter().map(|parameter| {
        json!({
            "byte_offset": parameter.byte_offset, "byte_size": parameter.byte_size,
            "original_index": parameter.original_index, "type": parameter.kind.to_string(),
            "annotations": parameter.annotations,
        })
    });
    json!({
        "symbol": kernel.symbol, "image_providers": kernel.image_providers, "block_size": kernel.block_size,
        "ir_hash": kernel.ir_hash.map(|hash| hex(&hash)), "compile_flags": kernel.compile_flags,
        "parameters": parameters.collect::<Vec<_>>(),
    })
}

fn container_json(container: &Container<'_>) -> Value {
    json!({
        "object_id": container.object_id(), "generator": container.generator(),
        "images": container.images().iter().map(image_json).collect::<Vec<_>>(),
        "kernels": container.kernels().iter().map(kernel_json).collect::<Vec<_>>(),
    })
}

/// Prints what the containers of a file hold.
pub(crate) fn list(arguments: &List) -> Result<(), Failure> {
    let input = Input::read(&arguments.source.file).map_err(Failure::rejected)?;
    let containers = input.containers().map_err(Failure::rejected)?;
    if arguments.json {
        let value = Value::Array(containers.iter().map(container_json).collect());
        return print(format!("{value:#}\n"));
    }
    print(containers.iter().enumerate().map(|(index, container)| container_text(index, container)).collect::<String>())
}
