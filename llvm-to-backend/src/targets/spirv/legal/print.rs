//! Lowers `printf` to OpenCL's instruction.
//!
//! In: calls of `__sinter_spirv_print`, which `printf` has become, and of `__sinter_spirv_report`.
//! Out: calls that stand for OpenCL's instruction `printf`, whose format and strings are in
//! constant memory. *Invariant:* OpenCL cannot print a string that is unknown until run time: in
//! `print` it is an error, in a report it is replaced by `?`.

use super::{
    format::{Given, Rewritten, Taken, rewrite},
    legaliser::Legaliser,
};
use crate::{
    failure::{Failure, Outcome},
    targets::{
        gpu::CONSTANT_SPACE,
        spirv::print::{PRINT, REPORT, SHADER_PRINT, TRAP},
    },
};
use sinter_core::{SpirvEnvironment, SpirvFeature};
use sinter_llvm::{
    ir::{Opcode, Type, Value, ValueKind},
    types::TypeView,
};
use std::collections::HashMap;

/// Prefix of calls that stand for the instruction; a number follows.
const INSTRUCTION: &str = "__sinter_spirv_ocl_printf__";
/// Replaces an unknown string.
const UNKNOWN: &str = "?";

/// Functions by the types of their parameters.
type Functions<'s> = HashMap<Vec<Type<'s>>, Value<'s>>;

pub(super) fn replace<S>(l: &Legaliser<'_, '_, '_, S>) -> Outcome<()> {
    let mut functions = Functions::new();
    for (name, is_report) in [(PRINT, false), (REPORT, true)] {
        let Some(function) = l.m.module.function(name) else { continue };
        for call in function.users().into_iter().filter(|user| user.callee() == Some(function)) {
            instruction(l, call, is_report, &mut functions)?;
        }
    }
    Ok(())
}

/// Bytes of a format for Vulkan, which is a text of the module with some words around it.
const MOST_TEXT: usize = 65_000;
/// Advice about a format that OpenCL's `printf` does not have.
const PRINTED: &str = "devices that take SPIR-V print what OpenCL's `printf` does: write widths as digits, and leave \
                       conversions out that it lacks";

fn instruction<'s, S>(
    l: &Legaliser<'_, 's, '_, S>,
    call: Value<'s>,
    is_report: bool,
    functions: &mut Functions<'s>,
) -> Outcome<()> {
    let refuse = |what: String, hint: &str| Failure::from(l.cx.unsupported(what, call.location(), hint));
    let arguments = call.arguments();
    let (format, values) = arguments.split_first().ok_or_else(|| Failure::internal("`printf` without a format"))?;
    let text = characters(l, *format).ok_or_else(|| {
        refuse("`printf` with a format that is not a constant".to_owned(), "write the format where it is printed")
    })?;
    let given: Vec<Given> = values.iter().map(|value| given(value.ty())).collect();
    let Rewritten { text, taken } =
        rewrite(&text, &given).map_err(|what| refuse(format!("`printf` with {what}"), PRINTED))?;
    let is_shader = l.target.environment == SpirvEnvironment::Vulkan;
    if is_shader && is_report {
        return trap(l, call, (&text, values), functions);
    }
    let text = if is_shader { folded(l, (&text, values, &taken)) } else { text };
    if is_shader && text.len() > MOST_TEXT {
        let what = format!("`printf` of a text of {} bytes, of at most {MOST_TEXT}", text.len());
        return Err(refuse(what, "print it in parts"));
    }
    let mut printed = vec![constant(l, &text)];
    for (value, taken) in values.iter().zip(taken) {
        printed.push(match (taken, characters(l, *value)) {
            (Taken::Value, _) => plain(l, call, *value),
            (Taken::Text, Some(_)) if is_shader => continue,
            (Taken::Text, Some(text)) => constant(l, &text),
            (Taken::Text, None) if is_report => constant(l, UNKNOWN),
            (Taken::Text, None) => {
                let hint = "print each string with a `printf` of its own";
                return Err(refuse("`printf` of a string (`%s`) that is not a constant".to_owned(), hint));
            }
        });
    }
    let types: Vec<Type<'s>> = printed.iter().map(|value| value.ty()).collect();
    let name = format!("{}{}", if is_shader { SHADER_PRINT } else { INSTRUCTION }, functions.len());
    let declare = || l.m.module.declare(&name, call.ty(), &types);
    let function = *functions.entry(types.clone()).or_insert_with(declare);
    call.replace_uses(call.insert_before(|insert| insert.call(function, &printed)));
    call.erase();
    Ok(())
}

/// The report of a trap for Vulkan, whose status buffer has room for a number only: the text is
/// complete at compile time.
fn trap<'s, S>(
    l: &Legaliser<'_, 's, '_, S>,
    call: Value<'s>,
    (format, values): (&str, &[Value<'s>]),
    functions: &mut Functions<'s>,
) -> Outcome<()> {
    let (mut text, mut values) = (String::new(), values.iter());
    let mut rest = format.chars();
    while let Some(character) = rest.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        let conversion = rest.find(|c| c.is_ascii_alphabetic() || *c == '%');
        if conversion == Some('%') {
            text.push('%');
            continue;
        }
        let value = values.next().copied();
        let known = value.and_then(|value| characters(l, value).or(value.integer().map(|number| number.to_string())));
        text.push_str(known.as_deref().unwrap_or(UNKNOWN));
    }
    let text = constant(l, &text);
    let declare = || l.m.module.declare(&format!("{TRAP}0"), call.ty(), &[text.ty()]);
    let function = *functions.entry(vec![text.ty()]).or_insert_with(declare);
    call.replace_uses(call.insert_before(|insert| insert.call(function, &[text])));
    call.erase();
    Ok(())
}

/// The types of the values that a shader prints, `=`, and the format, which has all strings in it.
fn folded<S>(l: &Legaliser<'_, '_, '_, S>, (format, values, taken): (&str, &[Value<'_>], &[Taken])) -> String {
    let (mut types, mut text, mut rest) = (String::new(), String::new(), format);
    let mut values = values.iter().zip(taken);
    while let Some((before, conversion)) = rest.split_once('%') {
        text += before;
        if let Some(behind) = conversion.strip_prefix('%') {
            text += "%%";
            rest = behind;
            continue;
        }
        let end = conversion.find(|c: char| c.is_ascii_alphabetic() && !"hl".contains(c));
        let (directive, behind) = conversion.split_at(end.map_or(conversion.len(), |end| end + 1));
        rest = behind;
        let Some((value, taken)) = values.next() else { continue };
        match characters(l, *value).filter(|_| *taken == Taken::Text) {
            Some(known) => text += &padded(directive, &known).replace('%', "%%"),
            None => {
                text.push('%');
                text += directive;
                types.push(match value.ty().view() {
                    TypeView::Integer(0..=32) => 'i',
                    TypeView::Float(_) if l.target.has(SpirvFeature::Fp64) => 'd',
                    TypeView::Float(_) => 'f',
                    _ => 'l',
                });
            }
        }
    }
    format!("{types}={text}{rest}")
}

/// A string as `%s` with flags, width and precision prints it.
fn padded(directive: &str, text: &str) -> String {
    let numbers = directive.trim_start_matches(['-', '+', ' ', '#', '0']).trim_end_matches('s');
    let (width, precision) = numbers.split_once('.').map_or((numbers, None), |(width, most)| (width, Some(most)));
    let most = precision.map_or(usize::MAX, |most| most.parse().unwrap_or(0));
    let (text, width): (String, usize) = (text.chars().take(most).collect(), width.parse().unwrap_or(0));
    if directive.starts_with('-') { format!("{text:<width$}") } else { format!("{text:>width$}") }
}

fn given(ty: Type<'_>) -> Given {
    match ty.view() {
        TypeView::Integer(bits) => Given::Integer(bits),
        TypeView::Float(_) => Given::Float,
        TypeView::Pointer(_) => Given::Pointer,
        _ => Given::Other,
    }
}

/// An argument as it is passed. C promotes every `float` to `double`, which some devices lack.
fn plain<'s, S>(l: &Legaliser<'_, 's, '_, S>, call: Value<'s>, value: Value<'s>) -> Value<'s> {
    if value.ty().view() != TypeView::Float(64) || l.target.has(SpirvFeature::Fp64) {
        return value;
    }
    if value.is_instruction() && value.opcode() == Opcode::LLVMFPExt {
        return value.operands()[0];
    }
    call.insert_before(|insert| insert.cast(Opcode::LLVMFPTrunc, value, l.cx.session.single()))
}

/// A string in constant memory.
fn constant<'s, S>(l: &Legaliser<'_, 's, '_, S>, text: &str) -> Value<'s> {
    // Each character stands for one byte of the program's string.
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).chain([0]).collect();
    l.m.module.add_constant_bytes("sinter.text", &bytes, 1, CONSTANT_SPACE)
}

/// The string that a pointer addresses, if it is constant: one character for each byte, whatever
/// the program's encoding.
fn characters<S>(l: &Legaliser<'_, '_, '_, S>, pointer: Value<'_>) -> Option<String> {
    let (variable, offset) = variable_of(l, pointer, 0)?;
    let content = variable.initializer().filter(|_| variable.is_constant())?;
    if content.kind() == ValueKind::LLVMConstantAggregateZeroValueKind {
        return Some(String::new());
    }
    let bytes = content.content_bytes()?;
    let text = bytes.get(usize::try_from(offset).ok()?..)?;
    let end = text.iter().position(|byte| *byte == 0)?;
    Some(text[..end].iter().map(|byte| char::from(*byte)).collect())
}

/// The variable that a pointer points into, and the byte offset.
fn variable_of<'s, S>(l: &Legaliser<'_, '_, '_, S>, pointer: Value<'s>, offset: i64) -> Option<(Value<'s>, i64)> {
    let opcode = match pointer.kind() {
        ValueKind::LLVMGlobalVariableValueKind => return Some((pointer, offset)),
        ValueKind::LLVMInstructionValueKind => pointer.opcode(),
        ValueKind::LLVMConstantExprValueKind => pointer.constant_opcode(),
        _ => return None,
    };
    let from = *pointer.operands().first()?;
    match opcode {
        Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast => variable_of(l, from, offset),
        Opcode::LLVMGetElementPtr => variable_of(l, from, offset + pointer.constant_byte_offset(l.cx.machine)?),
        _ => None,
    }
}
