//! Passes values of a row to row versions of functions, and back.
//!
//! In: the forms of arguments or of a result. Out: values of types that every target passes in
//! registers or memory as they are. *Invariant:* both sides of a call know the types by the shapes
//! alone: vectors of `i1` are integers, and those of 16-bit floating-point numbers are vectors of
//! integers, since targets without such vectors pass them in ways of their own.

use super::{
    emit::{Broken, Emitter},
    form::{Form, members},
};
use crate::{cfg::operation::Shape, context::Context};
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Shape as Kind, Type, Value},
    types::TypeView,
};

/// The types in which an argument of type `ty` is passed.
pub(super) fn argument_types<'s>(cx: &Context<'s, '_>, ty: Type<'s>, shape: Shape, lanes: u32) -> Vec<Type<'s>> {
    match shape {
        Shape::Same => vec![ty],
        Shape::Linear { .. } => vec![base_type(cx, ty)],
        Shape::SameInLine | Shape::LinearInLine { .. } | Shape::Any => wide_types(cx, ty, lanes),
    }
}

/// The type in which a result of type `ty` is passed.
pub(super) fn result_type<'s>(cx: &Context<'s, '_>, ty: Type<'s>, lanes: u32) -> Type<'s> {
    match (members(ty), ty.view()) {
        (Some(_), _) => cx.session.structure(&wide_types(cx, ty, lanes)),
        (None, TypeView::Void) => ty,
        (None, _) => passed(cx, ty, lanes),
    }
}

/// The type of the base of a linear value.
pub(super) fn base_type<'s>(cx: &Context<'s, '_>, ty: Type<'s>) -> Type<'s> {
    if ty.shape() == Kind::Pointer { ty } else { cx.session.integer(64) }
}

fn wide_types<'s>(cx: &Context<'s, '_>, ty: Type<'s>, lanes: u32) -> Vec<Type<'s>> {
    members(ty).unwrap_or_else(|| vec![ty]).into_iter().map(|ty| passed(cx, ty, lanes)).collect()
}

/// The type in which a vector of `lanes` elements of type `ty` is passed.
fn passed<'s>(cx: &Context<'s, '_>, ty: Type<'s>, lanes: u32) -> Type<'s> {
    match ty.view() {
        TypeView::Integer(1) => cx.session.integer(lanes),
        TypeView::Float(16) => cx.session.integer(16).vector(lanes),
        TypeView::Other => cx.session.integer(16).vector(lanes),
        _ => ty.vector(lanes),
    }
}

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
