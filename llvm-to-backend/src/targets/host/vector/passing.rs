//! Passes values of a row to row versions of functions, and back.
//!
//! In: the forms of arguments or of a result. Out: values of the types in [`super::signature`], or
//! the forms again. *Invariant:* a form that is passed and received has the same lanes.

use super::{
    emit::{Broken, Emitter},
    form::{Form, members},
    signature::passed,
};
use crate::cfg::operation::Shape;
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Type, Value},
};

impl<'s> Emitter<'s, '_> {
    /// An argument of this shape as it is passed.
    pub(super) fn pass(&mut self, argument: Value<'s>, shape: Shape) -> Result<Vec<Value<'s>>, Broken> {
        Ok(match shape {
            Shape::Same => vec![self.scalar(argument)?],
            Shape::Linear { signed, .. } => vec![self.base(argument, signed)?],
            Shape::SameInLine | Shape::LinearInLine { .. } | Shape::Any => self.pass_wide(argument)?,
        })
    }

    /// The vectors of a value as they are passed.
    pub(super) fn pass_wide(&mut self, value: Value<'s>) -> Result<Vec<Value<'s>>, Broken> {
        let wide = match members(value.ty()) {
            Some(_) => self.wide_members(value)?,
            None => vec![self.wide(value)?],
        };
        let pack = |wide: Value<'s>| {
            let ty = passed(self.cx, wide.ty().scalar(), self.lanes);
            self.build(|insert| insert.cast(Opcode::LLVMBitCast, wide, ty))
        };
        Ok(wide.into_iter().map(pack).collect())
    }

    /// The form of a value of type `ty` that was passed in this shape.
    pub(super) fn received(&self, insert: &Inserter<'s>, ty: Type<'s>, shape: Shape, passed: &[Value<'s>]) -> Form<'s> {
        match (shape, passed) {
            (Shape::Same, [value]) => Form::Scalar(*value),
            (Shape::Linear { step, signed }, [base]) => Form::Linear { base: *base, step, signed },
            _ => self.received_wide(insert, ty, passed),
        }
    }

    /// The same of vectors.
    pub(super) fn received_wide(&self, insert: &Inserter<'s>, ty: Type<'s>, passed: &[Value<'s>]) -> Form<'s> {
        let unpack = |value: Value<'s>, ty: Type<'s>| insert.cast(Opcode::LLVMBitCast, value, ty.vector(self.lanes));
        match (members(ty), passed) {
            (None, [value]) => Form::Wide(unpack(*value, ty)),
            (types, _) => {
                let types = types.unwrap_or_default();
                Form::Members(passed.iter().zip(types).map(|(value, ty)| unpack(*value, ty)).collect())
            }
        }
    }
}
