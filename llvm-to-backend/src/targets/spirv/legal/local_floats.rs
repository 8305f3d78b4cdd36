//! Expands atomic operations on `float` in local memory of shaders.
//!
//! In: calls that stand for `OpAtomicFAddEXT` and its like, and atomic instructions that become
//! them. Out: loops of compare and exchange, where the pointer is one to local memory. *Invariant:*
//! local memory of shaders is words of integers, on which those instructions do not exist, whatever
//! the device has for global memory.

use super::legaliser::Legaliser;
use crate::{
    backend::LOCAL_SPACE,
    failure::{Failure, Outcome},
    passes::library_calls::text::{self, Definition, Large},
};
use sinter_llvm::ir::Value;

/// Names of the instructions, and the operation on the value there (`%old`) and the operand (`%x`).
const OPERATIONS: [(&str, &str); 3] = [
    ("__sinter_spirv_op_AtomicFAddEXT__f32_local", "fadd float %old, %x"),
    ("__sinter_spirv_op_AtomicFMinEXT__f32_local", "call float @llvm.minnum.f32(float %old, float %x)"),
    ("__sinter_spirv_op_AtomicFMaxEXT__f32_local", "call float @llvm.maxnum.f32(float %old, float %x)"),
];

/// `SCOPE`, `ORDER` and `FAILURE` are literals of SPIR-V. The first load may see an old value: then
/// the exchange fails.
const LOOP: &str = "define float @NAME(ptr addrspace(3) %p, float %x) alwaysinline nounwind {
entry:
  %first = load volatile i32, ptr addrspace(3) %p, align 4
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %found, %loop ]
  %old = bitcast i32 %seen to float
  %new = OPERATION
  %next = bitcast float %new to i32
  %found = call i32 @__sinter_spirv_op_AtomicCompareExchange__i32_local(ptr addrspace(3) %p, i32 SCOPE, i32 ORDER, i32 FAILURE, i32 %next, i32 %seen)
  %done = icmp eq i32 %found, %seen
  br i1 %done, label %end, label %loop
end:
  ret float %old
}
";
/// Of the semantics: acquire, acquire and release, sequentially consistent; and the memory.
const ACQUIRES: u64 = 0x2 | 0x8 | 0x10;
const ACQUIRE: u64 = 0x2 | 0x100 | 0x200;

pub(super) fn replace<S>(l: &Legaliser<'_, '_, '_, S>) -> Outcome<()> {
    let mut definitions = Vec::new();
    for (name, operation) in OPERATIONS {
        let Some(function) = l.m.module.function(name) else { continue };
        for call in function.users().into_iter().filter(|user| user.callee() == Some(function)) {
            definitions.push((call, definition(call, operation)?));
        }
    }
    text::replace(l.cx, l.m, "sinter.local.float", Large::Inlined, definitions).map(drop)
}

fn definition(call: Value<'_>, operation: &str) -> Outcome<Definition> {
    let arguments = call.arguments();
    let literal = |index: usize| arguments.get(index).and_then(|argument| argument.integer());
    let (Some(scope), Some(order)) = (literal(1), literal(2)) else {
        return Err(Failure::internal(format!("an order of `{}` must be a constant", call.text())));
    };
    if arguments[0].address_space() != Some(LOCAL_SPACE) {
        return Err(Failure::internal(format!("`{}` is not in local memory", call.text())));
    }
    let failure = if order & ACQUIRES != 0 { ACQUIRE } else { 0 };
    let text = LOOP
        .replace("OPERATION", operation)
        .replace("SCOPE", &scope.to_string())
        .replace("ORDER", &order.to_string())
        .replace("FAILURE", &failure.to_string());
    Ok(Definition { text, taken: vec![0, 3] })
}
