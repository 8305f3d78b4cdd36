//! Arithmetic on integers of any width.
//!
//! In: operands as their limbs. Out: the limbs of the result. *Invariant:* what holds an integer of up to 64 bits has zeros in front of it,
//! and so has the last limb of a wider one; where an operation sees the sign, it is spread first, and cut off again behind it. No
//! result is marked as one that does not wrap.

use super::shapes::{LIMB, Limbs, computed, held};
use sinter_llvm::{
    Session,
    insert::Inserter,
    ir::{Opcode, Type, Value},
    operation::IntegerPredicate as P,
};

/// Builds arithmetic at one place.
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

    /// With zeros in front of the lowest `bits`.
    pub(super) fn cut(&self, value: Value<'s>, bits: u32) -> Value<'s> {
        if bits == held(bits) {
            return value;
        }
        let mask = self.literal(value.ty(), u64::MAX >> (LIMB - bits));
        self.b.binary(Opcode::LLVMAnd, value, mask)
    }

    /// With the sign, which is the highest of the lowest `bits`, in front of them.
    pub(super) fn signed(&self, value: Value<'s>, bits: u32) -> Value<'s> {
        let gap = held(bits) - bits;
        if gap == 0 {
            return value;
        }
        let gap = self.literal(value.ty(), gap.into());
        let up = self.b.binary(Opcode::LLVMShl, value, gap);
        self.b.binary(Opcode::LLVMAShr, up, gap)
    }

    /// So many bits to the left.
    pub(super) fn up(&self, value: Value<'s>, bits: u64) -> Value<'s> {
        if bits == 0 { value } else { self.b.binary(Opcode::LLVMShl, value, self.literal(value.ty(), bits)) }
    }

    /// So many bits to the right.
    pub(super) fn down(&self, value: Value<'s>, bits: u64) -> Value<'s> {
        if bits == 0 { value } else { self.b.binary(Opcode::LLVMLShr, value, self.literal(value.ty(), bits)) }
    }

    /// The bits of both.
    pub(super) fn either(&self, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        if a == a.ty().zero() { b } else { self.b.binary(Opcode::LLVMOr, a, b) }
    }

    /// An operation on two integers. `None` where there is no way to do it.
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

    /// An integer in another width.
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

    /// From a floating-point value to an integer.
    pub(super) fn truncated(&self, operation: Opcode, value: Value<'s>, bits: u32) -> Option<Limbs<'s>> {
        if bits > LIMB {
            return None;
        }
        let wide = self.b.cast(operation, value, self.integer(computed(bits)));
        let result = self.b.cast(Opcode::LLVMTrunc, wide, self.integer(held(bits)));
        Some(vec![if bits == 1 { result } else { self.cut(result, bits) }])
    }

    /// From an integer to a floating-point value.
    pub(super) fn converted(&self, operation: Opcode, x: &Limbs<'s>, bits: u32, ty: Type<'s>) -> Option<Value<'s>> {
        let value = x.first().copied().filter(|_| bits <= LIMB)?;
        let value = if operation == Opcode::LLVMSIToFP { self.signed(value, bits) } else { value };
        Some(self.b.cast(operation, value, ty))
    }

    /// `condition ? x : y`; one of them where the condition is a literal.
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
