//! Converts exponents of `llvm.ldexp` to 32 bits.
//!
//! In: exponents of any width. Out: `i32`. *Invariant:* an exponent out of range makes the result
//! infinite or zero, before and after clamping. No code generator of LLVM 19 selects all other
//! widths, and that for AMD GPUs selects none.

use super::template::link_text;
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
};
use sinter_llvm::ir::Value;
use std::collections::BTreeMap;

const LDEXP: &str = "llvm.ldexp.";
/// Greater than twice the magnitude of any exponent of a type up to `double`.
const FAR: u32 = 5000;

/// Definitions of the replacement. `{t}` and `{e}` are the types, `{n}` that of the 32-bit
/// exponent, `{s}` and `{w}` their suffixes in names.
const CLAMPED: &str = "\
define {t} @NAME({t} %x, {e} %e) alwaysinline nounwind {
  %low = call {e} @llvm.smax.{w}({e} %e, {e} {least})
  %near = call {e} @llvm.smin.{w}({e} %low, {e} {most})
  %n = trunc {e} %near to {n}
  %r = call {t} @llvm.ldexp.{s}.{m}({t} %x, {n} %n)
  ret {t} %r
}
declare {e} @llvm.smax.{w}({e}, {e})
declare {e} @llvm.smin.{w}({e}, {e})
declare {t} @llvm.ldexp.{s}.{m}({t}, {n})
";
const WIDENED: &str = "\
define {t} @NAME({t} %x, {e} %e) alwaysinline nounwind {
  %n = sext {e} %e to {n}
  %r = call {t} @llvm.ldexp.{s}.{m}({t} %x, {n} %n)
  ret {t} %r
}
declare {t} @llvm.ldexp.{s}.{m}({t}, {n})
";

pub(crate) fn narrow<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let mut bodies = BTreeMap::new();
    for function in m.module.functions().into_iter().filter(|f| f.is_intrinsic() && f.name().starts_with(LDEXP)) {
        let Some(body) = body(function) else { continue };
        let name = format!("sinter.ldexp.{}", bodies.len());
        bodies.insert(name, (function, body));
    }
    for (name, (function, body)) in bodies {
        let types: Vec<_> = function.parameters().into_iter().map(Value::ty).collect();
        let narrow = m.module.declare(&name, function.return_type(), &types);
        for call in function.users().into_iter().filter(|user| user.callee() == Some(function)) {
            call.replace_uses(call.insert_before(|insert| insert.call(narrow, &call.arguments())));
            call.erase();
        }
        let linked = link_text(cx, m, &body.replace("NAME", &name))?;
        linked.first().ok_or_else(|| Failure::internal(format!("{name} was not linked")))?.make_internal();
    }
    Ok(())
}

/// A definition with a 32-bit exponent; `None` if the intrinsic already has one.
fn body(function: Value<'_>) -> Option<String> {
    let (name, ty) = (function.name(), function.return_type().text());
    let (value, exponent) = name.strip_prefix(LDEXP)?.split_once('.')?;
    let (lanes, bits) = exponent.rsplit_once('i')?;
    let bits: u32 = bits.parse().ok()?;
    let splat = |value: i64| match lanes {
        "" => value.to_string(),
        _ => format!("splat (i{bits} {value})"),
    };
    let shaped = |element: String| match lanes.strip_prefix('v') {
        Some(lanes) => format!("<{lanes} x {element}>"),
        None => element,
    };
    let template = match bits {
        32 => return None,
        33.. => CLAMPED,
        _ => WIDENED,
    };
    let parts = [
        ("{t}", ty),
        ("{e}", shaped(format!("i{bits}"))),
        ("{n}", shaped("i32".to_owned())),
        ("{s}", value.to_owned()),
        ("{w}", exponent.to_owned()),
        ("{m}", format!("{lanes}i32")),
        ("{least}", splat(-i64::from(FAR))),
        ("{most}", splat(i64::from(FAR))),
    ];
    Some(parts.iter().fold(template.to_owned(), |text, (name, part)| text.replace(name, part)))
}
