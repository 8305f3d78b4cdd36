//! The forms that a value of the kernel has in a row.
//!
//! In: scalars and vectors. Out: a [`Form`] of them, or a [`Place`] for one. *Invariant:* a
//! structure has one vector for each member; vectors have one element for each lane.

use sinter_llvm::{
    ir::{Type, Value},
    types::TypeView,
};

/// A value of the row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form<'s> {
    /// One value for all lanes.
    Scalar(Value<'s>),
    /// Lane `l` has `base + l * step`. The base is a pointer, or an integer of 64 bits whatever the
    /// width of the value.
    Linear { base: Value<'s>, step: i64, signed: bool },
    /// A vector with an element for each lane.
    Wide(Value<'s>),
    /// The members of a structure, each a vector.
    Members(Vec<Value<'s>>),
}

impl<'s> Form<'s> {
    /// The values that the form consists of.
    pub(super) fn parts(&self) -> Vec<Value<'s>> {
        match self {
            Form::Scalar(value) | Form::Wide(value) | Form::Linear { base: value, .. } => vec![*value],
            Form::Members(members) => members.clone(),
        }
    }

    /// The same form of other values.
    pub(super) fn of_parts(&self, parts: Vec<Value<'s>>) -> Form<'s> {
        match (self, parts.first()) {
            (Form::Scalar(_), Some(value)) => Form::Scalar(*value),
            (Form::Wide(_), Some(value)) => Form::Wide(*value),
            (Form::Linear { step, signed, .. }, Some(base)) => {
                Form::Linear { base: *base, step: *step, signed: *signed }
            }
            _ => Form::Members(parts),
        }
    }
}

/// Where a value is kept for other blocks: a form of stack addresses.
#[derive(Debug, Clone)]
pub(super) struct Place<'s> {
    /// The addresses in the form of the value.
    pub(super) rooms: Form<'s>,
    /// The type at each address.
    pub(super) types: Vec<Type<'s>>,
}

/// The types of the members of a structure; `None` for other types.
pub(super) fn members(ty: Type<'_>) -> Option<Vec<Type<'_>>> {
    match ty.view() {
        TypeView::Structure(members, _) => Some(members),
        _ => None,
    }
}
