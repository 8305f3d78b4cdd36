//! The mathematics that AMD GPUs have no instruction for.
//!
//! *Invariant:* what LLVM's AMDGPU back end cannot select, or computes less accurately than C++ programs expect, is a call of a function of
//! ocml, AMD's library.

use super::{c_library::OTHERS, intrinsics::SELECTED};
use crate::{
    passes::template::{Kind, Naming},
    targets::gpu::{
        dialect::{Dialect, Operation},
        math::{AWAY, NEAREST, power},
    },
};
use sinter_llvm::ir::Value;

/// Names of ocml.
pub(super) const NAMING: Naming = Naming { prefix: "__ocml_", single: "_f32", double: "_f64" };

pub(super) const DIALECT: Dialect = Dialect {
    machine: "an AMD GPU",
    naming: NAMING,
    operations: &OPERATIONS,
    is_selected,
    functions: &[],
    others: &OTHERS,
    intrinsics: &[&SELECTED],
    unselected: &[],
    spaces: &SPACES,
};

/// Generic, global, local, constant and private memory (LLVM, "User Guide for AMDGPU Backend", "Address Spaces").
const SPACES: [u32; 5] = [0, 1, 3, 4, 5];
/// Selected for every type but `double`, with at most a few units in the last place of error.
const ACCURATE: [&str; 6] = ["exp", "exp2", "exp10", "log", "log2", "log10"];
/// Selected where they may be approximate: the instructions are for small angles.
const APPROXIMATE: [&str; 2] = ["sin", "cos"];

macro_rules! library {
    ($name:literal) => {
        Operation { name: $name, exact: concat!("  {r} = call {t} @{l}", $name, "{f}({t} {a})"), fast: "" }
    };
}

/// What LLVM's AMDGPU back end does not select, or not always.
pub(super) const OPERATIONS: [Operation; 22] = [
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
    Operation {
        name: "pow",
        exact: "  {r} = call {t} @{l}pow{f}({t} {a}, {t} {b})",
        // Anything times zero is zero to this multiplication, so that a number to the power of zero is one, as is one to any power.
        fast: power!(
            "  {r}.l = call float @llvm.amdgcn.log.f32(float {r}.m)\n",
            "  {r}.p = call float @llvm.amdgcn.fmul.legacy(float {r}.l, float {b})\n",
            "  {r}.e = call float @llvm.amdgcn.exp2.f32(float {r}.p)\n"
        ),
    },
    // The code generator's own is a product with a rounded quotient.
    Operation { name: "frem", exact: "  {r} = call {t} @{l}fmod{f}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "lrint", exact: NEAREST, fast: "" },
    Operation { name: "llrint", exact: NEAREST, fast: "" },
    Operation { name: "lround", exact: AWAY, fast: "" },
    Operation { name: "llround", exact: AWAY, fast: "" },
    Operation { name: "canonicalize", exact: "  {r} = fmul {t} {a}, 1.0", fast: "" },
];

fn is_selected(instruction: Value<'_>, operation: &Operation, kind: Kind<'_>) -> bool {
    let approximate = APPROXIMATE.contains(&operation.name) && instruction.may_be_approximate();
    let accurate = ACCURATE.contains(&operation.name) || (operation.name == "canonicalize" && kind.scalar != "bfloat");
    kind.scalar != "double" && (approximate || accurate)
}
