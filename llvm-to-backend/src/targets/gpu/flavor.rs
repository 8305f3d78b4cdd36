//! Removes function attributes for the machine that the image was compiled for.
//!
//! *Invariant:* the remaining attributes hold on every GPU.

use crate::context::Context;
use sinter_llvm::ir::Value;

/// Attributes that the image's compiler set for its own target.
const FOREIGN_ATTRIBUTES: [&str; 9] = [
    "target-cpu",
    "target-features",
    "tune-cpu",
    "frame-pointer",
    "probe-stack",
    "stack-protector-buffer-size",
    "min-legal-vector-width",
    "denormal-fp-math",
    "denormal-fp-math-f32",
];
/// Flushes subnormal operands and results to zeros of the same sign (LangRef, "denormal-fp-math").
const FLUSH: &str = "preserve-sign,preserve-sign";

pub(crate) fn neutralise(cx: &Context<'_, '_>, function: Value<'_>) {
    FOREIGN_ATTRIBUTES.iter().for_each(|name| function.remove_text_attribute(name));
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
