//! What stage 1 knows of libm.
//!
//! *Invariant:* one line per function; the `float` variant of each is found by its suffix.

/// The floating-point type of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    Single,
    Double,
}

/// What a call becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// The intrinsic of this name, overloaded on the floating-point type.
    Intrinsic(&'static str),
    /// As above, overloaded on the integer result too, which comes first.
    ToInteger(&'static str),
    /// As above, overloaded on the integer second operand too.
    Scale,
    /// The instruction `frem`.
    Remainder,
    /// Sine and cosine, each stored through a pointer.
    SinCos,
    /// `llvm.is.fpclass` with this mask of classes.
    Class(u32),
    /// `__acpp_sscp_<name>_<type>` with the parameters of the call.
    Builtin(&'static str),
}

/// A function of libm. In `parameters` and `result`, `T` is the floating-point type, `I` an integer, `P` a pointer,
/// `V` nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Function {
    name: &'static str,
    pub(crate) result: char,
    pub(crate) parameters: &'static str,
    pub(crate) operation: Operation,
}

/// The function with this symbol, and which variant it is.
pub(crate) fn find(symbol: &str) -> Option<(&'static Function, Precision)> {
    let named = |name: &str| FUNCTIONS.iter().find(|function| function.name == name);
    if let Some(function) = named(symbol) {
        return Some((function, Precision::Double));
    }
    // `lgammaf_r` is the one name with the suffix inside.
    let double = if symbol == "lgammaf_r" { "lgamma_r" } else { symbol.strip_suffix('f')? };
    named(double).map(|function| (function, Precision::Single))
}

const fn unary(name: &'static str, operation: Operation) -> Function {
    Function { name, result: 'T', parameters: "T", operation }
}

const fn binary(name: &'static str, operation: Operation) -> Function {
    Function { name, result: 'T', parameters: "TT", operation }
}

const fn rounding(name: &'static str, intrinsic: &'static str) -> Function {
    Function { name, result: 'I', parameters: "T", operation: Operation::ToInteger(intrinsic) }
}

const fn class(name: &'static str, mask: u32) -> Function {
    Function { name, result: 'I', parameters: "T", operation: Operation::Class(mask) }
}

const fn special(name: &'static str, result: char, parameters: &'static str, operation: Operation) -> Function {
    Function { name, result, parameters, operation }
}

use Operation::{Builtin, Intrinsic, Remainder, Scale, SinCos};

/// Masks of `llvm::FPClassTest` (llvm/ADT/FloatingPointMode.h).
const NAN: u32 = 0x003;
const INFINITE: u32 = 0x204;
const FINITE: u32 = 0x1f8;

const FUNCTIONS: &[Function] = &[
    unary("acos", Intrinsic("llvm.acos")),
    unary("asin", Intrinsic("llvm.asin")),
    unary("atan", Intrinsic("llvm.atan")),
    unary("ceil", Intrinsic("llvm.ceil")),
    unary("cos", Intrinsic("llvm.cos")),
    unary("cosh", Intrinsic("llvm.cosh")),
    unary("exp", Intrinsic("llvm.exp")),
    unary("exp10", Intrinsic("llvm.exp10")),
    unary("exp2", Intrinsic("llvm.exp2")),
    unary("fabs", Intrinsic("llvm.fabs")),
    unary("floor", Intrinsic("llvm.floor")),
    unary("log", Intrinsic("llvm.log")),
    unary("log10", Intrinsic("llvm.log10")),
    unary("log2", Intrinsic("llvm.log2")),
    unary("nearbyint", Intrinsic("llvm.nearbyint")),
    unary("rint", Intrinsic("llvm.rint")),
    unary("round", Intrinsic("llvm.round")),
    unary("roundeven", Intrinsic("llvm.roundeven")),
    unary("sin", Intrinsic("llvm.sin")),
    unary("sinh", Intrinsic("llvm.sinh")),
    unary("sqrt", Intrinsic("llvm.sqrt")),
    unary("tan", Intrinsic("llvm.tan")),
    unary("tanh", Intrinsic("llvm.tanh")),
    unary("trunc", Intrinsic("llvm.trunc")),
    binary("copysign", Intrinsic("llvm.copysign")),
    binary("fmax", Intrinsic("llvm.maxnum")),
    binary("fmin", Intrinsic("llvm.minnum")),
    binary("pow", Intrinsic("llvm.pow")),
    special("fma", 'T', "TTT", Intrinsic("llvm.fma")),
    rounding("lrint", "llvm.lrint"),
    rounding("llrint", "llvm.llrint"),
    rounding("lround", "llvm.lround"),
    rounding("llround", "llvm.llround"),
    special("ldexp", 'T', "TI", Scale),
    special("scalbn", 'T', "TI", Scale),
    binary("fmod", Remainder),
    special("sincos", 'V', "TPP", SinCos),
    class("isnan", NAN),
    class("__isnan", NAN),
    class("isinf", INFINITE),
    class("__isinf", INFINITE),
    class("finite", FINITE),
    class("__finite", FINITE),
    unary("acosh", Builtin("acosh")),
    unary("asinh", Builtin("asinh")),
    unary("atanh", Builtin("atanh")),
    unary("cbrt", Builtin("cbrt")),
    unary("erf", Builtin("erf")),
    unary("erfc", Builtin("erfc")),
    unary("expm1", Builtin("expm1")),
    unary("lgamma", Builtin("lgamma")),
    unary("log1p", Builtin("log1p")),
    unary("logb", Builtin("logb")),
    unary("tgamma", Builtin("tgamma")),
    binary("atan2", Builtin("atan2")),
    binary("drem", Builtin("remainder")),
    binary("fdim", Builtin("fdim")),
    binary("hypot", Builtin("hypot")),
    binary("nextafter", Builtin("nextafter")),
    binary("remainder", Builtin("remainder")),
    special("frexp", 'T', "TP", Builtin("frexp")),
    special("ilogb", 'I', "T", Builtin("ilogb")),
    special("lgamma_r", 'T', "TP", Builtin("lgamma_r")),
    special("modf", 'T', "TP", Builtin("modf")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_choose_the_variant() {
        assert_eq!(find("erf").unwrap().1, Precision::Double);
        assert_eq!(find("erff").unwrap().1, Precision::Single);
        assert_eq!(find("modff").unwrap().0.name, "modf");
        assert_eq!(find("lgammaf_r").unwrap(), (find("lgamma_r").unwrap().0, Precision::Single));
        assert!(find("printf").is_none() && find("f").is_none());
    }

    #[test]
    fn no_name_occurs_twice() {
        let mut names: Vec<_> = FUNCTIONS.iter().map(|function| function.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
