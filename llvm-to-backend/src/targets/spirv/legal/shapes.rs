//! Which types values may have, and what others are made of.
//!
//! In: a type. Out: whether the emitter has it, in values and in memory, or the [`Leaf`]s that represent it. *Invariant:* an integer of
//! another width than [`super::accepted::WIDTHS`] is held by the next wider one of them with zeros in front, one of more than 64 bits by
//! limbs of 64 bits, the lowest first.

use super::accepted;
use sinter_llvm::{
    Session,
    ir::{Type, Value},
    types::TypeView,
};

/// Bits of a limb.
pub(super) const LIMB: u32 = 64;

/// What represents a scalar: one value, or the limbs of a wide integer.
pub(super) type Limbs<'s> = Vec<Value<'s>>;

/// A part of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf<'s> {
    /// A type that the emitter has.
    Whole(Type<'s>),
    /// An integer of another width.
    Integer(u32),
}

impl<'s> Leaf<'s> {
    /// The types that values of it are held in.
    pub(super) fn held(self, session: &'s Session) -> Vec<Type<'s>> {
        match self {
            Leaf::Whole(ty) => vec![ty],
            Leaf::Integer(bits) => vec![session.integer(held(bits)); bits.div_ceil(LIMB) as usize],
        }
    }
}

/// The width that holds an integer, or each limb of it.
pub(super) fn held(bits: u32) -> u32 {
    match bits {
        1 => 1,
        _ => accepted::WIDTHS.into_iter().find(|width| *width >= bits).unwrap_or(LIMB),
    }
}

/// The width in which arithmetic on an integer is done.
pub(super) fn computed(bits: u32) -> u32 {
    if bits == 1 { accepted::WIDTHS[0] } else { held(bits) }
}

/// What a type is made of; vectors that the emitter has stay whole.
pub(super) fn leaves<'s>(ty: Type<'s>) -> Vec<Leaf<'s>> {
    match ty.view() {
        TypeView::Structure(members, _) => members.into_iter().flat_map(leaves).collect(),
        TypeView::Array(element, count) => (0..count).flat_map(|_| leaves(element)).collect(),
        _ if accepted::is_value(ty) => vec![Leaf::Whole(ty)],
        TypeView::Vector(..) => lanes(ty),
        TypeView::Integer(bits) => vec![Leaf::Integer(bits)],
        _ => vec![Leaf::Whole(ty)],
    }
}

/// The elements of a vector; a scalar is one.
pub(super) fn lanes<'s>(ty: Type<'s>) -> Vec<Leaf<'s>> {
    match ty.view() {
        TypeView::Vector(element, count) => (0..count).flat_map(|_| leaves(element)).collect(),
        _ => leaves(ty),
    }
}

/// Bits of a scalar: integers, floating-point values and pointers.
pub(super) fn bits(ty: Type<'_>) -> Option<u32> {
    match ty.view() {
        TypeView::Integer(bits) | TypeView::Float(bits) => Some(bits),
        TypeView::Pointer(_) => Some(LIMB),
        _ => None,
    }
}
