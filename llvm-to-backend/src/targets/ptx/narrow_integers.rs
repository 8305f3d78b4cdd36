//! Converts floating-point numbers to narrow integers by way of 32 bits.
//!
//! In: code for the code generator. Out: the same, where a conversion to 8 or 16 bits is one to 32
//! bits whose upper bits are dropped. *Invariant:* a number that the integer can hold becomes what
//! it became before.
//!
//! C++ leaves other numbers undefined, but programs count on what nvcc and CPUs do: 300 becomes the
//! byte 44. LLVM 19 converts to 16 bits, and PTX saturates.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::{
    ir::{Opcode, Value},
    types::TypeView,
};

/// Bits of the integers that PTX converts to.
const WORD: u32 = 32;

pub(super) fn widen<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let narrow: Vec<_> = instructions.filter(|instruction| is_narrow(*instruction)).collect();
    for conversion in narrow {
        let number = conversion.operands()[0];
        let integer = conversion.insert_before(|at| {
            let word = at.cast(conversion.opcode(), number, cx.session.integer(WORD));
            at.cast(Opcode::LLVMTrunc, word, conversion.ty())
        });
        conversion.replace_uses(integer);
        conversion.erase();
    }
}

fn is_narrow(instruction: Value<'_>) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMFPToSI | Opcode::LLVMFPToUI)
        && matches!(instruction.ty().view(), TypeView::Integer(bits) if bits < WORD)
}
