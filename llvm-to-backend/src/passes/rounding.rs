//! Tells operations whose result is defined to the last bit from those of a mathematical library.
//!
//! In: an instruction. Out: true if LLVM may compute another result for it at compile time than the
//! code does later. *Invariant:* what is not known counts as such an operation.

use sinter_llvm::{ir::Value, types::TypeView};

/// Intrinsics with a floating-point result that is defined to the last bit.
const EXACT: [&str; 22] = [
    "canonicalize",
    "ceil",
    "copysign",
    "experimental",
    "fabs",
    "floor",
    "fma",
    "fmuladd",
    "ldexp",
    "masked",
    "maximum",
    "maxnum",
    "minimum",
    "minnum",
    "nearbyint",
    "rint",
    "round",
    "roundeven",
    "sqrt",
    "trunc",
    "vector",
    "x86",
];

/// True for an intrinsic, named without `llvm.`, whose floating-point result has only one value.
pub(crate) fn is_exact_intrinsic(name: &str) -> bool {
    EXACT.contains(&name.split('.').next().unwrap_or_default())
}

/// True for a call of a function without a body that takes or returns floating-point numbers and
/// is not exact, whatever the target calls it.
pub(crate) fn is_of_library(call: Value<'_>) -> bool {
    let Some(callee) = call.callee().filter(|callee| callee.is_declaration()) else { return false };
    let has_numbers = || is_number(call) || call.arguments().into_iter().any(is_number);
    let is_exact = |name: &str| name.strip_prefix("llvm.").is_some_and(is_exact_intrinsic);
    has_numbers() && !is_exact(&callee.name())
}

/// True for a floating-point number of any format, or a vector of such.
pub(crate) fn is_number(value: Value<'_>) -> bool {
    let ty = value.ty().scalar();
    matches!(ty.view(), TypeView::Float(_)) || ["bfloat", "x86_fp80"].contains(&&*ty.text())
}
