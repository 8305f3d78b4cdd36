//! Reads the variables that constants name.
//!
//! In: constants of LLVM. Out: the variables in them, or the one into which an address points.
//! *Invariant:* initial values of other variables are not followed.

use sinter_llvm::{
    Machine,
    ir::{Opcode, Value, ValueKind},
};

/// The variable into which a constant pointer points, and the offset in bytes.
pub(super) fn pointed_at<'s>(pointer: Value<'s>, machine: &Machine) -> Option<(Value<'s>, i64)> {
    let opcode = match pointer.kind() {
        ValueKind::LLVMGlobalVariableValueKind => return Some((pointer, 0)),
        ValueKind::LLVMConstantExprValueKind => pointer.constant_opcode(),
        _ => return None,
    };
    let (variable, offset) = pointed_at(*pointer.operands().first()?, machine)?;
    match opcode {
        Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast => Some((variable, offset)),
        Opcode::LLVMGetElementPtr => Some((variable, offset + pointer.constant_byte_offset(machine)?)),
        _ => None,
    }
}

/// The variables that a constant names.
pub(super) fn named_by<'s>(constant: Value<'s>, found: &mut Vec<Value<'s>>) {
    match constant.kind() {
        ValueKind::LLVMGlobalVariableValueKind => found.push(constant),
        ValueKind::LLVMConstantExprValueKind
        | ValueKind::LLVMConstantArrayValueKind
        | ValueKind::LLVMConstantStructValueKind
        | ValueKind::LLVMConstantVectorValueKind => {
            constant.operands().into_iter().for_each(|part| named_by(part, found));
        }
        _ => {}
    }
}
