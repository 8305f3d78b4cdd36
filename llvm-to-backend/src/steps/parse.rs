//! Reads the kernel and its callees from the image.
//!
//! In: the image's bitcode, possibly with thousands of kernels. Out: a module with the requested
//! kernel. *Invariant:* the cost is that of the kernel's closure: an image with a digest is read
//! lazily, and nothing else of it becomes part of the module. It is read in place, or, with debug
//! information, linked into a new module. The module is verified before any pass runs: the reader
//! checks the encoding, not the IR, and passes hang or crash on ill-formed IR.

use crate::{
    context::Context,
    device_module::{DeviceModule, Facts, Parsed},
    failure::{Failure, Outcome},
    passes::{
        images::{bad_bitcode, check_layout, is_readable, normalise, read_image},
        start_up,
    },
};
use sinter_core::{Image, TranslateCause, names::meant};
use sinter_llvm::{
    Module,
    ir::Value,
    kernel_hash::{KernelHash, closure_module, known_closure},
    newer_producer,
};

pub(crate) fn parse<'s>(cx: &Context<'s, '_>) -> Outcome<DeviceModule<'s, Parsed>> {
    let module = match read_closure(cx)? {
        Some(module) => module,
        None => link_closure(cx)?,
    };
    let kernel = module.function(&cx.config().entry);
    let kernel = kernel.ok_or_else(|| Failure::internal("the kernel was not linked"))?;
    start_up::no_start_up_values(cx, &module, kernel)?;
    normalise(&module);
    Ok(DeviceModule::new(module, kernel, Facts::default()))
}

/// The kernel's closure, read in place. `None` if it must be linked from its image.
fn read_closure<'s>(cx: &Context<'s, '_>) -> Outcome<Option<Module<'s>>> {
    let (image, name) = (&cx.request.image, &cx.config().entry);
    let Some(recorded) = recorded_hash(image) else { return Ok(None) };
    let Some((module, found)) = closure_module(cx.session, &image.bytes, name)? else { return Ok(None) };
    equal(recorded, found)?;
    check(cx, &module)?.make_external();
    module.set_source_name(name);
    Ok(Some(module))
}

fn link_closure<'s>(cx: &Context<'s, '_>) -> Outcome<Module<'s>> {
    let name = &cx.config().entry;
    let (image, verified) = own_image(cx)?;
    let image = read_kernel(cx, &image)?;
    let source = check(cx, &image)?;
    source.make_external();
    let module = cx.session.module(name);
    module.copy_target(&image);
    module.set_source_name(name);
    module.declare_like(name, source);
    module.link_needed(image).map_err(bad_bitcode)?;
    if !verified {
        module.verify().map_err(bad_bitcode)?;
    }
    Ok(module)
}

/// The kernel in its image, unless the image cannot be translated.
fn check<'s>(cx: &Context<'s, '_>, image: &Module<'s>) -> Outcome<Value<'s>> {
    check_layout(cx, image)?;
    let name = &cx.config().entry;
    let kernel = image.function(name).filter(|f| !f.is_declaration()).ok_or_else(|| unknown_kernel(name, image))?;
    if !image.inline_assembly().is_empty() {
        return Err(cx.unsupported("assembly at module level", None, "remove it from the device code").into());
    }
    Ok(kernel)
}

/// Reads the kernel's image. An image without a digest may be damaged and is read as a whole,
/// because LLVM ends the process on damaged functions, for which it checks whole modules only.
fn read_kernel<'s>(cx: &Context<'s, '_>, image: &Image) -> Outcome<Module<'s>> {
    match cx.request.image.hash {
        Some(_) => read_image(cx.session, image),
        None => {
            is_readable(image)?;
            cx.session.whole_bitcode(&image.bytes).map_err(bad_bitcode)
        }
    }
}

/// The image, or the kernel's part of it, and true if that is known to be well formed: if a hash
/// was recorded, checking it yields that part. An image is read only once, because reading takes
/// time for each of its functions.
fn own_image(cx: &Context<'_, '_>) -> Outcome<(Image, bool)> {
    let image = &cx.request.image;
    let Some(recorded) = recorded_hash(image) else { return Ok((image.clone(), false)) };
    let own = known_closure(&image.bytes, &[&cx.config().entry]);
    let own = own.map_err(|error| Failure::from(TranslateCause::Bitcode { message: error.reason }))?;
    equal(recorded, own.hash)?;
    let whole = own.bitcode.is_empty();
    let bytes = if whole { image.bytes.clone() } else { own.bitcode.as_slice().into() };
    Ok((Image { hash: None, bytes }, !whole))
}

/// The kernel's hash. None for a newer producer, which is reported when the image is read.
fn recorded_hash(image: &Image) -> Option<KernelHash> {
    image.hash.filter(|_| newer_producer(&image.bytes).is_none())
}

fn equal(recorded: KernelHash, found: KernelHash) -> Outcome<()> {
    let hex = |hash: KernelHash| hash.iter().map(|byte| format!("{byte:02x}")).collect();
    match recorded == found {
        true => Ok(()),
        false => Err(TranslateCause::HashMismatch { recorded: hex(recorded), found: hex(found) }.into()),
    }
}

fn unknown_kernel(name: &str, image: &Module<'_>) -> Failure {
    let names: Vec<String> = image.functions().into_iter().filter(|f| !f.is_declaration()).map(Value::name).collect();
    let nearest = meant(name, &names);
    TranslateCause::UnknownKernel { name: name.to_owned(), nearest }.into()
}
