//! Defines specialization constants.
//!
//! In: calls of `__sinter_specialization_constant(id)`, which return the address of the value of a
//! `specialization_id`. Out: the address of a constant with the bytes that the request has for the
//! name of `id`, or `id` itself, which contains the default value. *Invariant:* no call remains.

use super::{fold::fold, inlining::INLINE};
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
};
use sinter_core::TranslateCause;
use sinter_llvm::ir::{Opcode, Value};
use std::collections::HashMap;

/// Name of the builtin.
const BUILTIN: &str = "__sinter_specialization_constant";
/// Maximum nesting of functions between a kernel and the builtin: more than any header needs.
const DEPTH: usize = 16;

pub(crate) fn specialization_constants<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    cx.config().specialization.constants.iter().for_each(|constant| unite_copies(m, &constant.name));
    make_ids_constant(m)?;
    // The passes of `make_ids_constant` may have removed it.
    let Some(builtin) = m.module.function(BUILTIN) else { return Ok(()) };
    let mut values = HashMap::new();
    for call in builtin.users() {
        let Some(id) = id_of(builtin, call) else {
            return Err(unknown_id(cx, call).into());
        };
        let value = match values.get(&id) {
            Some(value) => *value,
            None => value_of(cx, m, id)?,
        };
        values.insert(id, value);
        call.replace_uses(value);
        call.erase();
    }
    builtin.delete();
    Ok(())
}

/// Merges the copies of a given constant that linking leaves: each image brings its own, and LLVM
/// appends a number to the name. An unrelated variable of the same name in another unit has another
/// default value and is not merged.
fn unite_copies<S>(m: &DeviceModule<'_, S>, name: &str) {
    let Some(id) = m.module.global(name).filter(|id| !id.is_declaration()) else { return };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_copy = |other: &Value<'_>| {
        let number = other.name().strip_prefix(name).and_then(|rest| rest.strip_prefix('.')).is_some_and(is_number);
        number && !other.is_visible() && other.initializer() == id.initializer()
    };
    for copy in m.module.globals().into_iter().filter(is_copy).collect::<Vec<_>>() {
        copy.replace_uses(id);
        copy.delete_global();
    }
}

/// Makes the argument of every call a constant, by inlining the callers of the builtin level by
/// level.
fn make_ids_constant<S>(m: &DeviceModule<'_, S>) -> Outcome<()> {
    let covered = || match m.module.function(BUILTIN) {
        Some(builtin) => builtin.users().into_iter().filter(|call| id_of(builtin, *call).is_none()).collect(),
        None => Vec::new(),
    };
    if !covered().is_empty() {
        fold(m)?;
    }
    for _ in 0..DEPTH {
        let functions = covered().into_iter().filter(|user| user.is_instruction()).map(Value::function);
        let functions: Vec<_> = functions.filter(|function| *function != m.kernel).collect();
        if functions.is_empty() {
            break;
        }
        functions.into_iter().for_each(|function| function.add_attribute("alwaysinline", 0));
        m.module.run_passes(INLINE, None)?;
        fold(m)?;
    }
    Ok(())
}

/// The variable that a call refers to. `None` if it is not a constant.
fn id_of<'s>(builtin: Value<'s>, call: Value<'s>) -> Option<Value<'s>> {
    if !(call.is_call() && call.opcode() == Opcode::LLVMCall && call.callee() == Some(builtin)) {
        return None;
    }
    let [id] = <[Value<'_>; 1]>::try_from(call.arguments()).ok()?;
    id.addressed_variable().filter(|id| id.ty() == call.ty())
}

/// A constant with the given bytes for `id`, zero-padded; `id` itself if none were given.
fn value_of<'s, S>(cx: &Context<'_, '_>, m: &DeviceModule<'s, S>, id: Value<'s>) -> Outcome<Value<'s>> {
    let (name, size) = (id.name(), id.content_size(cx.machine));
    let Some(given) = cx.config().specialization.constants.iter().find(|constant| constant.name == name) else {
        return Ok(id);
    };
    let mut bytes = given.value.to_bytes();
    if bytes.len() as u64 > size {
        let expected = format!("at most {size} bytes");
        return Err(Failure::constant_type(&name, &expected, &format!("{} bytes", bytes.len())));
    }
    bytes.resize(size as usize, 0);
    let alignment = id.alignment().max(id.value_type().alignment(cx.machine));
    Ok(m.module.add_constant_bytes(&format!("{name}.value"), &bytes, alignment, 0))
}

fn unknown_id(cx: &Context<'_, '_>, call: Value<'_>) -> TranslateCause {
    let location = if call.is_instruction() { call.location() } else { None };
    let hint = "name the `specialization_id` where its value is read; it cannot be chosen at run time";
    cx.unsupported("a specialization constant that is not known when the kernel is translated", location, hint)
}
