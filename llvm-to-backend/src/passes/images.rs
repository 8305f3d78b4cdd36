//! Reads images and normalises them.
//!
//! In: bitcode from outside. Out: a module with current names of builtins and without parts that
//! only host code needs. *Invariant:* an error in bitcode that is read here is the image's fault.

use super::{convergent, start_up};
use crate::{
    context::Context,
    failure::{Failure, Outcome},
};
use sinter_core::{Image, TranslateCause};
use sinter_llvm::{
    BUILD_VERSION, LlvmError, Module, Session,
    ir::{Opcode, Value},
    newer_producer,
};

/// Prefix of device builtins in older containers.
const OLD_PREFIX: &str = "__hipsycl_sscp_";
const PREFIX: &str = "__acpp_sscp_";
/// Host attributes that would prevent inlining or optimisation.
const HOST_ATTRIBUTES: [&str; 5] = ["optnone", "noinline", "ssp", "sspstrong", "sspreq"];
/// Part of the names of functions through which AdaptiveCpp's headers annotate callers for its own
/// runtime. They return `void` and have no definition.
const ANNOTATION: &str = "__acpp_function_annotation_";
/// Globals that keep others alive or run code at start-up; neither has a meaning in a kernel.
const APPENDING: [&str; 4] = ["llvm.used", "llvm.compiler.used", start_up::CONSTRUCTORS, "llvm.global_dtors"];

/// Parses an image lazily.
pub(crate) fn read_image<'s>(session: &'s Session, image: &Image) -> Outcome<Module<'s>> {
    is_readable(image)?;
    session.lazy_bitcode(&image.bytes).map_err(bad_bitcode)
}

pub(crate) fn is_readable(image: &Image) -> Outcome<()> {
    let Some(producer) = newer_producer(&image.bytes) else { return Ok(()) };
    let ours = BUILD_VERSION.map(|part| part.to_string()).join(".");
    Err(TranslateCause::NewerBitcode { producer, ours }.into())
}

/// Refuses an image for a machine with another type layout: its code contains sizes as literals.
pub(crate) fn check_layout(cx: &Context<'_, '_>, image: &Module<'_>) -> Outcome<()> {
    match image.foreign_layout() {
        Some(layout) => {
            let what = format!("IR for another kind of machine (data layout `{layout}`)");
            Err(cx.unsupported(what, None, "compile it for x86-64 or for the target").into())
        }
        None => Ok(()),
    }
}

/// The image comes from outside, so a parse error is the image's fault.
pub(crate) fn bad_bitcode(error: LlvmError) -> Failure {
    match error {
        LlvmError::Diagnostic { message } => TranslateCause::Bitcode { message }.into(),
        other => other.into(),
    }
}

/// Removes parts that only host code needs, renames old builtins, and marks convergent functions.
/// Passes may run afterwards.
pub(crate) fn normalise(module: &Module<'_>) {
    APPENDING.iter().filter_map(|name| module.global(name)).for_each(Value::delete_global);
    for function in module.functions() {
        HOST_ATTRIBUTES.iter().for_each(|attribute| function.remove_attribute(attribute));
        if let Some(rest) = function.name().strip_prefix(OLD_PREFIX) {
            rename(module, function, &format!("{PREFIX}{rest}"));
        }
    }
    module
        .functions()
        .into_iter()
        .filter(|f| f.is_declaration() && f.name().contains(ANNOTATION))
        .for_each(erase_calls);
    convergent::propagate(module);
}

/// Removes the calls of a function that returns `void`.
fn erase_calls(function: Value<'_>) {
    let is_plain = |call: &Value<'_>| call.callee() == Some(function) && call.opcode() == Opcode::LLVMCall;
    let calls = function.users().into_iter().filter(is_plain);
    calls.filter(|call| !call.is_used()).for_each(Value::erase);
}

/// Renames a function, or replaces its uses if the name is taken.
fn rename(module: &Module<'_>, function: Value<'_>, name: &str) {
    match module.function(name) {
        None => function.set_name(name),
        Some(current) => {
            function.replace_uses(current);
            if function.is_declaration() {
                function.delete();
            }
        }
    }
}
