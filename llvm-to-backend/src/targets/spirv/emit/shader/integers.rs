//! Emits operations on integers that shaders have for 32 bits only, or not at all.
//!
//! In: intrinsics on integers of 8 to 64 bits. Out: instructions without branches. *Invariant:* the
//! result is that of LLVM's intrinsic for every operand.

use super::{
    super::{Emitter, assembly::id},
    comparisons::{is_equality, is_greater},
};
use crate::failure::Outcome;
use rspirv::spirv::{Op, Word};
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    types::TypeView,
};

/// Extended instructions of GLSL.std.450.
const FIND_LOWEST: u32 = 73;
const FIND_HIGHEST: u32 = 75;

/// Scalar operands of one width.
struct Operands {
    ty: Word,
    width: u32,
    a: Word,
    b: Word,
}

impl<'s> Emitter<'_, 's> {
    fn two(&mut self, op: Op, ty: Word, a: Word, b: Word) -> Word {
        self.out.value(op, ty, vec![id(a), id(b)])
    }

    fn choice(&mut self, ty: Word, condition: Word, yes: Word, no: Word) -> Word {
        self.out.value(Op::Select, ty, [condition, yes, no].map(id).to_vec())
    }

    /// Emits an intrinsic on integers. `None` for others.
    pub(super) fn integer_intrinsic(
        &mut self,
        call: Value<'s>,
        name: &str,
        arguments: &[Value<'s>],
    ) -> Outcome<Option<Word>> {
        let TypeView::Integer(width) = call.ty().view() else { return Ok(None) };
        let (ty, a) = (self.ty(call.ty())?, self.id(arguments[0])?);
        let is_binary = arguments.get(1).is_some_and(|other| other.ty() == call.ty());
        let b = if is_binary { self.id(arguments[1])? } else { a };
        let operands = Operands { ty, width, a, b };
        let family = name.rsplit_once('.').map_or(name, |(family, _)| family);
        Ok(Some(match family {
            "smin" => self.extreme(&operands, Op::SLessThan),
            "smax" => self.extreme(&operands, Op::SGreaterThan),
            "umin" => self.extreme(&operands, Op::ULessThan),
            "umax" => self.extreme(&operands, Op::UGreaterThan),
            "abs" => {
                let zero = self.null(ty);
                let opposite = self.two(Op::ISub, ty, zero, a);
                self.extreme(&Operands { b: opposite, ..operands }, Op::SGreaterThan)
            }
            "ctpop" => self.bits_set(&operands),
            "ctlz" => self.leading_zeros(&operands),
            "cttz" => self.trailing_zeros(&operands),
            "uadd.sat" => {
                let (sum, most) = (self.two(Op::IAdd, ty, a, b), self.integer_constant(width, u64::MAX));
                let rest = self.out.value(Op::Not, ty, vec![id(sum)]);
                let wraps = self.carries(&operands, rest);
                self.choice(ty, wraps, most, sum)
            }
            "usub.sat" => {
                let (difference, none) = (self.two(Op::ISub, ty, a, b), self.null(ty));
                let opposite = self.out.value(Op::Not, ty, vec![id(a)]);
                let wraps = self.carries(&Operands { a: opposite, ..operands }, difference);
                self.choice(ty, wraps, none, difference)
            }
            "sadd.sat" => self.saturated(&operands, true),
            "ssub.sat" => self.saturated(&operands, false),
            "fshl" | "fshr" => {
                let by = self.id(arguments[2])?;
                self.rotated(&operands, by, family == "fshr")
            }
            _ => return Ok(None),
        }))
    }

    /// Vulkan leaves the remainder of negative numbers undefined.
    pub(in super::super) fn shader_remainder(&mut self, value: Value<'s>) -> Outcome<()> {
        let (operands, ty) = (value.operands(), self.ty(value.ty())?);
        let (a, b) = (self.id(operands[0])?, self.id(operands[1])?);
        let quotient = self.two(Op::SDiv, ty, a, b);
        let product = self.two(Op::IMul, ty, quotient, b);
        self.define(value, Op::ISub, vec![id(a), id(product)])
    }

    /// Emits whether both operands of a comparison are numbers, or not.
    pub(in super::super) fn shader_order(&mut self, value: Value<'s>, ordered: bool) -> Outcome<()> {
        let (operands, ty) = (value.operands(), self.ty(value.ty())?);
        let (comparison, both) =
            if ordered { (Op::FOrdEqual, Op::LogicalAnd) } else { (Op::FUnordNotEqual, Op::LogicalOr) };
        let (a, b) = (self.id(operands[0])?, self.id(operands[1])?);
        let (a, b) = (self.two(comparison, ty, a, a), self.two(comparison, ty, b, b));
        self.define(value, both, vec![id(a), id(b)])
    }

    /// The sides of a comparison. Where the same sides are compared in another way too, the second
    /// side gets a zero that the driver cannot know: NVIDIA's (580.159.04) makes one operation of
    /// several, as of `(a > b) - (a < b)`, for which its compiler fails then.
    pub(in super::super) fn compared(&mut self, comparison: Value<'s>, sides: [Word; 2]) -> Outcome<[Word; 2]> {
        let TypeView::Integer(width) = comparison.operands()[0].ty().view() else { return Ok(sides) };
        if width == 1 || !self.fuses() || is_equality(comparison) {
            return Ok(sides);
        }
        let others = self.shader.comparisons.of(comparison);
        // Of two orders one keeps its sides; beside an equality both change, in different ways.
        let is_second = is_greater(comparison) == (sides[0] < sides[1]);
        let change = match (others.all > 1, is_second) {
            (true, true) => Op::BitwiseXor,
            (true, false) if others.equalities > 0 => Op::BitwiseOr,
            _ => return Ok(sides),
        };
        let (ty, zero) = (self.integer(width), self.unknown_integer(width)?);
        Ok([sides[0], self.two(change, ty, sides[1], zero)])
    }

    /// Emits the sum or difference of a product by a constant and a quotient, of 64 bits. False for
    /// others. NVIDIA's driver (580.159.04) computes another sum in some loops, unless something
    /// happens to the product in between.
    pub(in super::super) fn product_and_quotient(&mut self, value: Value<'s>, opcode: Opcode) -> Outcome<bool> {
        let Some((number, _)) =
            [(Op::IAdd, Opcode::LLVMAdd), (Op::ISub, Opcode::LLVMSub)].into_iter().find(|(_, code)| *code == opcode)
        else {
            return Ok(false);
        };
        if value.ty().view() != TypeView::Integer(64) || !self.fuses() {
            return Ok(false);
        }
        let is = |value: &Value<'s>, codes: &[Opcode]| value.is_instruction() && codes.contains(&value.opcode());
        let is_product = |one: &Value<'s>| {
            is(one, &[Opcode::LLVMMul]) && one.operands().iter().any(|by| by.literal_bits().is_some())
        };
        let is_quotient = |one: &Value<'s>| is(one, &[Opcode::LLVMUDiv, Opcode::LLVMSDiv]);
        let operands = value.operands();
        let Some(place) = operands.iter().position(is_product) else { return Ok(false) };
        if !is_quotient(&operands[1 - place]) {
            return Ok(false);
        }
        let (ty, zero) = (self.integer(64), self.unknown_integer(64)?);
        let mut sides = [self.id(operands[0])?, self.id(operands[1])?];
        sides[place] = self.two(Op::BitwiseXor, ty, sides[place], zero);
        self.define(value, number, sides.map(id).to_vec())?;
        Ok(true)
    }

    fn extreme(&mut self, o: &Operands, comparison: Op) -> Word {
        let truth = self.boolean();
        let is_first = self.two(comparison, truth, o.a, o.b);
        self.choice(o.ty, is_first, o.a, o.b)
    }

    /// True if a sum carries beyond its width, from its complement. A comparison would do, but of
    /// 64 bits NVIDIA's driver (580.159.04) takes that for the operation and loses the high word.
    fn carries(&mut self, o: &Operands, rest: Word) -> Word {
        let (truth, zero) = (self.boolean(), self.null(o.ty));
        let (both, any) = (self.two(Op::BitwiseAnd, o.ty, o.a, o.b), self.two(Op::BitwiseOr, o.ty, o.a, o.b));
        let lost = self.two(Op::BitwiseAnd, o.ty, any, rest);
        let carry = self.two(Op::BitwiseOr, o.ty, both, lost);
        self.two(Op::SLessThan, truth, carry, zero)
    }

    /// The low and the high word; the high one is `None` up to 32 bits.
    fn halves(&mut self, o: &Operands) -> (Word, Option<Word>) {
        let word = self.integer(32);
        match o.width {
            32 => (o.a, None),
            64 => {
                let by = self.integer_constant(32, 32);
                let high = self.two(Op::ShiftRightLogical, o.ty, o.a, by);
                let low = self.out.value(Op::UConvert, word, vec![id(o.a)]);
                (low, Some(self.out.value(Op::UConvert, word, vec![id(high)])))
            }
            _ => (self.out.value(Op::UConvert, word, vec![id(o.a)]), None),
        }
    }

    fn of_word(&mut self, o: &Operands, value: Word) -> Word {
        if o.width == 32 { value } else { self.out.value(Op::UConvert, o.ty, vec![id(value)]) }
    }

    fn bits_set(&mut self, o: &Operands) -> Word {
        let (word, (low, high)) = (self.integer(32), self.halves(o));
        if o.width < 32 {
            return self.bits_set_in_part(o, low);
        }
        let mut count = self.out.value(Op::BitCount, word, vec![id(low)]);
        if let Some(high) = high {
            let more = self.out.value(Op::BitCount, word, vec![id(high)]);
            count = self.two(Op::IAdd, word, count, more);
        }
        self.of_word(o, count)
    }

    /// Counts the bits of an integer below 32 bits. NVIDIA's driver (580.159.04) does so in that
    /// width, with a sign above it, unless another bit is set.
    fn bits_set_in_part(&mut self, o: &Operands, extended: Word) -> Word {
        let word = self.integer(32);
        let (other, one) = (self.integer_constant(32, 1 << 31), self.integer_constant(32, 1));
        let marked = self.two(Op::BitwiseOr, word, extended, other);
        let count = self.out.value(Op::BitCount, word, vec![id(marked)]);
        let count = self.two(Op::ISub, word, count, one);
        self.of_word(o, count)
    }

    fn leading_zeros(&mut self, o: &Operands) -> Word {
        let (word, truth, (low, high)) = (self.integer(32), self.boolean(), self.halves(o));
        let (last, zero) = (self.integer_constant(32, u64::from(o.width.min(32)) - 1), self.integer_constant(32, 0));
        // The highest bit of 0 is -1, so that its count is the width.
        let found = self.glsl(FIND_HIGHEST, word, &[low]);
        let mut count = self.two(Op::ISub, word, last, found);
        if let Some(high) = high {
            let found = self.glsl(FIND_HIGHEST, word, &[high]);
            let upper = self.two(Op::ISub, word, last, found);
            let half = self.integer_constant(32, 32);
            let lower = self.two(Op::IAdd, word, count, half);
            let is_low = self.two(Op::IEqual, truth, high, zero);
            count = self.choice(word, is_low, lower, upper);
        }
        self.of_word(o, count)
    }

    fn trailing_zeros(&mut self, o: &Operands) -> Word {
        let (word, truth, (low, high)) = (self.integer(32), self.boolean(), self.halves(o));
        let (zero, whole) = (self.integer_constant(32, 0), self.integer_constant(32, o.width.into()));
        let mut count = self.glsl(FIND_LOWEST, word, &[low]);
        let mut is_zero = self.two(Op::IEqual, truth, low, zero);
        if let Some(high) = high {
            let half = self.integer_constant(32, 32);
            let found = self.glsl(FIND_LOWEST, word, &[high]);
            let upper = self.two(Op::IAdd, word, found, half);
            count = self.choice(word, is_zero, upper, count);
            let is_also = self.two(Op::IEqual, truth, high, zero);
            is_zero = self.two(Op::LogicalAnd, truth, is_zero, is_also);
        }
        let count = self.choice(word, is_zero, whole, count);
        self.of_word(o, count)
    }

    fn saturated(&mut self, o: &Operands, adds: bool) -> Word {
        let (ty, truth, zero) = (o.ty, self.boolean(), self.null(o.ty));
        let result = self.two(if adds { Op::IAdd } else { Op::ISub }, ty, o.a, o.b);
        let changed = self.two(Op::BitwiseXor, ty, result, o.a);
        // A sum overflows if its sign differs from both, a difference if the signs differ.
        let other =
            if adds { self.two(Op::BitwiseXor, ty, result, o.b) } else { self.two(Op::BitwiseXor, ty, o.a, o.b) };
        let both = self.two(Op::BitwiseAnd, ty, changed, other);
        let wraps = self.two(Op::SLessThan, truth, both, zero);
        let by = self.integer_constant(32, u64::from(o.width) - 1);
        let sign = self.two(Op::ShiftRightArithmetic, ty, o.a, by);
        let most = self.integer_constant(o.width, (1 << (o.width - 1)) - 1);
        let limit = self.two(Op::BitwiseXor, ty, sign, most);
        self.choice(ty, wraps, limit, result)
    }

    fn rotated(&mut self, o: &Operands, by: Word, right: bool) -> Word {
        let (ty, zero) = (o.ty, self.null(o.ty));
        let mask = self.integer_constant(o.width, u64::from(o.width) - 1);
        let forth = self.two(Op::BitwiseAnd, ty, by, mask);
        let opposite = self.two(Op::ISub, ty, zero, by);
        let back = self.two(Op::BitwiseAnd, ty, opposite, mask);
        let (left, right) = if right { (back, forth) } else { (forth, back) };
        let high = self.two(Op::ShiftLeftLogical, ty, o.a, left);
        let low = self.two(Op::ShiftRightLogical, ty, o.a, right);
        self.two(Op::BitwiseOr, ty, high, low)
    }

    /// Converts a number to an integer that is as near as possible; one that is none becomes 0.
    pub(super) fn saturated_conversion(
        &mut self,
        call: Value<'s>,
        from: Value<'s>,
        signed: bool,
    ) -> Outcome<Option<Word>> {
        let (TypeView::Integer(width), TypeView::Float(bits)) = (call.ty().view(), from.ty().view()) else {
            return Ok(None);
        };
        let (ty, truth, value) = (self.ty(call.ty())?, self.boolean(), self.id(from)?);
        let op = if signed { Op::ConvertFToS } else { Op::ConvertFToU };
        let converted = self.out.value(op, ty, vec![id(value)]);
        let magnitude = if signed { width - 1 } else { width };
        // The first number that is too large, if the format has it.
        let above = self.power_of_two(from.ty(), bits, magnitude)?;
        let below = if signed { -f64::from(2f32.powi(magnitude as i32)) } else { 0.0 };
        let below = self.float_constant(from.ty(), bits, below)?;
        let most = if signed { (1u64 << magnitude) - 1 } else { u64::MAX };
        let (most, least) =
            (self.integer_constant(width, most), self.integer_constant(width, if signed { 1 << magnitude } else { 0 }));
        let is_low = self.two(Op::FOrdLessThanEqual, truth, value, below);
        let is_high = self.two(Op::FOrdGreaterThanEqual, truth, value, above);
        let is_none = self.two(Op::FUnordNotEqual, truth, value, value);
        let none = self.null(ty);
        let result = self.choice(ty, is_low, least, converted);
        let result = self.choice(ty, is_high, most, result);
        Ok(Some(self.choice(ty, is_none, none, result)))
    }

    fn power_of_two(&mut self, ty: Type<'s>, bits: u32, exponent: u32) -> Outcome<Word> {
        self.float_constant(ty, bits, 2f64.powi(exponent as i32))
    }

    /// A constant of a floating-point type; for half precision, infinity where it is too large.
    pub(super) fn float_constant(&mut self, ty: Type<'s>, bits: u32, value: f64) -> Outcome<Word> {
        let pattern = match bits {
            64 => value.to_bits(),
            32 => u64::from((value as f32).to_bits()),
            _ => half(value),
        };
        let ty = self.ty(ty)?;
        Ok(self.out.global(Op::Constant, Some(ty), vec![super::super::constants::literal(bits, pattern)]))
    }
}

/// A power of two, one half, or zero, as half precision.
fn half(value: f64) -> u64 {
    let (bits, sign) = (value.to_bits(), if value.is_sign_negative() { 0x8000 } else { 0 });
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    match exponent {
        _ if value == 0.0 => sign,
        16.. => sign | 0x7c00,
        _ => sign | ((exponent + 15) as u64) << 10,
    }
}
