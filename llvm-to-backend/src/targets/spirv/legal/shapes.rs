//! The types that values may have, and the parts of other types.
//!
//! In: a type. Out: if the emitter accepts it, in values and in memory, or else the [`Leaf`]s that
//! represent it. *Invariant:* an integer of a width outside of [`super::accepted::WIDTHS`] is held
//! by the next wider one, zero-extended; one of more than 64 bits by limbs of 64 bits, the lowest
//! first.

use super::accepted;
use sinter_core::SpirvTarget;
use sinter_llvm::{
    Session,
    ir::{Type, Value},
    types::TypeView,
};

/// Bits of a limb.
pub(super) const LIMB: u32 = 64;

/// The values of a scalar: one, or the limbs of a wide integer.
pub(super) type Limbs<'s> = Vec<Value<'s>>;

/// A scalar or legal vector inside of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf<'s> {
    /// An accepted type.
    Whole(Type<'s>),
    /// An integer of another width, in bits.
    Integer(u32),
}

impl<'s> Leaf<'s> {
    /// Types of the values that hold it.
    pub(super) fn held(self, session: &'s Session) -> Vec<Type<'s>> {
        match self {
            Leaf::Whole(ty) => vec![ty],
            Leaf::Integer(bits) => vec![session.integer(held(bits)); bits.div_ceil(LIMB) as usize],
        }
    }
}

/// Width of the value that holds an integer, or of each limb.
pub(super) fn held(bits: u32) -> u32 {
    match bits {
        1 => 1,
        _ => accepted::WIDTHS.into_iter().find(|width| *width >= bits).unwrap_or(LIMB),
    }
}

/// Width in which integer arithmetic is done.
pub(super) fn computed(bits: u32) -> u32 {
    if bits == 1 { accepted::WIDTHS[0] } else { held(bits) }
}

/// The leaves of a type; legal vectors stay whole.
pub(super) fn leaves<'s>(target: &SpirvTarget, ty: Type<'s>) -> Vec<Leaf<'s>> {
    match ty.view() {
        TypeView::Structure(members, _) => members.into_iter().flat_map(|member| leaves(target, member)).collect(),
        TypeView::Array(element, count) => (0..count).flat_map(|_| leaves(target, element)).collect(),
        _ if accepted::is_value(target, ty) => vec![Leaf::Whole(ty)],
        TypeView::Vector(..) => lanes(target, ty),
        TypeView::Integer(bits) => vec![Leaf::Integer(bits)],
        _ => vec![Leaf::Whole(ty)],
    }
}

/// The elements of a vector; a scalar is a single element.
pub(super) fn lanes<'s>(target: &SpirvTarget, ty: Type<'s>) -> Vec<Leaf<'s>> {
    match ty.view() {
        TypeView::Vector(element, count) => (0..count).flat_map(|_| leaves(target, element)).collect(),
        _ => leaves(target, ty),
    }
}

/// Width of a scalar in bits: integers, floating-point values and pointers.
pub(super) fn bits(ty: Type<'_>) -> Option<u32> {
    match ty.view() {
        TypeView::Integer(bits) | TypeView::Float(bits) => Some(bits),
        TypeView::Pointer(_) => Some(LIMB),
        _ => None,
    }
}
