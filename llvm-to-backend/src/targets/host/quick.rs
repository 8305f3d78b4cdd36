//! Decides whether a kernel can have quick code.
//!
//! In: a kernel just before the optimiser, with its rows, pieces and fused operations. Out: true if
//! few passes and all of them make code with the same results. *Invariant:* what remains for the
//! optimiser keeps the bits of every result, except the payload and the sign of NaNs, which LLVM
//! leaves open.

use super::builtins::is_mathematical;
use crate::{
    device_module::{Checked, DeviceModule},
    passes::rounding::{is_exact_intrinsic, is_number},
};
use sinter_llvm::ir::Value;

/// Function attribute of `-ffast-math`, by which code generators change operations regardless of
/// their flags.
const FREE: &str = "unsafe-fp-math";

pub(super) fn is_possible(m: &DeviceModule<'_, Checked>) -> bool {
    let is_free = |function: &Value<'_>| function.has_text_attribute(FREE);
    let functions = m.defined();
    !functions.iter().any(is_free) && functions.into_iter().flat_map(Value::instructions).all(is_exact)
}

/// True if every optimiser keeps the bits of an instruction's result.
fn is_exact(instruction: Value<'_>) -> bool {
    let flags = instruction.fast_math_flags();
    let is_free = flags.reassociate || flags.reciprocal || flags.contract || flags.approximate || flags.no_signed_zeros;
    !(is_free || instruction.is_call() && is_rounded_by_library(instruction))
}

/// True for a call of a mathematical function, for which the optimiser may compute a constant or
/// choose another function, as it does for `pow(x, 2)`.
fn is_rounded_by_library(call: Value<'_>) -> bool {
    let Some(callee) = call.callee() else { return false };
    let name = callee.name();
    match name.strip_prefix("llvm.") {
        Some(intrinsic) => is_number(call) && !is_exact_intrinsic(intrinsic),
        None => callee.is_declaration() && is_mathematical(&name),
    }
}
