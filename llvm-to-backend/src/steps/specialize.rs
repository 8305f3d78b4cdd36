//! Replaces IR constants, specialization constants, queries of the target and specialised arguments by literals.
//!
//! In: a module whose constants are globals without a value. Out: the same with those that were given defined, and
//! folded. *Invariant:* a constant is matched by its exact mangled name; another type is an error, never a cast.

use super::{
    launch_shape::{RAGGED_GROUPS, SIZES_FIT},
    parse::read_image,
};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Generic, Specialized},
    failure::{Failure, Outcome},
    passes::{fold::fold, foreign_constants, specialization_constants::specialization_constants},
};
use sinter_core::{Constant, ConstantValue, TranslateCause, names::meant};
use sinter_llvm::ir::{Shape, Type, Value};

/// Queries of the target; AdaptiveCpp has used both spellings.
const REFLECT: [&str; 2] = ["__acpp_sscp_jit_reflect_", "__acpp_sscp_s2_reflect_"];
const KNOWS: &str = "knows_";

pub(crate) fn specialize<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    m: DeviceModule<'s, Generic>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    foreign_constants::forget_values(&m);
    specialization_constants(cx, &m)?;
    let specialization = &cx.config().specialization;
    specialization.constants.iter().try_for_each(|constant| set_constant(cx, &m, constant))?;
    specialization.arguments.iter().try_for_each(|(index, value)| set_argument(&m, *index, value))?;
    m.undefined().into_iter().for_each(|function| answer_query(backend, function));
    foreign_constants::answer(backend, &m);
    fold(&m)?;
    Ok(m.advance())
}

fn set_constant(cx: &Context<'_, '_>, m: &DeviceModule<'_, Generic>, constant: &Constant) -> Outcome<()> {
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

/// The bytes of a value of any type, as many as the global has.
fn set_bytes(cx: &Context<'_, '_>, m: &DeviceModule<'_, Generic>, global: Value<'_>, bytes: &[u8]) -> Outcome<()> {
    let size = global.content_size(cx.machine);
    if bytes.len() as u64 != size {
        let expected = format!("{} of {size} bytes", global.value_type().text());
        return Err(type_error(&global.name(), &expected, &format!("{} bytes", bytes.len())));
    }
    let alignment = global.alignment().max(global.value_type().alignment(cx.machine));
    global.define_bytes(&m.module, bytes, alignment);
    Ok(())
}

/// A constant that the image has and the kernel does not use is no mistake.
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

fn set_argument(m: &DeviceModule<'_, Generic>, index: u32, value: &ConstantValue) -> Outcome<()> {
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
        return Err(type_error(&name, "a structure passed by value", &value.to_string()));
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
    literal.ok_or_else(|| type_error(name, &ty.text(), &value.to_string()))
}

pub(crate) fn type_error(name: &str, expected: &str, given: &str) -> Failure {
    let (name, expected, given) = (name.to_owned(), expected.to_owned(), given.to_owned());
    TranslateCause::ConstantType { name, expected, given }.into()
}

/// Refuses queries, of the launch and of the target, that are not declared as such.
pub(super) fn check_queries(cx: &Context<'_, '_>, m: &DeviceModule<'_, Generic>) -> Outcome<()> {
    m.undefined().into_iter().filter(|f| is_query(&f.name())).try_for_each(|query| well_typed(cx, query))
}

/// Whether a function is answered by a literal or by the loops, and not by a definition.
pub(crate) fn is_query(name: &str) -> bool {
    const INDICES: [&str; 4] = ["local_id_", "group_id_", "local_size_", "num_groups_"];
    let index = |rest: &str| INDICES.iter().any(|prefix| rest.starts_with(prefix));
    reflected(name).is_some()
        || name.strip_prefix("__acpp_sscp_get_").is_some_and(index)
        || [RAGGED_GROUPS, SIZES_FIT].contains(&name)
}

/// What a query of the target asks for.
fn reflected(name: &str) -> Option<&str> {
    REFLECT.iter().find_map(|prefix| name.strip_prefix(prefix))
}

/// Queries take nothing and return an integer, where they are declared and wherever they are called.
fn well_typed(cx: &Context<'_, '_>, query: Value<'_>) -> Outcome<()> {
    let integer = matches!(query.return_type().shape(), Shape::Integer(_)) && query.parameters().is_empty();
    let plain = |call: &Value<'_>| call.operands() == [query] && call.ty() == query.return_type();
    let odd = query.users().into_iter().find(|user| user.callee() == Some(query) && !(integer && plain(user)));
    match odd {
        Some(call) => {
            let what = format!("a call of the query `{}` with another type than `iN ()`", query.name());
            Err(cx
                .unsupported(what, call.location(), "declare it without parameters and with an integer result")
                .into())
        }
        None => Ok(()),
    }
}

/// Replaces the calls to a query of the target by its answer. An unknown query stays and is reported if it is reached.
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

/// Uses `literal` instead of the results of all calls to `function`.
pub(super) fn replace_calls<'s>(function: Value<'s>, literal: Value<'s>) {
    for call in function.users().into_iter().filter(|user| user.callee() == Some(function)) {
        call.replace_uses(literal);
        if call.opcode() == sinter_llvm::ir::Opcode::LLVMCall {
            call.erase();
        }
    }
}
