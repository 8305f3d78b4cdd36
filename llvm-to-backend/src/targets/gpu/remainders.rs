//! Replaces remainders of loop counters by values that are kept from iteration to iteration.
//!
//! In: optimised code. Out: the same, without `(i + a) % C` in loops that count `i` up by a literal
//! and take a remainder in each iteration. *Invariant:* the replaced sums do not wrap, so that each
//! new value is the remainder.
//!
//! A remainder by a literal is a multiplication of twice the width, a shift, and a multiplication
//! and subtraction on GPUs. From one iteration to the next it takes an addition and a minimum, and
//! nothing at all where the next value is another remainder of the same iteration: the buffers of a
//! wavefront, `i % 3`, `(i + 1) % 3` and `(i + 2) % 3`, only change their roles.

use crate::device_module::DeviceModule;
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Shape, Value},
    operation::IntegerPredicate,
};
use std::collections::BTreeMap;

pub(crate) fn keep<S>(m: &DeviceModule<'_, S>) {
    let blocks = m.defined().into_iter().flat_map(Value::blocks);
    let phis = blocks.flat_map(Block::instructions).filter(|i| i.opcode() == Opcode::LLVMPHI);
    // One after the other: a counter may start at a remainder of another.
    for phi in phis.collect::<Vec<_>>() {
        if let Some(counter) = Counter::new(phi) {
            counter.cycles().iter().for_each(|cycle| counter.replace(cycle));
        }
    }
}

/// A value that grows by a literal in each iteration and does not wrap.
struct Counter<'s> {
    phi: Value<'s>,
    start: Value<'s>,
    step: u64,
    entry: Block<'s>,
    latch: Block<'s>,
    bits: u32,
}

/// Remainders with one divisor, of which each is multiplied by one literal.
struct Cycle<'s> {
    divisor: u64,
    scale: u64,
    /// The remainders of the counter and a constant, which is their key modulo `divisor`.
    members: BTreeMap<u64, Vec<Value<'s>>>,
}

impl Cycle<'_> {
    /// A remainder that is not kept because the others give it. All remainders by 3 add up to 3,
    /// and a subtraction takes the place of two moves.
    fn derived(&self) -> Option<u64> {
        (self.divisor == 3 && self.members.len() == 3).then_some(2)
    }
}

impl<'s> Counter<'s> {
    fn new(phi: Value<'s>) -> Option<Self> {
        let Shape::Integer(bits @ ..=64) = phi.ty().shape() else { return None };
        let [a, b] = phi.incoming().try_into().ok()?;
        [(a, b), (b, a)].into_iter().find_map(|((entry, start), (latch, next))| {
            let step = added(phi, next)?;
            Some(Counter { phi, start, step, entry, latch, bits })
        })
    }

    /// Remainders that are worth keeping.
    fn cycles(&self) -> Vec<Cycle<'s>> {
        let sums = self.phi.users().into_iter().filter_map(|user| Some((user, added(self.phi, user)?)));
        let mut cycles: BTreeMap<(u64, u64), Cycle<'s>> = BTreeMap::new();
        for (sum, offset) in sums.chain([(self.phi, 0)]) {
            for (remainder, divisor) in remainders(sum).filter(|(_, divisor)| *divisor > self.step) {
                let scale = scale(remainder).unwrap_or(1);
                let empty = || Cycle { divisor, scale, members: BTreeMap::new() };
                let cycle = cycles.entry((divisor, scale)).or_insert_with(empty);
                cycle.members.entry(offset % divisor).or_default().push(remainder);
            }
        }
        let fits = |cycle: &Cycle<'s>| {
            let largest = cycle.divisor.checked_mul(2).and_then(|twice| twice.checked_mul(cycle.scale));
            largest.is_some_and(|largest| largest <= u64::MAX >> (64 - self.bits))
        };
        cycles.into_values().filter(fits).map(|cycle| self.without_rare(cycle)).collect()
    }

    /// Drops remainders that are not taken in each iteration, unless keeping them costs nothing.
    fn without_rare(&self, mut cycle: Cycle<'s>) -> Cycle<'s> {
        let is_usual = |remainder: &Value<'s>| [self.phi.block(), self.latch].contains(&remainder.block());
        loop {
            let keys: Vec<u64> = cycle.members.keys().copied().collect();
            let next = |key: u64| (key + self.step) % cycle.divisor;
            cycle.members.retain(|key, members| keys.contains(&next(*key)) || members.iter().any(is_usual));
            if cycle.members.len() == keys.len() {
                return cycle;
            }
        }
    }

    fn replace(&self, cycle: &Cycle<'s>) {
        let header = self.phi.block().instructions();
        let code = header.iter().find(|instruction| instruction.opcode() != Opcode::LLVMPHI);
        let (Some(first), Some(code)) = (header.first(), code) else { return };
        let derived = cycle.derived();
        let keys = cycle.members.keys().filter(|key| Some(**key) != derived);
        let phis: BTreeMap<u64, Value<'s>> =
            keys.map(|key| (*key, first.insert_before(|insert| insert.phi(self.phi.ty())))).collect();
        let mut kept = phis.clone();
        kept.extend(derived.and_then(|key| Some((key, self.rest(cycle, *code, &phis)?))));
        for (key, phi) in &phis {
            let (Some(start), Some(next)) = (self.start_of(cycle, *key), self.next_of(cycle, *key, &kept)) else {
                return;
            };
            phi.add_incoming(start, self.entry);
            phi.add_incoming(next, self.latch);
        }
        for (key, members) in &cycle.members {
            members.iter().for_each(|member| substitute(*member, cycle.scale, kept[key]));
        }
    }

    /// The last of three remainders, from the two others.
    fn rest(&self, cycle: &Cycle<'s>, code: Value<'s>, others: &BTreeMap<u64, Value<'s>>) -> Option<Value<'s>> {
        let sum = self.phi.ty().constant(3 * cycle.scale)?;
        Some(code.insert_before(|insert| {
            others.values().fold(sum, |rest, other| insert.binary(Opcode::LLVMSub, rest, *other))
        }))
    }

    fn start_of(&self, cycle: &Cycle<'s>, key: u64) -> Option<Value<'s>> {
        let literal = |value| self.phi.ty().constant(value);
        let (key, divisor, scale) = (literal(key)?, literal(cycle.divisor)?, literal(cycle.scale)?);
        self.entry.terminator()?.insert_before(|insert| {
            let own = insert.binary(Opcode::LLVMURem, self.start, divisor);
            let sum = insert.binary(Opcode::LLVMAdd, own, key);
            let remainder = insert.binary(Opcode::LLVMURem, sum, divisor);
            Some(insert.binary(Opcode::LLVMMul, remainder, scale))
        })
    }

    fn next_of(&self, cycle: &Cycle<'s>, key: u64, kept: &BTreeMap<u64, Value<'s>>) -> Option<Value<'s>> {
        if let Some(next) = kept.get(&((key + self.step) % cycle.divisor)) {
            return Some(*next);
        }
        let literal = |value| self.phi.ty().constant(value);
        let step = literal(self.step * cycle.scale)?;
        let end = literal(cycle.divisor * cycle.scale)?;
        self.latch.terminator()?.insert_before(|insert| {
            let sum = insert.binary(Opcode::LLVMAdd, kept[&key], step);
            // Below the divisor this wraps, and is the larger one.
            let reduced = insert.binary(Opcode::LLVMSub, sum, end);
            let is_below = insert.compare(IntegerPredicate::LLVMIntULT, sum, reduced);
            Some(insert.select(is_below, sum, reduced))
        })
    }
}

/// The literal that `sum` adds to `value` without unsigned wrap.
fn added<'s>(value: Value<'s>, sum: Value<'s>) -> Option<u64> {
    let is_sum = sum.is_instruction() && sum.opcode() == Opcode::LLVMAdd && sum.has_no_unsigned_wrap();
    let [a, b] = sum.operands().try_into().ok().filter(|_| is_sum)?;
    if a == value { b.integer() } else { None }
}

/// Remainders of a value by literals, which are not powers of two any more.
fn remainders<'s>(value: Value<'s>) -> impl Iterator<Item = (Value<'s>, u64)> {
    value.users().into_iter().filter_map(move |user| {
        let is_remainder = user.is_instruction() && user.opcode() == Opcode::LLVMURem;
        let [of, divisor] = user.operands().try_into().ok().filter(|_| is_remainder)?;
        let divisor = divisor.integer().filter(|divisor| *divisor > 2)?;
        (of == value).then_some((user, divisor))
    })
}

/// The literal that each user multiplies a value by.
fn scale(value: Value<'_>) -> Option<u64> {
    let factor = |user: Value<'_>| {
        let is_product = user.is_instruction() && user.opcode() == Opcode::LLVMMul;
        user.operands().get(1).copied().filter(|_| is_product)?.integer().filter(|factor| *factor > 0)
    };
    let mut factors = value.users().into_iter().map(factor);
    let first = factors.next()??;
    factors.all(|other| other == Some(first)).then_some(first)
}

fn substitute<'s>(remainder: Value<'s>, scale: u64, kept: Value<'s>) {
    let replaced = if scale == 1 { vec![remainder] } else { remainder.users() };
    for value in replaced {
        value.replace_uses(kept);
        value.erase();
    }
    if scale != 1 {
        remainder.erase();
    }
}
