//! Expands arithmetic on 16-bit floating-point numbers on machines that lack it.
//!
//! In: arithmetic on `half` and `bfloat`, and conversions to and from them. Out: the same on
//! `float`, with conversions in integer arithmetic. *Invariant:* each operation is rounded once: an
//! operation on `float` has enough precision for 16 bits (24 is at least twice 11 and 2). A type
//! longer than `float`, and the sum of a fused multiplication of `half`, are first rounded to odd,
//! whose last bit is sticky (S. Boldo and G. Melquiond, "When double rounding is odd", 2005). Fused
//! multiplications of `bfloat` round as LLVM's code generators do.

use super::{
    shape::{Shape, function},
    text::{Definition, operands},
};
use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    types::TypeView,
};
use std::fmt::Write;

/// Operations that a machine lacks instructions for, so that its code generator calls functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Missing {
    /// All conversions of `half`.
    pub(crate) half: bool,
    /// Conversions of types longer than `float` to `half`.
    pub(crate) half_of_double: bool,
    /// Conversions of `float` to `bfloat`.
    pub(crate) bfloat: bool,
    /// Function parameters of more than 64 bits.
    pub(crate) wide_parameters: bool,
}

impl Missing {
    /// True if the machine lacks instructions for a format of floating-point numbers.
    pub(super) fn lacks_formats(self) -> bool {
        self.half || self.half_of_double || self.bfloat
    }

    /// True if the text of a type has a format whose arithmetic is replaced.
    pub(crate) fn names(self, ty: &str) -> bool {
        ty.split([' ', '<', '>', '{', '}', '[', ']', ',']).any(|word| self.lacks(word))
    }

    /// True if arithmetic on this format is replaced.
    pub(super) fn lacks(self, element: &str) -> bool {
        match element {
            "half" => self.half,
            "bfloat" => self.bfloat,
            _ => false,
        }
    }
}

/// The x87 format; no machine converts between it and these formats.
const X87: &str = "x86_fp80";
/// Expands atomic operations without an instruction to loops.
const ATOMICS: &str = "atomic-expand";
/// Intrinsics that exist on `float` under the same name, and whose result is rounded at most once.
const FAMILIES: [&str; 47] = [
    "copysign",
    "fabs",
    "acos",
    "asin",
    "atan",
    "canonicalize",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "exp10",
    "exp2",
    "floor",
    "fma",
    "fmuladd",
    "fptosi.sat",
    "fptoui.sat",
    "frexp",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log2",
    "lrint",
    "lround",
    "maximum",
    "maxnum",
    "minimum",
    "minnum",
    "nearbyint",
    "pow",
    "rint",
    "round",
    "roundeven",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
    "vector.reduce.fmax",
    "vector.reduce.fmaximum",
    "vector.reduce.fmin",
    "vector.reduce.fminimum",
    "minimumnum",
    "maximumnum",
];

/// Code generators compute this on the bits of a `bfloat`. Expanded to bit operations it loses a
/// sign in LLVM 19.1.7.
const OF_BITS: &str = "copysign";

/// Rounds to odd: if `%a` lies between two neighbours, chooses the one whose last bit is set. A
/// zero has only that away from it: a device may flush a small negative number to +0, and one below
/// +0 is NaN.
const ODD: &str = "\
  %near = fptrunc {[from]} %a to {float}
  %back = fpext {float} %near to {[from]}
  %bits = bitcast {float} %near to {i32}
  %last = and {i32} %bits, {i32:1}
  %inexact = fcmp one {[from]} %back, %a
  %even = icmp eq {i32} %last, {i32:0}
  %due = and {i1} %inexact, %even
  %negative = icmp slt {i32} %bits, {i32:0}
  %below = fcmp olt {[from]} %back, %a
  %outwards = xor {i1} %below, %negative
  %size = shl {i32} %bits, {i32:1}
  %none = icmp eq {i32} %size, {i32:0}
  %away = or {i1} %outwards, %none
  %step = select {i1} %away, {i32} {i32:1}, {i32} {i32:-1}
  %moved = add {i32} %bits, %step
  %odd = select {i1} %due, {i32} %moved, {i32} %bits
  %f = bitcast {i32} %odd to {float}
  %r = fptrunc {float} %f to {[to]}
";
/// The product is exact in `float`, and `%e` is the rounding error of the sum (D. Knuth, "The Art
/// of Computer Programming", volume 2, 4.2.2, theorem B).
const FUSED: &str = "\
  %x = fpext {half} %a to {float}
  %y = fpext {half} %b to {float}
  %z = fpext {half} %c to {float}
  %product = fmul {float} %x, %y
  %near = fadd {float} %product, %z
  %added = fsub {float} %near, %product
  %rest = fsub {float} %near, %added
  %lost = fsub {float} %product, %rest
  %lost.too = fsub {float} %z, %added
  %e = fadd {float} %lost, %lost.too
  %bits = bitcast {float} %near to {i32}
  %last = and {i32} %bits, {i32:1}
  %inexact = fcmp one {float} %e, {float:0.0}
  %even = icmp eq {i32} %last, {i32:0}
  %due = and {i1} %inexact, %even
  %negative = icmp slt {i32} %bits, {i32:0}
  %below = fcmp ogt {float} %e, {float:0.0}
  %away = xor {i1} %below, %negative
  %step = select {i1} %away, {i32} {i32:1}, {i32} {i32:-1}
  %moved = add {i32} %bits, %step
  %odd = select {i1} %due, {i32} %moved, {i32} %bits
  %f = bitcast {i32} %odd to {float}
  %r = fptrunc {float} %f to {half}
";
/// The upper half of the bits, rounded. A NaN stays a NaN.
const TO_BFLOAT: &str = "\
  %bits = bitcast {float} %a to {i32}
  %up = lshr {i32} %bits, {i32:16}
  %last = and {i32} %up, {i32:1}
  %half = add {i32} %last, {i32:32767}
  %sum = add {i32} %bits, %half
  %near = lshr {i32} %sum, {i32:16}
  %quiet = or {i32} %up, {i32:64}
  %size = and {i32} %bits, {i32:2147483647}
  %nan = icmp ugt {i32} %size, {i32:2139095040}
  %chosen = select {i1} %nan, {i32} %quiet, {i32} %near
  %short = trunc {i32} %chosen to {i16}
  %r = bitcast {i16} %short to {bfloat}
";
const FROM_BFLOAT: &str = "\
  %short = bitcast {bfloat} %a to {i16}
  %wide = zext {i16} %short to {i32}
  %bits = shl {i32} %wide, {i32:16}
  %r = bitcast {i32} %bits to {float}
";
/// From 2^-14 on, rebiases the exponent and rounds the bits; 2^16 and more is infinite. Below,
/// adding 1/2 aligns the last bit of `half` with the end of the fraction of `float`, so that the
/// addition rounds.
const TO_HALF: &str = "\
  %bits = bitcast {float} %a to {i32}
  %size = and {i32} %bits, {i32:2147483647}
  %high = lshr {i32} %bits, {i32:16}
  %sign = and {i32} %high, {i32:32768}
  %up = lshr {i32} %size, {i32:13}
  %last = and {i32} %up, {i32:1}
  %down = sub {i32} %size, {i32:939524096}
  %half = add {i32} %last, {i32:4095}
  %sum = add {i32} %down, %half
  %normal = lshr {i32} %sum, {i32:13}
  %positive = bitcast {i32} %size to {float}
  %placed = fadd {float} %positive, {float:5.0e-1}
  %placed.bits = bitcast {float} %placed to {i32}
  %small = sub {i32} %placed.bits, {i32:1056964608}
  %is.small = icmp ult {i32} %size, {i32:947912704}
  %finite = select {i1} %is.small, {i32} %small, {i32} %normal
  %is.great = icmp uge {i32} %size, {i32:1199570944}
  %bounded = select {i1} %is.great, {i32} {i32:31744}, {i32} %finite
  %payload = and {i32} %up, {i32:1023}
  %quiet = or {i32} %payload, {i32:32256}
  %is.nan = icmp ugt {i32} %size, {i32:2139095040}
  %value = select {i1} %is.nan, {i32} %quiet, {i32} %bounded
  %signed = or {i32} %value, %sign
  %short = trunc {i32} %signed to {i16}
  %r = bitcast {i16} %short to {half}
";
/// Subnormal numbers are multiples of 2^-24.
const FROM_HALF: &str = "\
  %short = bitcast {half} %a to {i16}
  %bits = zext {i16} %short to {i32}
  %high = and {i32} %bits, {i32:32768}
  %sign = shl {i32} %high, {i32:16}
  %size = and {i32} %bits, {i32:32767}
  %up = shl {i32} %size, {i32:13}
  %normal = add {i32} %up, {i32:939524096}
  %infinite = or {i32} %up, {i32:2139095040}
  %quiet = or {i32} %infinite, {i32:4194304}
  %count = uitofp {i32} %size to {float}
  %small = fmul {float} %count, {float:0x3E70000000000000}
  %small.bits = bitcast {float} %small to {i32}
  %is.small = icmp ult {i32} %size, {i32:1024}
  %finite = select {i1} %is.small, {i32} %small.bits, {i32} %normal
  %is.infinite = icmp eq {i32} %size, {i32:31744}
  %bounded = select {i1} %is.infinite, {i32} %infinite, {i32} %finite
  %is.nan = icmp ugt {i32} %size, {i32:31744}
  %value = select {i1} %is.nan, {i32} %quiet, {i32} %bounded
  %signed = or {i32} %value, %sign
  %r = bitcast {i32} %signed to {float}
";

/// Expands atomic operations on formats that the machine lacks to loops, whose arithmetic is
/// replaced afterwards.
pub(super) fn expand_atomics<S>(cx: &Context<'_, '_>, missing: &Missing, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let is_due = |i: Value<'_>| i.opcode() == Opcode::LLVMAtomicRMW && missing.lacks(&element(i.ty()));
    if m.defined().into_iter().flat_map(Value::instructions).any(is_due) {
        m.module.run_passes(ATOMICS, Some(cx.machine))?;
    }
    Ok(())
}

/// Element type, if it may be a 16-bit float; otherwise empty.
pub(super) fn element(ty: Type<'_>) -> String {
    match ty.scalar().view() {
        TypeView::Float(16) => "half".to_owned(),
        TypeView::Other => ty.scalar().text(),
        _ => String::new(),
    }
}

pub(super) fn definition(missing: &Missing, instruction: Value<'_>) -> Option<Definition> {
    let opcode = instruction.opcode();
    if opcode == Opcode::LLVMCall {
        return called(missing, instruction);
    }
    let is_conversion = matches!(
        opcode,
        Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt
            | Opcode::LLVMFPToSI
            | Opcode::LLVMFPToUI
            | Opcode::LLVMSIToFP
            | Opcode::LLVMUIToFP
    );
    if !is_conversion && arithmetic(opcode).is_none() {
        return None;
    }
    let operands = instruction.operands();
    let (from, to) = (element(operands.first()?.ty()), element(instruction.ty()));
    let body = match is_conversion {
        true => converted(missing, instruction, &from, &to)?,
        false if !missing.lacks(&from) => return None,
        false => computed(instruction, arithmetic(opcode)?),
    };
    let taken = (0..operands.len()).collect();
    Some(Definition { text: function(instruction.ty(), &operands, &body), taken })
}

fn arithmetic(opcode: Opcode) -> Option<&'static str> {
    Some(match opcode {
        Opcode::LLVMFAdd => "fadd",
        Opcode::LLVMFSub => "fsub",
        Opcode::LLVMFMul => "fmul",
        Opcode::LLVMFDiv => "fdiv",
        Opcode::LLVMFRem => "frem",
        Opcode::LLVMFNeg => "fneg",
        Opcode::LLVMFCmp => "fcmp",
        _ => return None,
    })
}

/// IR of an operation on `float`.
fn computed(instruction: Value<'_>, operation: &str) -> String {
    let shape = Shape::of(instruction.operands().first().map_or(instruction.ty(), |first| first.ty()));
    let template = match operation {
        "fneg" => "  %x = fpext {[t]} %a to {float}\n  %y = fneg {float} %x\n  %r = fptrunc {float} %y to {[t]}\n",
        "fcmp" => {
            "  %x = fpext {[t]} %a to {float}\n  %y = fpext {[t]} %b to {float}\n  %r = fcmp [p] {float} %x, %y\n"
        }
        _ => {
            "  %x = fpext {[t]} %a to {float}\n  %y = fpext {[t]} %b to {float}\n  %z = [o] {float} %x, %y\n  \
             %r = fptrunc {float} %z to {[t]}\n"
        }
    };
    let predicate = if operation == "fcmp" { predicate(instruction) } else { String::new() };
    shape.fill(template, &[("[t]", shape.element.clone()), ("[o]", operation.to_owned()), ("[p]", predicate)])
}

/// Predicate of a comparison, in IR syntax.
fn predicate(comparison: Value<'_>) -> String {
    use sinter_llvm::operation::FloatPredicate as P;
    let word = match comparison.float_predicate() {
        P::LLVMRealPredicateFalse => "false",
        P::LLVMRealOEQ => "oeq",
        P::LLVMRealOGT => "ogt",
        P::LLVMRealOGE => "oge",
        P::LLVMRealOLT => "olt",
        P::LLVMRealOLE => "ole",
        P::LLVMRealONE => "one",
        P::LLVMRealORD => "ord",
        P::LLVMRealUNO => "uno",
        P::LLVMRealUEQ => "ueq",
        P::LLVMRealUGT => "ugt",
        P::LLVMRealUGE => "uge",
        P::LLVMRealULT => "ult",
        P::LLVMRealULE => "ule",
        P::LLVMRealUNE => "une",
        P::LLVMRealPredicateTrue => "true",
    };
    word.to_owned()
}

fn converted(missing: &Missing, instruction: Value<'_>, from: &str, to: &str) -> Option<String> {
    let operand = instruction.operands().first()?.ty();
    let source = Shape::of(operand);
    let is_float = source.element == "float";
    let template = match instruction.opcode() {
        Opcode::LLVMFPTrunc if is_float && !missing.lacks(to) => return None,
        Opcode::LLVMFPTrunc if is_float && to == "bfloat" => TO_BFLOAT,
        Opcode::LLVMFPTrunc if is_float => TO_HALF,
        // No machine has this instruction, and some code generators round twice.
        Opcode::LLVMFPTrunc if to == "bfloat" => ODD,
        Opcode::LLVMFPTrunc if to == "half" && (missing.half_of_double || missing.half || source.element == X87) => ODD,
        Opcode::LLVMFPExt if !missing.lacks(from) && (from != "half" || Shape::of(instruction.ty()).element != X87) => {
            return None;
        }
        Opcode::LLVMFPExt => match Shape::of(instruction.ty()).element.as_str() {
            "float" if from == "bfloat" => FROM_BFLOAT,
            "float" => FROM_HALF,
            _ => "  %x = fpext {[from]} %a to {float}\n  %r = fpext {float} %x to {[to]}\n",
        },
        Opcode::LLVMFPToSI if missing.lacks(from) => {
            "  %x = fpext {[from]} %a to {float}\n  %r = fptosi {float} %x to {[to]}\n"
        }
        Opcode::LLVMFPToUI if missing.lacks(from) => {
            "  %x = fpext {[from]} %a to {float}\n  %r = fptoui {float} %x to {[to]}\n"
        }
        // An integer that `float` rounds is infinite in `half`; those for `bfloat` are replaced
        // before.
        Opcode::LLVMSIToFP if missing.lacks(to) => {
            "  %x = sitofp {[from]} %a to {float}\n  %r = fptrunc {float} %x to {[to]}\n"
        }
        Opcode::LLVMUIToFP if missing.lacks(to) => {
            "  %x = uitofp {[from]} %a to {float}\n  %r = fptrunc {float} %x to {[to]}\n"
        }
        _ => return None,
    };
    let parts = [("[from]", source.element.clone()), ("[to]", Shape::of(instruction.ty()).element)];
    Some(source.fill(template, &parts))
}

/// The operation of an intrinsic on `float`.
fn called(missing: &Missing, call: Value<'_>) -> Option<Definition> {
    let name = call.callee().filter(|callee| callee.is_intrinsic())?.name();
    let rest = name.strip_prefix("llvm.")?;
    if let Some(body) = bits_of_half(missing, call, rest) {
        return Some(Definition { text: function(call.ty(), &operands(call), &body), taken: vec![0] });
    }
    let arguments = operands(call);
    if rest.starts_with("fma.") && element(call.ty()) == "half" && (missing.half || missing.half_of_double) {
        let text = function(call.ty(), &arguments, &Shape::of(call.ty()).fill(FUSED, &[]));
        return Some(Definition { text, taken: vec![0, 1, 2] });
    }
    let narrow = |element: &str| missing.lacks(element);
    let format = arguments.iter().map(|value| element(value.ty())).find(|element| narrow(element))?;
    let body = match rest {
        _ if rest.starts_with("vector.reduce.fadd.") => reduced(&arguments, "fadd", &format)?,
        _ if rest.starts_with("vector.reduce.fmul.") => reduced(&arguments, "fmul", &format)?,
        _ => widened(call, rest, &format)?,
    };
    Some(Definition { text: function(call.ty(), &arguments, &body), taken: (0..arguments.len()).collect() })
}

/// Intrinsics of C's old conversion functions.
fn bits_of_half(missing: &Missing, call: Value<'_>, name: &str) -> Option<String> {
    let arguments = operands(call);
    let shape = Shape::of(arguments.first()?.ty());
    if !missing.half && !missing.half_of_double {
        return None;
    }
    if name.starts_with("convert.to.fp16") {
        let template = "  %x = fptrunc {[t]} %a to {half}\n  %r = bitcast {half} %x to {i16}\n";
        return Some(shape.fill(template, &[("[t]", shape.element.clone())]));
    }
    let to = Shape::of(call.ty()).element;
    let template = "  %x = bitcast {i16} %a to {half}\n  %r = fpext {half} %x to {[t]}\n";
    name.starts_with("convert.from.fp16").then(|| shape.fill(template, &[("[t]", to)]))
}

/// Reduces one element after the other, with each step rounded.
fn reduced(arguments: &[Value<'_>], operation: &str, format: &str) -> Option<String> {
    let shape = Shape::of(arguments.get(1)?.ty());
    let (mut text, mut so_far) = (String::new(), "%a".to_owned());
    for lane in 0..shape.lanes? {
        let _ = writeln!(text, "  %e.{lane} = extractelement {} %b, i32 {lane}", shape.with(format));
        let _ = writeln!(text, "  %s.{lane} = {operation} {format} {so_far}, %e.{lane}");
        so_far = format!("%s.{lane}");
    }
    // A copy that keeps the bits.
    Some(text + &format!("  %r = select i1 true, {format} {so_far}, {format} {so_far}\n"))
}

fn widened(call: Value<'_>, name: &str, format: &str) -> Option<String> {
    let is = |family: &str| name.strip_prefix(family).is_some_and(|rest| rest.starts_with('.'));
    let family = FAMILIES.into_iter().find(|family| is(family))?;
    if format == "bfloat" && family == OF_BITS {
        return None;
    }
    let suffix = if format == "half" { "f16" } else { "bf16" };
    let wide_part = |part: &str| match part.strip_suffix(suffix) {
        Some("") => "f32".to_owned(),
        Some(lanes) if lanes.strip_prefix('v').is_some_and(|count| count.parse::<u32>().is_ok()) => {
            format!("{lanes}f32")
        }
        _ => part.to_owned(),
    };
    let types = name[family.len()..].split('.').map(wide_part).collect::<Vec<_>>().join(".");
    let (mut text, mut list) = (String::new(), Vec::new());
    for (argument, name) in operands(call).into_iter().zip('a'..) {
        let ty = argument.ty().text();
        if element(argument.ty()) != format {
            list.push(format!("{ty} %{name}"));
            continue;
        }
        let wide = Shape::of(argument.ty()).with("float");
        let _ = writeln!(text, "  %{name}.wide = fpext {ty} %{name} to {wide}");
        list.push(format!("{wide} %{name}.wide"));
    }
    let result = call.ty().text();
    let wide = result.replace(format, "float");
    let target = if result == wide { "r" } else { "wide" };
    let _ = writeln!(text, "  %{target} = call {wide} @llvm.{family}{types}({})", list.join(", "));
    Some(text + &narrowed(call.ty(), &wide))
}

/// Converts `%wide`, a number or a structure that starts with one, to `%r`.
fn narrowed(ty: Type<'_>, wide: &str) -> String {
    let result = ty.text();
    match ty.view() {
        _ if result == wide => String::new(),
        TypeView::Structure(members, _) if members.len() == 2 => {
            let (first, second) = (members[0], members[1].text());
            let (narrow, longer) = (first.text(), Shape::of(first).with("float"));
            format!(
                "  %first.wide = extractvalue {wide} %wide, 0\n  %second = extractvalue {wide} %wide, 1\n  \
                 %first = fptrunc {longer} %first.wide to {narrow}\n  %half = insertvalue {result} poison, {narrow} %first, 0\n  \
                 %r = insertvalue {result} %half, {second} %second, 1\n"
            )
        }
        _ => format!("  %r = fptrunc {wide} %wide to {result}\n"),
    }
}
