//! Finds loops that do nothing but wait for another work-item of their group.
//!
//! In: a checked kernel of one work-item. Out: remarks. *Invariant:* nothing that such a loop does
//! changes its own condition: it ends at its first test, or because of another work-item.
//!
//! A group runs on one thread: without a barrier, no other work-item writes its local memory while
//! one is in a loop. Work-items that run one after another find a lock free, unless it is held
//! across a barrier; in a row, the lane that has it waits behind the loop for the others.

use super::{
    builtins::{BARRIER, UPDATE_PREFIX, is_sub_group_primitive},
    local_memory,
    vector::is_dropped,
};
use crate::cfg::{
    Loop, Variation,
    graph::BlockId,
    innermost_loops,
    read::{Graph, read},
};
use sinter_core::Remark;
use sinter_llvm::{
    ir::{Opcode, Value},
    operation::{AtomicOperation, IntegerPredicate},
};
use std::collections::HashSet;

const LOCAL: &str = "a loop waits for another work-item of its group, which does not run meanwhile; use a barrier";
const LOCK: &str = "a loop waits for a lock: it never ends if another work-item of its row holds that";

/// Remarks about the loops of a kernel.
#[derive(Debug, Default)]
pub(super) struct Waits {
    on_local_memory: Vec<String>,
    for_locks: Vec<Lock>,
}

/// A loop that takes a lock.
#[derive(Debug)]
struct Lock {
    sentence: String,
    /// True if a test for equality leads to the loop, as of the one item of a sub-group that takes
    /// a lock for all.
    is_for_one: bool,
}

impl Waits {
    /// True if a loop takes a lock.
    pub(super) fn takes_locks(&self) -> bool {
        !self.for_locks.is_empty()
    }

    /// Those that matter to a kernel that runs in rows, or to one that does not. A kernel that
    /// requires rows cannot run without, so that its user has to know.
    pub(super) fn remarks(self, in_rows: bool, is_required: bool) -> impl Iterator<Item = Remark> {
        let of_lock = move |lock: Lock| match is_required && !lock.is_for_one {
            true => Remark::Warning(lock.sentence),
            false => Remark::Decision(lock.sentence),
        };
        let for_locks = self.for_locks.into_iter().filter(move |_| in_rows).map(of_lock);
        self.on_local_memory.into_iter().map(Remark::Warning).chain(for_locks)
    }
}

/// The role of an instruction in a loop that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It changes nothing and sees nothing of other work-items.
    Neutral,
    /// It reads what other work-items may write.
    Reads,
    /// It sets memory to a value, if need be only where another value was, and returns the latter.
    Takes,
    /// Anything else.
    Works,
}

/// Finds the loops of `kernel` that wait.
pub(super) fn waits(kernel: Value<'_>) -> Waits {
    let mut waits = Waits::default();
    if !kernel.instructions().into_iter().any(|value| matches!(role(value), Role::Reads | Role::Takes)) {
        return waits;
    }
    let graph = read(kernel, BARRIER, |_| Variation::Uniform);
    for one in innermost_loops(&graph.cfg) {
        let Some(awaited) = awaited(&graph, &one) else { continue };
        let at = awaited.location().map(|place| format!("{place}: ")).unwrap_or_default();
        match role(awaited) {
            Role::Takes => waits.for_locks.push(Lock { sentence: at + LOCK, is_for_one: is_for_one(&graph, &one) }),
            _ => waits.on_local_memory.push(at + LOCAL),
        }
    }
    waits
}

/// The instruction that a loop waits at: it takes a lock, or reads local memory. `None` if the loop
/// does anything else.
fn awaited<'s>(graph: &Graph<'s>, one: &Loop) -> Option<Value<'s>> {
    let inside: HashSet<_> = one.blocks.iter().flat_map(|block| graph.block(*block).instructions()).collect();
    if inside.iter().any(|value| role(*value) == Role::Works) {
        return None;
    }
    let tested = tested(graph, one, &inside)?;
    let of = |wanted| inside.iter().copied().filter(move |value| role(*value) == wanted);
    let is_lock =
        |take: Value<'s>| tested.contains(&take) && !take.operands().iter().any(|operand| inside.contains(operand));
    match of(Role::Takes).next() {
        Some(take) => of(Role::Takes).all(is_lock).then_some(take),
        None => of(Role::Reads).find(|read| tested.contains(read)).filter(|_| of(Role::Reads).all(is_local)),
    }
}

/// True if the only way to a loop begins with a test for equality.
fn is_for_one(graph: &Graph<'_>, one: &Loop) -> bool {
    let leads_to = |block: BlockId| {
        let ids = (0..).map(BlockId).zip(&graph.cfg.blocks);
        ids.filter(move |(id, from)| from.successors.contains(&block) && !one.blocks.contains(id)).map(|(id, _)| id)
    };
    let mut block = one.blocks[0];
    for _ in 0..graph.cfg.blocks.len() {
        let mut ways = leads_to(block);
        let (Some(from), None) = (ways.next(), ways.next()) else { return false };
        let tested = graph.block(from).terminator().and_then(|branch| branch.operands().first().copied());
        if tested.is_some_and(|test| test.is_instruction() && is_equality(test)) {
            return true;
        }
        block = from;
    }
    false
}

fn is_equality(test: Value<'_>) -> bool {
    use IntegerPredicate::{LLVMIntEQ, LLVMIntNE};
    test.opcode() == Opcode::LLVMICmp && matches!(test.integer_predicate(), LLVMIntEQ | LLVMIntNE)
}

/// The instructions of a loop that decide when it ends; `None` if they count its rounds.
fn tested<'s>(graph: &Graph<'s>, one: &Loop, inside: &HashSet<Value<'s>>) -> Option<HashSet<Value<'s>>> {
    let successors = |block: usize| &graph.cfg.blocks[block].successors;
    let exits =
        one.blocks.iter().filter(|block| successors(block.0 as usize).iter().any(|to| !one.blocks.contains(to)));
    let mut pending: Vec<_> = exits.filter_map(|block| graph.block(*block).terminator()).collect();
    let mut seen = HashSet::new();
    while let Some(value) = pending.pop() {
        if !inside.contains(&value) || !seen.insert(value) {
            continue;
        }
        if value.opcode() == Opcode::LLVMPHI {
            return None;
        }
        pending.extend(value.operands());
    }
    Some(seen)
}

fn role(value: Value<'_>) -> Role {
    match value.opcode() {
        Opcode::LLVMLoad if value.is_atomic() || value.is_volatile() => Role::Reads,
        Opcode::LLVMLoad | Opcode::LLVMFence | Opcode::LLVMPHI | Opcode::LLVMFreeze => Role::Neutral,
        Opcode::LLVMBr | Opcode::LLVMSwitch => Role::Neutral,
        Opcode::LLVMAtomicCmpXchg => Role::Takes,
        Opcode::LLVMAtomicRMW if value.atomic_operation() == AtomicOperation::LLVMAtomicRMWBinOpXchg => Role::Takes,
        Opcode::LLVMCall => role_of_call(&value.callee().map(Value::name).unwrap_or_default(), value),
        _ if value.is_function_of_operands() => Role::Neutral,
        _ => Role::Works,
    }
}

fn role_of_call(name: &str, call: Value<'_>) -> Role {
    let takes = |update: &str| update.starts_with("exchange_") || update.starts_with("compare_exchange_");
    match name.strip_prefix(UPDATE_PREFIX) {
        Some(update) if takes(update) => Role::Takes,
        _ if is_dropped(name) || is_sub_group_primitive(name) || call.is_function_of_operands() => Role::Neutral,
        _ => Role::Works,
    }
}

/// True for a load from local memory.
fn is_local(load: Value<'_>) -> bool {
    load.operands().first().is_some_and(|pointer| local_memory::object(*pointer).is_some())
}
