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

/// Addresses whose values a work-item wrote itself.
type Own<'s> = HashSet<Value<'s>>;

/// True if a load of what another work-item may have written to the object follows `written`, which
/// is in front of event `start`. What the work-item stores in between it reads itself; stores in
/// the block of `written` are on each way from it.
fn reaches<'s>(events: &HashMap<Block<'s>, Vec<Event<'s>>>, written: Access<'s>, start: (Block<'s>, usize)) -> bool {
    let inside = |block: Block<'s>| events.get(&block).map(Vec::as_slice).unwrap_or_default();
    let mut own = Own::from([written.address]);
    for event in &inside(start.0)[start.1..] {
        match event {
            Event::Store(stored) => _ = own.insert(stored.address),
            _ if is_end(written, &own, event) => return !matches!(event, Event::Barrier),
            _ => {}
        }
    }
    let (mut visited, mut pending) = (HashSet::new(), start.0.successors());
    while let Some(block) = pending.pop() {
        if visited.insert(block) {
            match inside(block).iter().find(|event| is_end(written, &own, event)) {
                Some(Event::Barrier) => {}
                Some(_) => return true,
                None => pending.extend(block.successors()),
            }
        }
    }
    false
}

/// True for a barrier, and for a load that may see what another work-item has written.
fn is_end<'s>(written: Access<'s>, own: &Own<'s>, event: &Event<'s>) -> bool {
    match event {
        Event::Barrier => true,
        Event::Load(read) => !own.contains(&read.address) && may_overlap(written, *read),
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

/// True if two accesses by different work-items may be to the same memory.
fn may_overlap(written: Access<'_>, read: Access<'_>) -> bool {
    let is_variable = |value: Value<'_>| value.kind() == ValueKind::LLVMGlobalVariableValueKind;
    written.object == read.object || !is_variable(written.object) || !is_variable(read.object)
}
