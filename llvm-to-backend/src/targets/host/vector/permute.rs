//! Reads words of other lanes within registers.
//!
//! In: a vector of words and, for each lane, the number of a lane. Out: the words of those lanes.
//! *Invariant:* only the lowest bits of a number count, as many as the lanes need.
//!
//! A permutation of the target takes one register, or two with AVX-512; between more of them the
//! next bit of the number chooses.

use super::emit::Emitter;
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Shape, Value},
    operation::IntegerPredicate,
};

/// A permutation of 32-bit words.
struct Unit {
    /// Words of a register.
    words: u32,
    one: &'static str,
    two: Option<&'static str>,
}

const AVX512: Unit =
    Unit { words: 16, one: "llvm.x86.avx512.permvar.si.512", two: Some("llvm.x86.avx512.vpermi2var.d.512") };
const AVX2: Unit = Unit { words: 8, one: "llvm.x86.avx2.permd", two: None };

impl<'s> Emitter<'s, '_> {
    /// The words at `lanes`, a vector of 32-bit numbers; `None` if the target has no permutation.
    pub(super) fn permuted(&self, words: Value<'s>, lanes: Value<'s>) -> Option<Value<'s>> {
        let unit = self.unit()?;
        let half = self.cx.session.integer(32).vector(self.lanes);
        match words.ty().scalar().shape() {
            Shape::Integer(32) => Some(self.build(|insert| self.permuted_words(insert, &unit, words, lanes))),
            Shape::Integer(64) => Some(self.build(|insert| {
                let distance = insert.splat(self.cx.session.literal(32), self.lanes);
                let of = |part: Value<'s>| {
                    let part = insert.cast(Opcode::LLVMTrunc, part, half);
                    let moved = self.permuted_words(insert, &unit, part, lanes);
                    insert.cast(Opcode::LLVMZExt, moved, words.ty())
                };
                let high = of(insert.binary(Opcode::LLVMLShr, words, distance));
                insert.either(of(words), insert.binary(Opcode::LLVMShl, high, distance))
            })),
            _ => None,
        }
    }

    fn unit(&self) -> Option<Unit> {
        let has = |feature| self.cx.machine.has_feature(feature);
        match () {
            () if has("avx512f") && self.lanes >= AVX512.words => Some(AVX512),
            () if has("avx2") => Some(AVX2),
            () => None,
        }
    }

    fn permuted_words(&self, insert: &Inserter<'s>, unit: &Unit, words: Value<'s>, lanes: Value<'s>) -> Value<'s> {
        let (sources, lanes) = (self.registers(insert, unit, words), self.registers(insert, unit, lanes));
        let moved = lanes.into_iter().map(|lanes| self.chosen(insert, unit, &sources, lanes)).collect();
        let (mut parts, mut size): (Vec<_>, _) = (moved, unit.words);
        while parts.len() > 1 {
            size *= 2;
            let whole: Vec<_> = (0..size).collect();
            parts = parts.chunks(2).map(|pair| insert.shuffle(pair[0], pair[1], &whole)).collect();
        }
        let whole: Vec<_> = (0..self.lanes).collect();
        if size == self.lanes { parts[0] } else { insert.shuffle(parts[0], parts[0], &whole) }
    }

    /// The registers of a vector. One that does not fill a register repeats its elements.
    fn registers(&self, insert: &Inserter<'s>, unit: &Unit, vector: Value<'s>) -> Vec<Value<'s>> {
        let starts = (0..self.lanes).step_by(unit.words as usize);
        let part = |start: u32| (start..start + unit.words).map(|at| at % self.lanes).collect::<Vec<_>>();
        starts.map(|start| insert.shuffle(vector, vector, &part(start))).collect()
    }

    /// The words at `lanes`, a register of numbers, of all sources.
    fn chosen(&self, insert: &Inserter<'s>, unit: &Unit, sources: &[Value<'s>], lanes: Value<'s>) -> Value<'s> {
        let permute = |name: &str, operands: &[Value<'s>]| insert.intrinsic(self.module, name, &[], operands);
        let pairs = unit.two.filter(|_| sources.len() > 1);
        let (mut parts, mut bit): (Vec<_>, _) = match pairs {
            Some(two) => {
                let of_two = |pair: &[Value<'s>]| permute(two, &[pair[0], lanes, pair[1]]);
                (sources.chunks(2).map(of_two).collect(), unit.words * 2)
            }
            None => (sources.iter().map(|source| permute(unit.one, &[*source, lanes])).collect(), unit.words),
        };
        while parts.len() > 1 {
            let upper = self.has_bit(insert, lanes, bit, unit.words);
            parts = parts.chunks(2).map(|pair| insert.select(upper, pair[1], pair[0])).collect();
            bit *= 2;
        }
        parts[0]
    }

    fn has_bit(&self, insert: &Inserter<'s>, numbers: Value<'s>, bit: u32, words: u32) -> Value<'s> {
        let bit = self.number(self.cx.session.integer(32), bit.into());
        let found = insert.both(numbers, insert.splat(bit, words));
        insert.compare(IntegerPredicate::LLVMIntNE, found, numbers.ty().zero())
    }
}
