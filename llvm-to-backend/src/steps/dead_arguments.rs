//! Finds the kernel's live parameters and lays out the argument buffer.
//!
//! Constants that are worth it have become parameters by value before.
//! *Invariant:* live parameters keep their order; each has its natural alignment. A parameter
//! passed by value has the alignment of its attribute, and the target may want more padding in
//! front of a constant.

use crate::{
    backend::Backend,
    context::Context,
    device_module::{Bound, DeviceModule, Simplified},
    failure::{Failure, Outcome},
};
use sinter_core::Argument;
use sinter_llvm::ir::{Shape, Value};

pub(crate) fn dead_arguments<'s>(
    cx: &Context<'s, '_>,
    backend: &impl Backend,
    mut m: DeviceModule<'s, Simplified>,
) -> Outcome<DeviceModule<'s, Bound>> {
    backend.pass_constants(cx, &mut m);
    let (mut end, mut align) = (0u64, 1u64);
    let parameters = m.kernel.parameters();
    let constants = (parameters.len() - m.facts.constants.len()) as u32;
    for (index, parameter) in (0u32..).zip(parameters) {
        if parameter.is_used() {
            has_plain_type(cx, parameter)?;
            let (size, alignment) = size_and_alignment(cx, m.kernel, index, parameter);
            let offset = match index < constants {
                true => end.next_multiple_of(alignment),
                false => backend.place_constant(end, size),
            };
            m.facts.arguments.push(Argument {
                parameter: index,
                offset: narrow(offset)?,
                size: narrow(size)?,
                is_pointer: is_address(m.kernel, index, parameter),
            });
            (end, align) = (offset + size, align.max(alignment));
        }
    }
    m.facts.argument_size = narrow(end.next_multiple_of(align))?;
    m.facts.argument_align = narrow(align)?;
    Ok(m.advance())
}

/// Rejects types other than plain ones: the argument buffer holds plain bytes, and a type is passed
/// on as a string, which for a named type is only the name.
fn has_plain_type(cx: &Context<'_, '_>, parameter: Value<'_>) -> Outcome<()> {
    let ty = parameter.ty().text();
    if !["%", "vscale", "target("].iter().any(|part| ty.contains(part)) {
        return Ok(());
    }
    let ty = ty.split_once(" = type ").map_or(ty.as_str(), |(_, members)| members);
    let hint = "pass its members one by one, or the structure in memory (`byval`)";
    Err(cx.unsupported(format!("a kernel parameter of the type `{ty}`"), None, hint).into())
}

fn size_and_alignment(cx: &Context<'_, '_>, kernel: Value<'_>, index: u32, parameter: Value<'_>) -> (u64, u64) {
    let (size, alignment) = match kernel.by_value_type(index) {
        Some(ty) => {
            (ty.alloc_size(cx.machine), kernel.parameter_alignment(index).unwrap_or(1).max(ty.alignment(cx.machine)))
        }
        None => (parameter.ty().store_size(cx.machine), parameter.ty().alignment(cx.machine)),
    };
    (size, u64::from(alignment.max(1)))
}

/// True for a by-value parameter, which is a pointer only inside the kernel.
fn is_address(kernel: Value<'_>, index: u32, parameter: Value<'_>) -> bool {
    parameter.ty().shape() == Shape::Pointer && kernel.by_value_type(index).is_none()
}

fn narrow(value: u64) -> Outcome<u32> {
    u32::try_from(value).map_err(|_| Failure::internal("the kernel's parameters exceed 4 GiB"))
}
