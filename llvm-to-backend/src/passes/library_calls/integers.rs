//! Expands conversions between floating-point numbers and wide integers.
//!
//! In: conversions of integers of 65 to 128 bits, and of those of more than 24 bits to `bfloat`,
//! for which no machine has an instruction and which LLVM's code generators round twice. Out:
//! conversions of 64 bits and fewer. *Invariant:* a result is rounded once, to nearest, ties to
//! even; the last bit of a truncated integer is a sticky bit, far below the rounding position.

use super::{
    shape::{Shape, WIDEST, function},
    text::Definition,
};
use sinter_llvm::ir::{Opcode, Value};

/// An IEEE format whose bit pattern the conversions compute.
struct Format {
    name: &'static str,
    width: u32,
    mantissa: u32,
}

const FORMATS: [Format; 2] =
    [Format { name: "float", width: 32, mantissa: 23 }, Format { name: "double", width: 64, mantissa: 52 }];

impl Format {
    fn of(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// The exponent bias.
    fn bias(&self) -> u32 {
        (1 << (self.width - self.mantissa - 2)) - 1
    }
}

/// `%size` is the magnitude of the operand, in `[from]`.
const SIZE_OF_SIGNED: &str = "\
  %negative = icmp slt {[from]} %a, {[from]:0}
  %opposite = sub {[from]} {[from]:0}, %a
  %size = select {i1} %negative, {[from]} %opposite, {[from]} %a
";
const SIZE_OF_UNSIGNED: &str = "\
  %negative = icmp ne {[from]} %a, %a
  %size = or {[from]} %a, {[from]:0}
";

/// `%signed`, in `[to]`, from the first `[kept]` bits of `%size`. Scaling adds to the exponent
/// field, where an overflow becomes an infinity.
const TO_FLOAT: &str = "\
  %lost = call {[from]} @llvm.ctlz.[suffix]({[from]} %size, i1 false)
  %zero = icmp eq {[from]} %size, {[from]:0}
  %shift = select {i1} %zero, {[from]} {[from]:0}, {[from]} %lost
  %normal = shl {[from]} %size, %shift
  %high = lshr {[from]} %normal, {[from]:[below]}
  %rest = shl {[from]} %normal, {[from]:[kept]}
  %inexact = icmp ne {[from]} %rest, {[from]:0}
  %sticky = zext {i1} %inexact to {[limb]}
  %top = [cut] {[from]} %high to {[limb]}
  %odd = or {[limb]} %top, %sticky
  %near = uitofp {[limb]} %odd to {[to]}
  %bits = bitcast {[to]} %near to {[bits]}
  %scale = sub {[from]} {[from]:[below]}, %shift
  %exponent = [resize] {[from]} %scale to {[bits]}
  %raise = shl {[bits]} %exponent, {[bits]:[mantissa]}
  %raised = add {[bits]} %bits, %raise
  %value.bits = select {i1} %zero, {[bits]} {[bits]:0}, {[bits]} %raised
  %sign = shl {[bits]} {[bits]:1}, {[bits]:[sign]}
  %minus = or {[bits]} %value.bits, %sign
  %signed.bits = select {i1} %negative, {[bits]} %minus, {[bits]} %value.bits
  %signed = bitcast {[bits]} %signed.bits to {[to]}
";
/// Values greater than the maximum of `half` become infinite; others are exact in `float`.
const TO_HALF: &str = "\
  %great = icmp ugt {[from]} %size, {[from]:131071}
  %low = trunc {[from]} %size to {i32}
  %kept = select {i1} %great, {i32} {i32:131072}, {i32} %low
  %near = uitofp {i32} %kept to {float}
  %minus = fneg {float} %near
  %signed = select {i1} %negative, {float} %minus, {float} %near
  %r = fptrunc {float} %signed to {half}
";
/// The conversions of both halves are exact, and so is 2^64.
const TO_X87: &str = "\
  %up = lshr {[from]} %size, {[from]:64}
  %high = trunc {[from]} %up to {i64}
  %low = trunc {[from]} %size to {i64}
  %x = uitofp {i64} %high to {x86_fp80}
  %y = uitofp {i64} %low to {x86_fp80}
  %z = fmul {x86_fp80} %x, {x86_fp80:0xK403F8000000000000000}
  %s = fadd {x86_fp80} %z, %y
  %minus = fneg {x86_fp80} %s
  %r = select {i1} %negative, {x86_fp80} %minus, {x86_fp80} %s
";

/// `%size` is the truncated magnitude as an integer `[to]`; `%field` minus `[bias]` is the
/// exponent.
const FROM_FLOAT: &str = "\
  %bits = bitcast {[from]} %a to {[bits]}
  %negative = icmp slt {[bits]} %bits, {[bits]:0}
  %up = lshr {[bits]} %bits, {[bits]:[mantissa]}
  %field = and {[bits]} %up, {[bits]:[fields]}
  %fraction = and {[bits]} %bits, {[bits]:[fractions]}
  %mantissa = or {[bits]} %fraction, {[bits]:[one]}
  %wide = zext {[bits]} %mantissa to {[to]}
  %left = sub {[bits]} %field, {[bits]:[point]}
  %is.left = icmp sge {[bits]} %left, {[bits]:0}
  %right = sub {[bits]} {[bits]:0}, %left
  %distance = select {i1} %is.left, {[bits]} %left, {[bits]} %right
  %is.far = icmp ugt {[bits]} %distance, {[bits]:[last]}
  %near = select {i1} %is.far, {[bits]} {[bits]:[last]}, {[bits]} %distance
  %shift = zext {[bits]} %near to {[to]}
  %raised = shl {[to]} %wide, %shift
  %lowered = lshr {[to]} %wide, %shift
  %size = select {i1} %is.left, {[to]} %raised, {[to]} %lowered
";
const WITH_SIGN: &str = "\
  %opposite = sub {[to]} {[to]:0}, %size
  %value = select {i1} %negative, {[to]} %opposite, {[to]} %size
";
/// Clamps to the range of the integer; zero for a NaN.
const SATURATED: &str = "\
  %is.over = icmp uge {[bits]} %field, {[bits]:[limit]}
  %bound = select {i1} %negative, {[to]} {[to]:[least]}, {[to]} {[to]:[most]}
  %bounded = select {i1} %is.over, {[to]} %bound, {[to]} %inside
  %is.nan = fcmp uno {[from]} %a, %a
  %r = select {i1} %is.nan, {[to]} {[to]:0}, {[to]} %bounded
";
const FROM_X87: &str = "\
  %negative = fcmp olt {x86_fp80} %a, {x86_fp80:0xK00000000000000000000}
  %minus = fneg {x86_fp80} %a
  %whole = select {i1} %negative, {x86_fp80} %minus, {x86_fp80} %a
  %scaled = fmul {x86_fp80} %whole, {x86_fp80:0xK3FBF8000000000000000}
  %high = fptoui {x86_fp80} %scaled to {i64}
  %back = uitofp {i64} %high to {x86_fp80}
  %taken = fmul {x86_fp80} %back, {x86_fp80:0xK403F8000000000000000}
  %rest = fsub {x86_fp80} %whole, %taken
  %low = fptoui {x86_fp80} %rest to {i64}
  %high.wide = zext {i64} %high to {[to]}
  %low.wide = zext {i64} %low to {[to]}
  %up = shl {[to]} %high.wide, {[to]:64}
  %size = or {[to]} %up, %low.wide
";

pub(super) fn definition(instruction: Value<'_>) -> Option<Definition> {
    let body = match instruction.opcode() {
        Opcode::LLVMSIToFP => to_float(instruction, true)?,
        Opcode::LLVMUIToFP => to_float(instruction, false)?,
        Opcode::LLVMFPToSI => from_float(instruction, true, false)?,
        Opcode::LLVMFPToUI => from_float(instruction, false, false)?,
        Opcode::LLVMCall => {
            let name = instruction.callee()?.name();
            let is_signed = name.starts_with("llvm.fptosi.sat.");
            if !is_signed && !name.starts_with("llvm.fptoui.sat.") {
                return None;
            }
            from_float(instruction, is_signed, true)?
        }
        _ => return None,
    };
    let operand = super::text::operands(instruction).first().copied()?;
    Some(Definition { text: function(instruction.ty(), &[operand], &body), taken: vec![0] })
}

fn to_float(instruction: Value<'_>, is_signed: bool) -> Option<String> {
    /// Precision of `float`: a wider integer would be rounded twice on the way to `bfloat`.
    const EXACT: u32 = 24;
    const LIMB: u32 = 64;
    let from = Shape::of(instruction.operands().first()?.ty());
    let to = Shape::of(instruction.ty()).element;
    let bits = from.bits().filter(|bits| *bits <= WIDEST)?;
    let is_wide = bits > LIMB;
    let size = if is_signed { SIZE_OF_SIGNED } else { SIZE_OF_UNSIGNED };
    let (format, kept, limb, end) = match to.as_str() {
        "half" if is_wide => return Some(filled(&from, &[size, TO_HALF].concat())),
        "x86_fp80" if is_wide => return Some(filled(&from, &[size, TO_X87].concat())),
        "bfloat" if bits > EXACT => (&FORMATS[0], EXACT, 32, "  %r = fptrunc {float} %signed to {bfloat}\n"),
        _ if is_wide => (Format::of(&to)?, LIMB, LIMB, "  %r = bitcast {[bits]} %signed.bits to {[to]}\n"),
        _ => return None,
    };
    let to_limb = |width: u32| match bits.cmp(&width) {
        std::cmp::Ordering::Less => "zext",
        std::cmp::Ordering::Equal => "bitcast",
        std::cmp::Ordering::Greater => "trunc",
    };
    // The scale may be negative.
    let resize = to_limb(format.width).replace("zext", "sext");
    let parts = [
        ("[from]", from.element.clone()),
        ("[suffix]", from.suffix(&from.element)),
        ("[to]", format.name.to_owned()),
        ("[limb]", format!("i{limb}")),
        ("[bits]", format!("i{}", format.width)),
        ("[kept]", kept.to_string()),
        ("[below]", (bits - kept).to_string()),
        ("[cut]", to_limb(limb).to_owned()),
        ("[resize]", resize),
        ("[mantissa]", format.mantissa.to_string()),
        ("[sign]", (format.width - 1).to_string()),
    ];
    Some(from.fill(&[size, TO_FLOAT, end].concat(), &parts))
}

fn filled(from: &Shape, template: &str) -> String {
    from.fill(template, &[("[from]", from.element.clone())])
}

fn from_float(instruction: Value<'_>, is_signed: bool, saturates: bool) -> Option<String> {
    let to = Shape::of(instruction.ty());
    let bits = to.bits().filter(|bits| (65..=WIDEST).contains(bits))?;
    let from = Shape::of(super::text::operands(instruction).first()?.ty()).element;
    let signed = if is_signed { WITH_SIGN } else { "  %value = or {[to]} %size, {[to]:0}\n" };
    let end = "  %r = or {[to]} %value, {[to]:0}\n";
    let Some(format) = Format::of(&from) else {
        return match from.as_str() {
            "half" | "bfloat" => Some(by_float(&to, &from, is_signed, saturates)),
            "x86_fp80" if !saturates => {
                Some(to.fill(&[FROM_X87, signed, end].concat(), &[("[to]", to.element.clone())]))
            }
            _ => None,
        };
    };
    let inside = match is_signed {
        true => "  %inside = or {[to]} %value, {[to]:0}\n",
        false => "  %inside = select {i1} %negative, {[to]} {[to]:0}, {[to]} %value\n",
    };
    let end = if saturates { [inside, SATURATED].concat() } else { end.to_owned() };
    let greatest = if is_signed { bits - 1 } else { bits };
    let (least, most) = match is_signed {
        true => (i128::MIN >> (WIDEST - bits), i128::MAX >> (WIDEST - bits)),
        false => (0, -1),
    };
    let parts = [
        ("[from]", from.clone()),
        ("[to]", to.element.clone()),
        ("[bits]", format!("i{}", format.width)),
        ("[mantissa]", format.mantissa.to_string()),
        ("[fields]", (2 * format.bias() + 1).to_string()),
        ("[fractions]", ((1u64 << format.mantissa) - 1).to_string()),
        ("[one]", (1u64 << format.mantissa).to_string()),
        ("[point]", (format.bias() + format.mantissa).to_string()),
        ("[last]", (bits - 1).to_string()),
        ("[limit]", (format.bias() + greatest).to_string()),
        ("[least]", least.to_string()),
        ("[most]", most.to_string()),
    ];
    Some(to.fill(&[FROM_FLOAT, signed, &end].concat(), &parts))
}

/// Every 16-bit floating-point number is also a `float`.
fn by_float(to: &Shape, from: &str, is_signed: bool, saturates: bool) -> String {
    let family = if is_signed { "fptosi" } else { "fptoui" };
    let suffix = (to.suffix(&to.element), to.suffix("f32"));
    let conversion = match saturates {
        true => format!("  %r = call {{[to]}} @llvm.{family}.sat.{}.{}({{float}} %x)\n", suffix.0, suffix.1),
        false => format!("  %r = {family} {{float}} %x to {{[to]}}\n"),
    };
    let parts = [("[from]", from.to_owned()), ("[to]", to.element.clone())];
    to.fill(&["  %x = fpext {[from]} %a to {float}\n", &conversion].concat(), &parts)
}
