//! Expands intrinsics on vectors.
//!
//! In: an intrinsic with a vector among its operands. Out: a function that scalarises it, or one
//! that shuffles elements. *Invariant:* a scalarised function calls the intrinsic on scalars, which
//! the next round replaces if necessary.

use super::{accepted::is_family, intrinsic_call::IntrinsicCall};
use sinter_llvm::{ir::Type, types::TypeView};
use std::fmt::Write;

/// Reductions and the operation that combines two elements; those with a dot are intrinsics.
const REDUCTIONS: [(&str, &str); 15] = [
    ("add", "add"),
    ("mul", "mul"),
    ("and", "and"),
    ("or", "or"),
    ("xor", "xor"),
    ("smax", ".smax"),
    ("smin", ".smin"),
    ("umax", ".umax"),
    ("umin", ".umin"),
    ("fadd", "fadd"),
    ("fmul", "fmul"),
    ("fmax", ".maxnum"),
    ("fmin", ".minnum"),
    ("fmaximum", ".maximum"),
    ("fminimum", ".minimum"),
];

/// Length and element of a vector.
fn vector(ty: Type<'_>) -> Option<(u32, String)> {
    match ty.view() {
        TypeView::Vector(element, count) => Some((count, element.text())),
        _ => None,
    }
}

/// Suffix of intrinsics for a scalar type.
fn suffix(ty: &str) -> String {
    match ty {
        "half" => "f16".to_owned(),
        "bfloat" => "bf16".to_owned(),
        "float" => "f32".to_owned(),
        "double" => "f64".to_owned(),
        ty => ty.replace("ptr addrspace(", "p").replace(')', "").replace("ptr", "p0"),
    }
}

/// Expands intrinsics that work on whole vectors.
pub(super) fn whole(call: &IntrinsicCall<'_, '_>) -> Option<String> {
    if let Some(operation) = call.name.strip_prefix("vector.reduce.") {
        return reduction(call, operation);
    }
    let name = call.name.strip_prefix("experimental.").unwrap_or(call.name);
    let (count, _) = vector(call.arguments.first()?.ty()).unwrap_or_default();
    let last = call.arguments.last()?.integer();
    let is = |family: &str| is_family(name, family);
    if is("vector.reverse") {
        return Some(shuffled(call, (0..count).rev()));
    }
    if is("vector.splice") {
        // A 32-bit literal, which counts from the end if it is negative.
        let start = (last? as u32).cast_signed();
        let start = if start < 0 { count.saturating_add_signed(start) } else { start.cast_unsigned() };
        return Some(shuffled(call, start..start + count));
    }
    if is("vector.extract") {
        let start = last? as u32;
        return Some(shuffled(call, start..start + vector(call.result.ty())?.0));
    }
    if is("vector.interleave2") {
        return Some(shuffled(call, (0..count).flat_map(|index| [index, index + count])));
    }
    if is("vector.insert") {
        inserted(call, last? as u32)
    } else if is("vector.deinterleave2") {
        halves(call)
    } else {
        None
    }
}

fn mask(indices: impl Iterator<Item = u32>) -> String {
    let list: Vec<String> = indices.map(|index| format!("i32 {index}")).collect();
    format!("<{} x i32> <{}>", list.len(), list.join(", "))
}

/// Shuffles the elements of one or two vectors.
fn shuffled(call: &IntrinsicCall<'_, '_>, indices: impl Iterator<Item = u32>) -> String {
    let ty = call.ty(0);
    let second = if call.taken().len() > 1 { "%b" } else { "poison" };
    call.function(&format!("  %r = shufflevector {ty} %a, {ty} {second}, {}", mask(indices)))
}

fn inserted(call: &IntrinsicCall<'_, '_>, at: u32) -> Option<String> {
    let ((count, _), (part, _)) = (vector(call.arguments.first()?.ty())?, vector(call.arguments.get(1)?.ty())?);
    let (ty, short) = (call.ty(0), call.ty(1));
    let widened = mask((0..count).map(|index| index.min(part.saturating_sub(1))));
    let chosen = mask((0..count).map(|index| match index.checked_sub(at).filter(|offset| *offset < part) {
        Some(offset) => count + offset,
        None => index,
    }));
    Some(call.function(&format!(
        "  %w = shufflevector {short} %b, {short} poison, {widened}\n  %r = shufflevector {ty} %a, {ty} %w, {chosen}"
    )))
}

fn halves(call: &IntrinsicCall<'_, '_>) -> Option<String> {
    let ((count, element), ty) = (vector(call.arguments.first()?.ty())?, call.ty(0));
    let (half, result) = (count / 2, call.returned());
    let [even, odd] = [0, 1].map(|first| mask((0..half).map(|index| 2 * index + first)));
    let part = format!("<{half} x {element}>");
    Some(call.function(&format!(
        "  %x = shufflevector {ty} %a, {ty} poison, {even}\n  %y = shufflevector {ty} %a, {ty} poison, {odd}\n  \
         %v = insertvalue {result} poison, {part} %x, 0\n  %r = insertvalue {result} %v, {part} %y, 1"
    )))
}

/// Combines the elements from the first to the last, the order that floating-point sums require.
fn reduction(call: &IntrinsicCall<'_, '_>, operation: &str) -> Option<String> {
    let (_, combine) = REDUCTIONS.iter().find(|(name, _)| is_family(operation, name))?;
    let ordered = call.arguments.len() == 2;
    let (index, name) = if ordered { (1, "b") } else { (0, "a") };
    let (count, ty) = vector(call.arguments.get(index)?.ty())?;
    let vector = call.ty(index);
    let mut body = String::new();
    let mut last = if ordered { "%a".to_owned() } else { "%e.0".to_owned() };
    for lane in 0..count {
        let _ = writeln!(body, "  %e.{lane} = extractelement {vector} %{name}, i32 {lane}");
        if lane == 0 && !ordered {
            continue;
        }
        let _ = match combine.strip_prefix('.') {
            Some(intrinsic) => {
                let name = format!("llvm.{intrinsic}.{}", suffix(&ty));
                writeln!(body, "  %s.{lane} = call {ty} @{name}({ty} {last}, {ty} %e.{lane})")
            }
            None => writeln!(body, "  %s.{lane} = {combine} {ty} {last}, %e.{lane}"),
        };
        last = format!("%s.{lane}");
    }
    let returned = call.returned();
    let head = format!("define {returned} @NAME({}) alwaysinline nounwind {{\nentry:\n", call.parameters());
    Some(format!("{head}{body}  ret {returned} {last}\n}}\n"))
}

/// Applies the intrinsic to each element. The result is a vector, or two of them if there are two
/// results.
pub(super) fn elementwise(call: &IntrinsicCall<'_, '_>) -> Option<String> {
    let count = call.arguments.iter().find_map(|argument| vector(argument.ty()))?.0;
    let results: Vec<String> = match call.result.ty().view() {
        TypeView::Vector(element, _) => vec![element.text()],
        TypeView::Structure(members, _) => {
            members.into_iter().map(|member| Some(vector(member)?.1)).collect::<Option<Vec<_>>>()?
        }
        _ => return None,
    };
    let scalar = if results.len() > 1 { format!("{{ {} }}", results.join(", ")) } else { results.concat() };
    let mut body = String::new();
    let mut lasts = vec!["poison".to_owned(); results.len()];
    for lane in 0..count {
        let list = elements(call, lane, &mut body)?;
        let _ = writeln!(body, "  %r.{lane} = call {scalar} @llvm.{}({list})", name_on_scalars(call.name));
        for (index, (element, last)) in results.iter().zip(&mut lasts).enumerate() {
            let mut value = format!("%r.{lane}");
            if results.len() > 1 {
                value = format!("%r.{lane}.{index}");
                let _ = writeln!(body, "  {value} = extractvalue {scalar} %r.{lane}, {index}");
            }
            let next = format!("%v.{lane}.{index}");
            let _ =
                writeln!(body, "  {next} = insertelement <{count} x {element}> {last}, {element} {value}, i32 {lane}");
            *last = next;
        }
    }
    body += &gathered(call, count, &results, &lasts);
    Some(call.function(&body))
}

/// The arguments for one element.
fn elements(call: &IntrinsicCall<'_, '_>, lane: u32, body: &mut String) -> Option<String> {
    let taken = call.taken();
    let mut list = Vec::new();
    for (index, argument) in call.arguments.iter().enumerate() {
        let name = taken.iter().position(|taken| *taken == index).and_then(|at| ('a'..).nth(at));
        list.push(match (name, vector(argument.ty())) {
            (Some(name), Some((_, element))) => {
                let ty = argument.ty().text();
                let _ = writeln!(body, "  %{name}.{lane} = extractelement {ty} %{name}, i32 {lane}");
                format!("{element} %{name}.{lane}")
            }
            (Some(name), None) => format!("{} %{name}", argument.ty().text()),
            (None, _) => format!("{} {}", argument.ty().text(), argument.integer()?),
        });
    }
    Some(list.join(", "))
}

/// IR that builds `%r` from the results.
fn gathered(call: &IntrinsicCall<'_, '_>, count: u32, results: &[String], lasts: &[String]) -> String {
    if let [element] = results {
        let ty = format!("<{count} x {element}>");
        return format!("  %r = shufflevector {ty} {}, {ty} poison, {}", lasts.concat(), mask(0..count));
    }
    let returned = call.returned();
    let mut text = String::new();
    let mut last = "poison".to_owned();
    for (index, (element, value)) in results.iter().zip(lasts).enumerate() {
        let name = if index + 1 == results.len() { "%r".to_owned() } else { format!("%g.{index}") };
        let _ = writeln!(text, "  {name} = insertvalue {returned} {last}, <{count} x {element}> {value}, {index}");
        last = name;
    }
    text
}

/// The intrinsic's name with element types instead of vector types.
fn name_on_scalars(name: &str) -> String {
    let part = |part: &str| match part.strip_prefix('v') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            rest.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()
        }
        _ => part.to_owned(),
    };
    name.split('.').map(part).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::name_on_scalars;

    #[test]
    fn names_of_vectors_become_names_of_scalars() {
        assert_eq!(name_on_scalars("fptosi.sat.v5i24.v5f32"), "fptosi.sat.i24.f32");
        assert_eq!(name_on_scalars("ptrmask.v2p0.v2i64"), "ptrmask.p0.i64");
    }
}
