//! Measures the private memory of a kernel.
//!
//! In: a kernel with all that it calls. Out: bytes of its allocas. *Invariant:* remaining calls may
//! nest, so the sum is over all functions.

use crate::{
    context::Context,
    device_module::{Bound, DeviceModule},
    failure::Outcome,
};
use sinter_llvm::ir::{Opcode, Value};

/// Bytes of all allocas, and the location of the first. Fails for arrays of variable length.
pub(crate) fn total(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<(u64, Option<String>)> {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let (mut total, mut first) = (0u64, None);
    for alloca in instructions.filter(|i| i.opcode() == Opcode::LLVMAlloca) {
        first = first.or_else(|| alloca.location());
        let Some(size) = alloca.allocated_size(cx.machine) else {
            let hint = "give the array a constant size, or use a buffer in global memory";
            return Err(cx.unsupported("a private array of variable length", alloca.location(), hint).into());
        };
        total = total.saturating_add(size);
    }
    Ok((total, first))
}
