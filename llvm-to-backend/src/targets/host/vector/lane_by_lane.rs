//! Runs an instruction for one lane after another.
//!
//! In: an instruction without a vector form: an atomic, a call, a volatile access. Out: a loop over
//! the lanes of the mask, lowest first, with the results as vectors. *Invariant:* without a lane
//! the loop does nothing.

use super::{
    emit::{Broken, Emitter},
    form::{Form, members},
    instructions::copy_with,
};
use sinter_llvm::{
    blocks::Block,
    insert::Inserter,
    ir::{Opcode, Shape as Kind, Type, Value},
    operation::IntegerPredicate,
};

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
        let made = self.loop_over_lanes(&types, |insert, lane| {
            let here = |operand: &Operand<'s>| match operand {
                Operand::Same(value) => *value,
                Operand::Differs(vector) => insert.element(*vector, lane),
            };
            let result = copy_with(insert, value, &operands.iter().map(here).collect::<Vec<_>>());
            match whole {
                true => (0..types.len() as u32).map(|index| insert.member(result, index)).collect(),
                false => vec![result; types.len()],
            }
        });
        Ok(match (whole, made.first()) {
            (true, _) => Some(Form::Members(made)),
            (false, Some(vector)) => Some(Form::Wide(*vector)),
            (false, None) => None,
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

/// The types of a result, or of its members.
fn result_types(ty: Type<'_>) -> Vec<Type<'_>> {
    match members(ty) {
        Some(members) => members,
        None if ty.shape() == Kind::Other && ty.text() == "void" => vec![],
        None => vec![ty],
    }
}
