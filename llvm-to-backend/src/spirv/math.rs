//! The mathematics that SPIR-V has no instruction of LLVM's for.
//!
//! *Invariant:* what is left of LLVM's own mathematics is in the tables of `emit::intrinsics`; the rest are calls of instructions of OpenCL.

use super::c_library::{FUNCTIONS, OTHERS};
use crate::gpu::{
    Dialect,
    math::Operation,
    template::{Kind, Naming},
};
use sinter_llvm::ir::Value;

pub(super) const NAMING: Naming = Naming { prefix: "__sinter_spirv_ocl_", single: "__f32", double: "__f64" };

pub(super) const DIALECT: Dialect = Dialect {
    machine: "a device that takes SPIR-V",
    naming: NAMING,
    operations: &OPERATIONS,
    is_selected,
    functions: &FUNCTIONS,
    others: &OTHERS,
    intrinsics: &[
        "fabs",
        "fma",
        "fmuladd",
        "floor",
        "ceil",
        "trunc",
        "rint",
        "round",
        "sqrt",
        "memcpy",
        "memset",
        "umin",
        "umax",
        "smin",
        "smax",
        "abs",
        "lifetime.start",
        "lifetime.end",
        "dbg",
        "assume",
        "expect",
        "minnum",
        "maxnum",
        "copysign",
        "ctpop",
        "ctlz",
        "cttz",
        "fshl",
        "fshr",
        "experimental.noalias.scope.decl",
    ],
    unselected: &[],
    spaces: &SPACES,
};

const SPACES: [u32; 5] = [0, 1, 3, 4, 5];

macro_rules! library {
    ($name:literal) => {
        Operation { name: $name, exact: concat!("  {r} = call {t} @{l}", $name, "{f}({t} {a})"), fast: "" }
    };
}

pub(super) const OPERATIONS: [Operation; 16] = [
    library!("acos"),
    library!("asin"),
    library!("atan"),
    library!("cos"),
    library!("cosh"),
    library!("exp"),
    library!("exp10"),
    library!("exp2"),
    library!("log"),
    library!("log10"),
    library!("log2"),
    library!("sin"),
    library!("sinh"),
    library!("tan"),
    library!("tanh"),
    Operation { name: "pow", exact: "  {r} = call {t} @{l}pow{f}({t} {a}, {t} {b})", fast: "" },
];

fn is_selected(_: Value<'_>, _: &Operation, _: Kind<'_>) -> bool {
    false
}
