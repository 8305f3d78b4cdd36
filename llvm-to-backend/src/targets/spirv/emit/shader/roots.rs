//! Emits square roots of `float` that are rounded correctly.
//!
//! In: a number. Out: arithmetic without branches. *Invariant:* the result is the root rounded to
//! the nearest number, if the device fuses `Fma` of GLSL.std.450; Vulkan's own root may be off by
//! several units in the last place ("Precision and Operation of SPIR-V Instructions").
//!
//! The iteration is that of P. Markstein, "IA-64 and Elementary Functions" (2000), 9.4: root and
//! half of its reciprocal are improved together, and the remainder corrects the last place.

use super::super::{Emitter, assembly::id};
use crate::failure::Outcome;
use rspirv::spirv::{Decoration, Op, Word};
use sinter_llvm::{
    ir::{Type, Value},
    types::TypeView,
};

const RECIPROCAL_ROOT: u32 = 32;
const FUSED: u32 = 50;
/// Below it remainders would be subnormal: numbers are multiplied by 2^64, roots by 2^-32.
const SMALL: f64 = 1.0 / (1u128 << 96) as f64;

impl<'s> Emitter<'_, 's> {
    /// True for a root that the program wants exact, where the device's is not known to be.
    pub(super) fn needs_exact_root(&self, call: Value<'s>) -> bool {
        let is_single = call.ty().view() == TypeView::Float(32);
        is_single
            && self.fuses()
            && !self.cx.config().approximations.square_root
            && !call.fast_math_flags().is_complete()
    }

    pub(super) fn exact_root(&mut self, argument: Value<'s>) -> Outcome<Word> {
        let (float, truth, number) = (argument.ty(), self.boolean(), self.id(argument)?);
        let ty = self.ty(float)?;
        let [none, half, one, small] = self.singles(float, [0.0, 0.5, 1.0, SMALL])?;
        let [up, down, infinite] = self.singles(float, [2f64.powi(64), 2f64.powi(-32), f64::INFINITY])?;
        let is_small = self.out.value(Op::FOrdLessThan, truth, vec![id(number), id(small)]);
        let [factor, back] = [(up, one), (down, one)]
            .map(|(yes, no)| self.out.value(Op::Select, ty, [is_small, yes, no].map(id).to_vec()));
        let scaled = self.product(ty, number, factor);
        let start = self.glsl(RECIPROCAL_ROOT, ty, &[scaled]);
        let (root, halved) = (self.product(ty, scaled, start), self.product(ty, half, start));
        let error = self.remainder_of(ty, halved, root, half);
        let root = self.fused(ty, root, error, root);
        let halved = self.fused(ty, halved, error, halved);
        let rest = self.remainder_of(ty, root, root, scaled);
        let root = self.fused(ty, halved, rest, root);
        let root = self.product(ty, root, back);
        // GLSL.std.450 leaves the reciprocal root of negative numbers undefined.
        let not_a_number = self.singles(float, [f64::NAN])?[0];
        let is_negative = self.out.value(Op::FOrdLessThan, truth, vec![id(number), id(none)]);
        let root = self.out.value(Op::Select, ty, [is_negative, not_a_number, root].map(id).to_vec());
        // The reciprocal roots of these are not finite, or zero. A subnormal number may have become
        // zero by now.
        let [is_none, is_infinite] =
            [none, infinite].map(|other| self.out.value(Op::FOrdEqual, truth, [scaled, other].map(id).to_vec()));
        let is_own = self.out.value(Op::LogicalOr, truth, vec![id(is_none), id(is_infinite)]);
        Ok(self.out.value(Op::Select, ty, [is_own, scaled, root].map(id).to_vec()))
    }

    fn singles<const COUNT: usize>(&mut self, ty: Type<'s>, values: [f64; COUNT]) -> Outcome<[Word; COUNT]> {
        let mut made = [0; COUNT];
        for (word, value) in made.iter_mut().zip(values) {
            *word = self.float_constant(ty, 32, value)?;
        }
        Ok(made)
    }

    fn product(&mut self, ty: Word, a: Word, b: Word) -> Word {
        self.out.value(Op::FMul, ty, vec![id(a), id(b)])
    }

    /// `a * b + c`, rounded once.
    fn fused(&mut self, ty: Word, a: Word, b: Word, c: Word) -> Word {
        let value = self.glsl(FUSED, ty, &[a, b, c]);
        // Without it the instruction may round twice.
        self.out.annotate(value, Decoration::NoContraction, vec![]);
        value
    }

    /// `c - a * b`, rounded once.
    fn remainder_of(&mut self, ty: Word, a: Word, b: Word, c: Word) -> Word {
        let opposite = self.out.value(Op::FNegate, ty, vec![id(a)]);
        self.fused(ty, opposite, b, c)
    }
}
