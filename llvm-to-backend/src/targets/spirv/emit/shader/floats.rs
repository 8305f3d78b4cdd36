//! Emits operations on floating-point numbers.
//!
//! In: arithmetic and conversions of LLVM. Out: instructions that no driver changes beyond the
//! flags of the program. *Invariant:* contraction is `Fma` of GLSL.std.450, which may round once
//! or twice: an operation without `NoContraction` may be reassociated as well, as Mesa does, for
//! which `(a + b) - a` is `b`.

use super::super::{Emitter, assembly::id, values::lanes};
use crate::failure::Outcome;
use rspirv::spirv::{Op, Word};
use sinter_core::SpirvFeature;
use sinter_llvm::{
    ir::{Opcode, Value},
    types::TypeView,
};

const ABSOLUTE: u32 = 4;
const FUSED: u32 = 50;
const TWO_TO_32: f64 = 4_294_967_296.0;

fn is_long(number: Value<'_>) -> bool {
    number.ty().scalar().view() == TypeView::Integer(64)
}

/// True if the program allows contraction of an operation, but not everything else.
fn may_contract(value: Value<'_>) -> bool {
    let flags = value.fast_math_flags();
    flags.contract && !flags.is_complete()
}

fn is_sum(value: Value<'_>) -> bool {
    value.is_instruction() && matches!(value.opcode(), Opcode::LLVMFAdd | Opcode::LLVMFSub)
}

/// The place among the operands of a sum of a product that may be fused with it.
fn product_of(sum: Value<'_>) -> Option<usize> {
    let is_product = |value: &Value<'_>| {
        value.is_instruction() && value.opcode() == Opcode::LLVMFMul && may_contract(*value) && value.users().len() == 1
    };
    (is_sum(sum) && may_contract(sum)).then(|| sum.operands().iter().position(is_product)).flatten()
}

impl<'s> Emitter<'_, 's> {
    /// Mesa's lavapipe makes two operations of `Fma`, and reassociates them.
    pub(super) fn fuses(&self) -> bool {
        self.target.has(SpirvFeature::DivergentFences)
    }

    /// True if a product is part of the only sum that uses it.
    fn is_part_of_sum(&self, product: Value<'s>) -> bool {
        let is_part = |sum: &Value<'s>| product_of(*sum).is_some_and(|place| sum.operands()[place] == product);
        self.fuses() && product.opcode() == Opcode::LLVMFMul && product.users().first().is_some_and(is_part)
    }

    /// Emits a sum of a product. False for other operations.
    fn sum_of_product(&mut self, sum: Value<'s>) -> Outcome<bool> {
        let Some(place) = product_of(sum).filter(|_| self.fuses()) else { return Ok(false) };
        let (ty, operands) = (self.ty(sum.ty())?, sum.operands());
        let factors = operands[place].operands();
        let mut factors = [self.id(factors[0])?, self.id(factors[1])?];
        let mut rest = self.id(operands[1 - place])?;
        if sum.opcode() == Opcode::LLVMFSub {
            let negated = if place == 0 { &mut rest } else { &mut factors[0] };
            *negated = self.out.value(Op::FNegate, ty, vec![id(*negated)]);
        }
        let value = self.glsl(FUSED, ty, &[factors[0], factors[1], rest]);
        self.alias(sum, value).map(|()| true)
    }

    /// Emits an operation on numbers.
    pub(in super::super) fn shader_operation(&mut self, value: Value<'s>, op: Op) -> Outcome<()> {
        if self.is_part_of_sum(value) || self.sum_of_product(value)? {
            return Ok(());
        }
        if !value.fast_math_flags().is_complete() {
            let operands = value.operands().into_iter().map(|operand| self.strict_operand(op, operand).map(id));
            let operands = operands.collect::<Outcome<Vec<_>>>()?;
            return self.define(value, op, operands);
        }
        let (ty, result) = (self.ty(value.ty())?, self.result(value)?);
        let operands = value.operands().into_iter().map(|operand| self.id(operand).map(id));
        let operands = operands.collect::<Outcome<Vec<_>>>()?;
        self.out.free_value(result, op, ty, operands);
        Ok(())
    }

    /// An operand of an operation. Lavapipe (22.3.6) takes sums with a constant zero for the other
    /// operand, products with one and quotients of one for zero, and quotients by one for undefined
    /// (`lp_bld_arit.c`); so it must not know that the operand is zero.
    fn strict_operand(&mut self, op: Op, operand: Value<'s>) -> Outcome<Word> {
        let is_changed = matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv) && !self.fuses();
        if !is_changed || operand.is_instruction() {
            return self.id(operand);
        }
        match operand.ty().view() {
            TypeView::Float(width) if operand.literal_bits() == Some(0) => self.unknown_zero(width),
            TypeView::Vector(element, count) if matches!(element.view(), TypeView::Float(_)) => {
                let elements: Vec<_> = (0..count).filter_map(|index| operand.element(index)).collect();
                if !elements.iter().any(|element| element.literal_bits() == Some(0)) {
                    return self.id(operand);
                }
                let parts = elements.into_iter().map(|element| self.strict_operand(op, element).map(id));
                let (parts, ty) = (parts.collect::<Outcome<Vec<_>>>()?, self.ty(operand.ty())?);
                Ok(self.out.value(Op::CompositeConstruct, ty, parts))
            }
            _ => self.id(operand),
        }
    }

    /// An absolute value. Mesa takes roots for positive, and so the absolute value of the root of
    /// -0.0 for that root; lavapipe has no instruction for it anyway.
    pub(super) fn absolute(&mut self, argument: Value<'s>) -> Outcome<Word> {
        let (ty, value) = (self.ty(argument.ty())?, self.id(argument)?);
        let is_root = argument.is_call() && argument.callee().is_some_and(|callee| callee.name().contains("sqrt"));
        let width = match argument.ty().scalar().view() {
            TypeView::Float(width) if is_root || !self.fuses() => width,
            _ => return Ok(self.glsl(ABSOLUTE, ty, &[value])),
        };
        let (integer, count) = (self.integer(width), lanes(argument.ty()));
        let integers = count.map_or(integer, |count| self.vector(integer, count));
        let rest = self.integer_constant(width, (1 << (width - 1)) - 1);
        let rest = self.splat(rest, integers, count);
        let bits = self.out.value(Op::Bitcast, integers, vec![id(value)]);
        let bits = self.out.value(Op::BitwiseAnd, integers, vec![id(bits), id(rest)]);
        Ok(self.out.value(Op::Bitcast, ty, vec![id(bits)]))
    }

    /// A zero that the driver cannot know.
    fn unknown_zero(&mut self, width: u32) -> Outcome<Word> {
        let (zero, float) = (self.unknown_integer(width)?, self.float(width));
        Ok(self.out.value(Op::Bitcast, float, vec![id(zero)]))
    }

    /// The same as an integer.
    pub(super) fn unknown_integer(&mut self, width: u32) -> Outcome<Word> {
        let (zero, integer) = (self.unknown_index()?, self.integer(width));
        Ok(self.resized(zero, 32, integer))
    }

    /// Emits a conversion to half precision that is converted back. False for others. NVIDIA's
    /// driver (580.159.04) leaves out both, unless something happens to the number in between.
    pub(in super::super) fn round_to_half(&mut self, value: Value<'s>) -> Outcome<bool> {
        let returns = |user: &Value<'s>| user.is_instruction() && user.opcode() == Opcode::LLVMFPExt;
        let is_half = value.ty().view() == TypeView::Float(16) && self.fuses();
        if !is_half || !value.users().iter().any(returns) {
            return Ok(false);
        }
        let (half, short, from) = (self.ty(value.ty())?, self.integer(16), self.id(value.operands()[0])?);
        let (rounded, zero) = (self.out.value(Op::FConvert, half, vec![id(from)]), self.unknown_integer(16)?);
        let bits = self.out.value(Op::Bitcast, short, vec![id(rounded)]);
        let bits = self.out.value(Op::BitwiseOr, short, vec![id(bits), id(zero)]);
        self.define(value, Op::Bitcast, vec![id(bits)]).map(|()| true)
    }

    /// Emits a conversion of `double` to `float` where that comes from an integer of 64 bits: Mesa
    /// converts the integer at once, and so rounds once instead of twice. False for others.
    pub(in super::super) fn narrow_whole_number(&mut self, value: Value<'s>) -> Outcome<bool> {
        let from = value.operands()[0];
        let whole = from.is_instruction() && matches!(from.opcode(), Opcode::LLVMSIToFP | Opcode::LLVMUIToFP);
        let Some(number) = whole.then(|| from.operands()[0]).filter(|number| is_long(*number)) else {
            return Ok(false);
        };
        let count = lanes(from.ty());
        let shape = |emitter: &mut Self, ty: Word| count.map_or(ty, |count| emitter.vector(ty, count));
        let (word, long) = (self.integer(32), self.integer(64));
        let (words, longs, doubles) = (shape(self, word), shape(self, long), self.ty(from.ty())?);
        let (by, scale) = (self.integer_constant(64, 32), self.float_constant(from.ty().scalar(), 64, TWO_TO_32)?);
        let (by, scale) = (self.splat(by, longs, count), self.splat(scale, doubles, count));
        let signed = from.opcode() == Opcode::LLVMSIToFP;
        let number = self.id(number)?;
        let upper = self.out.value(Op::ShiftRightLogical, longs, vec![id(number), id(by)]);
        let [upper, lower] = [upper, number].map(|part| self.out.value(Op::UConvert, words, vec![id(part)]));
        let to_float = if signed { Op::ConvertSToF } else { Op::ConvertUToF };
        let upper = self.out.value(to_float, doubles, vec![id(upper)]);
        let upper = self.out.value(Op::FMul, doubles, vec![id(upper), id(scale)]);
        let lower = self.out.value(Op::ConvertUToF, doubles, vec![id(lower)]);
        let sum = self.out.value(Op::FAdd, doubles, vec![id(upper), id(lower)]);
        self.define(value, Op::FConvert, vec![id(sum)]).map(|()| true)
    }

    /// A product and a sum, which the driver may fuse.
    pub(super) fn multiply_and_add(&mut self, arguments: &[Value<'s>]) -> Outcome<Word> {
        let ty = self.ty(arguments[0].ty())?;
        let [a, b, c] = [self.id(arguments[0])?, self.id(arguments[1])?, self.id(arguments[2])?];
        if self.fuses() {
            return Ok(self.glsl(FUSED, ty, &[a, b, c]));
        }
        let product = self.out.value(Op::FMul, ty, vec![id(a), id(b)]);
        Ok(self.out.value(Op::FAdd, ty, vec![id(product), id(c)]))
    }
}
