//! From a command line and an input to a request.

use crate::{Cli, kernels};
use sinter_core::{
    HostTarget, Image, Target, TranslateRequest,
    container::{Container, LLVM_IR_FORMAT},
};
use sinter_tool_common::{Input, InputKind, ToolError};
use sinter_translate::{assemble, native_target};

/// The request in a file, unchanged.
pub(crate) fn replayed(input: Input) -> Result<TranslateRequest, ToolError> {
    match input.kind {
        InputKind::Request(request) => Ok(*request),
        _ => Err(ToolError::rejected(format!("{} is not a translation request", input.name))),
    }
}

/// The request that the command line describes.
pub(crate) fn from_flags(cli: &Cli, input: Input) -> Result<TranslateRequest, ToolError> {
    if let InputKind::Request(request) = input.kind {
        return Ok(*request);
    }
    let kernel = choose(cli, &input)?;
    let (image, imports) = images(&input, &kernel)?;
    Ok(TranslateRequest {
        image,
        imports,
        libraries: Vec::new(),
        target: Target::Host(target(&cli.target)),
        config: cli.kernel.config(&kernel),
    })
}

fn choose(cli: &Cli, input: &Input) -> Result<String, ToolError> {
    if let Some(kernel) = &cli.kernel.kernel {
        return Ok(kernel.clone());
    }
    match kernels::names(input)?.as_slice() {
        [] => Err(ToolError::rejected(format!("{} has no kernel", input.name))),
        [kernel] => Ok(kernel.clone()),
        several => Err(ToolError::usage(format!(
            "{} has {} kernels; choose one with --kernel: {}",
            input.name,
            several.len(),
            several.join(", ")
        ))),
    }
}

/// The image that defines the kernel, and those it may import from.
fn images(input: &Input, kernel: &str) -> Result<(Image, Vec<Image>), ToolError> {
    let reject = |error: &dyn std::fmt::Display| ToolError::rejected(format!("{}: {error}", input.name));
    let bitcode = match input.kind {
        InputKind::Ir => assemble(&input.bytes).map_err(|e| reject(&e))?,
        InputKind::Bitcode => input.bytes.clone(),
        _ => return embedded(input, kernel),
    };
    Ok((Image { hash: None, bytes: bitcode.into() }, Vec::new()))
}

fn embedded(input: &Input, kernel: &str) -> Result<(Image, Vec<Image>), ToolError> {
    let (mut image, mut others) = (None, Vec::new());
    for bytes in input.containers() {
        let container =
            Container::parse(bytes).map_err(|error| ToolError::rejected(format!("{}: {error}", input.name)))?;
        let found = container.kernel(kernel).filter(|_| image.is_none());
        let own = found.and_then(|kernel| container.image_of(kernel).map(|image| (image, kernel.ir_hash)));
        if let Some((own, hash)) = own {
            image = Some(Image { hash, bytes: own.bytes.into() });
        }
        let own = own.map(|(own, _)| own.name);
        let exporting = container.images().iter().filter(|image| {
            Some(image.name) != own && image.format == LLVM_IR_FORMAT && !image.exported_symbols.is_empty()
        });
        others.extend(exporting.map(|image| Image { hash: None, bytes: image.bytes.into() }));
    }
    match image {
        Some(image) => Ok((image, others)),
        None => Err(ToolError::rejected(format!(
            "{} has no kernel `{kernel}`; --list-kernels shows those it has",
            input.name
        ))),
    }
}

/// `native`, or a CPU with optional features.
fn target(text: &str) -> HostTarget {
    let native = native_target();
    match text.split_once(':') {
        _ if text == "native" => native,
        Some((cpu, features)) => {
            HostTarget { triple: native.triple, cpu: cpu.to_owned(), features: features.to_owned() }
        }
        None => HostTarget { triple: native.triple, cpu: text.to_owned(), features: String::new() },
    }
}
