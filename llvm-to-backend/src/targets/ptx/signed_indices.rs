//! Extends indices by their sign.
//!
//! In: optimised code. Out: the same with `sext` for conversions of 32 to 64 bits that are known
//! not to be negative (`zext nneg`) and are indices of memory and nothing else, in blocks with
//! indices that are extended by their sign. *Invariant:* a value that is not negative is the same
//! either way.
//!
//! The optimiser makes such conversions of the indices that it knows not to be negative, such as
//! the first and the last of an unrolled loop, and leaves `sext` for those between. The code
//! generator does not see then that all of them are at a constant distance, and computes an address
//! for each kind.

use crate::device_module::DeviceModule;
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Shape, Value},
};

pub(super) fn extend<S>(m: &DeviceModule<'_, S>) {
    m.defined().into_iter().flat_map(Value::blocks).for_each(extend_in);
}

fn extend_in(block: Block<'_>) {
    let (signed, positive): (Vec<_>, Vec<_>) = block
        .instructions()
        .into_iter()
        .filter(|instruction| is_index(*instruction))
        .partition(|index| index.opcode() == Opcode::LLVMSExt);
    if signed.is_empty() {
        return;
    }
    for index in positive.into_iter().filter(|index| index.is_known_positive()) {
        let (from, ty) = (index.operands()[0], index.ty());
        index.replace_uses(index.insert_before(|insert| insert.cast(Opcode::LLVMSExt, from, ty)));
        index.erase();
    }
}

/// True for a conversion of 32 to 64 bits whose result is an index of memory and nothing else.
fn is_index(instruction: Value<'_>) -> bool {
    let is_place = |user: &Value<'_>| user.is_instruction() && user.opcode() == Opcode::LLVMGetElementPtr;
    matches!(instruction.opcode(), Opcode::LLVMZExt | Opcode::LLVMSExt)
        && instruction.ty().shape() == Shape::Integer(64)
        && instruction.operands()[0].ty().shape() == Shape::Integer(32)
        && instruction.users().iter().all(is_place)
}
