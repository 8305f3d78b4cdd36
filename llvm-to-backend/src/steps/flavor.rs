//! Gives the module the target's triple, data layout and attributes, and the freedom of floating-point operations
//! that was asked for.

use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Flavored, Specialized},
    failure::Outcome,
};
use sinter_core::FloatMode;
use sinter_llvm::ir::Value;

/// What `-ffast-math` says about a whole function, by which LLVM's code generators fuse whatever the operations say.
const FUSING: &str = "unsafe-fp-math";

pub(crate) fn flavor<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Flavored>> {
    backend.flavor(cx, &m);
    float_mode(cx, &m);
    Ok(m.advance())
}

/// Changes the freedom of every operation, if that is asked for.
pub(super) fn float_mode<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    let instructions = || m.defined().into_iter().flat_map(Value::instructions);
    match cx.config().float_mode {
        FloatMode::NoContraction => {
            instructions().for_each(split);
            m.defined().into_iter().for_each(|function| function.remove_text_attribute(FUSING));
        }
        FloatMode::Fast => instructions().for_each(Value::allow_everything),
        _ => {}
    }
}

/// Forbids fusing; an operation that the code generator may fuse as it likes becomes two.
fn split(instruction: Value<'_>) {
    instruction.forbid_contraction();
    let Some(callee) = instruction.callee().filter(|callee| callee.name().starts_with("llvm.fmuladd.")) else { return };
    let operands: Vec<_> = instruction.operands().into_iter().filter(|operand| *operand != callee).collect();
    if let Ok(operands) = <[Value<'_>; 3]>::try_from(operands) {
        let sum = instruction.insert_before(|insert| insert.multiply_then_add(operands));
        instruction.replace_uses(sum);
        instruction.erase();
    }
}
