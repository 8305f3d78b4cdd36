//! Expands powers with integer exponents.
//!
//! In: `llvm.powi` on any type, with an exponent of any width. Out: multiplications, in a loop if
//! the exponent is not constant. *Invariant:* the order of the multiplications is that of LLVM's
//! compiler-rt; 16-bit numbers are computed as `float` and rounded once. LLVM's optimiser turns
//! `pow` into `llvm.powi` where approximations are allowed (`afn`).

use super::{
    shape::{Shape, function},
    text::Definition,
};
use sinter_llvm::ir::{Opcode, Value};
use std::fmt::Write;

/// Name of the intrinsic without `llvm.`.
pub(crate) const FAMILY: &str = "powi";
const PREFIX: &str = "llvm.powi.";

/// `[w]` is the type of the computation, `[x]` the base, `[e]` the type of the exponent.
const LOOP: &str = "\
  %negative = icmp slt [e] %b, 0
  %opposite = sub [e] 0, %b
  %size = select i1 %negative, [e] %opposite, [e] %b
  br label %loop
loop:
  %power = phi {[w]} [ %x, %entry ], [ %square, %loop ]
  %product = phi {[w]} [ {[w]:[one]}, %entry ], [ %chosen, %loop ]
  %left = phi [e] [ %size, %entry ], [ %half, %loop ]
  %bit = trunc [e] %left to i1
  %more = fmul {[w]} %product, %power
  %chosen = select i1 %bit, {[w]} %more, {[w]} %product
  %square = fmul {[w]} %power, %power
  %half = lshr [e] %left, 1
  %done = icmp eq [e] %half, 0
  br i1 %done, label %end, label %loop
end:
  %inverse = fdiv {[w]} {[w]:[one]}, %chosen
  %value = select i1 %negative, {[w]} %inverse, {[w]} %chosen
";

pub(super) fn definition(instruction: Value<'_>) -> Option<Definition> {
    let is_power = |name: String| name.starts_with(PREFIX);
    if instruction.opcode() != Opcode::LLVMCall || !is_power(instruction.callee()?.name()) {
        return None;
    }
    let arguments = instruction.arguments();
    let [_, exponent] = arguments[..] else { return None };
    let shape = Shape::of(instruction.ty());
    let is_short = ["half", "bfloat"].contains(&shape.element.as_str());
    let wide = if is_short { "float" } else { shape.element.as_str() };
    let one = if wide == "x86_fp80" { "0xK3FFF8000000000000000" } else { "1.0" };
    let (taken, computed) = match exponent.signed() {
        Some(exponent) => (vec![0], multiplications(exponent)),
        None => (vec![0, 1], LOOP.to_owned()),
    };
    let (start, end) = match is_short {
        true => ("  %x = fpext {[t]} %a to {[w]}\n", "  %r = fptrunc {[w]} %value to {[t]}\n"),
        // A copy that keeps the bits.
        false => ("  %x = select i1 true, {[w]} %a, {[w]} %a\n", "  %r = select i1 true, {[w]} %value, {[w]} %value\n"),
    };
    let parts = [
        ("[w]", wide.to_owned()),
        ("[t]", shape.element.clone()),
        ("[one]", one.to_owned()),
        ("[e]", exponent.ty().text()),
    ];
    let body = shape.fill(&[start, &computed, end].concat(), &parts);
    let operands: Vec<_> = taken.iter().map(|index| arguments[*index]).collect();
    Some(Definition { text: function(instruction.ty(), &operands, &body), taken })
}

/// The multiplications of [`LOOP`] for a constant exponent.
fn multiplications(exponent: i64) -> String {
    let (mut text, mut power, mut product) = (String::new(), "%x".to_owned(), "{[w]:[one]}".to_owned());
    let size = exponent.unsigned_abs();
    for bit in 0..u64::BITS - size.leading_zeros() {
        if bit > 0 {
            let _ = writeln!(text, "  %s{bit} = fmul {{[w]}} {power}, {power}");
            power = format!("%s{bit}");
        }
        if size >> bit & 1 == 1 {
            let _ = writeln!(text, "  %p{bit} = fmul {{[w]}} {product}, {power}");
            product = format!("%p{bit}");
        }
    }
    let last = if exponent < 0 { "fdiv" } else { "fmul" };
    text + &format!("  %value = {last} {{[w]}} {{[w]:[one]}}, {product}\n")
}
