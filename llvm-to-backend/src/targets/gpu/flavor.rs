//! Takes away what a function says about the machine that its image was compiled for.
//!
//! *Invariant:* what is left holds on every GPU.

use crate::context::Context;
use sinter_llvm::ir::Value;

/// What the compiler that made the image wrote for its own target.
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
/// Subnormal operands and results are zeros with their sign (LangRef, "denormal-fp-math").
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
