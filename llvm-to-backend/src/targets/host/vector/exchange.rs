//! Emits what lanes of a row tell each other: the primitives of sub-groups.
//!
//! In: a call of a primitive. Out: its form in the row. *Invariant:* a lane that does not run the
//! call gives no vote; its value is unspecified but fixed, unless the call fills it in: operations
//! on vectors compute all lanes.

use super::{
    emit::{Broken, Emitter},
    form::Form,
    lane_by_lane::element,
    properties::ALIGNMENT,
};
use crate::targets::host::builtins::{SUB_GROUP_BALLOT, SUB_GROUP_FILL, SUB_GROUP_LANE};
use sinter_llvm::ir::{Type, Value};

impl<'s> Emitter<'s, '_> {
    pub(super) fn exchange(&mut self, call: Value<'s>, name: &str) -> Result<Form<'s>, Broken> {
        let arguments = call.arguments();
        match name {
            SUB_GROUP_LANE => Ok(Form::Linear { base: self.cx.session.integer(64).zero(), step: 1, signed: true }),
            SUB_GROUP_BALLOT => {
                let votes = self.wide(arguments[0])?;
                let bits = self.bits(self.those(self.mask, votes));
                Ok(Form::Scalar(self.build(|insert| insert.resize(bits, call.ty()))))
            }
            _ if SUB_GROUP_FILL.contains(&name) => {
                let (value, other) = (self.wide(arguments[0])?, self.wide(arguments[1])?);
                Ok(Form::Wide(self.build(|insert| insert.select(self.mask, value, other))))
            }
            _ => self.read_lane(arguments[0], arguments[1]),
        }
    }

    /// The value of another lane, of whose number only the lowest bits count.
    fn read_lane(&mut self, value: Value<'s>, lane: Value<'s>) -> Result<Form<'s>, Broken> {
        let wide = self.wide(value)?;
        let wide = self.build(|insert| insert.freeze(wide));
        if self.is_same(lane) {
            let lane = self.scalar(lane)?;
            let last = self.number(lane.ty(), u64::from(self.lanes - 1));
            return Ok(Form::Scalar(self.build(|insert| insert.element(wide, insert.both(lane, last)))));
        }
        let lanes = self.wide(lane)?;
        let known: Option<Vec<u32>> = (0..self.lanes).map(|at| self.known_lane(lanes, at)).collect();
        Ok(Form::Wide(match known {
            Some(positions) => self.build(|insert| insert.shuffle(wide, wide, &positions)),
            None => {
                let lanes = self.build(|insert| insert.freeze(lanes));
                self.permuted(wide, lanes).unwrap_or_else(|| self.read_lanes(wide, lanes, value.ty()))
            }
        }))
    }

    /// The lane that is read for lane `at`, if it is known.
    fn known_lane(&self, lanes: Value<'s>, at: u32) -> Option<u32> {
        let number = lanes.is_constant_value().then(|| lanes.element(at)?.integer())??;
        Some(number as u32 % self.lanes)
    }

    /// The values of lanes that differ: through memory, which is dead before and behind, so that it
    /// outlives no barrier.
    fn read_lanes(&mut self, wide: Value<'s>, lanes: Value<'s>, ty: Type<'s>) -> Value<'s> {
        let room = self.entry.append(|insert| insert.reserve(wide.ty(), ALIGNMENT));
        let last = self.number(lanes.ty().scalar(), u64::from(self.lanes - 1));
        let size = self.cx.session.literal(wide.ty().store_size(self.cx.machine));
        self.build(|insert| {
            let mark = |name| insert.intrinsic(self.module, name, &[room.ty()], &[size, room]);
            mark("llvm.lifetime.start");
            insert.store_aligned(wide, room, ALIGNMENT, false);
            let valid = insert.both(lanes, insert.splat(last, self.lanes));
            let addresses = insert.addresses(ty, room, &[valid]);
            let read = |made: Value<'s>, lane: Value<'s>| {
                let read = insert.load(ty, element(insert, addresses, lane));
                insert.with_element(made, read, lane)
            };
            let made = self.lane_numbers().fold(wide.ty().poison(), read);
            mark("llvm.lifetime.end");
            made
        })
    }
}
