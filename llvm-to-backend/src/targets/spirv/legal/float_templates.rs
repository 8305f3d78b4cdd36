//! Expands floating-point intrinsics to instructions.
//!
//! In: an intrinsic on scalars. Out: IR that computes `%r` from `%a` and `%b`. *Invariant:*
//! expansions that inspect sign, exponent or fraction work on the bits, so that a device that
//! flushes subnormals gives the same result.

use super::{
    accepted::width,
    intrinsic_call::IntrinsicCall,
    shapes::{LIMB, computed},
};
use sinter_llvm::types::TypeView;
use std::fmt::Write;

/// Intrinsics and their IR: `{t}` is the type of the first operand, `{s}` the suffix of intrinsics
/// on it, `{i}` the integer of the same width, `{r}` the type of the result, `{e}` that of the
/// second operand.
const BODIES: [(&str, &str); 8] = [
    ("canonicalize", "  %r = fmul {t} %a, 1.0"),
    ("nearbyint", "  %r = call {t} @llvm.rint.{s}({t} %a)"),
    ("minimum", "  %z = or {i} %x, %y\n{extremum}"),
    ("maximum", "  %z = and {i} %x, %y\n{extremum}"),
    ("minimumnum", "  %r = call {t} @llvm.minnum.{s}({t} %a, {t} %b)"),
    ("maximumnum", "  %r = call {t} @llvm.maxnum.{s}({t} %a, {t} %b)"),
    ("convert.to.fp16", "  %h = fptrunc {t} %a to half\n  %r = bitcast half %h to i16"),
    ("frexp", FREXP),
];

/// NaN if one operand is. The bits of equal operands are combined, because they may be zeros of
/// different signs.
const EXTREMUM: &str = "  %o = bitcast {i} %z to {t}\n  %n = fadd {t} %a, %b\n  %u = fcmp uno {t} %a, %b\n  %e = fcmp oeq {t} %a, %b\n  \
    %c = fcmp {p} {t} %a, %b\n  %m = select i1 %c, {t} %a, {t} %b\n  %q = select i1 %e, {t} %o, {t} %m\n  \
    %r = select i1 %u, {t} %n, {t} %q";

/// A fraction in [0.5, 1), and the exponent. Zeros, infinities and NaN are their own fractions.
/// `{mantissa}` is the mask of the fraction and `{ones}` that of all bits, `{bias}` the biased
/// exponent of 0.5, `{top}` the greatest exponent, `{gap}` the number of bits above the fraction.
const FREXP: &str = "\
  %bits = bitcast {t} %a to {i}
  %sign = and {i} %bits, {minimum}
  %size = and {i} %bits, {magnitude}
  %field = lshr {i} %size, {mantissa}
  %lost = call {i} @llvm.ctlz.{i}({i} %size, i1 false)
  %up = sub {i} %lost, {gap}
  %shift = and {i} %up, {last}
  %raised = shl {i} %size, %shift
  %is.subnormal = icmp eq {i} %field, 0
  %below = sub {i} 1, %shift
  %scale = select i1 %is.subnormal, {i} %below, {i} %field
  %normal = select i1 %is.subnormal, {i} %raised, {i} %size
  %fraction = and {i} %normal, {ones}
  %half = or {i} %fraction, {half}
  %signed = or {i} %half, %sign
  %value = bitcast {i} %signed to {t}
  %wide = sub {i} %scale, {bias}
  %exponent = {resize}
  %is.zero = icmp eq {i} %size, 0
  %is.odd = icmp eq {i} %field, {top}
  %is.own = or i1 %is.zero, %is.odd
  %x = select i1 %is.own, {t} %a, {t} %value
  %y = select i1 %is.own, {e} 0, {e} %exponent
  %v = insertvalue {r} poison, {t} %x, 0
  %r = insertvalue {r} %v, {e} %y, 1";

/// IEEE 754 formats: width and fraction bits.
const FORMATS: [(u32, u32); 3] = [(16, 10), (32, 23), (64, 52)];

/// A floating-point type.
struct Format {
    ty: &'static str,
    suffix: &'static str,
    width: u32,
    mantissa: u32,
}

impl Format {
    fn of(call: &IntrinsicCall<'_, '_>, index: usize) -> Option<Format> {
        let TypeView::Float(bits) = call.arguments.get(index)?.ty().view() else { return None };
        let (width, mantissa) = FORMATS.into_iter().find(|(width, _)| *width == bits)?;
        let (ty, suffix) = match bits {
            16 => ("half", "f16"),
            32 => ("float", "f32"),
            _ => ("double", "f64"),
        };
        Some(Format { ty, suffix, width, mantissa })
    }

    fn exponent_bits(&self) -> u32 {
        self.width - 1 - self.mantissa
    }

    /// Bit pattern of infinity.
    fn infinity(&self) -> u64 {
        ((1 << self.exponent_bits()) - 1) << self.mantissa
    }

    /// The quiet bit of a NaN.
    fn quiet(&self) -> u64 {
        1 << (self.mantissa - 1)
    }

    fn magnitude(&self) -> u64 {
        u64::MAX >> (LIMB - self.width + 1)
    }
}

pub(super) fn body(call: &IntrinsicCall<'_, '_>) -> Option<String> {
    if call.is("fptosi.sat") || call.is("fptoui.sat") {
        return saturated(call);
    }
    if call.is("convert.from.fp16") {
        return Some("  %h = bitcast i16 %a to half\n  %r = ".to_owned() + &from_half(call));
    }
    let format = Format::of(call, 0)?;
    if call.is("is.fpclass") {
        return class(call, &format);
    }
    if call.is("ldexp") {
        return scaled(call, &format);
    }
    let (_, body) = BODIES.iter().find(|(family, _)| call.is(family))?;
    Some(filled(body, call, &format))
}

fn from_half(call: &IntrinsicCall<'_, '_>) -> String {
    match call.returned() {
        ty if ty == "half" => "fadd half %h, -0.0".to_owned(),
        ty => format!("fpext half %h to {ty}"),
    }
}

fn filled(body: &str, call: &IntrinsicCall<'_, '_>, format: &Format) -> String {
    let integer = format!("i{}", format.width);
    let exponent = match call.is("frexp") {
        true => call.returned().trim_end_matches([' ', '}']).rsplit(' ').next().unwrap_or("i32").to_owned(),
        false => call.ty(1),
    };
    let casts = format!("  %x = bitcast {{t}} %a to {integer}\n  %y = bitcast {{t}} %b to {integer}\n");
    let body = if body.contains("{extremum}") { casts + body } else { body.to_owned() };
    let predicate = if call.is("minimum") { "olt" } else { "ogt" };
    let top = (1u64 << format.exponent_bits()) - 1;
    let bias = (1u64 << (format.exponent_bits() - 1)) - 2;
    let parts = [
        ("{extremum}", EXTREMUM.to_owned()),
        ("{resize}", resized(&integer, &exponent)),
        ("{p}", predicate.to_owned()),
        ("{t}", format.ty.to_owned()),
        ("{s}", format.suffix.to_owned()),
        ("{i}", integer),
        ("{e}", exponent),
        ("{r}", call.returned()),
        ("{minimum}", (!format.magnitude() & (u64::MAX >> (LIMB - format.width))).to_string()),
        ("{magnitude}", format.magnitude().to_string()),
        ("{mantissa}", format.mantissa.to_string()),
        ("{gap}", (format.width - 1 - format.mantissa).to_string()),
        ("{last}", (format.width - 1).to_string()),
        ("{ones}", ((1u64 << format.mantissa) - 1).to_string()),
        ("{half}", (bias << format.mantissa).to_string()),
        ("{bias}", bias.to_string()),
        ("{top}", top.to_string()),
    ];
    parts.iter().fold(body, |body, (name, part)| body.replace(name, part))
}

/// A signed conversion between integers.
fn resized(from: &str, to: &str) -> String {
    let bits = |ty: &str| ty.trim_start_matches('i').parse::<u32>().unwrap_or(0);
    match bits(from).cmp(&bits(to)) {
        std::cmp::Ordering::Less => format!("sext {from} %wide to {to}"),
        std::cmp::Ordering::Equal => format!("add {from} %wide, 0"),
        std::cmp::Ordering::Greater => format!("trunc {from} %wide to {to}"),
    }
}

/// Saturating conversion to an integer of a width without an instruction: converts to a wider one
/// and clamps.
fn saturated(call: &IntrinsicCall<'_, '_>) -> Option<String> {
    let format = Format::of(call, 0)?;
    let (bits, signed) = (width(call.result.ty())?, call.is("fptosi.sat"));
    if bits > LIMB {
        return None;
    }
    let (wide, family) = (computed(bits), if signed { "fptosi" } else { "fptoui" });
    let (least, most) = match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    let (below, above) = if signed { ("slt", "sgt") } else { ("ult", "ugt") };
    Some(format!(
        "  %w = call i{wide} @llvm.{family}.sat.i{wide}.{}({} %a)\n  %lo = icmp {below} i{wide} %w, {least}\n  \
         %x = select i1 %lo, i{wide} {least}, i{wide} %w\n  %hi = icmp {above} i{wide} %x, {most}\n  \
         %y = select i1 %hi, i{wide} {most}, i{wide} %x\n  %r = trunc i{wide} %y to i{bits}",
        format.suffix, format.ty
    ))
}

/// Tests the classes of `llvm::FPClassTest`.
fn class(call: &IntrinsicCall<'_, '_>, format: &Format) -> Option<String> {
    let test = call.arguments.get(1)?.integer()?;
    let (integer, infinity, quiet) = (format!("i{}", format.width), format.infinity(), format.quiet());
    let (least, most) = (1u64 << format.mantissa, infinity - 1);
    let mut body = format!(
        "  %bits = bitcast {} %a to {integer}\n  %size = and {integer} %bits, {}\n  %negative = icmp slt {integer} %bits, 0\n  \
         %positive = xor i1 %negative, true\n  %r.0 = and i1 false, false\n",
        format.ty,
        format.magnitude()
    );
    // Sign, and least and greatest magnitude.
    let classes: [(Option<bool>, u64, u64); 10] = [
        (None, infinity + 1, infinity + quiet - 1),
        (None, infinity + quiet, format.magnitude()),
        (Some(true), infinity, infinity),
        (Some(true), least, most),
        (Some(true), 1, least - 1),
        (Some(true), 0, 0),
        (Some(false), 0, 0),
        (Some(false), 1, least - 1),
        (Some(false), least, most),
        (Some(false), infinity, infinity),
    ];
    let mut last = 0;
    for (_, (negative, from, to)) in classes.into_iter().enumerate().filter(|(bit, _)| test >> bit & 1 != 0) {
        let next = last + 1;
        let sign = negative.map_or("true", |negative| if negative { "%negative" } else { "%positive" });
        let _ = write!(
            body,
            "  %d.{next} = sub {integer} %size, {from}\n  %i.{next} = icmp ule {integer} %d.{next}, {}\n  \
             %s.{next} = and i1 %i.{next}, {sign}\n  %r.{next} = or i1 %r.{last}, %s.{next}\n",
            to - from
        );
        last = next;
    }
    Some(body + &format!("  %r = or i1 %r.{last}, false"))
}

/// Multiplies by a power of two with OpenCL's instruction; an exponent too wide for it is clamped,
/// which does not change the result.
fn scaled(call: &IntrinsicCall<'_, '_>, format: &Format) -> Option<String> {
    let bits = width(call.arguments.get(1)?.ty())?;
    let ty = call.ty(1);
    let exponent = match bits {
        0..32 => format!("  %e = sext {ty} %b to i32\n"),
        32 => "  %e = add i32 %b, 0\n".to_owned(),
        _ => format!(
            "  %lo = icmp slt {ty} %b, -32768\n  %x = select i1 %lo, {ty} -32768, {ty} %b\n  %hi = icmp sgt {ty} %x, 32767\n  \
             %y = select i1 %hi, {ty} 32767, {ty} %x\n  %e = trunc {ty} %y to i32\n"
        ),
    };
    let (ty, suffix) = (format.ty, format.suffix);
    Some(exponent + &format!("  %r = call {ty} @__sinter_spirv_ocl_ldexp__{suffix}({ty} %a, i32 %e)"))
}
