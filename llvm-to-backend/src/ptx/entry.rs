//! Makes the kernel the entry of a PTX module.
//!
//! In: a kernel with the parameters of its record. Out: a kernel whose parameters are those that it reads, at the offsets
//! that `dead_arguments` gave them. *Invariant:* pointers are pointers to global memory; what PTX would align or fill up
//! differently is passed as bytes and read by the kernel.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
};
use sinter_core::Argument;
use sinter_llvm::{
    function::Parameter,
    ir::{Shape, Value},
};

/// The address space of global memory (LLVM, "User Guide for NVPTX Back-end").
const GLOBAL_SPACE: u32 = 1;
/// LLVM's list of what PTX says about a kernel beside its code.
const ANNOTATIONS: &str = "nvvm.annotations";
/// The exact size of a work-group.
const GROUP_SIZE: [&str; 3] = ["reqntidx", "reqntidy", "reqntidz"];

/// What PTX takes for something else than a name.
const RESERVED: [&str; 3] = ["_", "$", "WARP_SZ"];
/// What is known of the memory behind a pointer.
const POINTER_ATTRIBUTES: [&str; 7] =
    ["noalias", "readonly", "writeonly", "nocapture", "align", "dereferenceable", "dereferenceable_or_null"];

pub(super) fn entry<'s>(cx: &Context<'s, '_>, mut m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    let old = m.kernel;
    let parameters: Vec<_> = m.facts.arguments.iter().map(|argument| parameter(cx, old, argument)).collect();
    let new = old.rebuilt(&m.module, &parameters);
    let first = new.instructions().first().copied().ok_or_else(|| Failure::internal("a kernel without code"))?;
    for ((argument, parameter), value) in m.facts.arguments.iter().zip(&parameters).zip(new.parameters()) {
        let replaced = old.parameters()[argument.parameter as usize];
        let copied = old.by_value_type(argument.parameter).is_some();
        let value = first.insert_before(|insert| match parameter.by_value {
            Some(_) if !copied => insert.load(replaced.ty(), value),
            Some(_) => value,
            None => insert.address_space_cast(value, replaced.ty()),
        });
        replaced.replace_uses(value);
    }
    for (index, (argument, parameter)) in (0u32..).zip(m.facts.arguments.iter().zip(&parameters)) {
        if parameter.by_value.is_none() {
            old.copy_parameter_attributes(argument.parameter, new, index, &POINTER_ATTRIBUTES);
        }
    }
    old.delete();
    new.set_name(&symbol(&new.name()));
    new.make_ptx_kernel();
    for (key, size) in GROUP_SIZE.iter().zip(cx.config().group_size.into_iter().flatten()) {
        m.module.annotate(ANNOTATIONS, new, key, size);
    }
    m.kernel = new;
    Ok(m)
}

/// How the entry takes an argument.
fn parameter<'s>(cx: &Context<'s, '_>, kernel: Value<'s>, argument: &Argument) -> Parameter<'s> {
    let ty = kernel.parameters()[argument.parameter as usize].ty();
    if let Some(copied) = kernel.by_value_type(argument.parameter) {
        let alignment = kernel.parameter_alignment(argument.parameter).unwrap_or(1).max(copied.alignment(cx.machine));
        return Parameter { ty, by_value: Some((copied, alignment)) };
    }
    match ty.shape() {
        Shape::Pointer if ty == cx.session.pointer() => {
            Parameter { ty: cx.session.pointer_to(GLOBAL_SPACE), by_value: None }
        }
        Shape::Pointer | Shape::Integer(8 | 16 | 32 | 64) | Shape::F32 | Shape::F64 => Parameter { ty, by_value: None },
        _ => {
            let bytes = cx.session.bytes(u64::from(argument.size));
            Parameter { ty: cx.session.pointer(), by_value: Some((bytes, ty.alignment(cx.machine))) }
        }
    }
}

/// The kernel's name as PTX can spell it.
fn symbol(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '$' { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    match name.as_str() {
        name if RESERVED.contains(&name) => format!("kernel_{name}"),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        _ => name,
    }
}
