//! Reads the kernel and what it calls out of the image.
//!
//! In: the image's bitcode, possibly with thousands of kernels. Out: a module with the one that was asked for.
//! *Invariant:* the cost is that of the kernel's closure: the image is read lazily and only what the kernel refers to
//! is linked into a fresh module. What was linked is verified before any pass sees it: the reader checks the encoding,
//! not the IR, and passes hang or crash on IR that is not well formed.

use crate::{
    context::Context,
    device_module::{DeviceModule, Facts, Generic},
    failure::{Failure, Outcome},
};
use sinter_core::{Image, TranslateCause, nearest::nearest};
use sinter_llvm::{BUILD_VERSION, LlvmError, Module, Session, ir::Value, kernel_hash::kernel_hash, newer_producer};

/// Prefix of device builtins in older containers.
const OLD_PREFIX: &str = "__hipsycl_sscp_";
const PREFIX: &str = "__acpp_sscp_";
/// Host attributes that would keep a function from being merged or optimised.
const HOST_ATTRIBUTES: [&str; 5] = ["optnone", "noinline", "ssp", "sspstrong", "sspreq"];
/// Globals that keep others alive or run code at start-up; neither has a meaning in a kernel.
const APPENDING: [&str; 4] = ["llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"];

pub(crate) fn parse<'s>(cx: &Context<'s, '_>) -> Outcome<DeviceModule<'s, Generic>> {
    verify_hash(cx)?;
    let name = &cx.config().entry;
    let image = read_image(cx.session, &cx.request.image)?;
    let source = image.function(name).filter(|f| !f.is_declaration()).ok_or_else(|| unknown_kernel(name, &image))?;
    let assembly = image.inline_assembly();
    if !assembly.is_empty() {
        return Err(cx.unsupported("assembly at module level", None, "remove it from the device code").into());
    }
    let facts = Facts { constants: constants(&image), ..Facts::default() };
    source.make_external();
    let module = cx.session.module(name);
    module.copy_target(&image);
    module.set_source_name(name);
    module.declare_like(name, source);
    module.link_needed(image).and_then(|()| module.verify()).map_err(bad_bitcode)?;
    let kernel = module.function(name).ok_or_else(|| Failure::internal("the kernel was not linked"))?;
    normalise(&module)?;
    Ok(DeviceModule::new(module, kernel, facts))
}

/// Reads an image lazily.
pub(super) fn read_image<'s>(session: &'s Session, image: &Image) -> Outcome<Module<'s>> {
    if let Some(producer) = newer_producer(&image.bytes) {
        let ours = BUILD_VERSION.map(|part| part.to_string()).join(".");
        return Err(TranslateCause::NewerBitcode { producer, ours }.into());
    }
    session.lazy_bitcode(&image.bytes).map_err(bad_bitcode)
}

/// What is read here comes from outside, so an error is the image's.
pub(super) fn bad_bitcode(error: LlvmError) -> Failure {
    match error {
        LlvmError::Diagnostic { message } => TranslateCause::Bitcode { message }.into(),
        other => other.into(),
    }
}

/// Removes what only host code needs, and spells old names the current way.
pub(super) fn normalise(module: &Module<'_>) -> Outcome<()> {
    APPENDING.iter().filter_map(|name| module.global(name)).for_each(Value::delete_global);
    for function in module.functions() {
        HOST_ATTRIBUTES.iter().for_each(|attribute| function.remove_attribute(attribute));
        if let Some(rest) = function.name().strip_prefix(OLD_PREFIX) {
            function.set_name(&format!("{PREFIX}{rest}"));
        }
    }
    drop_exceptions(module)
}

/// Device code has no exceptions: a call that may throw becomes a plain call.
fn drop_exceptions(module: &Module<'_>) -> Outcome<()> {
    let throwing: Vec<_> =
        module.functions().into_iter().filter(|f| !f.is_declaration() && f.has_personality()).collect();
    if throwing.is_empty() {
        return Ok(());
    }
    module.run_passes("function(lower-invoke,simplifycfg)", None)?;
    throwing.into_iter().for_each(Value::clear_personality);
    Ok(())
}

fn verify_hash(cx: &Context<'_, '_>) -> Outcome<()> {
    let Some(recorded) = cx.request.image.hash else { return Ok(()) };
    if newer_producer(&cx.request.image.bytes).is_some() {
        return Ok(()); // Reported with a better message when the image is read.
    }
    let message = |error: &dyn std::fmt::Display| Failure(TranslateCause::Bitcode { message: error.to_string() });
    let found = kernel_hash(&cx.request.image.bytes, &cx.config().entry).map_err(|error| message(&error))?;
    if found == recorded {
        return Ok(());
    }
    let hex = |hash: [u8; 32]| hash.iter().map(|byte| format!("{byte:02x}")).collect();
    Err(TranslateCause::HashMismatch { recorded: hex(recorded), found: hex(found) }.into())
}

fn unknown_kernel(name: &str, image: &Module<'_>) -> Failure {
    let names: Vec<String> = image.functions().into_iter().filter(|f| !f.is_declaration()).map(Value::name).collect();
    let nearest = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
    TranslateCause::UnknownKernel { name: name.to_owned(), nearest }.into()
}

/// The image's globals without a value.
fn constants(image: &Module<'_>) -> Vec<String> {
    image.globals().into_iter().filter(|global| global.is_declaration()).map(Value::name).collect()
}
