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
    /// Number `i` of a line has `base + i * step`. The base is a pointer, or an integer of 64 bits
    /// whatever the width of the value.
    Linear { base: Value<'s>, step: i64, signed: bool },
    /// A vector with an element for each lane.
    Wide(Value<'s>),
    /// The members of a structure, each a vector.
    Members(Vec<Value<'s>>),
    /// For each line, one value for its lanes or a base.
    Lines(Vec<Form<'s>>),
}

impl<'s> Form<'s> {
    /// The values that the form consists of.
    pub(super) fn parts(&self) -> Vec<Value<'s>> {
        match self {
            Form::Scalar(value) | Form::Wide(value) | Form::Linear { base: value, .. } => vec![*value],
            Form::Members(members) => members.clone(),
            Form::Lines(lines) => lines.iter().flat_map(Form::parts).collect(),
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
            // A line has one part.
            (Form::Lines(lines), Some(_)) => {
                Form::Lines(lines.iter().zip(parts).map(|(line, part)| line.of_parts(vec![part])).collect())
            }
            _ => Form::Members(parts),
        }
    }

    /// The form in a line.
    pub(super) fn in_line(&self, line: usize) -> Form<'s> {
        match self {
            Form::Lines(lines) => lines[line].clone(),
            form => form.clone(),
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

/// The elements of a vector.
pub(super) fn lanes_of(ty: Type<'_>) -> u32 {
    match ty.view() {
        TypeView::Vector(_, lanes) => lanes,
        _ => 1,
    }
}
