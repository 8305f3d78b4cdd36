//! Keeps the values that leave loops in memory, for a driver that loses them.
//!
//! In: a structured graph, and the phis of a kernel whose loops are in closed form. Out: the phis
//! through which values leave a loop, and their places: elements of arrays, at an index that is
//! always 0, but not known to the driver. *Invariant:* every value that is defined in a loop and
//! used behind it goes through such a phi.
//!
//! Lavapipe (22.3.6) executes all items of a group together until the last one leaves the loop, and
//! masks what they write to memory, not what they compute: an item that has left computes its
//! values again, from variables of the loop that may have changed just before it left. Its compiler
//! turns plain variables, also volatile ones, into such values, but not an array whose index it
//! does not know.

use super::{
    super::{Emitter, assembly::id},
    structure::{End, Graph, Merge},
};
use crate::failure::Outcome;
use rspirv::spirv::{Op, StorageClass, Word};
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Value},
};
use std::collections::{HashMap, HashSet};

/// The blocks of each loop, those of inner loops included.
fn loops(graph: &Graph) -> Vec<HashSet<usize>> {
    let bounds = graph.merges.iter().filter_map(|(head, merge)| match merge {
        Merge::Loop(merge, _) => Some((*head, *merge)),
        Merge::Selection(_) => None,
    });
    bounds.map(|(head, merge)| between(graph, head, merge)).collect()
}

/// The blocks that are reached from `head` without going through `merge`.
fn between(graph: &Graph, head: usize, merge: usize) -> HashSet<usize> {
    let (mut found, mut open) = (HashSet::new(), vec![head]);
    while let Some(node) = open.pop() {
        if node == merge || !found.insert(node) {
            continue;
        }
        match graph.ends[node] {
            End::Leave => {}
            End::Go(next) => open.push(next),
            End::Choose(yes, no) => open.extend([yes, no]),
        }
    }
    found
}

/// The phis with an operand that is defined in a loop around that operand's block, but not around
/// the phi.
pub(super) fn leaving<'s>(graph: &Graph, blocks: &[Block<'s>]) -> HashSet<Value<'s>> {
    let loops = loops(graph);
    if loops.is_empty() {
        return HashSet::new();
    }
    let numbers: HashMap<_, _> = blocks.iter().enumerate().map(|(number, block)| (*block, number)).collect();
    let leaves = |from: usize, to: usize| loops.iter().any(|body| body.contains(&from) && !body.contains(&to));
    let mut found = HashSet::new();
    for (to, block) in blocks.iter().enumerate() {
        let instructions = block.instructions();
        for phi in instructions.into_iter().take_while(|first| first.opcode() == Opcode::LLVMPHI) {
            let leaves_by = |from: Block<'s>| numbers.get(&from).is_some_and(|from| leaves(*from, to));
            if phi.incoming().into_iter().any(|(from, value)| value.is_instruction() && leaves_by(from)) {
                found.insert(phi);
            }
        }
    }
    found
}

impl<'s> Emitter<'_, 's> {
    /// Declares an array for a value that leaves loops.
    pub(super) fn leaving_array(&mut self, ty: Word) -> Word {
        let count = self.integer_constant(32, 2);
        let array = self.out.global(Op::TypeArray, None, vec![id(ty), id(count)]);
        self.function_variable(array)
    }

    /// The index in such arrays: the lowest bit of an address.
    pub(super) fn unknown_index(&mut self) -> Outcome<Word> {
        let (address, word) = (self.hidden(|layout| layout.status)?, self.integer(32));
        let one = self.integer_constant(32, 1);
        Ok(self.out.value(Op::BitwiseAnd, word, vec![id(address), id(one)]))
    }

    /// The place in such an array.
    pub(super) fn place_in(&mut self, array: Word, ty: Word, index: Word) -> Word {
        let pointer = self.pointer_to(StorageClass::Function, ty);
        self.out.value(Op::InBoundsAccessChain, pointer, vec![id(array), id(index)])
    }

    /// Gives the phis by which values leave loops their places in the arrays.
    pub(super) fn places_of_leaving(&mut self, instructions: &[Value<'s>]) -> Outcome<()> {
        if self.shader.leaving.is_empty() {
            return Ok(());
        }
        let index = self.unknown_index()?;
        // In the order of the instructions: a hash table has another one in each process.
        let phis = instructions.iter().filter(|instruction| instruction.opcode() == Opcode::LLVMPHI);
        for phi in phis.copied() {
            if self.shader.leaving.contains(&phi) {
                let (ty, array) = (self.ty(phi.ty())?, self.phi_variable(phi)?);
                let place = self.place_in(array, ty, index);
                self.shader.phis.insert(phi, place);
            }
        }
        Ok(())
    }
}
