//! Legalises values of types that SPIR-V lacks.
//!
//! In: a function whose values, memory and signature may have any type. Out: the same with the
//! types of [`super::accepted`]. *Invariant:* each value of another type is represented by its
//! parts, computed where the value was; an instruction of accepted type with other operands gets
//! these from their parts. Blocks are visited after their dominators, so that parts exist before
//! their uses; phis are filled at the end.

use super::{
    accepted::{self, width},
    expansion::{Expansion, is_data},
    legaliser::Legaliser,
    memory,
    shapes::LIMB,
};
use crate::{failure::Outcome, targets::spirv::limits::CASES};
use sinter_llvm::{
    blocks::Block,
    insert::Inserter,
    ir::{Opcode, Value, ValueKind},
    types::TypeView,
};
use std::collections::HashSet;

/// Expands quotients of integers of more than 64 bits to loops, which the legaliser cannot do
/// itself.
const DIVISIONS: &str = "function(expand-large-div-rem)";
/// Lowers a switch on a wide integer, or with many cases, to branches.
const SWITCHES: &str = "function(lower-switch)";
/// Removes unreachable blocks.
const UNREACHABLE: &str = "function(simplifycfg)";

/// Runs passes that expand instructions which the legaliser does not support. True if they may have
/// created intrinsics.
pub(super) fn prepare<S>(l: &Legaliser<'_, '_, '_, S>) -> Outcome<bool> {
    let has = |wanted: &dyn Fn(Value<'_>) -> bool| l.m.defined().into_iter().flat_map(Value::instructions).any(wanted);
    let is_wide = |i: Value<'_>| i.operands().first().and_then(|value| width(value.ty())).unwrap_or(0) > LIMB;
    let divides = |i: Value<'_>| {
        let operations = [Opcode::LLVMUDiv, Opcode::LLVMSDiv, Opcode::LLVMURem, Opcode::LLVMSRem];
        operations.contains(&i.opcode()) && is_wide(i)
    };
    let made = has(&divides);
    if made {
        // The pass leaves quotients by literal powers of two to code generators.
        for division in l.m.defined().into_iter().flat_map(Value::instructions).filter(|i| divides(*i)) {
            let divisor = division.operands()[1];
            if divisor.is_constant_value() {
                division.set_operand(1, division.insert_before(|insert| insert.freeze(divisor)));
            }
        }
        l.m.module.run_passes(DIVISIONS, Some(l.cx.machine))?;
    }
    let is_long = |i: Value<'_>| i.operands().len() / 2 > CASES + 1;
    if has(&|i| i.opcode() == Opcode::LLVMSwitch && (is_wide(i) || is_long(i))) {
        l.m.module.run_passes(SWITCHES, Some(l.cx.machine))?;
    }
    if l.m.defined().into_iter().any(|function| reachable(function).len() != function.blocks().len()) {
        l.m.module.run_passes(UNREACHABLE, Some(l.cx.machine))?;
    }
    Ok(made)
}

/// Reachable blocks, each after its dominators.
fn reachable(function: Value<'_>) -> Vec<Block<'_>> {
    let Some(entry) = function.blocks().first().copied() else { return Vec::new() };
    let (mut seen, mut order) = (HashSet::from([entry]), Vec::new());
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => {
                let successors = next.successors();
                stack.push((next, successors));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

impl<'s, S> Expansion<'_, 's, '_, S> {
    /// Visits the instructions of `function` with an illegal type.
    pub(super) fn function(mut self, function: Value<'s>) -> Outcome<()> {
        for block in reachable(function) {
            for instruction in block.instructions() {
                if self.is_affected(instruction) {
                    instruction.insert_before(|b| self.instruction(b, instruction))?;
                }
            }
        }
        self.fill_phis()?;
        for value in &self.dead {
            if value.ty().view() != TypeView::Void {
                value.replace_uses(value.ty().poison());
            }
        }
        self.dead.into_iter().for_each(Value::erase);
        Ok(())
    }

    fn is_affected(&self, instruction: Value<'s>) -> bool {
        let opcode = instruction.opcode();
        let is_call = opcode == Opcode::LLVMCall;
        if is_call && instruction.callee().is_some_and(|callee| callee.is_intrinsic()) {
            return false;
        }
        if is_call && instruction.callee().is_some_and(|callee| self.successors.contains_key(&callee)) {
            return true;
        }
        let is_foreign = |value: Value<'s>| {
            value.kind() != ValueKind::LLVMBasicBlockValueKind
                && !accepted::is_value(self.l.target, value.ty())
                && is_data(value.ty())
        };
        let operands = instruction.operands();
        let first = operands.first().copied();
        let is_boolean = |value: Option<Value<'s>>| value.is_some_and(|value| width(value.ty()) == Some(1));
        is_foreign(instruction)
            || operands.iter().any(|operand| is_foreign(*operand))
            || match opcode {
                Opcode::LLVMSwitch | Opcode::LLVMIntToPtr => is_boolean(first),
                Opcode::LLVMFPToUI | Opcode::LLVMFPToSI | Opcode::LLVMPtrToInt => is_boolean(Some(instruction)),
                Opcode::LLVMBitCast => is_boolean(first) != is_boolean(Some(instruction)),
                Opcode::LLVMLoad | Opcode::LLVMStore if !instruction.is_atomic() => accepted::accessed(instruction)
                    .is_some_and(|ty| !accepted::is_access(self.l.target, ty) && is_data(ty)),
                Opcode::LLVMAlloca => !accepted::is_layout(self.l.target, instruction.allocated_type()),
                Opcode::LLVMGetElementPtr => !accepted::is_layout(self.l.target, instruction.stepped_type()),
                _ => false,
            }
    }

    fn fill_phis(&mut self) -> Outcome<()> {
        for (phi, parts) in std::mem::take(&mut self.phis) {
            for (block, value) in phi.incoming() {
                let Some(end) = block.terminator() else { continue };
                let incoming = end.insert_before(|b| self.parts_of(b, value))?;
                for (phi, part) in parts.iter().flatten().zip(incoming.iter().flatten()) {
                    phi.add_incoming(*part, block);
                }
            }
        }
        Ok(())
    }

    fn instruction(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        match instruction.opcode() {
            Opcode::LLVMPHI => {
                self.phi(b, instruction);
                Ok(())
            }
            Opcode::LLVMLoad | Opcode::LLVMStore if !instruction.is_atomic() => self.access(b, instruction),
            Opcode::LLVMAlloca => memory::alloca(self, b, instruction),
            Opcode::LLVMGetElementPtr => self.address(b, instruction),
            Opcode::LLVMCall | Opcode::LLVMRet => self.call_or_return(b, instruction),
            Opcode::LLVMSwitch => self.switch(b, instruction),
            Opcode::LLVMExtractValue | Opcode::LLVMInsertValue => self.member(b, instruction),
            Opcode::LLVMExtractElement | Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector => {
                self.element(b, instruction)
            }
            Opcode::LLVMBitCast => self.reinterpreted(b, instruction),
            _ => self.elementwise(b, instruction),
        }
    }
}
