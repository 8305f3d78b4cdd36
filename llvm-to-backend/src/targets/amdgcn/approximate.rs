//! Allows less accurate division and square root.
//!
//! In: code that divides and takes square roots. Out: the same operations with `!fpmath` errors
//! that the request allows, as `-fno-hip-fp32-correctly-rounded-divide-sqrt` does. *Invariant:*
//! only metadata changes; LLVM's AMDGPU back end selects instructions by the error that is allowed.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::ir::{Opcode, Value};

/// Errors in ulp (OpenCL C, "Relative Error as ULPs"; the embedded profile has the same).
const DIVISION: f32 = 2.5;
const SQUARE_ROOT: f32 = 3.0;

pub(super) fn allow<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    let approximations = cx.config().approximations;
    if !(approximations.division || approximations.square_root) {
        return;
    }
    for instruction in m.defined().into_iter().flat_map(Value::instructions) {
        let is_division = instruction.opcode() == Opcode::LLVMFDiv;
        let is_root = instruction.callee().is_some_and(|callee| callee.name().starts_with("llvm.sqrt."));
        if !instruction.ty().text().contains("float") {
            continue;
        }
        if is_division && approximations.division {
            instruction.allow_error(cx.session, DIVISION);
        } else if is_root && approximations.square_root {
            instruction.allow_error(cx.session, SQUARE_ROOT);
        }
    }
}
