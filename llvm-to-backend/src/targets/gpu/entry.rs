//! Makes the kernel the entry of a GPU's module.
//!
//! In: a kernel with the parameters of its record. Out: a kernel with only its live parameters, at
//! the offsets that `dead_arguments` chose. *Invariant:* pointers point to global memory; an
//! argument that the code generator would align or pad differently is passed as bytes and loaded by
//! the kernel.

use super::{GLOBAL_SPACE, stack::gather_stack};
use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
};
use sinter_core::Argument;
use sinter_llvm::{
    function::{KernelConvention, Parameter},
    ir::{Shape, Value},
};

/// Calling convention of a GPU's kernels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Convention {
    pub(crate) kernels: KernelConvention,
    /// The address space of arguments that are passed in memory.
    pub(crate) space: u32,
    /// True if they are copies private to the kernel, which it may write to.
    pub(crate) is_copied: bool,
}

/// Parameter attributes that describe the memory behind a pointer.
const POINTER_ATTRIBUTES: [&str; 7] =
    ["noalias", "readonly", "writeonly", "nocapture", "align", "dereferenceable", "dereferenceable_or_null"];

/// Replaces the kernel by a function with the new signature.
pub(crate) fn rebuild<'s>(
    cx: &Context<'s, '_>,
    convention: Convention,
    mut m: DeviceModule<'s, Checked>,
) -> Outcome<DeviceModule<'s, Checked>> {
    let old = m.kernel;
    let mut end = 0;
    let placed = m.facts.arguments.iter().map(|argument| {
        let placed = padded(cx, parameter(cx, convention, old, argument), argument, end);
        end = argument.offset + argument.size;
        placed
    });
    let (parameters, paddings): (Vec<_>, Vec<_>) = placed.unzip();
    let new = old.rebuilt(&m.module, convention.kernels, &parameters);
    let first = new.instructions().first().copied().ok_or_else(|| Failure::internal("a kernel without code"))?;
    let arguments = m.facts.arguments.iter().zip(&parameters).zip(paddings).zip(new.parameters());
    for (((argument, parameter), padding), value) in arguments {
        let replaced = old.parameters()[argument.parameter as usize];
        let copied = old.by_value_type(argument.parameter).is_some();
        let value = first.insert_before(|insert| match parameter.in_memory {
            Some(_) if !copied => insert.load(replaced.ty(), value),
            Some(_) if convention.is_copied => {
                let value = if padding == 0 { value } else { insert.offset(value, cx.session.literal(padding)) };
                insert.address_space_cast(value, replaced.ty())
            }
            Some((ty, alignment)) => {
                insert.address_space_cast(insert.private_copy(ty, alignment, value, cx.machine), replaced.ty())
            }
            None => insert.address_space_cast(value, replaced.ty()),
        });
        replaced.replace_uses(value);
    }
    for (index, (argument, parameter)) in (0u32..).zip(m.facts.arguments.iter().zip(&parameters)) {
        if parameter.in_memory.is_none() {
            old.copy_parameter_attributes(argument.parameter, new, index, &POINTER_ATTRIBUTES);
        }
    }
    gather_stack(new);
    old.delete();
    m.kernel = new;
    Ok(m)
}

/// Type and attributes of an argument in the new signature.
fn parameter<'s>(
    cx: &Context<'s, '_>,
    convention: Convention,
    kernel: Value<'s>,
    argument: &Argument,
) -> Parameter<'s> {
    let pointer = cx.session.pointer_to(convention.space);
    let ty = kernel.parameters()[argument.parameter as usize].ty();
    if let Some(copied) = kernel.by_value_type(argument.parameter) {
        let alignment = kernel.parameter_alignment(argument.parameter).unwrap_or(1).max(copied.alignment(cx.machine));
        return Parameter { ty: pointer, in_memory: Some((copied, alignment)) };
    }
    match ty.shape() {
        Shape::Pointer if ty == cx.session.pointer() => {
            Parameter { ty: cx.session.pointer_to(GLOBAL_SPACE), in_memory: None }
        }
        Shape::Pointer | Shape::Integer(8 | 16 | 32 | 64) | Shape::F32 | Shape::F64 => {
            Parameter { ty, in_memory: None }
        }
        _ => {
            let bytes = cx.session.bytes(u64::from(argument.size));
            Parameter { ty: pointer, in_memory: Some((bytes, ty.alignment(cx.machine))) }
        }
    }
}

/// The parameter with the padding in front of it that it needs beyond its alignment, and that
/// padding. Only arguments in memory have one.
fn padded<'s>(cx: &Context<'s, '_>, parameter: Parameter<'s>, argument: &Argument, end: u32) -> (Parameter<'s>, u64) {
    let Some((_, alignment)) = parameter.in_memory else { return (parameter, 0) };
    let padding = u64::from(argument.offset.saturating_sub(end.next_multiple_of(alignment)));
    if padding == 0 {
        return (parameter, 0);
    }
    let bytes = cx.session.bytes(padding + u64::from(argument.size));
    (Parameter { in_memory: Some((bytes, alignment)), ..parameter }, padding)
}

/// A name without characters that assemblers and linkers give a meaning.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '$' { c } else { '_' }).collect()
}
