//! Math functions that SPIR-V has no core instruction for.
//!
//! *Invariant:* an operation that neither the legaliser nor the emitter supports is an OpenCL
//! extended instruction, as a call that stands for it (`__sinter_spirv_ocl_*`), or arithmetic.
//! Nothing here needs a library, so it may run after builtins are linked.

use super::{
    c_library::{FUNCTIONS, OTHERS},
    legal::KNOWN,
};
use crate::{
    passes::template::{Kind, Naming},
    targets::gpu::{
        dialect::{Dialect, Operation},
        math::{AWAY, NEAREST},
    },
};
use sinter_llvm::ir::Value;

/// Naming scheme of calls that stand for OpenCL extended instructions.
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

/// Generic, global, local, constant and private memory.
const SPACES: [u32; 5] = [0, 1, 3, 4, 5];

/// An extended instruction of the same name.
macro_rules! exact {
    ($name:literal) => {
        Operation { name: $name, exact: concat!("  {r} = call {t} @{l}", $name, "{f}({t} {a})"), fast: "" }
    };
}

/// An extended instruction that has a native variant of implementation-defined precision.
macro_rules! native {
    ($name:literal) => {
        Operation { fast: concat!("  {r} = call float @{l}native_", $name, "{f}(float {a})"), ..exact!($name) }
    };
}

/// Intrinsics and instructions of LLVM that neither the legaliser nor the emitter supports, or that
/// have a native variant. OpenCL's remainder is exact, which SPIR-V's core instruction need not be.
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
