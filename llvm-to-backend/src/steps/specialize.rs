//! Replaces IR constants, specialization constants, queries of the target and specialised arguments
//! by literals.
//!
//! In: a module whose constants are globals without a value. Out: the same with the given constants
//! defined and folded. *Invariant:* a constant is matched by its exact mangled name; another type
//! is an error, never a cast.

use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Shaped, Specialized},
    failure::{Failure, Outcome},
    passes::{
        fold::fold,
        foreign_constants,
        images::read_image,
        queries::{reflected, replace_calls},
        specialization_constants::specialization_constants,
    },
};
use sinter_core::{Constant, ConstantValue, TranslateCause, names::meant};
use sinter_llvm::ir::{Shape, Type, Value};

const KNOWS: &str = "knows_";

pub(crate) fn specialize<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    m: DeviceModule<'s, Shaped>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    foreign_constants::remove_placeholders(&m);
    specialization_constants(cx, &m)?;
    let specialization = &cx.config().specialization;
    specialization.constants.iter().try_for_each(|constant| set_constant(cx, &m, constant))?;
    specialization.arguments.iter().try_for_each(|(index, value)| set_argument(&m, *index, value))?;
    m.undefined().into_iter().for_each(|function| answer_query(backend, function));
    foreign_constants::answer(backend, &m);
    fold(&m)?;
    Ok(m.advance())
}

fn set_constant(cx: &Context<'_, '_>, m: &DeviceModule<'_, Shaped>, constant: &Constant) -> Outcome<()> {
    let Constant { name, value } = constant;
    let Some(global) = m.module.global(name).filter(|global| global.is_declaration()) else {
        return if m.module.global(name).is_some() { Ok(()) } else { known_or_error(cx, name) };
    };
    if let ConstantValue::Bytes(bytes) = value {
        return set_bytes(cx, m, global, bytes);
    }
    global.define_constant(typed(name, global.value_type(), value)?);
    Ok(())
}

/// Sets a value of any type; the bytes must be as many as the global has.
fn set_bytes(cx: &Context<'_, '_>, m: &DeviceModule<'_, Shaped>, global: Value<'_>, bytes: &[u8]) -> Outcome<()> {
    let size = global.content_size(cx.machine);
    if bytes.len() as u64 != size {
        let expected = format!("{} of {size} bytes", global.value_type().text());
        return Err(Failure::constant_type(&global.name(), &expected, &format!("{} bytes", bytes.len())));
    }
    let alignment = global.alignment().max(global.value_type().alignment(cx.machine));
    global.define_bytes(&m.module, bytes, alignment);
    Ok(())
}

/// A constant that the image has and the kernel does not use is not an error.
fn known_or_error(cx: &Context<'_, '_>, name: &str) -> Outcome<()> {
    let images = std::iter::once(&cx.request.image).chain(&cx.request.imports);
    let mut names = Vec::new();
    for image in images {
        let image = read_image(cx.session, image)?;
        if image.global(name).is_some() {
            return Ok(());
        }
        names.extend(image.globals().into_iter().map(Value::name));
    }
    let nearest = meant(name, &names);
    Err(TranslateCause::UnknownName { what: "IR constant".to_owned(), name: name.to_owned(), nearest }.into())
}

fn set_argument(m: &DeviceModule<'_, Shaped>, index: u32, value: &ConstantValue) -> Outcome<()> {
    let parameters = m.kernel.parameters();
    let name = format!("argument {index}");
    let Some(parameter) = parameters.get(index as usize) else {
        return Err(TranslateCause::UnknownName {
            what: "argument".to_owned(),
            name: index.to_string(),
            nearest: None,
        }
        .into());
    };
    if m.kernel.by_value_type(index).is_some() {
        return Err(Failure::constant_type(&name, "a structure passed by value", &value.to_string()));
    }
    parameter.replace_uses(typed(&name, parameter.ty(), value)?);
    Ok(())
}

/// The literal for `value`, if it has exactly the type `ty`.
fn typed<'s>(name: &str, ty: Type<'s>, value: &ConstantValue) -> Outcome<Value<'s>> {
    let fits = match (value, ty.shape()) {
        // C++ `bool` is `i8` in memory and `i1` in a register.
        (ConstantValue::Bool(_), Shape::Integer(1 | 8)) => true,
        (ConstantValue::I8(_), Shape::Integer(8)) => true,
        (ConstantValue::I16(_), Shape::Integer(16)) => true,
        (ConstantValue::I32(_), Shape::Integer(32)) => true,
        (ConstantValue::I64(_), Shape::Integer(64) | Shape::Pointer) => true,
        (ConstantValue::F32(_), Shape::F32) => true,
        (ConstantValue::F64(_), Shape::F64) => true,
        _ => false,
    };
    let literal = value.bits().filter(|_| fits).and_then(|bits| ty.constant(bits));
    literal.ok_or_else(|| Failure::constant_type(name, &ty.text(), &value.to_string()))
}

/// Replaces the calls to a query of the target by its answer. An unknown query stays and is
/// reported if it is reachable.
fn answer_query<B: Backend>(backend: &B, function: Value<'_>) {
    let name = function.name();
    let Some(query) = reflected(&name) else { return };
    let answer = match query.strip_prefix(KNOWS) {
        Some(query) => Some(u64::from(backend.reflect(query).is_some())),
        None => backend.reflect(query),
    };
    if let Some(literal) = answer.and_then(|answer| function.return_type().constant(answer)) {
        replace_calls(function, literal);
    }
}
