//! Reads the facts about a kernel that the plan for its rows needs.
//!
//! In: a kernel and its `Cfg`. Out: a [`Fact`] for each value. *Invariant:* a value whose operation
//! is not known is [`Operation::Divergent`] if lanes with the same operands may have different
//! results.

use super::{
    super::builtins::{
        LOCAL_ID_X, LOCAL_ID_Y, SUB_GROUP_BALLOT, SUB_GROUP_BARRIER, SUB_GROUP_FILL, SUB_GROUP_LANE, SUB_GROUP_READ,
        is_index_query, is_uniform_query,
    },
    callees::Callees,
    properties::{is_barrier, stride},
    words::{Step, Words, steps},
};
use crate::{
    cfg::{
        ValueId,
        operation::{Exact, Fact, Operation, Term},
        read::Graph,
    },
    context::Context,
};
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Shape, Value},
    operation::IntegerPredicate,
};
use std::collections::HashMap;

/// The facts about all values of `graph`, by number, for rows of so many lanes in so many lines.
pub(super) fn facts<'s>(
    cx: &Context<'s, '_>,
    graph: &Graph<'s>,
    callees: &Callees<'s>,
    words: &Words<'s>,
    [lanes, lines]: [u32; 2],
) -> Vec<Fact> {
    let values = graph.values();
    let numbers = (0..).map(ValueId).zip(values).map(|(id, value)| (*value, id)).collect();
    let reader = Reader { cx, lanes, lines, numbers, callees, words };
    values.iter().map(|value| reader.fact(*value)).collect()
}

struct Reader<'s, 'c> {
    cx: &'c Context<'s, 'c>,
    lanes: u32,
    lines: u32,
    numbers: HashMap<Value<'s>, ValueId>,
    callees: &'c Callees<'s>,
    words: &'c Words<'s>,
}

impl<'s> Reader<'s, '_> {
    fn fact(&self, value: Value<'s>) -> Fact {
        if !value.is_instruction() {
            return Fact { operation: Operation::Other, needs_lane: false, cost: 0, bits: bits(value), range: None };
        }
        let (operation, range) = (self.operation(value), range(value));
        // A row version takes for granted that a lane runs.
        let needs_lane = is_barrier(value) || self.callees.of_call(value).is_some();
        Fact { operation, needs_lane, cost: cost(value), bits: bits(value), range }
    }

    fn operation(&self, value: Value<'s>) -> Operation {
        let operands = value.operands();
        let pair = || [self.term(operands[0]), self.term(operands[1])];
        match value.opcode() {
            Opcode::LLVMAdd => Operation::Add(pair(), exact(value)),
            Opcode::LLVMOr if value.is_disjoint() => Operation::Add(pair(), Exact { signed: true, unsigned: true }),
            Opcode::LLVMSub => Operation::Sub(pair(), exact(value)),
            Opcode::LLVMMul => Operation::Mul(pair(), exact(value)),
            Opcode::LLVMShl => Operation::Shl(pair(), exact(value)),
            Opcode::LLVMAnd => Operation::And(pair()),
            Opcode::LLVMXor => Operation::Xor(pair()),
            Opcode::LLVMLShr | Opcode::LLVMUDiv | Opcode::LLVMURem => self.division(value),
            Opcode::LLVMSExt | Opcode::LLVMZExt => self.extension(value),
            Opcode::LLVMTrunc => {
                Operation::Truncate { of: self.term(operands[0]), to: bits(value), exact: exact(value) }
            }
            Opcode::LLVMGetElementPtr => self.address(value),
            Opcode::LLVMSelect => Operation::Select {
                condition: self.term(operands[0]),
                values: [self.term(operands[1]), self.term(operands[2])],
            },
            Opcode::LLVMFreeze | Opcode::LLVMAddrSpaceCast => Operation::Same(self.term(operands[0])),
            Opcode::LLVMAlloca => {
                let size = self.words.get(&value).copied().unwrap_or_else(|| stride(self.cx, value));
                Operation::Private { size, in_lines: self.lines > 1 }
            }
            Opcode::LLVMLoad if value.is_volatile() || value.is_atomic() => Operation::Divergent,
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => Operation::Divergent,
            Opcode::LLVMCall => self.call(value),
            _ => Operation::Other,
        }
    }

    fn term(&self, value: Value<'s>) -> Term {
        match (self.numbers.get(&value), value.signed()) {
            (Some(id), _) => Term::Value(*id),
            (None, Some(literal)) if matches!(value.ty().shape(), Shape::Integer(_)) => Term::Literal(literal),
            _ => Term::Constant,
        }
    }

    /// Of unsigned numbers by a literal.
    fn division(&self, value: Value<'s>) -> Operation {
        let (of, literal) = (self.term(value.operands()[0]), value.operands()[1].signed());
        let by = literal.and_then(|literal| match value.opcode() {
            Opcode::LLVMLShr => (1..i64::from(bits(value)).min(63)).contains(&literal).then(|| 1 << literal),
            _ => Some(literal).filter(|by| *by >= 2),
        });
        match by {
            Some(by) if value.opcode() == Opcode::LLVMURem => Operation::Remainder { of, by },
            Some(by) => Operation::Divide { of, by },
            None => Operation::Other,
        }
    }

    fn extension(&self, value: Value<'s>) -> Operation {
        let of = value.operands()[0];
        let signed = value.opcode() == Opcode::LLVMSExt;
        Operation::Extend { of: self.term(of), signed, from: bits(of) }
    }

    /// The indices of an address with what they are multiplied by. Members of structures only move
    /// the base.
    fn address(&self, value: Value<'s>) -> Operation {
        let Some(steps) = steps(self.cx, value) else { return Operation::Other };
        let copies = if self.words.contains_key(&value) { i64::from(self.lanes) } else { 1 };
        let indices = steps.into_iter().filter_map(|step| match step {
            Step::Elements(index, size) => Some((self.term(index), size as i64 * copies)),
            Step::Bytes(_) => None,
        });
        Operation::Address { base: self.term(value.operands()[0]), indices: indices.collect() }
    }

    fn call(&self, call: Value<'s>) -> Operation {
        let name = call.callee().map(Value::name).unwrap_or_default();
        match () {
            () if name == LOCAL_ID_X || name == SUB_GROUP_LANE => Operation::Lane,
            () if name == LOCAL_ID_Y && self.lines > 1 => Operation::Line,
            () if is_index_query(&name) || is_uniform_query(&name) => Operation::Uniform,
            () if [SUB_GROUP_BALLOT, SUB_GROUP_BARRIER].contains(&&*name) => Operation::Uniform,
            () if SUB_GROUP_READ.contains(&&*name) => Operation::Exchange { lane: self.term(call.operands()[1]) },
            // Lanes that do not run it have another value.
            () if SUB_GROUP_FILL.contains(&&*name) => Operation::Divergent,
            () if call.is_function_of_operands() => Operation::Other,
            () if self.callees.of_call(call).is_some_and(|callee| callee.is_plain) => Operation::Other,
            () => Operation::Divergent,
        }
    }
}

/// The width of an integer, 64 for a pointer, 0 for other values.
fn bits(value: Value<'_>) -> u32 {
    match value.ty().shape() {
        Shape::Integer(bits) => bits,
        Shape::Pointer => 64,
        _ => 0,
    }
}

/// Bounds that the launch or the kernel guarantee.
fn range(value: Value<'_>) -> Option<(i64, i64)> {
    let name = value.callee().map(Value::name).unwrap_or_default();
    if is_index_query(&name) {
        let least = i64::from(!name.contains("_id_"));
        let most = if name.contains("_local_") { i64::from(i32::MAX) } else { i64::MAX };
        return Some((least, most));
    }
    if name == SUB_GROUP_LANE {
        return Some((0, i64::from(super::width::MOST) - 1));
    }
    let limit = |user| value.is_instruction().then(|| assumed_limit(user, value.block())).flatten();
    value.users().into_iter().filter(|user| user.is_instruction()).find_map(limit).map(|limit| (0, limit - 1))
}

/// The limit in `llvm.assume(value < limit)`, of the comparison. Only an assumption in the block
/// that defines the value holds for every work-item that computes it.
fn assumed_limit(comparison: Value<'_>, home: Block<'_>) -> Option<i64> {
    if comparison.opcode() != Opcode::LLVMICmp || comparison.integer_predicate() != IntegerPredicate::LLVMIntULT {
        return None;
    }
    let assumes =
        |user: &Value<'_>| user.callee().is_some_and(|callee| callee.name() == "llvm.assume") && user.block() == home;
    let limit = comparison.operands()[1].signed().filter(|limit| *limit > 0)?;
    comparison.users().iter().any(assumes).then_some(limit)
}

fn exact(value: Value<'_>) -> Exact {
    Exact { signed: value.has_no_signed_wrap(), unsigned: value.has_no_unsigned_wrap() }
}

/// Cycles of the vector form, roughly.
fn cost(value: Value<'_>) -> u32 {
    match value.opcode() {
        Opcode::LLVMSDiv | Opcode::LLVMUDiv | Opcode::LLVMSRem | Opcode::LLVMURem | Opcode::LLVMFRem => 40,
        Opcode::LLVMFDiv => 10,
        Opcode::LLVMLoad | Opcode::LLVMStore => 4,
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => 40,
        Opcode::LLVMCall if value.callee().is_some_and(Value::is_intrinsic) => 4,
        Opcode::LLVMCall => 100,
        Opcode::LLVMPHI | Opcode::LLVMBr => 0,
        _ => 1,
    }
}
