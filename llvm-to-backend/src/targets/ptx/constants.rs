//! Passes `__constant__` variables by value.
//!
//! In: a kernel in SSA form with pointers to variables that device code only reads. Out: those that
//! all work-items read at the same places are parameters by value, which lie in constant memory: an
//! instruction may take an operand from there. *Invariant:* a variable that the kernel may write
//! to, or whose address it passes on, stays a pointer, and so does one of which work-items read
//! different places, because the constant cache serves one place after the other.

use crate::{
    context::Context,
    device_module::{DeviceModule, Simplified},
};
use sinter_core::PtxTarget;
use sinter_llvm::ir::{Opcode, Value};
use std::collections::HashSet;

/// Limit for all arguments in bytes: CUDA launches take 4 KiB.
const MOST_BYTES: u64 = 4000;
/// Alignment of an object by value; variables that want more stay pointers.
const ALIGNMENT: u32 = 16;
/// Bytes of a line of constant memory. On an H100 a loop over 64 numbers takes 1.4 to 1.6 times as
/// long where they begin within one.
const LINE: u64 = 64;
/// Bytes of an object in front of its value, for most variables.
const HEADER: u64 = 16;
/// Limit for the values that an address is made of.
const MOST_VALUES: usize = 4096;

pub(super) fn pass<'s>(cx: &Context<'s, '_>, m: &mut DeviceModule<'s, Simplified>) {
    let readable = std::mem::take(&mut m.facts.readable);
    if readable.is_empty() {
        return;
    }
    let parameters = m.kernel.parameters();
    let first = parameters.len() - m.facts.device_globals.len();
    // Room for padding in front of each argument.
    let mut taken = parameters.len() as u64 * u64::from(ALIGNMENT);
    let mut fits = |size: u64| {
        let end = taken + size + LINE;
        let fits = end <= MOST_BYTES;
        taken = if fits { end } else { taken };
        fits
    };
    let mut chosen = readable;
    chosen.retain(|(number, size)| reads_alike(parameters[first + number]) && fits(*size));
    let kernel = m.kernel.with_added_parameters(cx.session, chosen.len());
    let moved = kernel.parameters();
    for (index, (number, size)) in (parameters.len()..).zip(chosen) {
        kernel.pass_by_value(index as u32, cx.session.bytes(size), ALIGNMENT);
        moved[first + number].replace_uses(moved[index]);
        m.facts.constants.push(m.facts.device_globals[number].clone());
    }
    m.kernel = kernel;
}

/// The offset for a constant behind arguments that end at `end`: if it is as long as a line of
/// constant memory, the one with which its value begins a line.
pub(super) fn place(target: &PtxTarget, end: u64, size: u64) -> u64 {
    if size < HEADER + LINE {
        return end.next_multiple_of(u64::from(ALIGNMENT));
    }
    let before_value = first_argument(target.sm) + HEADER;
    (before_value + end).next_multiple_of(LINE) - before_value
}

/// The place of the first argument in constant memory.
fn first_argument(sm: u32) -> u64 {
    match sm {
        100.. => 0x380,
        90.. => 0x210,
        _ => 0x160,
    }
}

/// True if a pointer is used, and for nothing but loads of which each reads the same place in all
/// work-items.
fn reads_alike(pointer: Value<'_>) -> bool {
    let mut open = vec![pointer];
    let mut is_read = false;
    while let Some(address) = open.pop() {
        for user in address.users() {
            match user.opcode() {
                Opcode::LLVMGetElementPtr if user.operands()[0] == address && is_alike(user) => open.push(user),
                Opcode::LLVMLoad if !user.is_atomic() && !user.is_volatile() && user.alignment() <= ALIGNMENT => {
                    is_read = true
                }
                _ => return false,
            }
        }
    }
    is_read
}

/// True if a value is probably the same in all work-items. It may be wrong: then the code is slow.
fn is_alike(value: Value<'_>) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![value]);
    while let Some(value) = open.pop() {
        if !value.is_instruction() || !seen.insert(value) {
            continue;
        }
        match value.opcode() {
            Opcode::LLVMCall if is_of_launch(value) => {}
            Opcode::LLVMCall if value.callee().is_some_and(|callee| callee.is_intrinsic() && is_pure(callee)) => {
                open.extend(value.arguments());
            }
            Opcode::LLVMCall | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMAlloca => return false,
            _ => open.extend(value.operands()),
        }
        if seen.len() > MOST_VALUES {
            return false;
        }
    }
    true
}

/// True for a query whose answer a whole work-group has.
fn is_of_launch(call: Value<'_>) -> bool {
    let of_group = [".ctaid.", ".nctaid.", ".ntid."];
    call.callee().is_some_and(|callee| of_group.iter().any(|part| callee.name().contains(part)))
}

/// True for an intrinsic of LLVM's own, which computes something of its arguments.
fn is_pure(intrinsic: Value<'_>) -> bool {
    let name = intrinsic.name();
    !name.starts_with("llvm.nvvm.") || name.starts_with("llvm.nvvm.ldg.")
}
