//! Issues loads before operations that an assembler turns into branches.
//!
//! In: optimised code. Out: the same, with loads of global memory moved up to the first division,
//! remainder or square root before them, if nothing in between may write to memory. *Invariant:* a
//! load moves only to a place that is executed exactly as often, over instructions without effects.
//!
//! ptxas 12.9 and 13.5 lower each `div.rn`, `sqrt.rn` and 64-bit division to a branch to a slow
//! path, and move no load over it, so that a load after it waits for everything before it. nvcc
//! 13.0 issues the independent loads of a block first.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::{
    Machine,
    blocks::Block,
    ir::{Opcode, Value},
};
use std::collections::{HashMap, HashSet};

/// Bytes that may be loaded early: 32 registers, an eighth of what a work-item may have.
const ROOM: u64 = 128;
/// Instructions that may move with a load to compute its address.
const ADDRESS: usize = 12;
/// Address spaces of generic and global pointers.
const SPACES: [Option<u32>; 2] = [Some(0), Some(1)];
/// Intrinsics that order no access.
const MARKS: [&str; 3] = ["llvm.dbg.", "llvm.lifetime.", "llvm.assume"];

pub(crate) fn hoist<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        let blocks = function.blocks();
        let predecessors = predecessors(&blocks);
        let mut seen = HashSet::new();
        for block in blocks {
            let mut front = Front::new(cx.machine);
            let mut next = Some(block);
            while let Some(block) = next.filter(|block| seen.insert(*block)) {
                front.walk(block);
                next = continuation(block, &predecessors);
                if let (Some(_), Some(end)) = (next, block.terminator()) {
                    front.pass(end);
                }
            }
        }
    }
}

pub(super) fn predecessors<'s>(blocks: &[Block<'s>]) -> HashMap<Block<'s>, Vec<Block<'s>>> {
    let mut predecessors: HashMap<_, Vec<_>> = HashMap::new();
    for block in blocks {
        block.successors().into_iter().for_each(|next| predecessors.entry(next).or_default().push(*block));
    }
    predecessors
}

/// The block that always follows this one, where only pure code may be executed in between.
fn continuation<'s>(block: Block<'s>, predecessors: &HashMap<Block<'s>, Vec<Block<'s>>>) -> Option<Block<'s>> {
    let only_from = |arm: Block<'s>| predecessors.get(&arm).is_some_and(|from| *from == [block]);
    let is_arm = |arm: Block<'s>| only_from(arm) && is_pure(arm);
    let after = |arm: Block<'s>| <[Block<'s>; 1]>::try_from(arm.successors()).ok().map(|[next]| next);
    let joins = |join: Block<'s>| predecessors.get(&join).is_some_and(|from| from.len() == 2) && join != block;
    match block.successors()[..] {
        [next] => only_from(next).then_some(next),
        [a, b] if is_arm(a) && is_arm(b) && after(a) == after(b) => after(a).filter(|join| joins(*join)),
        [a, b] if is_arm(a) && after(a) == Some(b) && joins(b) => Some(b),
        [a, b] if is_arm(b) && after(b) == Some(a) && joins(a) => Some(a),
        _ => None,
    }
}

fn is_pure(arm: Block<'_>) -> bool {
    let end = arm.terminator();
    arm.instructions().into_iter().all(|i| Some(i) == end || i.opcode() == Opcode::LLVMPHI || keeps_memory(i))
}

fn keeps_memory(instruction: Value<'_>) -> bool {
    let is_mark = || instruction.callee().is_some_and(|f| MARKS.iter().any(|mark| f.name().starts_with(mark)));
    is_plain_load(instruction) || instruction.is_function_of_operands() || is_mark()
}

fn is_plain_load(instruction: Value<'_>) -> bool {
    instruction.opcode() == Opcode::LLVMLoad && !instruction.is_atomic() && !instruction.is_volatile()
}

/// True for instructions that the assembler lowers to branches.
fn branches(instruction: Value<'_>) -> bool {
    match instruction.opcode() {
        Opcode::LLVMFDiv | Opcode::LLVMFRem => true,
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => true,
        Opcode::LLVMCall => instruction.callee().is_some_and(|f| f.name().starts_with("llvm.sqrt.")),
        _ => false,
    }
}

/// A walk through blocks that are executed one after the other.
struct Front<'s, 'm> {
    machine: &'m Machine,
    /// Loads move in front of this instruction, the first branch since memory was last written.
    place: Option<Value<'s>>,
    /// Instructions from `place` on.
    behind: HashSet<Value<'s>>,
    room: u64,
}

impl<'s, 'm> Front<'s, 'm> {
    fn new(machine: &'m Machine) -> Self {
        Front { machine, place: None, behind: HashSet::new(), room: ROOM }
    }

    fn walk(&mut self, block: Block<'s>) {
        let end = block.terminator();
        for instruction in block.instructions().into_iter().filter(|i| Some(*i) != end) {
            if self.takes(instruction) {
                continue;
            }
            if instruction.opcode() != Opcode::LLVMPHI && !keeps_memory(instruction) {
                *self = Front::new(self.machine);
            } else if branches(instruction) {
                self.pass(instruction);
            }
            if self.place.is_some() {
                self.behind.insert(instruction);
            }
        }
    }

    /// Records a branch that later loads move over.
    fn pass(&mut self, branch: Value<'s>) {
        self.place.get_or_insert(branch);
        self.behind.insert(branch);
    }

    /// Moves a load in front of `place`. False if it stays.
    fn takes(&mut self, load: Value<'s>) -> bool {
        let Some(place) = self.place.filter(|_| is_plain_load(load)) else { return false };
        let size = load.ty().store_size(self.machine);
        let pointer = load.operands()[0];
        let mut address = Vec::new();
        if size > self.room || !SPACES.contains(&pointer.address_space()) || !self.collect(pointer, &mut address) {
            return false;
        }
        for instruction in address.into_iter().chain([load]) {
            instruction.move_before(place);
            self.behind.remove(&instruction);
        }
        self.room -= size;
        true
    }

    /// Collects the instructions that must move with a load, operands first. False if one of them
    /// cannot move.
    fn collect(&self, value: Value<'s>, address: &mut Vec<Value<'s>>) -> bool {
        if !self.behind.contains(&value) || address.contains(&value) {
            return true;
        }
        let moves = value.is_function_of_operands() && !branches(value) && address.len() < ADDRESS;
        let moves = moves && value.operands().into_iter().all(|operand| self.collect(operand, address));
        address.push(value);
        moves
    }
}
