//! The mathematics that SPIR-V has no core instruction for.
//!
//! *Invariant:* what neither the legaliser nor the emitter has instructions for is an instruction of OpenCL's set, as a call that stands for it
//! (`__sinter_spirv_ocl_*`), or arithmetic. Nothing here needs a library, so it may run after builtins are linked.

use super::c_library::{FUNCTIONS, OTHERS};
use crate::gpu::{
    Dialect,
    math::{AWAY, NEAREST, Operation},
    template::{Kind, Naming},
};
use sinter_llvm::ir::Value;

/// Calls that stand for instructions of OpenCL's set.
pub(super) const NAMING: Naming = Naming { prefix: "__sinter_spirv_ocl_", single: "__f32", double: "__f64" };

pub(super) const DIALECT: Dialect = Dialect {
    machine: "a device that takes SPIR-V",
    naming: NAMING,
    operations: &OPERATIONS,
    is_selected,
    functions: &FUNCTIONS,
    others: &OTHERS,
    intrinsics: &KNOWN,
    unselected: &[],
    spaces: &SPACES,
};

/// Intrinsics that the legaliser replaces or the emitter writes. What is refused later is refused with its place as well.
const KNOWN: [&str; 111] = [
    "abs",
    "allow.runtime.check",
    "allow.ubsan.check",
    "annotation",
    "arithmetic.fence",
    "assume",
    "bitreverse",
    "bswap",
    "canonicalize",
    "ceil",
    "clear_cache",
    "codeview.annotation",
    "convert.from.fp16",
    "convert.to.fp16",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "dbg",
    "debugtrap",
    "donothing",
    "expect",
    "expect.with.probability",
    "experimental.noalias.scope.decl",
    "fabs",
    "fake.use",
    "floor",
    "flt.rounds",
    "fma",
    "fmuladd",
    "fptosi.sat",
    "fptoui.sat",
    "frameaddress",
    "frexp",
    "fshl",
    "fshr",
    "get.rounding",
    "instrprof.cover",
    "instrprof.increment",
    "instrprof.timestamp",
    "invariant.end",
    "invariant.start",
    "is.constant",
    "is.fpclass",
    "launder.invariant.group",
    "ldexp",
    "lifetime.end",
    "lifetime.start",
    "load.relative",
    "masked.compressstore",
    "masked.expandload",
    "masked.gather",
    "masked.load",
    "masked.scatter",
    "masked.store",
    "matrix",
    "maximum",
    "maxnum",
    "memcpy",
    "memmove",
    "memset",
    "minimum",
    "minnum",
    "nearbyint",
    "objectsize",
    "pcmarker",
    "powi",
    "prefetch",
    "preserve.static.offset",
    "pseudoprobe",
    "ptr.annotation",
    "ptrmask",
    "returnaddress",
    "rint",
    "round",
    "roundeven",
    "sadd.sat",
    "sadd.with.overflow",
    "scmp",
    "sideeffect",
    "smax",
    "smin",
    "smul.with.overflow",
    "sqrt",
    "ssa.copy",
    "sshl.sat",
    "ssub.sat",
    "ssub.with.overflow",
    "stackrestore",
    "stacksave",
    "strip.invariant.group",
    "trap",
    "trunc",
    "uadd.sat",
    "uadd.with.overflow",
    "ubsantrap",
    "ucmp",
    "umax",
    "umin",
    "umul.with.overflow",
    "ushl.sat",
    "usub.sat",
    "usub.with.overflow",
    "var.annotation",
    "vector.deinterleave2",
    "vector.extract",
    "vector.insert",
    "vector.interleave2",
    "vector.reduce",
    "vector.reverse",
    "vector.splice",
];

/// Generic, global, local, constant and private memory.
const SPACES: [u32; 5] = [0, 1, 3, 4, 5];

/// An instruction of OpenCL's set of the same name.
macro_rules! exact {
    ($name:literal) => {
        Operation { name: $name, exact: concat!("  {r} = call {t} @{l}", $name, "{f}({t} {a})"), fast: "" }
    };
}

/// One that has a sibling of implementation-defined precision.
macro_rules! native {
    ($name:literal) => {
        Operation { fast: concat!("  {r} = call float @{l}native_", $name, "{f}(float {a})"), ..exact!($name) }
    };
}

/// LLVM's intrinsics and instructions that neither the legaliser nor the emitter knows, or that have a sibling. OpenCL's remainder is exact, which SPIR-V's core
/// instruction need not be.
pub(super) const OPERATIONS: [Operation; 21] = [
    exact!("acos"),
    exact!("asin"),
    exact!("atan"),
    native!("cos"),
    exact!("cosh"),
    native!("exp"),
    native!("exp10"),
    native!("exp2"),
    native!("log"),
    native!("log10"),
    native!("log2"),
    native!("sin"),
    exact!("sinh"),
    native!("tan"),
    exact!("tanh"),
    Operation { name: "pow", exact: "  {r} = call {t} @{l}pow{f}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "frem", exact: "  {r} = call {t} @{l}fmod{f}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "lrint", exact: NEAREST, fast: "" },
    Operation { name: "llrint", exact: NEAREST, fast: "" },
    Operation { name: "lround", exact: AWAY, fast: "" },
    Operation { name: "llround", exact: AWAY, fast: "" },
];

fn is_selected(_: Value<'_>, _: &Operation, _: Kind<'_>) -> bool {
    false
}
