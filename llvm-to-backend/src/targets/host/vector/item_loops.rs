//! Finds loops that LLVM's vectoriser makes faster in each work-item.
//!
//! In: a block. Out: the size of its elements, if it is a loop whose rounds LLVM puts side by side:
//! each round accesses the neighbours of what the last one did, and rounds share nothing but
//! counters and sums. *Invariant:* a loop of several blocks is never one, nor one whose sums may
//! not be added in another order.

use super::{
    properties::is_dropped,
    words::{Step, steps},
};
use crate::context::Context;
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Type, Value},
};
use std::collections::HashMap;

/// Operations whose operands may be combined in any order, as intrinsics.
const COMBINED: [&str; 4] = ["llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax."];

/// The bytes of the widest element that a round loads, stores or sums up.
pub(super) fn element_of_rounds<'s>(cx: &Context<'s, '_>, block: Block<'s>) -> Option<u64> {
    if !block.successors().contains(&block) {
        return None;
    }
    let mut rounds = Rounds { cx, block, steps: HashMap::new(), accesses: 0, widest: 0 };
    block.instructions().into_iter().try_for_each(|one| rounds.add(one))?;
    (rounds.accesses > 0).then_some(rounds.widest)
}

struct Rounds<'s, 'c> {
    cx: &'c Context<'s, 'c>,
    block: Block<'s>,
    /// By how much a value grows from round to round, where that is known.
    steps: HashMap<Value<'s>, Option<i64>>,
    accesses: u32,
    widest: u64,
}

impl<'s> Rounds<'s, '_> {
    /// Adds one instruction; `None` if it has to run round by round.
    fn add(&mut self, one: Value<'s>) -> Option<()> {
        match one.opcode() {
            Opcode::LLVMPHI => self.add_phi(one)?,
            Opcode::LLVMLoad => self.add_access(one, one.operands()[0], one.ty())?,
            Opcode::LLVMStore => self.add_access(one, one.operands()[1], one.operands()[0].ty())?,
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem | Opcode::LLVMFRem => {
                return None;
            }
            Opcode::LLVMBr => {}
            Opcode::LLVMCall if is_dropped(&name(one)) => {}
            _ if one.is_function_of_operands() && !calls_function(one) => {}
            _ => return None,
        }
        let step = self.step_of(one);
        self.steps.entry(one).or_insert(step);
        Some(())
    }

    fn add_phi(&mut self, phi: Value<'s>) -> Option<()> {
        let (_, next) = phi.incoming().into_iter().find(|(from, _)| *from == self.block)?;
        let is_inside = next.is_instruction() && next.block() == self.block;
        let step = is_inside.then(|| counted(self.cx, phi, next)).flatten();
        self.steps.insert(phi, step);
        if step.is_none() {
            let is_sum = is_inside && is_combined(next) && next.operands().contains(&phi) && phi.users() == [next];
            self.widest = self.widest.max(phi.ty().alloc_size(self.cx.machine));
            return is_sum.then_some(());
        }
        Some(())
    }

    fn add_access(&mut self, access: Value<'s>, address: Value<'s>, ty: Type<'s>) -> Option<()> {
        let (size, step) = (ty.alloc_size(self.cx.machine), self.step(address)?);
        let is_neighbour = size > 0 && step.unsigned_abs() == size;
        let is_same = step == 0 && access.opcode() == Opcode::LLVMLoad;
        self.accesses += u32::from(is_neighbour);
        self.widest = self.widest.max(size);
        (!access.is_volatile() && !access.is_atomic() && (is_neighbour || is_same)).then_some(())
    }

    fn step(&self, value: Value<'s>) -> Option<i64> {
        let is_inside = value.is_instruction() && value.block() == self.block;
        if is_inside { self.steps.get(&value).copied().flatten() } else { Some(0) }
    }

    fn step_of(&self, value: Value<'s>) -> Option<i64> {
        let operands = value.operands();
        let operand = |number: usize| self.step(operands[number]);
        match value.opcode() {
            Opcode::LLVMAdd => operand(0)?.checked_add(operand(1)?),
            Opcode::LLVMOr if value.is_disjoint() => operand(0)?.checked_add(operand(1)?),
            Opcode::LLVMSub => operand(0)?.checked_sub(operand(1)?),
            Opcode::LLVMMul if operands[1].signed().is_some() => operand(0)?.checked_mul(operands[1].signed()?),
            Opcode::LLVMShl if operands[1].signed().is_some() => {
                operand(0)?.checked_mul(1_i64.checked_shl(u32::try_from(operands[1].signed()?).ok()?)?)
            }
            Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc | Opcode::LLVMFreeze => operand(0),
            Opcode::LLVMGetElementPtr => {
                steps(self.cx, value)?.into_iter().try_fold(operand(0)?, |sum, step| match step {
                    Step::Elements(index, size) => {
                        sum.checked_add(self.step(index)?.checked_mul(i64::try_from(size).ok()?)?)
                    }
                    Step::Bytes(_) => Some(sum),
                })
            }
            _ => (0..operands.len()).all(|number| operand(number) == Some(0)).then_some(0),
        }
    }
}

/// By how much a counter grows in each round.
fn counted<'s>(cx: &Context<'s, '_>, phi: Value<'s>, next: Value<'s>) -> Option<i64> {
    match (next.opcode(), next.operands().as_slice()) {
        (Opcode::LLVMAdd, [of, by]) if *of == phi => by.signed(),
        (Opcode::LLVMGetElementPtr, [of, ..]) if *of == phi => {
            steps(cx, next)?.into_iter().try_fold(0_i64, |sum, step| match step {
                Step::Elements(index, size) => sum.checked_add(index.signed()?.checked_mul(i64::try_from(size).ok()?)?),
                Step::Bytes(bytes) => sum.checked_add(i64::try_from(bytes).ok()?),
            })
        }
        _ => None,
    }
}

fn is_combined(value: Value<'_>) -> bool {
    match value.opcode() {
        Opcode::LLVMAdd | Opcode::LLVMMul | Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => true,
        Opcode::LLVMFAdd | Opcode::LLVMFMul => value.may_be_reordered(),
        Opcode::LLVMCall => COMBINED.iter().any(|prefix| name(value).starts_with(prefix)),
        _ => false,
    }
}

fn calls_function(value: Value<'_>) -> bool {
    value.opcode() == Opcode::LLVMCall && !value.callee().is_some_and(Value::is_intrinsic)
}

fn name(call: Value<'_>) -> String {
    call.callee().map(Value::name).unwrap_or_default()
}
