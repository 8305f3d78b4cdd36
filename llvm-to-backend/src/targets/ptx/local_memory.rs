//! Lays out local memory.
//!
//! In: optimised code that refers to variables in address space 3 and asks for dynamic local
//! memory. Out: the same with addresses in one array whose size the launch gives. *Invariant:* runs
//! after the optimiser, whose alias analysis tells variables apart better than parts of an array;
//! dynamic local memory follows the static part.

use crate::{
    backend::LOCAL_SPACE,
    context::Context,
    device_module::{DeviceModule, Optimised},
    failure::Outcome,
    targets::local_memory::{DYNAMIC_LOCAL_MEMORY, Grant, lay_out, variables},
};
use sinter_core::PtxTarget;
use sinter_llvm::ir::Value;

/// The only array in local memory, so the driver need not know its name.
const ARRAY: &str = "sinter_local_memory";
/// Alignment of the array in bytes: more than the widest access needs.
const ALIGNMENT: u32 = 128;
/// Maximum KiB of a work-group, by compute capability times ten (CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability").
const KIBIBYTES: [(u32, u64); 7] = [(70, 96), (75, 64), (80, 163), (86, 99), (87, 163), (89, 99), (90, 227)];

pub(super) fn place<'s>(
    cx: &Context<'s, '_>,
    target: &PtxTarget,
    mut m: DeviceModule<'s, Optimised>,
) -> Outcome<DeviceModule<'s, Optimised>> {
    let kibibytes = KIBIBYTES.iter().rev().find(|(sm, _)| *sm <= target.sm).map_or(0, |(_, size)| *size);
    let placed = lay_out(cx, variables(&m), Grant { alignment: u64::from(ALIGNMENT), size: kibibytes << 10 })?;
    let query = m.module.function(DYNAMIC_LOCAL_MEMORY).filter(|query| query.is_used());
    if placed.variables.is_empty() && query.is_none() {
        return Ok(m);
    }
    let array = m.module.declare_bytes(ARRAY, ALIGNMENT, LOCAL_SPACE);
    for (variable, offset) in placed.variables {
        variable.replace_uses(array.constant_offset(cx.session, offset));
        variable.delete_global();
    }
    let dynamic = array.constant_offset(cx.session, u64::from(placed.size));
    query.into_iter().flat_map(Value::users).for_each(|call| answer(call, dynamic));
    m.facts.local_memory = placed.size;
    Ok(m)
}

fn answer<'s>(call: Value<'s>, address: Value<'s>) {
    call.replace_uses(call.insert_before(|insert| insert.address_space_cast(address, call.ty())));
    call.erase();
}
