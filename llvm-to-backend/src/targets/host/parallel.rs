//! Tells the vectoriser that work-items are independent.
//!
//! In: the body of a kernel and an access group. Out: accesses that may be reordered between
//! work-items have the access group. *Invariant:* an access that may touch an `alloca` is never
//! marked: when the body is inlined into the loop over work-items, all of them share the alloca.
//! Nor is one that may touch memory in which each row sees what those before it have done. Kernels
//! with atomics are left unchanged: they order work-items on purpose.

use super::builtins::UPDATE_PREFIX;
use sinter_llvm::ir::{Opcode, Value};
use std::collections::HashSet;

/// LLVM's name of the metadata (LangRef, "llvm.access.group").
const ACCESS_GROUP: &str = "llvm.access.group";
/// Intrinsics that access no memory of the kernel but are modelled as memory accesses.
const HARMLESS: [&str; 3] = ["llvm.assume", "llvm.experimental.noalias.scope.decl", "llvm.dbg."];

/// Adds the accesses of `body` that may run in any order to `group`. Those of what the pointers
/// `ordered` lead to may not.
pub(super) fn mark<'s>(body: Value<'s>, group: Value<'s>, ordered: &[Value<'s>]) {
    let instructions = body.instructions();
    if instructions.iter().any(|i| i.is_atomic() || calls_atomic(*i)) {
        return;
    }
    let allocas: Vec<_> = instructions.iter().copied().filter(|i| i.opcode() == Opcode::LLVMAlloca).collect();
    // A pointer that is kept across a barrier is one from memory.
    let escapes = !ordered.is_empty() || allocas.iter().any(|alloca| escapes(*alloca));
    let independent = |pointer: &Value<'s>| !may_be_private(*pointer, escapes, ordered);
    for instruction in instructions {
        if accesses(instruction).is_some_and(|pointers| pointers.iter().all(independent)) {
            instruction.set_metadata(ACCESS_GROUP, group);
        }
    }
}

/// The pointers through which an instruction accesses memory; `None` if it accesses none or unknown
/// ones.
fn accesses(instruction: Value<'_>) -> Option<Vec<Value<'_>>> {
    let operands = instruction.operands();
    match instruction.opcode() {
        Opcode::LLVMLoad => operands.first().map(|pointer| vec![*pointer]),
        Opcode::LLVMStore => operands.get(1).map(|pointer| vec![*pointer]),
        Opcode::LLVMCall => {
            let name = instruction.callee().map(Value::name).unwrap_or_default();
            match () {
                () if HARMLESS.iter().any(|prefix| name.starts_with(prefix)) => Some(Vec::new()),
                () if name.starts_with("llvm.memset.") => operands.first().map(|to| vec![*to]),
                () if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") => {
                    operands.get(..2).map(<[_]>::to_vec)
                }
                () => None,
            }
        }
        _ => None,
    }
}

fn calls_atomic(instruction: Value<'_>) -> bool {
    const FAMILIES: [&str; 4] = ["__acpp_sscp_atomic_", "__acpp_sscp_cmp_exch_", "__acpp_sscp_fence", UPDATE_PREFIX];
    let name = instruction.callee().map(Value::name).unwrap_or_default();
    FAMILIES.iter().any(|family| name.starts_with(family))
}

/// True if `pointer` may point to private memory of a work-item, or be one of `ordered`.
fn may_be_private<'s>(pointer: Value<'s>, escapes: bool, ordered: &[Value<'s>]) -> bool {
    let (mut seen, mut queue) = (HashSet::new(), vec![pointer]);
    while let Some(value) = queue.pop() {
        if !seen.insert(value) {
            continue;
        }
        if ordered.contains(&value) {
            return true;
        }
        if !value.is_instruction() {
            continue; // A parameter, a global or a literal.
        }
        match value.opcode() {
            Opcode::LLVMAlloca => return true,
            Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => {
                queue.extend(value.operands().first());
            }
            Opcode::LLVMPHI => queue.extend(value.operands()),
            Opcode::LLVMSelect => queue.extend(value.operands().get(1..).unwrap_or_default()),
            // A pointer from memory or arithmetic is private only if the address of an alloca
            // escapes.
            _ if escapes => return true,
            _ => {}
        }
    }
    false
}

/// True if the address of an alloca has uses other than loads, stores and copies.
fn escapes(alloca: Value<'_>) -> bool {
    let (mut seen, mut queue) = (HashSet::new(), vec![alloca]);
    while let Some(value) = queue.pop() {
        if !seen.insert(value) {
            continue;
        }
        for user in value.users() {
            match user.opcode() {
                Opcode::LLVMLoad | Opcode::LLVMICmp => {}
                Opcode::LLVMStore if user.operands().first() != Some(&value) => {}
                Opcode::LLVMCall if is_memory_intrinsic(user) => {}
                Opcode::LLVMGetElementPtr
                | Opcode::LLVMBitCast
                | Opcode::LLVMAddrSpaceCast
                | Opcode::LLVMFreeze
                | Opcode::LLVMPHI
                | Opcode::LLVMSelect => queue.push(user),
                _ => return true,
            }
        }
    }
    false
}

fn is_memory_intrinsic(call: Value<'_>) -> bool {
    let name = call.callee().map(Value::name).unwrap_or_default();
    ["llvm.mem", "llvm.lifetime.", "llvm.dbg.", "llvm.assume"].iter().any(|prefix| name.starts_with(prefix))
}
