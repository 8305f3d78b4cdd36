//! Moves a value into memory of the function.
//!
//! In: a value and an alloca of its type, or other memory. Out: the value is stored after its
//! definition, and loaded before each use. *Invariant:* control flow may be cut between definition
//! and use afterwards; LLVM promotes the alloca to registers again and inserts the phis that are
//! needed.

use sinter_llvm::{
    blocks::Block,
    insert::Inserter,
    ir::{Opcode, Value},
};
use std::collections::HashMap;

/// Stores a value to its alloca after its definition and reloads it before each use.
pub(crate) fn demote<'s>(value: Value<'s>, place: Value<'s>) {
    demote_to(value, |insert| insert.load(value.ty(), place), |insert| insert.store(value, place));
}

/// Writes a value after its definition and reads it before each use.
pub(crate) fn demote_to<'s>(
    value: Value<'s>,
    read: impl Fn(&Inserter<'s>) -> Value<'s>,
    write: impl Fn(&Inserter<'s>) -> Value<'s>,
) {
    for user in value.users() {
        match user.opcode() {
            Opcode::LLVMPHI => read_on_edges(user, value, &read),
            // A user is listed once for each use, and the first visit replaces all of them.
            _ if user.operands().contains(&value) => {
                let again = user.insert_before(&read);
                replace_operands(user, value, again);
            }
            _ => {}
        }
    }
    if let Some(next) = after_definition(value) {
        next.insert_before(write);
    }
}

/// Reloads the value in each block that a phi takes it from.
fn read_on_edges<'s>(phi: Value<'s>, value: Value<'s>, read: &impl Fn(&Inserter<'s>) -> Value<'s>) {
    let mut reads: HashMap<Block<'s>, Value<'s>> = HashMap::new();
    for (index, (from, incoming)) in phi.incoming().into_iter().enumerate() {
        let Some(end) = from.terminator().filter(|_| incoming == value) else { continue };
        phi.set_operand(index, *reads.entry(from).or_insert_with(|| end.insert_before(read)));
    }
}

fn replace_operands<'s>(user: Value<'s>, old: Value<'s>, new: Value<'s>) {
    for (index, operand) in user.operands().into_iter().enumerate() {
        if operand == old {
            user.set_operand(index, new);
        }
    }
}

/// The first position at which a value can be stored: after its definition, and after all phis if
/// it is a phi.
fn after_definition(value: Value<'_>) -> Option<Value<'_>> {
    let mut next = value.next()?;
    while next.opcode() == Opcode::LLVMPHI {
        next = next.next()?;
    }
    Some(next)
}
