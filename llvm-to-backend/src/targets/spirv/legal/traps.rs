//! Lowers traps.
//!
//! In: `llvm.trap` and `llvm.ubsantrap`, which failed assertions, exceptions and `abort` have
//! become. Out: a volatile store to the null address of global memory, after which the work-item
//! ends. *Invariant:* no instruction after a trap is executed. SPIR-V has no instruction that ends
//! a kernel with an error, and `OpUnreachable` alone would let the device's compiler remove the
//! condition that leads there. The store ends the kernel with an error if the device checks
//! addresses. In a function other than the kernel, and where code follows in the block, the
//! work-item loops forever.

use super::{
    accepted::{intrinsic, is_family},
    legaliser::Legaliser,
};
use crate::{
    failure::Outcome,
    passes::library_calls::text::{self, Definition, Large},
};
use sinter_core::SpirvEnvironment;
use sinter_llvm::ir::{Opcode, Value};

const ENDLESS: &str = "define void @NAME() alwaysinline nounwind {
entry:
  store volatile i32 0, ptr addrspace(1) null, align 4
  br label %loop
loop:
  %x = load volatile i32, ptr addrspace(1) null, align 4
  br label %loop
}
";

const STORE: &str = "define void @NAME() alwaysinline nounwind {
  store volatile i32 0, ptr addrspace(1) null, align 4
  ret void
}
";

/// In a shader the item returns: the report before the trap has said so.
fn leave(call: Value<'_>) {
    if let Some(next) = call.next() {
        let block = call.block();
        if next.opcode() != Opcode::LLVMUnreachable {
            block.split_before(next);
        }
        let end = block.terminator();
        end.into_iter().for_each(|end| {
            end.insert_before(|insert| insert.leave());
            end.erase();
        });
    }
    call.erase();
}

pub(super) fn replace<S>(l: &Legaliser<'_, '_, '_, S>) -> Outcome<()> {
    let mut definitions = Vec::new();
    let is_trap = |call: &Value<'_>| {
        let name = if call.opcode() == Opcode::LLVMCall { intrinsic(*call) } else { None };
        name.is_some_and(|name| is_family(&name, "trap") || is_family(&name, "ubsantrap"))
    };
    let traps: Vec<_> = l.m.defined().into_iter().flat_map(Value::instructions).filter(is_trap).collect();
    for call in traps {
        if l.target.environment == SpirvEnvironment::Vulkan {
            leave(call);
            continue;
        }
        let end = call.next().filter(|next| next.opcode() == Opcode::LLVMUnreachable);
        let text = match end.filter(|_| call.function() == l.m.kernel) {
            Some(end) => {
                end.insert_before(|insert| insert.leave());
                end.erase();
                STORE
            }
            None => ENDLESS,
        };
        definitions.push((call, Definition { text: text.to_owned(), taken: Vec::new() }));
    }
    text::replace(l.cx, l.m, "sinter.trap", Large::Inlined, definitions).map(drop)
}
