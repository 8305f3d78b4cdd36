//! Checks declarations of device builtins against the table of builtins.
//!
//! In: a module that may have been compiled with other headers. Out: declarations as in the table
//! (`sinter_kernels::table`), or an error that names the builtin and both types. *Invariant:* the
//! same for every target, before any step that links definitions: LLVM links functions by name
//! alone, and a call with another type than the definition's is undefined. Queries of the launch,
//! which `specialize` answers in any width, are left to it.
//!
//! Older releases of AdaptiveCpp declare some functions on `double` with 64-bit integers, and half
//! precision as `i16`. The meaning of such a declaration is known, so it gets a body that converts
//! and calls the builtin.

use super::{queries::is_query, template::link_text};
use crate::{backend::first_use, context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_core::TranslateCause;
use sinter_kernels::table::{Builtin, find};
use sinter_llvm::ir::{Type, Value};
use std::fmt::Write;

/// Functions whose last argument is a 32-bit exponent. One out of range is clamped to the nearest
/// value, or to the nearest of the same parity.
const EXPONENTS: [(&str, Exponent); 3] =
    [("ldexp_", Exponent::Any), ("pown_", Exponent::SameParity), ("rootn_", Exponent::SameParity)];
/// Part of the name of the function that returns an exponent.
const LOGARITHM: &str = "ilogb_";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exponent {
    Any,
    SameParity,
}

/// Refuses a declaration that differs from the builtin's type, or adds conversions if its meaning
/// is known.
pub(crate) fn check<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    for function in m.undefined() {
        let name = function.name();
        let Some(builtin) = find(&name).filter(|_| !is_query(&name)) else { continue };
        let declared = function.value_type().text();
        if let Some((call, ty)) = other_call(function, &declared) {
            let what = format!("a call of the builtin `{name}` as `{ty}`, which is declared as `{declared}`,");
            return Err(cx.unsupported(what, call.location(), "declare it as it is called").into());
        }
        if declared == expected(builtin) {
            continue;
        }
        let Some(text) = adapter(builtin, function) else { return Err(refused(cx, builtin, function).into()) };
        function.set_name(&converted(&name));
        link_text(cx, m, &text)?.into_iter().for_each(Value::make_internal);
    }
    Ok(())
}

/// A call whose type differs from the declaration's, with that type.
fn other_call<'s>(function: Value<'s>, declared: &str) -> Option<(Value<'s>, String)> {
    let calls = function.users().into_iter().filter(|user| user.callee() == Some(function));
    calls.map(|call| (call, call_type(call))).find(|(_, ty)| ty != declared)
}

fn call_type(call: Value<'_>) -> String {
    let arguments: Vec<_> = call.arguments().into_iter().map(|argument| argument.ty().text()).collect();
    format!("{} ({})", call.ty().text(), arguments.join(", "))
}

fn refused(cx: &Context<'_, '_>, builtin: &Builtin, function: Value<'_>) -> TranslateCause {
    let what = format!("the builtin `{}` declared as `{}`", builtin.name, function.value_type().text());
    let hint = format!("it is `{}`; compile the kernel with headers that declare it so", expected(builtin));
    cx.unsupported(what, first_use(function), &hint)
}

/// The type of a builtin in IR syntax.
fn expected(builtin: &Builtin) -> String {
    let parameters: Vec<_> = builtin.parameters.iter().map(|word| ir_type(word)).collect();
    format!("{} ({})", ir_type(builtin.result), parameters.join(", "))
}

/// A type of the table in IR syntax.
fn ir_type(word: &str) -> String {
    match word {
        "local*" => "ptr addrspace(3)".to_owned(),
        _ if word.ends_with('*') => "ptr".to_owned(),
        "bool" => "i1".to_owned(),
        "f16" => "half".to_owned(),
        "f32" => "float".to_owned(),
        "f64" => "double".to_owned(),
        "operation" | "order" | "scope" | "space" => "i32".to_owned(),
        // Integers in IR have no sign.
        _ => word.replace('u', "i"),
    }
}

fn converted(name: &str) -> String {
    format!("sinter.declared.{name}")
}

/// An adapting body for a declaration of another type; `None` if its meaning is unknown.
fn adapter(builtin: &Builtin, function: Value<'_>) -> Option<String> {
    let parameters: Vec<String> = function.parameters().into_iter().map(|parameter| parameter.ty().text()).collect();
    if parameters.len() != builtin.parameters.len() {
        return None;
    }
    let (mut body, mut passed) = (String::new(), Vec::new());
    for (index, (declared, word)) in parameters.iter().zip(builtin.parameters).enumerate() {
        let wanted = ir_type(word);
        body += &argument(builtin, index, declared, &wanted)?;
        passed.push(format!("{wanted} %c{index}"));
    }
    let (result, returned) = (ir_type(builtin.result), function.return_type());
    let end = result_of(builtin, &result, returned)?;
    let convergent = if builtin.family.is_convergent { " convergent" } else { "" };
    let list: Vec<_> = parameters.iter().enumerate().map(|(index, ty)| format!("{ty} %a{index}")).collect();
    let types: Vec<_> = builtin.parameters.iter().map(|word| ir_type(word)).collect();
    let (name, returned) = (builtin.name, returned.text());
    Some(format!(
        "define {returned} @{}({}) alwaysinline nounwind{convergent} {{\n{body}  %r = call {result} @{name}({}){convergent}\n{end}}}\n\
         declare {result} @{name}({}){convergent}\n",
        converted(name),
        list.join(", "),
        passed.join(", "),
        types.join(", "),
    ))
}

/// IR that converts `%aN` to `%cN`.
fn argument(builtin: &Builtin, index: usize, declared: &str, wanted: &str) -> Option<String> {
    let is_bits = |a: &str, b: &str| [a, b] == ["i16", "half"] || [a, b] == ["half", "i16"];
    let exponent = EXPONENTS.into_iter().find(|(part, _)| builtin.name.contains(part)).map(|(_, exponent)| exponent);
    match exponent.filter(|_| [declared, wanted] == ["i64", "i32"]) {
        _ if declared == wanted => Some(format!("  %c{index} = freeze {wanted} %a{index}\n")),
        _ if is_bits(declared, wanted) => Some(format!("  %c{index} = bitcast {declared} %a{index} to {wanted}\n")),
        Some(exponent) => Some(fitted(index, exponent)),
        None => None,
    }
}

/// Clamps a 64-bit exponent to 32 bits.
fn fitted(index: usize, exponent: Exponent) -> String {
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let (mut text, most) = (String::new(), if exponent == Exponent::Any { most } else { most - 1 });
    let bounds = match exponent {
        Exponent::Any => [least.to_string(), most.to_string()],
        Exponent::SameParity => {
            let _ = writeln!(text, "  %odd = and i64 %a{index}, 1");
            let _ = writeln!(text, "  %low = or i64 %odd, {least}\n  %high = or i64 %odd, {most}");
            ["%low".to_owned(), "%high".to_owned()]
        }
    };
    let [low, high] = bounds;
    let _ = writeln!(
        text,
        "  %is.low = icmp slt i64 %a{index}, {least}\n  %is.high = icmp sgt i64 %a{index}, {}",
        i32::MAX
    );
    let _ = writeln!(text, "  %raised = select i1 %is.low, i64 {low}, i64 %a{index}");
    let _ =
        writeln!(text, "  %near = select i1 %is.high, i64 {high}, i64 %raised\n  %c{index} = trunc i64 %near to i32");
    text
}

/// IR that returns `%r` in the type of the declaration.
fn result_of(builtin: &Builtin, result: &str, returned: Type<'_>) -> Option<String> {
    let returned = returned.text();
    let is_logarithm = builtin.name.contains(LOGARITHM);
    let cast = match (result, returned.as_str()) {
        ("void", "void") => return Some("  ret void\n".to_owned()),
        (same, other) if same == other => return Some(format!("  ret {result} %r\n")),
        ("half", "i16") | ("i16", "half") => "bitcast",
        ("i32", "i64") if is_logarithm => "sext",
        // The oldest declarations return the exponent as a floating-point number.
        ("i32", "float" | "double") if is_logarithm => "sitofp",
        ("ptr addrspace(3)", "ptr") => "addrspacecast",
        _ => return None,
    };
    Some(format!("  %q = {cast} {result} %r to {returned}\n  ret {returned} %q\n"))
}
