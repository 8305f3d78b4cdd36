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
    let parameters: Vec<_> =
        m.facts.arguments.iter().map(|argument| parameter(cx, convention, old, argument)).collect();
    let new = old.rebuilt(&m.module, convention.kernels, &parameters);
    let first = new.instructions().first().copied().ok_or_else(|| Failure::internal("a kernel without code"))?;
    for ((argument, parameter), value) in m.facts.arguments.iter().zip(&parameters).zip(new.parameters()) {
        let replaced = old.parameters()[argument.parameter as usize];
        let copied = old.by_value_type(argument.parameter).is_some();
        let value = first.insert_before(|insert| match parameter.in_memory {
            Some(_) if !copied => insert.load(replaced.ty(), value),
            Some(_) if convention.is_copied => insert.address_space_cast(value, replaced.ty()),
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

/// A name without characters that assemblers and linkers give a meaning.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '$' { c } else { '_' }).collect()
}
