//! Joins many calls of a collective in one block, so that it has one copy of the collective's code.
//!
//! In: a kernel in SSA form with collectives that are going to be inlined. Out: where a block calls
//! one more than [`MOST_CALLS`] times with the same literals, these calls are jumps to one call,
//! behind which a `switch` leads back. *Invariant:* only collectives of the work-group are joined,
//! which all its items call together, so that the number in the `switch` is uniform.
//!
//! Arguments, the result and values that are needed behind a later call go through memory, which
//! SROA turns into phis.

use super::{demote::demote, inlining::COLLECTIVES};
use crate::device_module::DeviceModule;
use sinter_llvm::{
    Session,
    blocks::Block,
    insert::Inserter,
    ir::{Opcode, Type, Value},
};
use std::collections::{HashMap, HashSet};

/// Calls of a block that keep a copy each.
const MOST_CALLS: usize = 64;
/// Values of a block that may be needed behind a later call. Each becomes a phi with a value for
/// each call.
const MOST_KEPT: usize = 32;

/// A collective with the arguments that are literals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key<'s> {
    callee: Value<'s>,
    literals: Vec<Option<Value<'s>>>,
}

/// A joined call and its memory.
struct Joined<'s> {
    key: Key<'s>,
    /// A place for each argument; `None` for literals.
    arguments: Vec<Option<Value<'s>>>,
    result: Value<'s>,
    /// The place of the number of the call to return to.
    number: Value<'s>,
    /// The block of the only call, without a terminator.
    block: Block<'s>,
    /// The number of each call, and the instruction that loads its result.
    returns: Vec<(u64, Value<'s>)>,
}

/// Joins the calls of all blocks of the kernel. Joined collectives are to be inlined afterwards.
pub(crate) fn join<'s, S>(session: &'s Session, m: &DeviceModule<'s, S>) {
    for block in m.kernel.blocks() {
        let calls = joinable(block);
        if !calls.is_empty() {
            join_in(session, m.kernel, block, &calls);
        }
    }
}

/// The calls of a block that are joined, in their order.
fn joinable<'s>(block: Block<'s>) -> Vec<(Value<'s>, Key<'s>)> {
    let calls: Vec<_> = block.instructions().into_iter().filter_map(|call| Some((call, key(call)?))).collect();
    let mut counts: HashMap<&Key<'s>, usize> = HashMap::new();
    calls.iter().for_each(|(_, key)| *counts.entry(key).or_default() += 1);
    let many: HashSet<Key<'s>> =
        counts.into_iter().filter(|(_, count)| *count > MOST_CALLS).map(|(key, _)| key.clone()).collect();
    calls.into_iter().filter(|(_, key)| many.contains(key)).collect()
}

fn key(call: Value<'_>) -> Option<Key<'_>> {
    let is_collective = |f: &Value<'_>| f.name().starts_with(COLLECTIVES) && !f.is_declaration();
    let callee = call.callee().filter(is_collective)?;
    let is_literal = |value: &Value<'_>| !value.is_instruction() && !value.is_parameter();
    let literals = call.arguments().into_iter().map(|argument| Some(argument).filter(is_literal)).collect();
    Some(Key { callee, literals })
}

fn join_in<'s>(session: &'s Session, kernel: Value<'s>, block: Block<'s>, calls: &[(Value<'s>, Key<'s>)]) {
    let Some(kept) = kept(block, calls).filter(|kept| kept.len() <= MOST_KEPT) else { return };
    let Some(first) = kernel.instructions().first().copied() else { return };
    let room = |ty| first.insert_before(|insert| insert.room(ty));
    kept.into_iter().for_each(|value| demote(value, room(value.ty())));
    let mut all: Vec<Joined<'s>> = Vec::new();
    for (call, key) in calls {
        if all.iter().all(|joined| joined.key != *key) {
            all.push(Joined::new(session, kernel, key, *call, room));
        }
    }
    for (number, (call, key)) in (0..).zip(calls) {
        let joined = all.iter_mut().find(|joined| joined.key == *key);
        joined.into_iter().for_each(|joined| joined.enter(session, *call, number));
    }
    all.into_iter().for_each(|joined| joined.close(session));
}

/// The values of a block that are defined behind one of the calls and used behind a later one.
/// `None` if private memory is reserved there, which would be in a loop.
fn kept<'s>(block: Block<'s>, calls: &[(Value<'s>, Key<'s>)]) -> Option<Vec<Value<'s>>> {
    let calls: HashSet<_> = calls.iter().map(|(call, _)| *call).collect();
    let mut parts = HashMap::new();
    let mut part = 0_usize;
    for instruction in block.instructions() {
        // The call's result is of the part behind it, its arguments are of the part before it.
        part += usize::from(calls.contains(&instruction));
        parts.insert(instruction, part);
    }
    let used_in = |user: &Value<'s>| parts.get(user).map(|part| part - usize::from(calls.contains(user)));
    let is_kept = |value: &Value<'s>| value.users().iter().any(|user| used_in(user) != parts.get(value).copied());
    let behind: Vec<_> =
        block.instructions().into_iter().filter(|i| parts.get(i).is_some_and(|part| *part > 0)).collect();
    let reserves = behind.iter().any(|instruction| instruction.opcode() == Opcode::LLVMAlloca);
    (!reserves).then(|| behind.into_iter().filter(is_kept).collect())
}

impl<'s> Joined<'s> {
    fn new(
        session: &'s Session,
        kernel: Value<'s>,
        key: &Key<'s>,
        call: Value<'s>,
        room: impl Fn(Type<'s>) -> Value<'s>,
    ) -> Self {
        let types = call.arguments().into_iter().map(Value::ty);
        let places = key.literals.iter().zip(types).map(|(literal, ty)| literal.is_none().then(|| room(ty)));
        let arguments: Vec<_> = places.collect();
        let (result, number, block) = (room(call.ty()), room(session.integer(32)), kernel.append_block(""));
        block.append(|insert| {
            let only = insert.copy_of(call);
            for (index, place) in arguments.iter().enumerate() {
                let Some(place) = place else { continue };
                only.set_operand(index, only.insert_before(|i| i.load(place.allocated_type(), *place)));
            }
            insert.store(only, result)
        });
        Joined { key: key.clone(), arguments, result, number, block, returns: Vec::new() }
    }

    /// Replaces a call by a jump to the joined one.
    fn enter(&mut self, session: &'s Session, call: Value<'s>, number: u64) {
        call.block().split_before(call).append(|insert| {
            let literal = session.integer(32).constant(number).into_iter().map(|literal| (literal, self.number));
            let given = call.arguments().into_iter().zip(&self.arguments);
            for (value, place) in given.filter_map(|(value, place)| Some((value, (*place)?))).chain(literal) {
                insert.store(value, place);
            }
            insert.branch(self.block);
        });
        let result = call.insert_before(|insert| insert.load(call.ty(), self.result));
        call.replace_uses(result);
        call.erase();
        self.returns.push((number, result));
    }

    /// Leads back behind the calls, whose blocks are final now.
    fn close(self, session: &'s Session) {
        let mut returns: Vec<_> = self.returns.iter().map(|(number, result)| (*number, result.block())).collect();
        let Some((_, last)) = returns.pop() else { return };
        self.block.append(|insert: &Inserter<'s>| {
            insert.switch(insert.load(session.integer(32), self.number), last, &returns);
        });
    }
}
