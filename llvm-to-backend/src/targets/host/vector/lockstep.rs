//! Finds kernels that rely on the lockstep of a warp.
//!
//! In: a checked kernel. Out: true if a work-item may read local memory that another one has
//! written, without a barrier between both. *Invariant:* a kernel without such a path computes the
//! same in rows of any width. One with such a path may: it may read what it has written itself.
//!
//! Old programs for GPUs add up an array so: where one warp has all that is left, they leave the
//! barriers out.

use super::super::{builtins::BARRIER, local_memory};
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Value, ValueKind},
};
use std::collections::{HashMap, HashSet};

/// An address in local memory, and the object that it is in.
#[derive(Debug, Clone, Copy)]
struct Access<'s> {
    address: Value<'s>,
    object: Value<'s>,
}

/// The part of an instruction that matters.
#[derive(Debug, Clone, Copy)]
enum Event<'s> {
    Load(Access<'s>),
    Store(Access<'s>),
    Barrier,
}

/// True if `kernel` has such a path.
pub(super) fn is_needed(kernel: Value<'_>) -> bool {
    let events: HashMap<_, Vec<_>> = kernel
        .blocks()
        .into_iter()
        .map(|block| (block, block.instructions().into_iter().filter_map(event).collect()))
        .collect();
    events.iter().any(|(block, inside)| {
        (1..).zip(inside).any(|(next, event)| match event {
            Event::Store(written) => reaches(&events, *written, (*block, next)),
            _ => false,
        })
    })
}

/// True if a load of another address in the object follows `written`, which is in front of event
/// `start`.
fn reaches<'s>(events: &HashMap<Block<'s>, Vec<Event<'s>>>, written: Access<'s>, start: (Block<'s>, usize)) -> bool {
    let mut visited = HashSet::new();
    let mut pending = vec![start];
    while let Some((block, start)) = pending.pop() {
        let inside = events.get(&block).map(Vec::as_slice).unwrap_or_default();
        let mut later = inside.iter().skip(start);
        match later.find(|event| is_end(written, event)) {
            Some(Event::Barrier) => {}
            Some(_) => return true,
            None => {
                let next = block.successors().into_iter().filter(|next| visited.insert(*next));
                pending.extend(next.map(|next| (next, 0)));
            }
        }
    }
    false
}

/// True for a barrier, and for a load that may see what another work-item has written.
fn is_end(written: Access<'_>, event: &Event<'_>) -> bool {
    match event {
        Event::Barrier => true,
        Event::Load(read) => may_be_anothers(written, *read),
        Event::Store(_) => false,
    }
}

fn event(instruction: Value<'_>) -> Option<Event<'_>> {
    let access = |operand: usize| {
        let address = instruction.operands().get(operand).copied()?;
        Some(Access { address, object: local_memory::object(address)? })
    };
    match instruction.opcode() {
        Opcode::LLVMLoad => access(0).map(Event::Load),
        Opcode::LLVMStore => access(1).map(Event::Store),
        Opcode::LLVMCall => (instruction.callee()?.name() == BARRIER).then_some(Event::Barrier),
        _ => None,
    }
}

/// True if one work-item may read what another one has written. The own value is at the same
/// address.
fn may_be_anothers(written: Access<'_>, read: Access<'_>) -> bool {
    let is_variable = |value: Value<'_>| value.kind() == ValueKind::LLVMGlobalVariableValueKind;
    let are_apart = written.object != read.object && is_variable(written.object) && is_variable(read.object);
    written.address != read.address && !are_apart
}
