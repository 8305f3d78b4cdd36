//! Removes function attributes for the machine that the image was compiled for.
//!
//! *Invariant:* the remaining attributes hold on every GPU.

use crate::{context::Context, targets::foreign::forget_machine};
use sinter_llvm::ir::Value;

/// Attributes of subnormals that the image's compiler set for its own target.
const SUBNORMALS: [&str; 2] = ["denormal-fp-math", "denormal-fp-math-f32"];
/// Flushes subnormal operands and results to zeros of the same sign (LangRef, "denormal-fp-math").
const FLUSH: &str = "preserve-sign,preserve-sign";

pub(crate) fn neutralise(cx: &Context<'_, '_>, function: Value<'_>) {
    forget_machine(function);
    SUBNORMALS.iter().for_each(|name| function.remove_text_attribute(name));
    if function.is_declaration() {
        return;
    }
    // Device code has no exceptions and no unwinder.
    function.add_attribute("nounwind", 0);
    function.remove_attribute("uwtable");
    if cx.config().approximations.flush_denormals {
        function.add_text_attribute("denormal-fp-math-f32", FLUSH);
    }
}
