//! Expands divisions of integers of more than 64 bits.
//!
//! In: quotients and remainders of integers of 65 to 128 bits, and of vectors of them. Out: 64-bit
//! divisions. *Invariant:* a division by zero executes a 64-bit division by zero.

use super::{
    shape::{Shape, WIDEST, function},
    text::Definition,
};
use sinter_llvm::ir::{Opcode, Value};
use std::fmt::Write;

/// The unsigned 128-bit quotient.
const QUOTIENT: &str = include_str!("division.ll");

/// The element `[n]`; `%x` and `%y` are its operands as `i128`, `[q]` its result as `i128`.
const UNSIGNED: &str = "  %q[n] = call i128 @NAME.quotient(i128 %x[n], i128 %y[n])\n";
const SIGNED: &str = "\
  %x.negative[n] = icmp slt i128 %x[n], 0
  %x.opposite[n] = sub i128 0, %x[n]
  %x.size[n] = select i1 %x.negative[n], i128 %x.opposite[n], i128 %x[n]
  %y.negative[n] = icmp slt i128 %y[n], 0
  %y.opposite[n] = sub i128 0, %y[n]
  %y.size[n] = select i1 %y.negative[n], i128 %y.opposite[n], i128 %y[n]
  %size[n] = call i128 @NAME.quotient(i128 %x.size[n], i128 %y.size[n])
  %opposite[n] = sub i128 0, %size[n]
  %differ[n] = xor i1 %x.negative[n], %y.negative[n]
  %q[n] = select i1 %differ[n], i128 %opposite[n], i128 %size[n]
";
const REMAINDER: &str = "  %part[n] = mul i128 %q[n], %y[n]\n  %rest[n] = sub i128 %x[n], %part[n]\n";

pub(super) fn definition(instruction: Value<'_>) -> Option<Definition> {
    let (is_signed, is_remainder) = match instruction.opcode() {
        Opcode::LLVMUDiv => (false, false),
        Opcode::LLVMURem => (false, true),
        Opcode::LLVMSDiv => (true, false),
        Opcode::LLVMSRem => (true, true),
        _ => return None,
    };
    let shape = Shape::of(instruction.ty());
    let bits = shape.bits().filter(|bits| (65..=WIDEST).contains(bits))?;
    let element = Element { shape: &shape, bits, is_signed, is_remainder };
    let body: String = (0..shape.lanes.unwrap_or(1)).map(|lane| element.text(lane)).collect();
    let whole = match shape.lanes {
        Some(lanes) => format!("  %r = freeze {} %v.{lanes}\n", instruction.ty().text()),
        None => String::new(),
    };
    let text = function(instruction.ty(), &instruction.operands(), &(body + &whole)) + QUOTIENT;
    Some(Definition { text, taken: vec![0, 1] })
}

/// The operation on each element.
struct Element<'s> {
    shape: &'s Shape,
    bits: u32,
    is_signed: bool,
    is_remainder: bool,
}

impl Element<'_> {
    fn text(&self, lane: u32) -> String {
        let mut text = self.operand('a', 'x', lane) + &self.operand('b', 'y', lane);
        text += if self.is_signed { SIGNED } else { UNSIGNED };
        let mut result = "%q[n]";
        if self.is_remainder {
            text += REMAINDER;
            result = "%rest[n]";
        }
        let (ty, next) = (self.shape.with(&self.shape.element), lane + 1);
        let narrow = if self.shape.lanes.is_some() { "%n[n]" } else { "%r" };
        // A copy if no bits are truncated.
        let _ = match self.bits {
            WIDEST => writeln!(text, "  {narrow} = or i128 {result}, 0"),
            bits => writeln!(text, "  {narrow} = trunc i128 {result} to i{bits}"),
        };
        if self.shape.lanes.is_some() {
            let so_far = if lane == 0 { "poison".to_owned() } else { format!("%v.{lane}") };
            let _ = writeln!(text, "  %v.{next} = insertelement {ty} {so_far}, i{} {narrow}, i32 {lane}", self.bits);
        }
        text.replace("[n]", &format!(".{lane}"))
    }

    fn operand(&self, parameter: char, name: char, lane: u32) -> String {
        let (bits, mut value, mut text) = (self.bits, format!("%{parameter}"), String::new());
        if self.shape.lanes.is_some() {
            let ty = self.shape.with(&self.shape.element);
            let _ = writeln!(text, "  %{parameter}[n] = extractelement {ty} %{parameter}, i32 {lane}");
            value += "[n]";
        }
        let extension = if self.is_signed { "sext" } else { "zext" };
        let _ = match bits {
            WIDEST => writeln!(text, "  %{name}[n] = or i128 {value}, 0"),
            _ => writeln!(text, "  %{name}[n] = {extension} i{bits} {value} to i128"),
        };
        text
    }
}
