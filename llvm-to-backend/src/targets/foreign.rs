//! Removes what an image says of the machine that it was compiled for.
//!
//! *Invariant:* the remaining attributes hold on every machine, but for the treatment of
//! subnormals.

use sinter_llvm::ir::Value;

/// Attributes that the image's compiler set for its own target.
const ATTRIBUTES: [&str; 8] = [
    "target-cpu",
    "target-features",
    "tune-cpu",
    "frame-pointer",
    "probe-stack",
    "stack-protector-buffer-size",
    "prefer-vector-width",
    "min-legal-vector-width",
];

pub(crate) fn forget_machine(function: Value<'_>) {
    ATTRIBUTES.iter().for_each(|name| function.remove_text_attribute(name));
}
