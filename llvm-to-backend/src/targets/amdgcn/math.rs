//! Math functions that AMD GPUs have no instruction for.
//!
//! *Invariant:* an operation that LLVM's AMDGPU back end cannot select, or computes less accurately
//! than C++ programs expect, becomes a call of ocml, AMD's device library.

use super::{c_library::OTHERS, intrinsics::SELECTED};
use crate::{
    passes::template::{Kind, Naming},
    targets::gpu::{
        dialect::{Dialect, Operation},
        math::{AWAY, NEAREST, power},
    },
};
use sinter_llvm::ir::Value;

/// Naming scheme of ocml.
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

/// Generic, global, local, constant and private memory (LLVM, "User Guide for AMDGPU Backend",
/// "Address Spaces").
const SPACES: [u32; 5] = [0, 1, 3, 4, 5];
/// Selected for every type but `double`, with an error of at most a few ulp.
const ACCURATE: [&str; 6] = ["exp", "exp2", "exp10", "log", "log2", "log10"];
/// Selected where approximations are allowed: the instructions are accurate for small angles only.
const APPROXIMATE: [&str; 2] = ["sin", "cos"];

macro_rules! library {
    ($name:literal) => {
        Operation { name: $name, exact: concat!("  {r} = call {t} @{l}", $name, "{f}({t} {a})"), fast: "" }
    };
}

/// Operations that LLVM's AMDGPU back end does not select, or not for every type.
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
        // This multiplication returns zero if a factor is zero, so that x to the power of 0 is 1,
        // as is 1 to any power.
        fast: power!(
            "  {r}.l = call float @llvm.amdgcn.log.f32(float {r}.m)\n",
            "  {r}.p = call float @llvm.amdgcn.fmul.legacy(float {r}.l, float {b})\n",
            "  {r}.e = call float @llvm.amdgcn.exp2.f32(float {r}.p)\n"
        ),
    },
    // The code generator's own expansion uses a rounded quotient.
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
