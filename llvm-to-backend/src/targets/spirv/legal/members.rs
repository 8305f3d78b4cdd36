//! Legalises extraction and insertion of members and elements, and switches.
//!
//! In: instructions on members and elements, and switches. Out: other lists of parts. *Invariant:*
//! a variable index beyond the end selects some element, as LLVM allows.

use super::{
    accepted::{self, width},
    expansion::{Expansion, members},
    integers::Arithmetic,
    shapes::{Limbs, leaves},
};
use crate::failure::{Failure, Outcome};
use sinter_core::SpirvTarget;
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Type, Value},
    operation::IntegerPredicate as P,
    types::TypeView,
};

/// Index of a member's first part, and the number of its parts.
fn place(target: &SpirvTarget, ty: Type<'_>, indices: &[u32]) -> (usize, usize) {
    let (mut ty, mut at) = (ty, 0);
    for index in indices {
        let members = members(ty);
        at += members.iter().take(*index as usize).map(|member| leaves(target, *member).len()).sum::<usize>();
        if let Some(member) = members.get(*index as usize) {
            ty = *member;
        }
    }
    (at, leaves(target, ty).len())
}

impl<'s, S> Expansion<'_, 's, '_, S> {
    pub(super) fn member(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let (at, count) = place(self.l.target, operands[0].ty(), &instruction.member_indices());
        let mut parts = self.parts_of(b, operands[0])?;
        if instruction.opcode() == Opcode::LLVMInsertValue {
            let member = self.parts_of(b, operands[1])?;
            parts.splice(at..at + count, member);
            return self.give(b, instruction, parts);
        }
        let parts = parts.drain(at..at + count).collect();
        self.give(b, instruction, parts)
    }

    pub(super) fn element(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let vector = operands[0];
        if instruction.opcode() == Opcode::LLVMShuffleVector {
            return self.shuffle(b, instruction);
        }
        let inserts = instruction.opcode() == Opcode::LLVMInsertElement;
        let index = operands[if inserts { 2 } else { 1 }];
        let index_limbs = self.scalar_of(b, index)?;
        let known = index.integer();
        let arithmetic = self.arithmetic(b);
        if accepted::is_value(self.l.target, vector.ty()) && known.is_none() {
            return self.indexed(b, instruction, index_limbs);
        }
        let mut lanes = self.lanes_of(b, vector)?;
        if !inserts {
            let lane = match known {
                Some(index) => lanes.get(index as usize).or(lanes.first()).cloned(),
                None => chosen(&arithmetic, &lanes, &index_limbs),
            };
            let lane = lane.ok_or_else(|| Failure::internal("a vector without elements"))?;
            return self.give(b, instruction, vec![lane]);
        }
        let element = self.scalar_of(b, operands[1])?;
        for (at, lane) in lanes.iter_mut().enumerate() {
            match known {
                Some(index) if index == at as u64 => lane.clone_from(&element),
                Some(_) => {}
                None => {
                    let here = is(&arithmetic, &index_limbs, at);
                    *lane = lane.iter().zip(&element).map(|(old, new)| b.select(here, *new, *old)).collect();
                }
            }
        }
        self.give(b, instruction, lanes)
    }

    /// Expands a legal vector with an index of illegal type.
    fn indexed(&mut self, b: &Inserter<'s>, instruction: Value<'s>, index: Limbs<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let Some(index) = index.first().copied() else { return Err(self.refuse(instruction)) };
        let value = if instruction.opcode() == Opcode::LLVMInsertElement {
            b.with_element(operands[0], operands[1], index)
        } else {
            b.element(operands[0], index)
        };
        self.give(b, instruction, vec![vec![value]])
    }

    fn shuffle(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let mut lanes = self.lanes_of(b, operands[0])?;
        lanes.extend(self.lanes_of(b, operands[1])?);
        let zeros: Limbs<'s> =
            lanes.first().map(|lane| lane.iter().map(|limb| limb.ty().zero()).collect()).unwrap_or_default();
        let element = |index: Option<u32>| index.and_then(|index| lanes.get(index as usize)).unwrap_or(&zeros).clone();
        let parts = instruction.shuffle_mask().into_iter().map(element).collect();
        self.give(b, instruction, parts)
    }

    /// Replaces a switch by one on the legal integer that holds the value.
    pub(super) fn switch(&mut self, b: &Inserter<'s>, switch: Value<'s>) -> Outcome<()> {
        let value = switch.operands()[0];
        let (Some(bits), limbs) = (width(value.ty()), self.scalar_of(b, value)?) else {
            return Err(self.refuse(switch));
        };
        let Some(otherwise) = switch.block().successors().first().copied() else { return Err(self.refuse(switch)) };
        let held = super::shapes::computed(bits);
        let value = self.arithmetic(b).b.resize(limbs[0], self.l.cx.session.integer(held));
        let cases: Vec<_> =
            switch.cases().into_iter().filter_map(|(case, block)| Some((case.integer()?, block))).collect();
        b.switch(value, otherwise, &cases);
        self.done(switch);
        Ok(())
    }
}

fn is<'s>(a: &Arithmetic<'_, 's>, index: &Limbs<'s>, at: usize) -> Value<'s> {
    let first = index[0];
    a.b.compare(P::LLVMIntEQ, first, a.literal(first.ty(), at as u64))
}

/// The element at a variable index.
fn chosen<'s>(a: &Arithmetic<'_, 's>, lanes: &[Limbs<'s>], index: &Limbs<'s>) -> Option<Limbs<'s>> {
    let (last, rest) = lanes.split_last()?;
    Some(rest.iter().enumerate().rev().fold(last.clone(), |found, (at, lane)| {
        let here = is(a, index, at);
        lane.iter().zip(found).map(|(lane, other)| a.b.select(here, *lane, other)).collect()
    }))
}

/// True if a type is a vector.
pub(super) fn is_vector(ty: Type<'_>) -> bool {
    matches!(ty.view(), TypeView::Vector(..))
}
