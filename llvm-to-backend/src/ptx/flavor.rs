//! Makes a module one for NVIDIA GPUs.
//!
//! *Invariant:* no alias is left, since PTX has none for variables; no function carries the CPU or the features of another target; LLVM's PTX back end has one instruction
//! set for the whole module.

use super::layout::TRIPLE;
use crate::{context::Context, device_module::DeviceModule};

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

pub(super) fn flavor<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    m.module.set_target(TRIPLE, cx.machine);
    m.module.resolve_aliases();
    for function in m.module.functions() {
        FOREIGN_ATTRIBUTES.iter().for_each(|name| function.remove_text_attribute(name));
        if !function.is_declaration() {
            // Device code has no exceptions and no unwinder.
            function.add_attribute("nounwind", 0);
            function.remove_attribute("uwtable");
            if cx.config().approximations.flush_denormals {
                function.add_text_attribute("denormal-fp-math-f32", FLUSH);
            }
        }
    }
}
