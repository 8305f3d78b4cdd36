//! Emits branches and phis, and dispatches over instructions.
//!
//! In: an instruction. Out: its translation at the end of the block. *Invariant:* a phi has one
//! entry for each predecessor block, though LLVM has one for each edge.

use super::{Emitter, assembly::id, constants::literal};
use crate::failure::Outcome;
use rspirv::{
    dr::Operand,
    spirv::{Op, Word},
};
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    types::TypeView,
};
use std::collections::HashSet;

impl<'s> Emitter<'_, 's> {
    pub(super) fn instruction(&mut self, instruction: Value<'s>) -> Outcome<()> {
        self.operation(instruction, instruction.opcode())
    }

    /// Emits an instruction, or a constant expression with the same opcode.
    pub(super) fn operation(&mut self, value: Value<'s>, opcode: Opcode) -> Outcome<()> {
        match opcode {
            Opcode::LLVMRet => self.give(value),
            Opcode::LLVMBr => self.branch(value),
            Opcode::LLVMSwitch => self.switch(value),
            Opcode::LLVMUnreachable => {
                self.out.act(Op::Unreachable, vec![]);
                Ok(())
            }
            Opcode::LLVMPHI => self.phi(value),
            // Allocas are emitted at the start of the function.
            Opcode::LLVMAlloca => Ok(()),
            Opcode::LLVMLoad | Opcode::LLVMStore if value.is_atomic() => self.atomic(value, opcode),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => self.atomic(value, opcode),
            Opcode::LLVMLoad if self.is_shader() => self.shader_load(value),
            Opcode::LLVMStore if self.is_shader() => self.shader_store(value),
            Opcode::LLVMGetElementPtr if self.is_shader() => self.shader_step(value),
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMAddrSpaceCast if self.is_shader() => {
                self.shader_pointer_cast(value)
            }
            Opcode::LLVMLoad => self.load(value),
            Opcode::LLVMStore => self.store(value),
            Opcode::LLVMGetElementPtr => self.step(value),
            Opcode::LLVMCall => self.call(value),
            Opcode::LLVMSelect => self.select(value),
            Opcode::LLVMFreeze => self.freeze(value),
            Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector
            | Opcode::LLVMExtractValue
            | Opcode::LLVMInsertValue => self.part(value, opcode),
            _ if self.cast(value, opcode)? => Ok(()),
            _ if self.arithmetic(value, opcode)? => Ok(()),
            other => {
                let what = format!("the instruction `{}`", format!("{other:?}").trim_start_matches("LLVM"));
                self.unsupported(value, what, "SPIR-V has nothing like it; write it in another way")
            }
        }
    }

    fn give(&mut self, instruction: Value<'s>) -> Outcome<()> {
        match instruction.operands().first() {
            Some(value) => {
                let value = self.id(*value)?;
                self.out.act(Op::ReturnValue, vec![id(value)]);
            }
            None => self.out.act(Op::Return, vec![]),
        }
        Ok(())
    }

    fn branch(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let ways = instruction.block().successors();
        let labels = ways.into_iter().map(|block| self.label(block)).collect::<Outcome<Vec<_>>>()?;
        match instruction.branch_condition() {
            Some(condition) => {
                let condition = self.id(condition)?;
                self.out.act(Op::BranchConditional, [condition].into_iter().chain(labels).map(id).collect());
            }
            None => self.out.act(Op::Branch, labels.into_iter().map(id).collect()),
        }
        Ok(())
    }

    fn switch(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let [selector, otherwise, cases @ ..] = operands.as_slice() else { return Ok(()) };
        let width = match selector.ty().view() {
            TypeView::Integer(width) => width,
            _ => 32,
        };
        let mut words = vec![id(self.id(*selector)?), id(self.label(otherwise.as_block())?)];
        for case in cases.chunks_exact(2) {
            words.push(literal(width, case[0].integer().unwrap_or_default()));
            words.push(id(self.label(case[1].as_block())?));
        }
        self.out.act(Op::Switch, words);
        Ok(())
    }

    fn phi(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let (mut seen, mut words) = (HashSet::new(), Vec::new());
        for (block, value) in instruction.incoming() {
            let Some(label) = self.body.labels.get(&block).copied().filter(|_| seen.insert(block)) else { continue };
            words.extend([id(self.id(value)?), id(label)]);
        }
        self.define(instruction, Op::Phi, words)
    }

    fn freeze(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let operand = instruction.operands()[0];
        let value = match operand.is_undefined() {
            true => {
                let ty = self.ty(operand.ty())?;
                self.null(ty)
            }
            false => self.id(operand)?,
        };
        self.alias(instruction, value)
    }

    fn select(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let choice = Choice {
            condition: self.id(operands[0])?,
            is_whole: operands[0].ty().view() == TypeView::Integer(1),
            sides: [self.id(operands[1])?, self.id(operands[2])?],
        };
        let result = self.result(instruction)?;
        self.choose(result, instruction.ty(), choice)
    }

    /// Before SPIR-V 1.4 only scalars and vectors can be selected, and vectors need a vector of
    /// conditions.
    fn choose(&mut self, result: Word, ty: Type<'s>, choice: Choice) -> Outcome<()> {
        let Choice { mut condition, is_whole, sides: [yes, no] } = choice;
        let made = self.ty(ty)?;
        let parts = match ty.view() {
            TypeView::Array(element, count) => vec![element; count as usize],
            TypeView::Structure(members, _) => members,
            view => {
                if let TypeView::Vector(_, count) = view
                    && is_whole
                {
                    let truth = self.boolean();
                    let truths = self.vector(truth, count);
                    let all = vec![id(condition); count as usize];
                    condition = self.out.value(Op::CompositeConstruct, truths, all);
                }
                self.out.value_as(result, Op::Select, made, [condition, yes, no].map(id).to_vec());
                return Ok(());
            }
        };
        let mut chosen = Vec::new();
        for (index, part) in (0u32..).zip(parts) {
            let ty = self.ty(part)?;
            let mut of =
                |whole| self.out.value(Op::CompositeExtract, ty, vec![id(whole), Operand::LiteralBit32(index)]);
            let (sides, result) = ([of(yes), of(no)], self.out.fresh());
            self.choose(result, part, Choice { sides, ..choice })?;
            chosen.push(id(result));
        }
        self.out.value_as(result, Op::CompositeConstruct, made, chosen);
        Ok(())
    }
}

/// Operands of a select.
#[derive(Clone, Copy)]
struct Choice {
    condition: Word,
    /// True if one condition selects all elements of a vector.
    is_whole: bool,
    sides: [Word; 2],
}
