//! Finds what keeps a kernel from running by rows.
//!
//! In: a kernel. Out: the reason, or none. *Invariant:* every instruction that passes has a form
//! that the emitter knows.

use super::{
    super::{by_value::change, check::PRIVATE_MEMORY},
    properties::stride,
    reason::Reason,
};
use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
};
use sinter_llvm::{
    ir::{Opcode, Type, Value, ValueKind},
    types::TypeView,
};

/// The widest integer of a lane, in bits.
const WIDEST: u32 = 64;

/// Reasons that hold whatever the form of the code is.
pub(super) fn before(m: &DeviceModule<'_, Checked>) -> Option<Reason> {
    let by_value = (0u32..).zip(m.kernel.parameters()).filter(|(index, _)| m.kernel.by_value_type(*index).is_some());
    let changed = by_value.filter_map(|(_, parameter)| change(parameter)).next();
    let changed = changed.map(|change| Reason::at(change, "a parameter that work-items modify"));
    changed.or_else(|| jumps(m))
}

/// LLVM copies no function with indirect branches: addresses of its blocks stay those of the old
/// one.
fn jumps(m: &DeviceModule<'_, Checked>) -> Option<Reason> {
    let has_jumps = |function: &Value<'_>| {
        function.users().into_iter().any(|user| user.kind() == ValueKind::LLVMBlockAddressValueKind)
    };
    m.defined().into_iter().find(has_jumps).map(|_| Reason::of_kernel("indirect branches (`goto *`)"))
}

/// Reasons in the prepared code.
pub(super) fn after(cx: &Context<'_, '_>, kernel: Value<'_>, lanes: u32) -> Option<Reason> {
    too_much_memory(cx, kernel, lanes).or_else(|| without_form(kernel))
}

/// The lanes of a row have their private memory at the same time.
fn too_much_memory(cx: &Context<'_, '_>, kernel: Value<'_>, lanes: u32) -> Option<Reason> {
    // The memory itself has no place in the source, but its use has.
    let largest = allocas(kernel).max_by_key(|alloca| stride(cx, *alloca));
    let location = || largest.into_iter().flat_map(Value::users).find_map(Value::location);
    of_memory(private_memory(cx, kernel, lanes), lanes).map(|text| Reason { text, location: location() })
}

/// Bytes of private memory that the lanes of a row have in a function.
pub(super) fn private_memory(cx: &Context<'_, '_>, function: Value<'_>, lanes: u32) -> u64 {
    let sum = |sum: u64, alloca| sum.saturating_add(stride(cx, alloca));
    allocas(function).fold(0, sum).saturating_mul(lanes.into())
}

fn allocas(function: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    function.instructions().into_iter().filter(|one| one.opcode() == Opcode::LLVMAlloca)
}

/// The reason that so much private memory is.
pub(super) fn of_memory(bytes: u64, lanes: u32) -> Option<String> {
    (bytes > PRIVATE_MEMORY).then(|| format!("{bytes} bytes of private memory in {lanes} work-items, of at most 1 MiB"))
}

/// The reason that a value of type `ty` is.
pub(super) fn of_type(ty: Type<'_>) -> String {
    format!("a value of type `{}`", ty.text())
}

fn without_form(kernel: Value<'_>) -> Option<Reason> {
    let blocks = kernel.blocks();
    let misplaced = |i: &Value<'_>| i.opcode() == Opcode::LLVMAlloca && Some(&i.block()) != blocks.first();
    kernel.instructions().into_iter().find_map(|instruction| {
        let types = instruction.operands().into_iter().map(Value::ty).chain([instruction.ty()]);
        let text = match () {
            () if misplaced(&instruction) => Some("private memory reserved in a loop".to_owned()),
            () if instruction.callee().is_some_and(|callee| callee.kind() != ValueKind::LLVMFunctionValueKind) => {
                Some("a call through a pointer".to_owned())
            }
            () if is_foreign(instruction.opcode()) => Some(format!("`{}`", instruction.text())),
            () => types.into_iter().find(|ty| !is_known(*ty)).map(of_type),
        };
        text.map(|text| Reason::at(instruction, text))
    })
}

fn is_foreign(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMInvoke
            | Opcode::LLVMCallBr
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMResume
            | Opcode::LLVMLandingPad
            | Opcode::LLVMVAArg
            | Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector
    )
}

pub(super) fn is_known(ty: Type<'_>) -> bool {
    match ty.view() {
        TypeView::Structure(members, _) => members.into_iter().all(is_scalar),
        TypeView::Void => true,
        TypeView::Other => matches!(&*ty.text(), "label" | "metadata" | "bfloat"),
        _ => is_scalar(ty),
    }
}

fn is_scalar(ty: Type<'_>) -> bool {
    match ty.view() {
        TypeView::Integer(bits) => bits <= WIDEST,
        TypeView::Float(_) | TypeView::Pointer(_) => true,
        _ => false,
    }
}
