//! The values of a row while its code is emitted.
//!
//! In: a value of the kernel. Out: its form in the row: one scalar, a base with a step, a vector,
//! or the members of a structure as vectors. *Invariant:* a form is valid in the block of the row
//! that is being emitted; values cross blocks through places on the stack, which `sroa` turns into
//! registers and phis.

use super::{
    emit::{Broken, Emitter},
    form::{Form, Place, members},
};
use crate::cfg::{ValueId, operation::Shape};
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Shape as Kind, Type, Value},
};

/// Forms and places.
impl<'s> Emitter<'s, '_> {
    /// Reserves a place for a value on the stack.
    pub(super) fn reserve(&self, id: ValueId) -> Place<'s> {
        let ty = self.graph.value(id).ty();
        let zero = ty.poison();
        let (form, types) = match self.plan.shapes[id.index()] {
            Shape::Same => (Form::Scalar(zero), vec![ty]),
            Shape::Linear { step, signed } => (Form::Linear { base: zero, step, signed }, vec![self.base_type(ty)]),
            Shape::Any => match members(ty) {
                Some(members) => (Form::Members(vec![]), members.iter().map(|ty| ty.vector(self.lanes)).collect()),
                None => (Form::Wide(zero), vec![ty.vector(self.lanes)]),
            },
        };
        let rooms = types.iter().map(|ty| self.entry.append(|insert| insert.room(*ty))).collect();
        Place { rooms: form.of_parts(rooms), types }
    }

    /// The type of the base of a linear value.
    pub(super) fn base_type(&self, ty: Type<'s>) -> Type<'s> {
        if ty.shape() == Kind::Pointer { ty } else { self.cx.session.integer(64) }
    }

    /// Reads a place.
    pub(super) fn read(&self, place: &Place<'s>) -> Form<'s> {
        let rooms = place.rooms.parts().into_iter().zip(&place.types);
        place.rooms.of_parts(rooms.map(|(room, ty)| self.build(|insert| insert.load(*ty, room))).collect())
    }

    /// Writes a place.
    pub(super) fn write(&self, place: &Place<'s>, form: &Form<'s>) {
        for (room, value) in place.rooms.parts().into_iter().zip(form.parts()) {
            self.build(|insert| insert.store(value, room));
        }
    }

    /// The form of an operand.
    pub(super) fn form(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let Some(id) = self.numbers.get(&value).copied() else { return Ok(Form::Scalar(value)) };
        if value.is_parameter() {
            return Ok(Form::Scalar(value));
        }
        if let Some(form) = self.forms.get(&id) {
            return Ok(form.clone());
        }
        if let Some(&(base, step)) = self.private.get(&id) {
            return Ok(Form::Linear { base, step, signed: true });
        }
        let place = self.places.get(&id).cloned().ok_or(Broken("a value is used before its definition"))?;
        let form = self.read(&place);
        self.forms.insert(id, form.clone());
        Ok(form)
    }

    /// The one value of an operand that is the same for all lanes.
    pub(super) fn scalar(&mut self, value: Value<'s>) -> Result<Value<'s>, Broken> {
        match self.form(value)? {
            Form::Scalar(value) => Ok(value),
            _ => Err(Broken("an operand differs between lanes")),
        }
    }

    /// True if an operand is the same for all lanes.
    pub(super) fn is_same(&self, value: Value<'s>) -> bool {
        self.numbers.get(&value).is_none_or(|id| self.plan.shapes[id.index()] == Shape::Same)
    }

    /// The base of an operand, extended to 64 bits in this reading; a pointer as it is.
    pub(super) fn base(&mut self, value: Value<'s>, signed: bool) -> Result<Value<'s>, Broken> {
        match self.form(value)? {
            Form::Linear { base, .. } => Ok(base),
            Form::Scalar(value) => Ok(self.build(|insert| extend(insert, value, self.base_type(value.ty()), signed))),
            _ => Err(Broken("an operand has no base")),
        }
    }

    /// The vector of an operand.
    pub(super) fn wide(&mut self, value: Value<'s>) -> Result<Value<'s>, Broken> {
        if let Some(wide) = self.vectors.get(&value) {
            return Ok(*wide);
        }
        let wide = match self.form(value)? {
            Form::Wide(wide) => wide,
            Form::Scalar(scalar) => self.build(|insert| insert.splat(scalar, self.lanes)),
            Form::Linear { base, step, .. } => self.spread(base, step, value.ty()),
            Form::Members(_) => return Err(Broken("a structure has no vector")),
        };
        self.vectors.insert(value, wide);
        Ok(wide)
    }

    /// The vector of a linear value of type `ty`.
    pub(super) fn spread(&self, base: Value<'s>, step: i64, ty: Type<'s>) -> Value<'s> {
        if ty.shape() == Kind::Pointer {
            let steps = self.steps(step, self.cx.session.integer(64));
            return self.build(|insert| insert.addresses(self.cx.session.integer(8), base, &[steps]));
        }
        let steps = self.steps(step, ty);
        self.build(|insert| {
            let narrow = insert.cast(Opcode::LLVMTrunc, base, ty);
            insert.binary(Opcode::LLVMAdd, insert.splat(narrow, self.lanes), steps)
        })
    }

    /// The constant vector `0, step, 2 * step ...` of an integer type.
    pub(super) fn steps(&self, step: i64, ty: Type<'s>) -> Value<'s> {
        let literal =
            |lane: u32| ty.constant(step.wrapping_mul(i64::from(lane)).cast_unsigned()).unwrap_or(ty.poison());
        Value::vector_of(&(0..self.lanes).map(literal).collect::<Vec<_>>())
    }

    /// A result in the form that its place has: a load of one address is one scalar even where the
    /// plan does not rely on it.
    pub(super) fn in_shape(&mut self, value: Value<'s>, form: Form<'s>) -> Form<'s> {
        if self.shape(value) != Shape::Any || members(value.ty()).is_some() {
            return form;
        }
        match form {
            Form::Scalar(scalar) => Form::Wide(self.build(|insert| insert.splat(scalar, self.lanes))),
            Form::Linear { base, step, .. } => Form::Wide(self.spread(base, step, value.ty())),
            form => form,
        }
    }

    /// A form of `value` in the form that `like` has.
    pub(super) fn in_form_of(&mut self, value: Value<'s>, like: &Form<'s>) -> Result<Form<'s>, Broken> {
        match like {
            Form::Scalar(_) => Ok(Form::Scalar(self.scalar(value)?)),
            Form::Linear { step, signed, .. } => {
                Ok(Form::Linear { base: self.base(value, *signed)?, step: *step, signed: *signed })
            }
            Form::Wide(_) => Ok(Form::Wide(self.wide(value)?)),
            Form::Members(_) => Ok(Form::Members(self.wide_members(value)?)),
        }
    }
}

/// Extends an integer to `ty`; other values stay as they are.
fn extend<'s>(insert: &Inserter<'s>, value: Value<'s>, ty: Type<'s>, signed: bool) -> Value<'s> {
    if value.ty().shape() == Kind::Pointer {
        return value;
    }
    insert.cast(if signed { Opcode::LLVMSExt } else { Opcode::LLVMZExt }, value, ty)
}
