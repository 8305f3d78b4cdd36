//! Splits masks of two 16-bit elements.
//!
//! In: code for the code generator. Out: the same, where a `<2 x i1>` is sign-extended to
//! `<2 x i16>` element by element. *Invariant:* the values are those from before.
//!
//! LLVM 19 makes such an extension a comparison with a result of two 16-bit elements, for which it
//! has no instruction, and ends with "Cannot select".

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::ir::{Opcode, Value};

const MASK: &str = "<2 x i16>";

pub(super) fn split<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let masks: Vec<_> = instructions.filter(|instruction| is_mask(*instruction)).collect();
    masks.into_iter().for_each(|mask| split_mask(cx, mask));
}

fn is_mask(instruction: Value<'_>) -> bool {
    instruction.opcode() == Opcode::LLVMSExt
        && instruction.ty().text() == MASK
        && instruction.operands()[0].ty().text() == "<2 x i1>"
}

fn split_mask(cx: &Context<'_, '_>, mask: Value<'_>) {
    let bits = mask.operands()[0];
    let parts = mask.insert_before(|at| {
        [0, 1].map(|index| cx.session.literal(index)).into_iter().fold(mask.ty().poison(), |whole, index| {
            let element = at.cast(Opcode::LLVMSExt, at.element(bits, index), cx.session.integer(16));
            at.with_element(whole, element, index)
        })
    });
    mask.replace_uses(parts);
    mask.erase();
}
