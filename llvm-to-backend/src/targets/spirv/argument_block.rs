//! Passes many arguments as a single structure.
//!
//! In: a kernel with more parameters than a SPIR-V function may have. Out: a kernel that takes its
//! argument buffer as a structure, and loads the arguments from the offsets in `EntryInfo`.
//! *Invariant:* the structure is a copy in private memory that belongs to the kernel.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
    targets::gpu::{GLOBAL_SPACE, PRIVATE_SPACE, stack::gather_stack},
};
use sinter_core::Argument;
use sinter_llvm::{
    function::{KernelConvention, Parameter},
    insert::Inserter,
    ir::Value,
};

pub(super) fn rebuild<'s>(
    cx: &Context<'s, '_>,
    mut m: DeviceModule<'s, Checked>,
) -> Outcome<DeviceModule<'s, Checked>> {
    let (old, facts) = (m.kernel, &m.facts);
    let bytes = cx.session.bytes(u64::from(facts.argument_size));
    let block = Parameter { ty: cx.session.pointer_to(PRIVATE_SPACE), in_memory: Some((bytes, facts.argument_align)) };
    let new = old.rebuilt(&m.module, KernelConvention::Spirv, &[block]);
    let first = new.instructions().first().copied().ok_or_else(|| Failure::internal("a kernel without code"))?;
    let block = new.parameters()[0];
    for argument in &m.facts.arguments {
        let replaced = old.parameters()[argument.parameter as usize];
        let value = first.insert_before(|insert| read(cx, insert, old, block, argument));
        replaced.replace_uses(value);
    }
    gather_stack(new);
    old.delete();
    m.kernel = new;
    Ok(m)
}

/// Loads the value of a parameter of `kernel`.
fn read<'s>(
    cx: &Context<'s, '_>,
    insert: &Inserter<'s>,
    kernel: Value<'s>,
    block: Value<'s>,
    argument: &Argument,
) -> Value<'s> {
    let ty = kernel.parameters()[argument.parameter as usize].ty();
    let place = insert.offset(block, cx.session.literal(argument.offset.into()));
    if kernel.by_value_type(argument.parameter).is_some() {
        return insert.address_space_cast(place, ty);
    }
    // A launch passes pointers to global memory only.
    let passed = if ty == cx.session.pointer() { cx.session.pointer_to(GLOBAL_SPACE) } else { ty };
    let value = insert.load(passed, place);
    if passed == ty { value } else { insert.address_space_cast(value, ty) }
}
