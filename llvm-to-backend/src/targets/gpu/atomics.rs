//! Refuses atomic operations that GPUs lack, and spells others in IR.
//!
//! *Invariant:* an operation that passes is at most as wide as a pointer and aligned to its size.

use crate::{context::Context, failure::Outcome};
use sinter_llvm::{
    ir::{Opcode, Value},
    operation::Ordering,
};

/// Refuses a wide or underaligned operation, for which LLVM would call a runtime library.
pub(crate) fn fits(cx: &Context<'_, '_>, instruction: Value<'_>, machine: &str) -> Outcome<()> {
    let value = match instruction.opcode() {
        Opcode::LLVMFence => return Ok(()),
        Opcode::LLVMLoad => instruction.ty(),
        Opcode::LLVMStore => instruction.operands()[0].ty(),
        _ => instruction.operands()[1].ty(),
    };
    let (size, alignment) = (value.store_size(cx.machine), u64::from(instruction.alignment()));
    if size > 8 {
        let what = format!("an atomic operation on {size} bytes");
        let hint = format!("{machine} has them for up to 8 bytes");
        return Err(cx.unsupported(what, instruction.location(), &hint).into());
    }
    if alignment < size {
        let what = format!("an atomic operation on {size} bytes that are aligned to {alignment}");
        return Err(cx.unsupported(what, instruction.location(), "align the value to its size").into());
    }
    Ok(())
}

/// The ordering of an atomic operation in IR.
pub(crate) fn ordering_name(ordering: Ordering) -> &'static str {
    use Ordering as O;
    match ordering {
        O::LLVMAtomicOrderingAcquire => "acquire",
        O::LLVMAtomicOrderingRelease => "release",
        O::LLVMAtomicOrderingAcquireRelease => "acq_rel",
        O::LLVMAtomicOrderingSequentiallyConsistent => "seq_cst",
        _ => "monotonic",
    }
}

/// IR that computes `%new` of `%old` and `%v` as an `atomicrmw` does. `None` for an unknown
/// operation.
pub(crate) fn changed(name: &str, ty: &str) -> Option<String> {
    let chosen = |predicate: &str| {
        format!("  %keep = icmp {predicate} {ty} %old, %v\n  %new = select i1 %keep, {ty} %old, {ty} %v")
    };
    Some(match name {
        "xchg" => format!("  %new = bitcast {ty} %v to {ty}"),
        "add" | "sub" | "and" | "or" | "xor" | "fadd" | "fsub" => format!("  %new = {name} {ty} %old, %v"),
        "nand" => format!("  %both = and {ty} %old, %v\n  %new = xor {ty} %both, -1"),
        // If one of the two is a NaN, the result is the other.
        "fmax" | "fmin" => format!(
            "  %keep = fcmp {} {ty} %old, %v\n  %none = fcmp uno {ty} %v, %v\n  %stays = or i1 %keep, %none\n  \
             %new = select i1 %stays, {ty} %old, {ty} %v",
            if name == "fmax" { "ogt" } else { "olt" }
        ),
        "max" => chosen("sgt"),
        "min" => chosen("slt"),
        "umax" => chosen("ugt"),
        "umin" => chosen("ult"),
        "uinc_wrap" => format!(
            "  %more = add {ty} %old, 1\n  %wraps = icmp uge {ty} %old, %v\n  %new = select i1 %wraps, {ty} 0, {ty} %more"
        ),
        "udec_wrap" => format!(
            "  %less = sub {ty} %old, 1\n  %zero = icmp eq {ty} %old, 0\n  %above = icmp ugt {ty} %old, %v\n  \
             %wraps = or i1 %zero, %above\n  %new = select i1 %wraps, {ty} %v, {ty} %less"
        ),
        _ => return None,
    })
}
