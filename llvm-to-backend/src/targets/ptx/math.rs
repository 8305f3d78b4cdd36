//! Math functions that PTX has no instruction for.
//!
//! *Invariant:* LLVM's PTX back end aborts the process on an intrinsic that it cannot select, so
//! none of [`OPERATIONS`] reaches it.

use super::{c_library::OTHERS, intrinsics::SELECTED};
use crate::{
    passes::template::{Kind, Naming},
    targets::gpu::{
        dialect::{Dialect, Operation},
        math::{AWAY, NEAREST, power},
    },
};
use sinter_llvm::ir::Value;

/// Naming scheme of libdevice.
pub(super) const NAMING: Naming = Naming { prefix: "__nv_", single: "f", double: "" };

pub(super) const DIALECT: Dialect = Dialect {
    machine: "PTX",
    naming: NAMING,
    operations: &OPERATIONS,
    is_selected,
    functions: &[],
    others: &OTHERS,
    intrinsics: &[&SELECTED],
    unselected: &["frexp.v"],
    spaces: &SPACES,
};

/// Address spaces of PTX: generic, global, shared, constant, local, and kernel parameters.
const SPACES: [u32; 6] = [0, 1, 3, 4, 5, 101];

macro_rules! library {
    ($name:literal, $fast:expr) => {
        Operation { name: $name, exact: concat!("  {r} = call {t} @{l}", $name, "{f}({t} {a})"), fast: $fast }
    };
}

/// Operations that NVPTX of LLVM 19 cannot select. The approximations are the sequences that the
/// CUDA C++ Programming Guide gives for `-use_fast_math`. `{n}` is the type of an integer result.
pub(crate) const OPERATIONS: [Operation; 24] = [
    library!("acos", ""),
    library!("asin", ""),
    library!("atan", ""),
    library!("cos", "  {r} = call float @llvm.nvvm.cos.approx{z}.f(float {a})"),
    library!("cosh", ""),
    library!(
        "exp",
        "  {r}.s = fmul float {a}, 0x3FF7154760000000\n  {r} = call float @llvm.nvvm.ex2.approx{z}.f(float {r}.s)"
    ),
    library!(
        "exp10",
        "  {r}.s = fmul float {a}, 0x400A934F00000000\n  {r} = call float @llvm.nvvm.ex2.approx{z}.f(float {r}.s)"
    ),
    library!("exp2", "  {r} = call float @llvm.nvvm.ex2.approx{z}.f(float {a})"),
    library!(
        "log",
        "  {r}.l = call float @llvm.nvvm.lg2.approx{z}.f(float {a})\n  {r} = fmul float {r}.l, 0x3FE62E4300000000"
    ),
    library!(
        "log10",
        "  {r}.l = call float @llvm.nvvm.lg2.approx{z}.f(float {a})\n  {r} = fmul float {r}.l, 0x3FD3441360000000"
    ),
    library!("log2", "  {r} = call float @llvm.nvvm.lg2.approx{z}.f(float {a})"),
    library!("sin", "  {r} = call float @llvm.nvvm.sin.approx{z}.f(float {a})"),
    library!("sinh", ""),
    library!(
        "tan",
        "  {r}.s = call float @llvm.nvvm.sin.approx{z}.f(float {a})\n  \
         {r}.c = call float @llvm.nvvm.cos.approx{z}.f(float {a})\n  \
         {r} = call float @llvm.nvvm.div.approx{z}.f(float {r}.s, float {r}.c)"
    ),
    library!("tanh", ""),
    Operation {
        name: "pow",
        exact: "  {r} = call {t} @{l}pow{f}({t} {a}, {t} {b})",
        // x to the power of 0 is 1, as is 1 to any power.
        fast: power!(
            "  {r}.l = call float @llvm.nvvm.lg2.approx{z}.f(float {r}.m)\n",
            "  {r}.y = fcmp oeq float {b}, 0.0\n  {r}.o = fcmp oeq float {r}.l, 0.0\n  {r}.z = or i1 {r}.y, {r}.o\n  \
             {r}.q = fmul float {r}.l, {b}\n  {r}.p = select i1 {r}.z, float 0.0, float {r}.q\n",
            "  {r}.e = call float @llvm.nvvm.ex2.approx{z}.f(float {r}.p)\n"
        ),
    },
    Operation { name: "frem", exact: "  {r} = call {t} @{l}fmod{f}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "canonicalize", exact: "  {r} = fmul {t} {a}, 1.0", fast: "" },
    // `bfloat` has instructions only from sm_80 on and is computed as `float`, which is exact.
    Operation { name: "minimum", exact: "  {r} = call {t} @llvm.minimum.{s}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "maximum", exact: "  {r} = call {t} @llvm.maximum.{s}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "lrint", exact: NEAREST, fast: "" },
    Operation { name: "llrint", exact: NEAREST, fast: "" },
    Operation { name: "lround", exact: AWAY, fast: "" },
    Operation { name: "llround", exact: AWAY, fast: "" },
];

/// `minimum` and `maximum` of `bfloat` have instructions only from sm_80 on and are computed as
/// `float`.
fn is_selected(_: Value<'_>, operation: &Operation, kind: Kind<'_>) -> bool {
    ["minimum", "maximum"].contains(&operation.name) && kind.scalar != "bfloat"
}
