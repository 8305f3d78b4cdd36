//! The types in which values of a row are passed to row versions of functions, and back.
//!
//! In: the type of an argument or of a result, and its shape. Out: types that every target passes
//! in registers or memory as they are. *Invariant:* both sides of a call know the types by the
//! shapes alone: vectors of `i1` are integers, and those of 16-bit floating-point numbers are
//! vectors of integers, since targets without such vectors pass them in ways of their own.

use super::form::members;
use crate::{cfg::operation::Shape, context::Context};
use sinter_llvm::{
    ir::{Shape as Kind, Type},
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
pub(super) fn passed<'s>(cx: &Context<'s, '_>, ty: Type<'s>, lanes: u32) -> Type<'s> {
    match ty.view() {
        TypeView::Integer(1) => cx.session.integer(lanes),
        TypeView::Float(16) => cx.session.integer(16).vector(lanes),
        TypeView::Other => cx.session.integer(16).vector(lanes),
        _ => ty.vector(lanes),
    }
}
