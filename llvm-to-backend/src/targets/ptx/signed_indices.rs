//! Extends indices by their sign.
//!
//! In: optimised code. Out: the same with `sext` for the conversions of 32 to 64 bits that are known
//! not to be negative (`zext nneg`) and are indices of memory and nothing else. *Invariant:* a value
//! that is not negative is the same either way.
//!
//! The optimiser makes such conversions of the indices that it knows not to be negative, such as
//! the first and the last of an unrolled loop, and leaves `sext` for those between. The code
//! generator does not see then that all of them are at a constant distance, and computes an address
//! for each kind.

use crate::device_module::DeviceModule;
use sinter_llvm::ir::{Opcode, Shape, Value};

pub(super) fn extend<S>(m: &DeviceModule<'_, S>) {
    for conversion in m.defined().into_iter().flat_map(Value::instructions).filter(|i| is_positive(*i)) {
        let (from, ty) = (conversion.operands()[0], conversion.ty());
        let signed = conversion.insert_before(|insert| insert.cast(Opcode::LLVMSExt, from, ty));
        conversion.replace_uses(signed);
        conversion.erase();
    }
}

fn is_positive(instruction: Value<'_>) -> bool {
    let is_conversion = instruction.opcode() == Opcode::LLVMZExt && instruction.ty().shape() == Shape::Integer(64);
    let is_index = |user: &Value<'_>| user.is_instruction() && user.opcode() == Opcode::LLVMGetElementPtr;
    is_conversion
        && instruction.operands()[0].ty().shape() == Shape::Integer(32)
        && instruction.is_known_positive()
        && instruction.users().iter().all(is_index)
}
