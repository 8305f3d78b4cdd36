//! Replaces constrained floating-point operations by ordinary ones.
//!
//! In: `llvm.experimental.constrained.*`, which clang emits for `-ffp-model=strict`. Out:
//! instructions and intrinsics that ignore the floating-point environment. *Invariant:* a kernel
//! can neither change nor observe a rounding mode or exceptions, so the dynamic rounding mode is to
//! nearest and exceptions are off; another rounding mode is an error with its place.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
    passes::template::link_text,
};
use sinter_core::FloatMode;
use sinter_llvm::ir::Value;
use std::collections::BTreeMap;

const PREFIX: &str = "llvm.experimental.constrained.";
/// Operations that are instructions; the others are intrinsics of the same name.
const BINARY: [&str; 5] = ["fadd", "fsub", "fmul", "fdiv", "frem"];
const CASTS: [&str; 6] = ["fptosi", "fptoui", "sitofp", "uitofp", "fpext", "fptrunc"];
/// Rounding modes other than to nearest.
const DIRECTED: [&str; 4] = ["round.upward", "round.downward", "round.towardzero", "round.tonearestaway"];
/// Attribute of functions and calls with constrained operations.
const STRICT: &str = "strictfp";

pub(crate) fn relax<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let calls: Vec<_> = m.defined().into_iter().flat_map(Value::instructions).filter(|i| is_constrained(*i)).collect();
    if calls.is_empty() {
        return Ok(());
    }
    let mut functions = BTreeMap::new();
    let mut replacements = Vec::new();
    for call in calls {
        let body = body(cx, call)?;
        let next = functions.len();
        let name = format!("sinter.relaxed.{}", *functions.entry(body).or_insert(next));
        if m.module.function(&name).is_none() {
            let types: Vec<_> = values(call).into_iter().map(Value::ty).collect();
            m.module.declare(&name, call.ty(), &types);
        }
        replacements.push((call, name));
    }
    let text: String =
        functions.iter().map(|(body, index)| body.replace("{name}", &format!("sinter.relaxed.{index}"))).collect();
    link_text(cx, m, &text)?.into_iter().for_each(Value::make_internal);
    for (call, name) in replacements {
        let function = m.module.function(&name).ok_or_else(|| Failure::internal(format!("{name} was not linked")))?;
        call.replace_uses(call.insert_before(|insert| insert.call(function, &values(call))));
        call.erase();
    }
    remove_strictfp(m);
    Ok(())
}

fn remove_strictfp<S>(m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        function.remove_attribute(STRICT);
        let calls = function.instructions().into_iter().filter(|instruction| instruction.is_call());
        calls.for_each(|call| call.remove_call_attribute(STRICT));
    }
}

fn is_constrained(instruction: Value<'_>) -> bool {
    instruction.callee().is_some_and(|callee| callee.is_intrinsic() && callee.name().starts_with(PREFIX))
}

fn is_metadata(argument: &Value<'_>) -> bool {
    argument.ty().text() == "metadata"
}

/// Arguments that are values, without the metadata.
fn values(call: Value<'_>) -> Vec<Value<'_>> {
    call.arguments().into_iter().filter(|argument| !is_metadata(argument)).collect()
}

/// Metadata arguments: rounding mode, exception behaviour, and the predicate of a comparison.
fn words(call: Value<'_>) -> Vec<String> {
    call.arguments().into_iter().filter(is_metadata).map(Value::text).collect()
}

/// Definition of a function with the same result that ignores the floating-point environment.
fn body(cx: &Context<'_, '_>, call: Value<'_>) -> Outcome<String> {
    let words = words(call);
    if let Some(mode) = DIRECTED.iter().find(|mode| words.iter().any(|word| word.contains(*mode))) {
        let what = format!("a floating-point operation with the rounding mode `{mode}`");
        return Err(cx.unsupported(what, call.location(), "GPUs round to the nearest; use the default mode").into());
    }
    let types: Vec<String> = values(call).into_iter().map(|value| value.ty().text()).collect();
    let list: Vec<String> = types.iter().zip('a'..).map(|(ty, name)| format!("{ty} %{name}")).collect();
    let (result, list) = (call.ty().text(), list.join(", "));
    let (code, declaration) = code(cx, call, &types, &list);
    Ok(format!(
        "{declaration}define {result} @{{name}}({list}) alwaysinline nounwind {{\n{code}  ret {result} %r\n}}\n"
    ))
}

/// IR that computes `%r`, and the declaration of the intrinsic that it calls.
fn code(cx: &Context<'_, '_>, call: Value<'_>, types: &[String], list: &str) -> (String, String) {
    let full = call.callee().map(Value::name).unwrap_or_default();
    let rest = full.trim_start_matches(PREFIX);
    let (result, first) = (call.ty().text(), types.first().map_or("", String::as_str));
    let operation = rest.split('.').next().unwrap_or_default();
    let separate = operation == "fmuladd" && cx.config().float_mode == FloatMode::NoContraction;
    let code = match operation {
        _ if BINARY.contains(&operation) => format!("  %r = {operation} {first} %a, %b\n"),
        _ if CASTS.contains(&operation) => format!("  %r = {operation} {first} %a to {result}\n"),
        _ if separate => format!("  %m = fmul {first} %a, %b\n  %r = fadd {first} %m, %c\n"),
        "fcmp" | "fcmps" => {
            let words = words(call);
            let predicate = words.first().and_then(|word| word.split('"').nth(1)).unwrap_or_default();
            format!("  %r = fcmp {predicate} {first} %a, %b\n")
        }
        _ => {
            let declaration = format!("declare {result} @llvm.{rest}({})\n", types.join(", "));
            return (format!("  %r = call {result} @llvm.{rest}({list})\n"), declaration);
        }
    };
    (code, String::new())
}
