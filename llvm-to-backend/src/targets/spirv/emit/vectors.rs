//! Emits operations on elements of vectors and structures.
//!
//! *Invariant:* a constant index is part of the instruction.

use super::{Emitter, assembly::id};
use crate::failure::Outcome;
use rspirv::{dr::Operand, spirv::Op};
use sinter_llvm::ir::{Opcode, Value};

/// Index of an undefined element in a shuffle.
const ANY: u32 = u32::MAX;

impl<'s> Emitter<'_, 's> {
    pub(super) fn part(&mut self, value: Value<'s>, opcode: Opcode) -> Outcome<()> {
        let operands = value.operands();
        let literals = |indices: Vec<u32>| indices.into_iter().map(Operand::LiteralBit32).collect::<Vec<_>>();
        match opcode {
            Opcode::LLVMExtractElement => match operands[1].integer() {
                Some(index) => {
                    let whole = self.id(operands[0])?;
                    self.define(value, Op::CompositeExtract, vec![id(whole), Operand::LiteralBit32(index as u32)])
                }
                None => self.define_of(value, Op::VectorExtractDynamic, &operands),
            },
            Opcode::LLVMInsertElement => match operands[2].integer() {
                Some(index) => {
                    let (whole, part) = (self.id(operands[0])?, self.id(operands[1])?);
                    let words = vec![id(part), id(whole), Operand::LiteralBit32(index as u32)];
                    self.define(value, Op::CompositeInsert, words)
                }
                None => self.define_of(value, Op::VectorInsertDynamic, &operands),
            },
            Opcode::LLVMShuffleVector => {
                let (first, second) = (self.id(operands[0])?, self.id(operands[1])?);
                let mask = value.shuffle_mask().into_iter().map(|index| index.unwrap_or(ANY)).collect();
                self.define(
                    value,
                    Op::VectorShuffle,
                    [id(first), id(second)].into_iter().chain(literals(mask)).collect(),
                )
            }
            Opcode::LLVMExtractValue => {
                let whole = self.id(operands[0])?;
                let indices = literals(value.member_indices());
                self.define(value, Op::CompositeExtract, [id(whole)].into_iter().chain(indices).collect())
            }
            _ => {
                let (whole, part) = (self.id(operands[0])?, self.id(operands[1])?);
                let indices = literals(value.member_indices());
                self.define(value, Op::CompositeInsert, [id(part), id(whole)].into_iter().chain(indices).collect())
            }
        }
    }
}
