//! Scalarises operations on vectors.
//!
//! In: arithmetic, conversions, comparisons and selects on any type. Out: the same on the parts of
//! each element. *Invariant:* each part has the fast-math flags of the operation.

use super::{
    accepted::width,
    expansion::Expansion,
    integers::Arithmetic,
    shapes::{LIMB, Limbs},
};
use crate::failure::Outcome;
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Type, Value},
    operation::is_binary,
    types::TypeView,
};

/// The operation on each element.
struct Operation<'s> {
    instruction: Value<'s>,
    opcode: Opcode,
    /// Element types of the first operand and of the result.
    from: Type<'s>,
    to: Type<'s>,
}

impl<'s, S> Expansion<'_, 's, '_, S> {
    pub(super) fn elementwise(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        let opcode = instruction.opcode();
        let operands = instruction.operands();
        if opcode == Opcode::LLVMSelect {
            return self.select(b, instruction, &operands);
        }
        if opcode == Opcode::LLVMFreeze {
            let frozen = |limbs: Limbs<'s>| limbs.into_iter().map(|limb| b.freeze(limb)).collect();
            let parts = self.parts_of(b, operands[0])?.into_iter().map(frozen).collect();
            return self.give(b, instruction, parts);
        }
        let mut lanes = Vec::new();
        for operand in &operands {
            lanes.push(self.lanes_of(b, *operand)?);
        }
        let Some(first) = operands.first() else { return Err(self.refuse(instruction)) };
        let operation = Operation { instruction, opcode, from: first.ty().scalar(), to: instruction.ty().scalar() };
        let arithmetic = self.arithmetic(b);
        let count = lanes.first().map_or(0, Vec::len);
        let none = Vec::new();
        let results: Option<Vec<Limbs<'s>>> = (0..count)
            .map(|lane| {
                let second = lanes.get(1).and_then(|lanes| lanes.get(lane)).unwrap_or(&none);
                operation.on(&arithmetic, &lanes[0][lane], second)
            })
            .collect();
        match results {
            Some(results) => self.give(b, instruction, results),
            None => Err(self.refuse(instruction)),
        }
    }

    /// Expands a select, with one condition for all parts or one for each element.
    fn select(&mut self, b: &Inserter<'s>, instruction: Value<'s>, operands: &[Value<'s>]) -> Outcome<()> {
        let [condition, yes, no] = operands[..] else { return Err(self.refuse(instruction)) };
        let each = matches!(condition.ty().view(), TypeView::Vector(..));
        let conditions = self.lanes_of(b, condition)?;
        let [yes, no] = match each {
            true => [self.lanes_of(b, yes)?, self.lanes_of(b, no)?],
            false => [self.parts_of(b, yes)?, self.parts_of(b, no)?],
        };
        let mut results = Vec::new();
        for (lane, (yes, no)) in yes.into_iter().zip(no).enumerate() {
            let condition = conditions.get(if each { lane } else { 0 }).and_then(|limbs| limbs.first()).copied();
            let Some(condition) = condition else { return Err(self.refuse(instruction)) };
            let choose = |(yes, no): (Value<'s>, Value<'s>)| {
                let chosen = b.select(condition, yes, no);
                chosen.copy_fast_math_flags(instruction);
                chosen
            };
            results.push(yes.into_iter().zip(no).map(choose).collect());
        }
        self.give(b, instruction, results)
    }

    /// Expands a bitcast: the bits of all elements, concatenated, in elements of another type.
    pub(super) fn reinterpreted(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        let value = instruction.operands()[0];
        let lanes = self.lanes_of(b, value)?;
        let shape = |ty: Type<'s>| match ty.view() {
            TypeView::Vector(element, count) => Some((element, super::shapes::bits(element)?, count)),
            _ => Some((ty, super::shapes::bits(ty)?, 1)),
        };
        let shapes = shape(value.ty()).zip(shape(instruction.ty()));
        let Some(((from, from_bits, _), (to, to_bits, count))) = shapes else { return Err(self.refuse(instruction)) };
        let arithmetic = self.arithmetic(b);
        let is_pointer = |ty: Type<'s>| matches!(ty.view(), TypeView::Pointer(_));
        if is_pointer(from) || is_pointer(to) {
            return self.give(b, instruction, lanes);
        }
        let integer = |lane: &Limbs<'s>, ty: Type<'s>, bits: u32| match ty.view() {
            TypeView::Float(_) => {
                lane.iter().map(|value| b.cast(Opcode::LLVMBitCast, *value, arithmetic.integer(bits))).collect()
            }
            _ => lane.clone(),
        };
        let float = |lane: Limbs<'s>| match to.view() {
            TypeView::Float(_) => lane.into_iter().map(|value| b.cast(Opcode::LLVMBitCast, value, to)).collect(),
            _ => lane,
        };
        let lanes: Vec<Limbs<'s>> = lanes.iter().map(|lane| integer(lane, from, from_bits)).collect();
        if from_bits == to_bits {
            return self.give(b, instruction, lanes.into_iter().map(float).collect());
        }
        let joined = arithmetic.widened(&arithmetic.joined(&lanes, from_bits));
        let parts = (0..count).map(|lane| float(arithmetic.run(&joined, lane * to_bits, to_bits))).collect();
        self.give(b, instruction, parts)
    }
}

impl<'s> Operation<'s> {
    fn on(&self, a: &Arithmetic<'_, 's>, x: &Limbs<'s>, y: &Limbs<'s>) -> Option<Limbs<'s>> {
        let (b, first) = (a.b, *x.first()?);
        let (from, to) = (width(self.from), width(self.to));
        let result = match self.opcode {
            Opcode::LLVMICmp => match from {
                Some(bits) => a.compare(self.instruction.integer_predicate(), bits, x, y)?,
                None => b.compare(self.instruction.integer_predicate(), first, *y.first()?),
            },
            Opcode::LLVMFCmp => b.compare_floats(self.instruction.float_predicate(), first, *y.first()?),
            Opcode::LLVMFNeg => b.negate(first),
            Opcode::LLVMTrunc | Opcode::LLVMZExt => return Some(a.resized(x, from?, to?, false)),
            Opcode::LLVMSExt => return Some(a.resized(x, from?, to?, true)),
            Opcode::LLVMFPToUI | Opcode::LLVMFPToSI => return a.truncated(self.opcode, first, to?),
            Opcode::LLVMUIToFP | Opcode::LLVMSIToFP => a.converted(self.opcode, x, from?, self.to)?,
            Opcode::LLVMPtrToInt => {
                let whole = b.cast(self.opcode, first, a.integer(LIMB));
                return Some(a.resized(&vec![whole], LIMB, to?, false));
            }
            Opcode::LLVMIntToPtr => {
                let whole = a.resized(x, from?, LIMB, false);
                b.cast(self.opcode, *whole.first()?, self.to)
            }
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt | Opcode::LLVMAddrSpaceCast => b.cast(self.opcode, first, self.to),
            opcode if is_binary(opcode) => match from {
                Some(bits) => return a.binary(opcode, bits, x, y),
                None => b.binary(opcode, first, *y.first()?),
            },
            _ => return None,
        };
        result.copy_fast_math_flags(self.instruction);
        Some(vec![result])
    }
}
