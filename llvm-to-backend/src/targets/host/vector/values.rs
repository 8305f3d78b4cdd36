//! The values of a row while its code is emitted.
//!
//! In: a value of the kernel. Out: its form in the row: one scalar, a base with a step, a vector,
//! or the members of a structure as vectors. *Invariant:* a form is valid in the block of the row
//! that is being emitted; values cross blocks through places on the stack, which `sroa` turns into
//! registers and phis.

use super::{
    emit::{Broken, Emitter},
    form::{Form, Place, members},
    signature::base_type,
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
        let in_lines = |form: Form<'s>| Form::Lines(vec![form; self.lines as usize]);
        let each = |ty: Type<'s>| vec![ty; self.lines as usize];
        let linear = |step, signed| Form::Linear { base: zero, step, signed };
        let (form, types) = match self.plan.shapes[id.index()] {
            Shape::Same => (Form::Scalar(zero), vec![ty]),
            Shape::Linear { step, signed } => (linear(step, signed), vec![self.base_type(ty)]),
            Shape::SameInLine => (in_lines(Form::Scalar(zero)), each(ty)),
            Shape::LinearInLine { step, signed } => (in_lines(linear(step, signed)), each(self.base_type(ty))),
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
        base_type(self.cx, ty)
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
            return Ok(self.parameters.get(&value).cloned().unwrap_or(Form::Scalar(value)));
        }
        if let Some(form) = self.forms.get(&id) {
            return Ok(form.clone());
        }
        if let Some(form) = self.private.get(&id) {
            return Ok(form.clone());
        }
        let place = self.places.get(&id).cloned().ok_or(Broken("a value is used before its definition"))?;
        let form = self.read(&place);
        self.forms.insert(id, form.clone());
        Ok(form)
    }

    /// The form of an operand in the current line, if there is one.
    fn form_here(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let form = self.form(value)?;
        Ok(self.line.map_or_else(|| form.clone(), |line| form.in_line(line)))
    }

    /// The one value of an operand that all lanes, or those of the current line, have alike.
    pub(super) fn scalar(&mut self, value: Value<'s>) -> Result<Value<'s>, Broken> {
        match self.form_here(value)? {
            Form::Scalar(value) => Ok(value),
            _ => Err(Broken("an operand differs between lanes")),
        }
    }

    /// True if an operand is the same for all lanes.
    pub(super) fn is_same(&self, value: Value<'s>) -> bool {
        self.numbers.get(&value).is_none_or(|id| self.plan.shapes[id.index()] == Shape::Same)
    }

    /// True if an operand is the same for the lanes of each line.
    pub(super) fn is_same_in_line(&self, value: Value<'s>) -> bool {
        self.is_same(value) || self.shape(value) == Shape::SameInLine
    }

    /// The base of an operand, extended to 64 bits in this reading; a pointer as it is.
    pub(super) fn base(&mut self, value: Value<'s>, signed: bool) -> Result<Value<'s>, Broken> {
        match self.form_here(value)? {
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
        let form = self.form(value)?;
        let wide = self.widened(&form, value.ty())?;
        self.vectors.insert(value, wide);
        Ok(wide)
    }

    /// The vector of a value of type `ty`.
    fn widened(&self, form: &Form<'s>, ty: Type<'s>) -> Result<Value<'s>, Broken> {
        Ok(match form {
            Form::Wide(wide) => *wide,
            Form::Scalar(scalar) => self.build(|insert| insert.splat(*scalar, self.lanes)),
            Form::Linear { base, step, .. } => self.spread(*base, *step, ty, self.lanes),
            Form::Lines(lines) => {
                let part = |line: &Form<'s>| match line {
                    Form::Scalar(scalar) => Ok(self.build(|insert| insert.splat(*scalar, self.length()))),
                    Form::Linear { base, step, .. } => Ok(self.spread(*base, *step, ty, self.length())),
                    _ => Err(Broken("a line has no value")),
                };
                self.joined(lines.iter().map(part).collect::<Result<_, _>>()?)
            }
            Form::Members(_) => return Err(Broken("a structure has no vector")),
        })
    }

    /// The first `lanes` lanes of a linear value of type `ty`.
    pub(super) fn spread(&self, base: Value<'s>, step: i64, ty: Type<'s>, lanes: u32) -> Value<'s> {
        if ty.shape() == Kind::Pointer {
            let steps = self.steps(step, self.cx.session.integer(64), lanes);
            return self.build(|insert| insert.addresses(self.cx.session.integer(8), base, &[steps]));
        }
        let steps = self.steps(step, ty, lanes);
        self.build(|insert| {
            let narrow = insert.cast(Opcode::LLVMTrunc, base, ty);
            insert.binary(Opcode::LLVMAdd, insert.splat(narrow, lanes), steps)
        })
    }

    /// The constant vector `0, step, 2 * step ...` of an integer type, which starts again with each
    /// line.
    pub(super) fn steps(&self, step: i64, ty: Type<'s>, lanes: u32) -> Value<'s> {
        let number = |lane: u32| step.wrapping_mul(i64::from(lane % self.length())).cast_unsigned();
        let literal = |lane: u32| ty.constant(number(lane)).unwrap_or(ty.poison());
        Value::vector_of(&(0..lanes).map(literal).collect::<Vec<_>>())
    }

    /// A result in the form that its place has: a load of one address is one scalar even where the
    /// plan does not rely on it.
    pub(super) fn in_shape(&mut self, value: Value<'s>, form: Form<'s>) -> Form<'s> {
        match (self.shape(value), &form) {
            (Shape::Any, Form::Scalar(_) | Form::Linear { .. } | Form::Lines(_)) if members(value.ty()).is_none() => {
                self.widened(&form, value.ty()).map_or(form, Form::Wide)
            }
            (shape, Form::Scalar(_) | Form::Linear { .. }) if shape.is_in_lines() => {
                Form::Lines(vec![form; self.lines as usize])
            }
            _ => form,
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
            Form::Lines(lines) => self.each_line(|emitter| {
                let like = &lines[emitter.line.unwrap_or(0)];
                emitter.in_form_of(value, like)
            }),
        }
    }
}

/// Extends an integer to `ty`; other values stay as they are.
pub(super) fn extend<'s>(insert: &Inserter<'s>, value: Value<'s>, ty: Type<'s>, signed: bool) -> Value<'s> {
    if value.ty().shape() == Kind::Pointer {
        return value;
    }
    insert.cast(if signed { Opcode::LLVMSExt } else { Opcode::LLVMZExt }, value, ty)
}
