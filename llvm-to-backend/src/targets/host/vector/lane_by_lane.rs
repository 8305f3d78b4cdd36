//! Runs an instruction for one lane after another.
//!
//! In: an instruction without a vector form: an atomic, a call, a volatile access. Out: a loop over
//! the lanes of the mask, lowest first, with the results as vectors. *Invariant:* without a lane
//! the loop does nothing.

use super::{
    emit::{Broken, Emitter},
    form::{Form, members},
    instructions::copy_with,
    properties::{ALIGNMENT, STRAIGHT, is_short, is_update},
};
use sinter_llvm::{
    blocks::Block,
    insert::Inserter,
    ir::{Opcode, Shape as Kind, Type, Value},
    operation::IntegerPredicate,
};
use std::collections::HashMap;

/// An operand of the loop.
enum Operand<'s> {
    Same(Value<'s>),
    Differs(Value<'s>),
}

/// The loop and what it carries.
struct Loop<'s> {
    body: Block<'s>,
    after: Block<'s>,
    /// The lanes that are left, as an integer.
    rest: Value<'s>,
    lane: Value<'s>,
    results: Vec<Value<'s>>,
}

impl<'s> Emitter<'s, '_> {
    /// Emits an instruction lane by lane; `None` if it has no result.
    pub(super) fn each_lane(&mut self, value: Value<'s>) -> Result<Option<Form<'s>>, Broken> {
        let mut operands = Vec::new();
        for operand in value.operands() {
            operands.push(if self.is_same(operand) {
                Operand::Same(self.scalar(operand)?)
            } else {
                Operand::Differs(self.wide(operand)?)
            });
        }
        let types = result_types(value.ty());
        let whole = members(value.ty()).is_some();
        let run = |insert: &Inserter<'s>, lane: Value<'s>, single: Single<'_, 's>| {
            let here = |operand: &Operand<'s>| match operand {
                Operand::Same(value) => *value,
                Operand::Differs(vector) => element_by(insert, *vector, lane, single),
            };
            let result = copy_with(insert, value, &operands.iter().map(here).collect::<Vec<_>>());
            match whole {
                true => (0..types.len() as u32).map(|index| insert.member(result, index)).collect(),
                false => vec![result; types.len()],
            }
        };
        let by_register = |insert: &Inserter<'s>, lane: Value<'s>| run(insert, lane, &in_register);
        let made = if self.lanes <= STRAIGHT && is_short(value) {
            let wide: Vec<_> = types.iter().map(|ty| ty.vector(self.lanes)).collect();
            let part = |emitter: &mut Self| Ok(emitter.loop_over_lanes(&types, by_register));
            let whole = |emitter: &mut Self| {
                let list = if is_update(value) { emitter.listed(&operands) } else { HashMap::new() };
                emitter.lanes_in_line(&wide, |insert, lane| {
                    run(insert, lane, &|insert, vector, lane| match list.get(&vector) {
                        Some(first) => listed_element(insert, *first, vector, lane),
                        None => in_register(insert, vector, lane),
                    })
                })
            };
            self.all_or(&wide, whole, part)?
        } else {
            self.loop_over_lanes(&types, by_register)
        };
        Ok(match (whole, made.first()) {
            (true, _) => Some(Form::Members(made)),
            (false, Some(vector)) => Some(Form::Wide(*vector)),
            (false, None) => None,
        })
    }

    /// Writes the vectors that addresses are made of to memory; returns the address of each. A
    /// lane's element is loaded from there: where an index comes straight out of a vector register,
    /// Zen 4 takes ten times as long for an operation on memory.
    fn listed(&mut self, operands: &[Operand<'s>]) -> HashMap<Value<'s>, Value<'s>> {
        let mut vectors = Vec::new();
        for operand in operands {
            if let Operand::Differs(vector) = operand
                && vector.ty().scalar().shape() == Kind::Pointer
            {
                leaves(*vector, &mut vectors);
            }
        }
        let list = |(number, vector): (usize, Value<'s>)| {
            let (ty, entry) = (vector.ty(), self.entry);
            let size = ty.alloc_size(self.cx.machine);
            let alignment = (size as u32).next_power_of_two().min(ALIGNMENT);
            let reserve = || entry.append(|insert| insert.reserve(ty, alignment));
            let room = *self.lists.entry((ty, number)).or_insert_with(reserve);
            let size = self.cx.session.literal(size);
            self.build(|insert| {
                // The old content need not outlive a barrier.
                insert.intrinsic(self.module, "llvm.lifetime.start", &[room.ty()], &[size, room]);
                insert.store_aligned(vector, room, alignment, true);
            });
            (vector, room)
        };
        vectors.into_iter().enumerate().map(list).collect()
    }

    /// All lanes one after another, without a loop.
    fn lanes_in_line(
        &mut self,
        wide: &[Type<'s>],
        run: impl Fn(&Inserter<'s>, Value<'s>) -> Vec<Value<'s>>,
    ) -> Vec<Value<'s>> {
        self.lane_numbers().fold(wide.iter().map(|ty| ty.poison()).collect(), |all: Vec<_>, lane| {
            self.build(|insert| {
                let join = |(all, one): (Value<'s>, Value<'s>)| insert.with_element(all, one, lane);
                all.into_iter().zip(run(insert, lane)).map(join).collect()
            })
        })
    }

    /// A loop over the lanes of the current mask. `run` returns the lane's results, one of each
    /// type.
    pub(super) fn loop_over_lanes(
        &mut self,
        types: &[Type<'s>],
        run: impl FnOnce(&Inserter<'s>, Value<'s>) -> Vec<Value<'s>>,
    ) -> Vec<Value<'s>> {
        let before = self.at;
        let none: Vec<_> = types.iter().map(|ty| ty.vector(self.lanes).poison()).collect();
        let bits = self.bits(self.mask);
        let around = self.open_loop(bits, &none);
        let results = self.build(|insert| run(insert, around.lane));
        let pairs = around.results.iter().zip(&results);
        let joined: Vec<_> =
            pairs.map(|(all, one)| self.build(|insert| insert.with_element(*all, *one, around.lane))).collect();
        self.close_loop(&around, &joined, before, &none)
    }

    fn open_loop(&mut self, bits: Value<'s>, none: &[Value<'s>]) -> Loop<'s> {
        let (body, after, before) = (self.new_block(), self.new_block(), self.at);
        let zero = bits.ty().zero();
        self.build(|insert| {
            let any = insert.compare(IntegerPredicate::LLVMIntNE, bits, zero);
            insert.branch_if(any, body, after);
        });
        self.at = body;
        let phi = |start: Value<'s>| {
            let phi = body.append(|insert| insert.phi(start.ty()));
            phi.add_incoming(start, before);
            phi
        };
        let rest = phi(bits);
        let results = none.iter().map(|none| phi(*none)).collect();
        let lane = self.build(|insert| {
            let yes = self.cx.session.integer(1).constant(1).unwrap_or(zero);
            let lane = insert.intrinsic(self.module, "llvm.cttz", &[bits.ty()], &[rest, yes]);
            insert.resize(lane, self.cx.session.integer(64))
        });
        Loop { body, after, rest, lane, results }
    }

    fn close_loop(
        &mut self,
        around: &Loop<'s>,
        joined: &[Value<'s>],
        before: Block<'s>,
        none: &[Value<'s>],
    ) -> Vec<Value<'s>> {
        let end = self.at;
        let rest = self.build(|insert| {
            let ty = around.rest.ty();
            let minus_one = ty.constant(u64::MAX).unwrap_or(ty.zero());
            let rest = insert.both(around.rest, insert.binary(Opcode::LLVMAdd, around.rest, minus_one));
            let more = insert.compare(IntegerPredicate::LLVMIntNE, rest, ty.zero());
            insert.branch_if(more, around.body, around.after);
            rest
        });
        around.rest.add_incoming(rest, end);
        around.results.iter().zip(joined).for_each(|(phi, value)| phi.add_incoming(*value, end));
        self.at = around.after;
        let result = |(value, none): (&Value<'s>, &Value<'s>)| {
            let phi = self.build(|insert| insert.phi(none.ty()));
            phi.add_incoming(*none, before);
            phi.add_incoming(*value, end);
            phi
        };
        joined.iter().zip(none).map(result).collect()
    }
}

/// A lane's element of a vector, in instructions.
type Single<'c, 's> = &'c dyn Fn(&Inserter<'s>, Value<'s>, Value<'s>) -> Value<'s>;

/// A lane's element of a vector. That of an address or of a longer integer is made of the lane's
/// operands, which takes fewer instructions than to make all and to take one.
pub(super) fn element<'s>(insert: &Inserter<'s>, vector: Value<'s>, lane: Value<'s>) -> Value<'s> {
    element_by(insert, vector, lane, &in_register)
}

fn in_register<'s>(insert: &Inserter<'s>, vector: Value<'s>, lane: Value<'s>) -> Value<'s> {
    insert.element(vector, lane)
}

/// The element of a vector that lies at `first`.
fn listed_element<'s>(insert: &Inserter<'s>, first: Value<'s>, vector: Value<'s>, lane: Value<'s>) -> Value<'s> {
    let ty = vector.ty().scalar();
    insert.load_aligned(ty, insert.addresses(ty, first, &[lane]), 1, true)
}

fn is_vector(value: Value<'_>) -> bool {
    value.ty().shape() == Kind::Other
}

/// The operation by which [`element_by`] splits a vector.
fn operation(vector: Value<'_>) -> Opcode {
    if vector.is_instruction() { vector.opcode() } else { Opcode::LLVMExtractElement }
}

/// The vectors of integers and pointers that an element of `vector` is made of.
fn leaves<'s>(vector: Value<'s>, found: &mut Vec<Value<'s>>) {
    match operation(vector) {
        Opcode::LLVMGetElementPtr | Opcode::LLVMZExt | Opcode::LLVMSExt => {
            vector.operands().into_iter().filter(|operand| is_vector(*operand)).for_each(|one| leaves(one, found));
        }
        _ if !found.contains(&vector) && has_list(vector) => found.push(vector),
        _ => {}
    }
}

/// True if elements of a vector lie side by side in memory.
fn has_list(vector: Value<'_>) -> bool {
    match vector.ty().scalar().shape() {
        Kind::Integer(bits) => [8, 16, 32, 64].contains(&bits),
        shape => shape == Kind::Pointer,
    }
}

fn element_by<'s>(insert: &Inserter<'s>, vector: Value<'s>, lane: Value<'s>, single: Single<'_, 's>) -> Value<'s> {
    let operand = |value: &Value<'s>| if is_vector(*value) { element_by(insert, *value, lane, single) } else { *value };
    match operation(vector) {
        Opcode::LLVMGetElementPtr => {
            let operands: Vec<_> = vector.operands().iter().map(operand).collect();
            insert.addresses(vector.stepped_type(), operands[0], &operands[1..])
        }
        opcode @ (Opcode::LLVMZExt | Opcode::LLVMSExt) => {
            insert.cast(opcode, operand(&vector.operands()[0]), vector.ty().scalar())
        }
        _ => single(insert, vector, lane),
    }
}

/// The types of a result, or of its members.
fn result_types(ty: Type<'_>) -> Vec<Type<'_>> {
    match members(ty) {
        Some(members) => members,
        None if ty.shape() == Kind::Other && ty.text() == "void" => vec![],
        None => vec![ty],
    }
}
