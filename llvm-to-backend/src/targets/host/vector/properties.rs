//! Properties of single instructions that several steps ask for.
//!
//! In: an instruction of a kernel or of a function that it calls. Out: the property. *Invariant:*
//! the answer depends on the instruction alone, not on the plan for its rows.

use crate::{
    context::Context,
    targets::host::builtins::{BARRIER, SUB_GROUP_BARRIER, UPDATE_PREFIX},
};
use sinter_llvm::ir::{Opcode, Value, ValueKind};

/// The alignment of memory for a vector: that of the driver's memory for work-items.
pub(super) const ALIGNMENT: u32 = 64;
/// Lanes up to which short instructions of a whole row need no loop.
pub(super) const STRAIGHT: u32 = 16;

/// The steps from lane to lane, in elements.
const STEPS: [u32; 4] = [2, 3, 4, 8];

/// Functions without a meaning for a row.
const DROPPED: [&str; 6] = [
    "llvm.assume",
    "llvm.lifetime.",
    "llvm.dbg.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.invariant.",
    SUB_GROUP_BARRIER,
];

/// The function with a body that a call calls, with the types that it has.
pub(super) fn called(call: Value<'_>) -> Option<Value<'_>> {
    if !call.is_instruction() || call.opcode() != Opcode::LLVMCall {
        return None;
    }
    let callee = call.callee().filter(|callee| callee.kind() == ValueKind::LLVMFunctionValueKind)?;
    if callee.is_declaration() || callee.name().starts_with(UPDATE_PREFIX) {
        return None;
    }
    let (arguments, parameters) = (call.arguments(), callee.parameters());
    let fits = arguments.len() == parameters.len() && callee.return_type() == call.ty();
    let same = |(argument, parameter): (&Value<'_>, &Value<'_>)| argument.ty() == parameter.ty();
    (fits && arguments.iter().zip(&parameters).all(same)).then_some(callee)
}

/// True for a work-group barrier.
pub(super) fn is_barrier(value: Value<'_>) -> bool {
    value.callee().is_some_and(|callee| callee.name() == BARRIER)
}

/// True for a function without a meaning for a row.
pub(in crate::targets::host) fn is_dropped(name: &str) -> bool {
    DROPPED.iter().any(|prefix| name.starts_with(prefix))
}

/// True for an atomic operation, also one that the library writes as plain accesses.
pub(super) fn is_short(value: Value<'_>) -> bool {
    matches!(value.opcode(), Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) || is_update(value)
}

/// True for an atomic operation that the library writes as plain accesses.
pub(super) fn is_update(value: Value<'_>) -> bool {
    value.callee().is_some_and(|callee| callee.name().starts_with(UPDATE_PREFIX))
}

/// Bytes between the copies of private memory of two lanes.
pub(super) fn stride(cx: &Context<'_, '_>, alloca: Value<'_>) -> u64 {
    let alignment = u64::from(alloca.alignment().max(1));
    alloca.allocated_size(cx.machine).unwrap_or(0).next_multiple_of(alignment)
}

/// The number of elements from lane to lane for which there are vector loads instead of gathers;
/// `None` for any other step. Fewer lanes would need as many loads without them. Private memory is
/// often written just before, lane by lane, and a vector load would wait for these stores.
pub(super) fn elements_apart(pointer: Value<'_>, step: i64, size: u64, lanes: u32) -> Option<u32> {
    if is_private(pointer) {
        return None;
    }
    let size = i64::try_from(size).ok().filter(|size| [4, 8].contains(size))?;
    STEPS.into_iter().find(|elements| i64::from(*elements) * size == step && elements * 2 <= lanes)
}

/// True for an address made from that of an `alloca`.
pub(super) fn is_private(pointer: Value<'_>) -> bool {
    let mut object = pointer;
    while object.is_instruction()
        && matches!(object.opcode(), Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze)
    {
        object = object.operands()[0];
    }
    object.is_instruction() && object.opcode() == Opcode::LLVMAlloca
}
