//! Expands arithmetic on integers of any width.
//!
//! In: operands as limbs. Out: the limbs of the result. *Invariant:* an integer of up to 64 bits is
//! zero-extended in the value that holds it, and so is the last limb of a wider one; an operation
//! that depends on the sign first sign-extends its operands and afterwards truncates its result. No
//! result has a no-wrap flag.

use super::shapes::{LIMB, Limbs, computed, held};
use sinter_llvm::{
    Session,
    insert::Inserter,
    ir::{Opcode, Type, Value},
    operation::IntegerPredicate as P,
};

/// Emits arithmetic at an insertion point.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic<'b, 's> {
    pub(super) b: &'b Inserter<'s>,
    pub(super) session: &'s Session,
}

impl<'s> Arithmetic<'_, 's> {
    pub(super) fn integer(&self, bits: u32) -> Type<'s> {
        self.session.integer(bits)
    }

    /// A literal of a type that holds integers.
    pub(super) fn literal(&self, ty: Type<'s>, value: u64) -> Value<'s> {
        ty.constant(value).unwrap_or_else(|| ty.zero())
    }

    /// Zero-extends the lowest `bits`.
    pub(super) fn cut(&self, value: Value<'s>, bits: u32) -> Value<'s> {
        if bits == held(bits) {
            return value;
        }
        let mask = self.literal(value.ty(), u64::MAX >> (LIMB - bits));
        self.b.binary(Opcode::LLVMAnd, value, mask)
    }

    /// Sign-extends the lowest `bits`.
    pub(super) fn signed(&self, value: Value<'s>, bits: u32) -> Value<'s> {
        let gap = held(bits) - bits;
        if gap == 0 {
            return value;
        }
        let gap = self.literal(value.ty(), gap.into());
        let up = self.b.binary(Opcode::LLVMShl, value, gap);
        self.b.binary(Opcode::LLVMAShr, up, gap)
    }

    /// Shifts left by a constant.
    pub(super) fn up(&self, value: Value<'s>, bits: u64) -> Value<'s> {
        if bits == 0 { value } else { self.b.binary(Opcode::LLVMShl, value, self.literal(value.ty(), bits)) }
    }

    /// Logically shifts right by a constant.
    pub(super) fn down(&self, value: Value<'s>, bits: u64) -> Value<'s> {
        if bits == 0 { value } else { self.b.binary(Opcode::LLVMLShr, value, self.literal(value.ty(), bits)) }
    }

    /// Bitwise or.
    pub(super) fn either(&self, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        if a == a.ty().zero() { b } else { self.b.binary(Opcode::LLVMOr, a, b) }
    }

    /// An operation on two integers. `None` if it is not supported.
    pub(super) fn binary(&self, operation: Opcode, bits: u32, x: &Limbs<'s>, y: &Limbs<'s>) -> Option<Limbs<'s>> {
        if bits > LIMB {
            return self.wide_binary(operation, bits, x, y);
        }
        let [a, b] = [*x.first()?, *y.first()?];
        let [a, b] = match operation {
            Opcode::LLVMSDiv | Opcode::LLVMSRem => [self.signed(a, bits), self.signed(b, bits)],
            Opcode::LLVMAShr => [self.signed(a, bits), b],
            _ => [a, b],
        };
        let result = self.b.binary(operation, a, b);
        let stays = matches!(
            operation,
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor | Opcode::LLVMUDiv | Opcode::LLVMURem | Opcode::LLVMLShr
        );
        Some(vec![if stays { result } else { self.cut(result, bits) }])
    }

    /// A comparison of two integers.
    pub(super) fn compare(&self, predicate: P, bits: u32, x: &Limbs<'s>, y: &Limbs<'s>) -> Option<Value<'s>> {
        if bits > LIMB {
            return self.wide_compare(predicate, bits, x, y);
        }
        let [a, b] = [*x.first()?, *y.first()?];
        let [a, b] = if is_signed(predicate) { [self.signed(a, bits), self.signed(b, bits)] } else { [a, b] };
        Some(self.b.compare(predicate, a, b))
    }

    /// Converts an integer to another width.
    pub(super) fn resized(&self, x: &Limbs<'s>, from: u32, to: u32, sign: bool) -> Limbs<'s> {
        if from > LIMB || to > LIMB {
            return self.wide_resized(x, from, to, sign);
        }
        let Some(value) = x.first().copied() else { return Vec::new() };
        let ty = self.integer(held(to));
        if to <= from {
            let value = self.b.cast(Opcode::LLVMTrunc, value, ty);
            return vec![if to == 1 { value } else { self.cut(value, to) }];
        }
        if !sign {
            return vec![self.b.cast(Opcode::LLVMZExt, value, ty)];
        }
        let value = if from == 1 { value } else { self.signed(value, from) };
        vec![self.cut(self.b.cast(Opcode::LLVMSExt, value, ty), to)]
    }

    /// Converts a floating-point value to an integer.
    pub(super) fn truncated(&self, operation: Opcode, value: Value<'s>, bits: u32) -> Option<Limbs<'s>> {
        if bits > LIMB {
            return None;
        }
        let wide = self.b.cast(operation, value, self.integer(computed(bits)));
        let result = self.b.cast(Opcode::LLVMTrunc, wide, self.integer(held(bits)));
        Some(vec![if bits == 1 { result } else { self.cut(result, bits) }])
    }

    /// Converts an integer to a floating-point value.
    pub(super) fn converted(&self, operation: Opcode, x: &Limbs<'s>, bits: u32, ty: Type<'s>) -> Option<Value<'s>> {
        let value = x.first().copied().filter(|_| bits <= LIMB)?;
        let value = if operation == Opcode::LLVMSIToFP { self.signed(value, bits) } else { value };
        Some(self.b.cast(operation, value, ty))
    }

    /// `condition ? x : y`; folded if the condition is a literal.
    pub(super) fn choose(&self, condition: Value<'s>, x: Value<'s>, y: Value<'s>) -> Value<'s> {
        match condition.integer() {
            Some(0) => y,
            Some(_) => x,
            None if x == y => x,
            None => self.b.select(condition, x, y),
        }
    }
}

pub(super) fn is_signed(predicate: P) -> bool {
    matches!(predicate, P::LLVMIntSGT | P::LLVMIntSGE | P::LLVMIntSLT | P::LLVMIntSLE)
}
