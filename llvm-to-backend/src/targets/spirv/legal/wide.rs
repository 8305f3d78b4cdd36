//! Expands arithmetic on integers of more than 64 bits.
//!
//! In: limbs of 64 bits, the lowest first. Out: the same. *Invariant:* the unused bits of the last
//! limb are zero. An LLVM pass expands quotients to other operations before.

use super::{
    integers::{Arithmetic, is_signed},
    shapes::{LIMB, Limbs, computed, held},
};
use sinter_llvm::{
    ir::{Opcode, Value},
    operation::IntegerPredicate as P,
};

/// Bits of half a limb.
const HALF: u64 = 32;

/// Used bits of the last limb.
fn last_bits(bits: u32) -> u32 {
    (bits - 1) % LIMB + 1
}

impl<'s> Arithmetic<'_, 's> {
    fn limb(&self, value: u64) -> Value<'s> {
        self.literal(self.integer(LIMB), value)
    }

    /// Zero-extends the integer in its last limb.
    fn cut_limbs(&self, mut limbs: Limbs<'s>, bits: u32) -> Limbs<'s> {
        limbs.truncate(bits.div_ceil(LIMB) as usize);
        if let Some(last) = limbs.last_mut() {
            let used = last_bits(bits);
            if used < LIMB {
                *last = self.b.binary(Opcode::LLVMAnd, *last, self.limb(u64::MAX >> (LIMB - used)));
            }
        }
        limbs
    }

    /// Sign-extends the integer in its last limb.
    fn signed_limbs(&self, limbs: &Limbs<'s>, bits: u32) -> Limbs<'s> {
        let mut limbs = limbs.clone();
        if let Some(last) = limbs.last_mut() {
            let gap = self.limb((LIMB - last_bits(bits)).into());
            if last_bits(bits) < LIMB {
                *last = self.b.binary(Opcode::LLVMAShr, self.b.binary(Opcode::LLVMShl, *last, gap), gap);
            }
        }
        limbs
    }

    pub(super) fn wide_binary(&self, operation: Opcode, bits: u32, x: &Limbs<'s>, y: &Limbs<'s>) -> Option<Limbs<'s>> {
        let pairs = || x.iter().zip(y);
        let limbs = match operation {
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => {
                return Some(pairs().map(|(x, y)| self.b.binary(operation, *x, *y)).collect());
            }
            Opcode::LLVMAdd | Opcode::LLVMSub => self.sum(operation, x, y),
            Opcode::LLVMMul => self.product(x, y),
            Opcode::LLVMShl => self.shifted_up(x, *y.first()?),
            Opcode::LLVMLShr => self.shifted_down(x, *y.first()?, self.limb(0)),
            Opcode::LLVMAShr => {
                let x = self.signed_limbs(x, bits);
                let sign = self.b.binary(Opcode::LLVMAShr, *x.last()?, self.limb((LIMB - 1).into()));
                self.shifted_down(&x, *y.first()?, sign)
            }
            _ => return None,
        };
        Some(self.cut_limbs(limbs, bits))
    }

    /// A sum or difference with carry or borrow from limb to limb.
    fn sum(&self, operation: Opcode, x: &Limbs<'s>, y: &Limbs<'s>) -> Limbs<'s> {
        let mut carry: Option<Value<'s>> = None;
        let mut limbs = Vec::new();
        let below = |a, b| self.b.compare(P::LLVMIntULT, a, b);
        for (x, y) in x.iter().zip(y) {
            let first = self.b.binary(operation, *x, *y);
            // A sum that wrapped is less than its operand; a difference wraps if the first operand
            // is less.
            let wraps = if operation == Opcode::LLVMAdd { below(first, *x) } else { below(*x, *y) };
            let (limb, wraps) = match carry {
                None => (first, wraps),
                Some(carry) => {
                    let carried = self.b.cast(Opcode::LLVMZExt, carry, self.integer(LIMB));
                    let second = self.b.binary(operation, first, carried);
                    let again = if operation == Opcode::LLVMAdd { below(second, first) } else { below(first, carried) };
                    (second, self.b.binary(Opcode::LLVMOr, wraps, again))
                }
            };
            limbs.push(limb);
            carry = Some(wraps);
        }
        limbs
    }

    /// The high limb of a product of two limbs, from products of their halves.
    fn high_product(&self, x: Value<'s>, y: Value<'s>) -> Value<'s> {
        let (half, mask) = (self.limb(HALF), self.limb(u64::MAX >> HALF));
        let low = |value| self.b.binary(Opcode::LLVMAnd, value, mask);
        let high = |value| self.b.binary(Opcode::LLVMLShr, value, half);
        let times = |a, b| self.b.binary(Opcode::LLVMMul, a, b);
        let plus = |a, b| self.b.binary(Opcode::LLVMAdd, a, b);
        let [x_low, x_high, y_low, y_high] = [low(x), high(x), low(y), high(y)];
        let middle = plus(times(x_high, y_low), high(times(x_low, y_low)));
        let other = plus(times(x_low, y_high), low(middle));
        plus(plus(times(x_high, y_high), high(middle)), high(other))
    }

    fn product(&self, x: &Limbs<'s>, y: &Limbs<'s>) -> Limbs<'s> {
        let count = x.len();
        let mut sum = vec![self.limb(0); count];
        let add = |sum: &mut Limbs<'s>, at: usize, limb: Value<'s>| {
            let mut shifted = vec![self.limb(0); count];
            shifted[at] = limb;
            *sum = self.sum(Opcode::LLVMAdd, sum, &shifted);
        };
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate().take(count - i) {
                add(&mut sum, i + j, self.b.binary(Opcode::LLVMMul, *x, *y));
                if i + j + 1 < count {
                    add(&mut sum, i + j + 1, self.high_product(*x, *y));
                }
            }
        }
        sum
    }

    /// Limbs that a shift crosses, the shift within a limb, and that of the neighbour's bits, minus
    /// one.
    fn distance(&self, amount: Value<'s>) -> [Value<'s>; 3] {
        let whole = self.b.binary(Opcode::LLVMLShr, amount, self.limb(LIMB.ilog2().into()));
        let within = self.b.binary(Opcode::LLVMAnd, amount, self.limb((LIMB - 1).into()));
        let back = self.b.binary(Opcode::LLVMXor, within, self.limb((LIMB - 1).into()));
        [whole, within, back]
    }

    /// The limb at a variable distance `whole` from `at`; `limb` returns the one at a constant
    /// distance.
    fn at_distance(&self, whole: Value<'s>, count: usize, limb: impl Fn(usize) -> Value<'s>) -> Value<'s> {
        (0..count - 1).rev().fold(limb(count - 1), |found, distance| {
            let equal = self.b.compare(P::LLVMIntEQ, whole, self.limb(distance as u64));
            self.choose(equal, limb(distance), found)
        })
    }

    fn shifted_up(&self, x: &Limbs<'s>, amount: Value<'s>) -> Limbs<'s> {
        let [whole, within, back] = self.distance(amount);
        let limb = |index: Option<usize>| index.and_then(|index| x.get(index).copied()).unwrap_or_else(|| self.limb(0));
        let one = |at: usize| {
            let near = self.at_distance(whole, x.len(), |distance| limb(at.checked_sub(distance)));
            let far = self.at_distance(whole, x.len(), |distance| limb(at.checked_sub(distance + 1)));
            let far = self.b.binary(Opcode::LLVMLShr, self.b.binary(Opcode::LLVMLShr, far, self.limb(1)), back);
            self.b.binary(Opcode::LLVMOr, self.b.binary(Opcode::LLVMShl, near, within), far)
        };
        (0..x.len()).map(one).collect()
    }

    /// Shifts right; `fill` is shifted in from above.
    fn shifted_down(&self, x: &Limbs<'s>, amount: Value<'s>, fill: Value<'s>) -> Limbs<'s> {
        let [whole, within, back] = self.distance(amount);
        let limb = |index: usize| x.get(index).copied().unwrap_or(fill);
        let one = |at: usize| {
            let near = self.at_distance(whole, x.len(), |distance| limb(at + distance));
            let far = self.at_distance(whole, x.len(), |distance| limb(at + distance + 1));
            let far = self.b.binary(Opcode::LLVMShl, self.b.binary(Opcode::LLVMShl, far, self.limb(1)), back);
            self.b.binary(Opcode::LLVMOr, self.b.binary(Opcode::LLVMLShr, near, within), far)
        };
        (0..x.len()).map(one).collect()
    }

    pub(super) fn wide_compare(&self, predicate: P, bits: u32, x: &Limbs<'s>, y: &Limbs<'s>) -> Option<Value<'s>> {
        if matches!(predicate, P::LLVMIntEQ | P::LLVMIntNE) {
            let differences = x.iter().zip(y).map(|(x, y)| self.b.binary(Opcode::LLVMXor, *x, *y));
            let all = differences.reduce(|a, b| self.b.binary(Opcode::LLVMOr, a, b))?;
            return Some(self.b.compare(predicate, all, self.limb(0)));
        }
        let sign = is_signed(predicate);
        let [x, y] = if sign { [x, y].map(|limbs| self.signed_limbs(limbs, bits)) } else { [x.clone(), y.clone()] };
        // All limbs below the last are compared as unsigned.
        let unsigned = match predicate {
            P::LLVMIntSGT => P::LLVMIntUGT,
            P::LLVMIntSGE => P::LLVMIntUGE,
            P::LLVMIntSLT => P::LLVMIntULT,
            P::LLVMIntSLE => P::LLVMIntULE,
            other => other,
        };
        let mut result = self.b.compare(unsigned, *x.first()?, *y.first()?);
        for (index, (x, y)) in x.iter().zip(&y).enumerate().skip(1) {
            let predicate = if index + 1 == bits.div_ceil(LIMB) as usize { predicate } else { unsigned };
            let equal = self.b.compare(P::LLVMIntEQ, *x, *y);
            result = self.choose(equal, result, self.b.compare(predicate, *x, *y));
        }
        Some(result)
    }

    pub(super) fn wide_resized(&self, x: &Limbs<'s>, from: u32, to: u32, sign: bool) -> Limbs<'s> {
        let Some(first) = x.first().copied() else { return Vec::new() };
        if to <= from && to <= LIMB {
            return self.resized(&vec![first], LIMB, to, false);
        }
        if to <= from {
            return self.cut_limbs(x.clone(), to);
        }
        let count = to.div_ceil(LIMB) as usize;
        let mut limbs = match from {
            0..=LIMB => self.resized(x, from, LIMB, sign),
            _ if sign => self.signed_limbs(x, from),
            _ => x.clone(),
        };
        let fill = match (sign, limbs.last()) {
            (true, Some(last)) => self.b.binary(Opcode::LLVMAShr, *last, self.limb((LIMB - 1).into())),
            _ => self.limb(0),
        };
        limbs.resize(count, fill);
        self.cut_limbs(limbs, to)
    }
}

/// Bit ranges of a wide integer.
impl<'s> Arithmetic<'_, 's> {
    /// Extracts `bits` bits from bit `at` on, as an integer of that width.
    pub(super) fn run(&self, limbs: &Limbs<'s>, at: u32, bits: u32) -> Limbs<'s> {
        let one = |at: u32, bits: u32| {
            let (index, within) = ((at / LIMB) as usize, at % LIMB);
            let mut value = self.down(limbs[index], within.into());
            if within + bits > LIMB {
                value = self.either(value, self.up(limbs[index + 1], (LIMB - within).into()));
            }
            value
        };
        if bits <= LIMB {
            return self.resized(&vec![one(at, bits)], LIMB, bits, false);
        }
        let starts = (0..bits).step_by(LIMB as usize);
        self.cut_limbs(starts.map(|start| one(at + start, LIMB.min(bits - start))).collect(), bits)
    }

    /// Concatenates integers of one width, the first at the lowest bits.
    pub(super) fn joined(&self, parts: &[Limbs<'s>], bits: u32) -> Limbs<'s> {
        let total = bits as usize * parts.len();
        let mut limbs = vec![self.limb(0); total.div_ceil(LIMB as usize)];
        for (index, part) in parts.iter().enumerate() {
            for (number, limb) in part.iter().enumerate() {
                let limb = self.b.cast(Opcode::LLVMZExt, *limb, self.integer(LIMB));
                let at = index * bits as usize + number * LIMB as usize;
                let (word, within) = (at / LIMB as usize, (at % LIMB as usize) as u32);
                let length = LIMB.min(bits - number as u32 * LIMB);
                limbs[word] = self.either(limbs[word], self.up(limb, within.into()));
                if within + length > LIMB {
                    limbs[word + 1] = self.either(limbs[word + 1], self.down(limb, (LIMB - within).into()));
                }
            }
        }
        self.narrowed(limbs, total as u32)
    }

    /// Converts 64-bit limbs to the representation of an integer of this width.
    pub(super) fn narrowed(&self, limbs: Limbs<'s>, bits: u32) -> Limbs<'s> {
        if bits > LIMB {
            return limbs;
        }
        let ty = self.integer(if bits == 1 { 1 } else { computed(held(bits)) });
        limbs.into_iter().map(|limb| self.b.cast(Opcode::LLVMTrunc, limb, ty)).collect()
    }

    /// An integer as limbs of 64 bits.
    pub(super) fn widened(&self, limbs: &Limbs<'s>) -> Limbs<'s> {
        limbs.iter().map(|limb| self.b.cast(Opcode::LLVMZExt, *limb, self.integer(LIMB))).collect()
    }
}
