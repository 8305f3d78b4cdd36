//! The parts that represent values of types that SPIR-V lacks.
//!
//! In: values of one function. Out: their parts, each of a type of [`super::accepted`].
//! *Invariant:* the parts of a value are computed where the value was; those of a constant, at each
//! use.

use super::{
    accepted,
    integers::Arithmetic,
    legaliser::Legaliser,
    shapes::{LIMB, Leaf, Limbs, leaves},
};
use crate::failure::{Failure, Outcome};
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Type, Value},
    types::TypeView,
};
use std::collections::HashMap;

/// Maps the values of one function to their parts.
pub(super) struct Expansion<'l, 's, 'r, S> {
    pub(super) l: &'l Legaliser<'l, 's, 'r, S>,
    parts: HashMap<Value<'s>, Vec<Limbs<'s>>>,
    /// Instructions that have been replaced.
    pub(super) dead: Vec<Value<'s>>,
    /// Phis whose parts get their incoming values at the end.
    pub(super) phis: Vec<(Value<'s>, Vec<Limbs<'s>>)>,
    /// Replacements of functions whose signatures changed.
    pub(super) successors: &'l HashMap<Value<'s>, Value<'s>>,
}

impl<'l, 's, 'r, S> Expansion<'l, 's, 'r, S> {
    pub(super) fn new(l: &'l Legaliser<'l, 's, 'r, S>, successors: &'l HashMap<Value<'s>, Value<'s>>) -> Self {
        Expansion { l, parts: HashMap::new(), dead: Vec::new(), phis: Vec::new(), successors }
    }

    /// Records the parts of a value.
    pub(super) fn represent(&mut self, value: Value<'s>, parts: Vec<Limbs<'s>>) {
        self.parts.insert(value, parts);
    }

    /// The error for a construct that cannot be represented.
    pub(super) fn refuse(&self, instruction: Value<'s>) -> Failure {
        let what = format!("`{}`", instruction.text().trim());
        self.l.cx.unsupported(what, instruction.location(), "use types that OpenCL C has").into()
    }

    pub(super) fn arithmetic<'b>(&self, b: &'b Inserter<'s>) -> Arithmetic<'b, 's> {
        Arithmetic { b, session: self.l.cx.session }
    }
}

/// True for types of data: not for metadata, labels, tokens, and types that no target supports.
pub(super) fn is_data(ty: Type<'_>) -> bool {
    match ty.view() {
        TypeView::Other | TypeView::Float(_) => false,
        TypeView::Pointer(_) | TypeView::Integer(_) | TypeView::Void => true,
        TypeView::Vector(element, _) => accepted::is_scalar(element) || matches!(element.view(), TypeView::Integer(_)),
        TypeView::Array(element, _) => accepted::is_scalar(element) || is_data(element),
        TypeView::Structure(members, _) => {
            members.into_iter().all(|member| accepted::is_scalar(member) || is_data(member))
        }
    }
}

/// Parts of values.
impl<'s, S> Expansion<'_, 's, '_, S> {
    /// The parts of a value, in the order of [`leaves`].
    pub(super) fn parts_of(&self, b: &Inserter<'s>, value: Value<'s>) -> Outcome<Vec<Limbs<'s>>> {
        if let Some(parts) = self.parts.get(&value) {
            return Ok(parts.clone());
        }
        let ty = value.ty();
        match ty.view() {
            _ if value.is_constant_value() && !accepted::is_value(self.l.target, ty) => self.constant_parts(b, value),
            TypeView::Structure(..) | TypeView::Array(..) if accepted::is_value(self.l.target, ty) => {
                let count = members(ty).len();
                let mut parts = Vec::new();
                for index in 0..count {
                    parts.extend(self.parts_of(b, b.member(value, index as u32))?);
                }
                Ok(parts)
            }
            _ if accepted::is_value(self.l.target, ty) => Ok(vec![vec![value]]),
            _ => Err(Failure::internal(format!("`{}` has no parts", value.text().trim()))),
        }
    }

    /// The elements of a value, also of a legal vector.
    pub(super) fn lanes_of(&self, b: &Inserter<'s>, value: Value<'s>) -> Outcome<Vec<Limbs<'s>>> {
        match value.ty().view() {
            TypeView::Vector(_, count) if accepted::is_value(self.l.target, value.ty()) => {
                let index = |index: u32| value.ty().constant_index(index.into());
                Ok((0..count).filter_map(index).map(|index| vec![b.element(value, index)]).collect())
            }
            _ => self.parts_of(b, value),
        }
    }

    /// The single part of a scalar.
    pub(super) fn scalar_of(&self, b: &Inserter<'s>, value: Value<'s>) -> Outcome<Limbs<'s>> {
        let first = self.parts_of(b, value)?.into_iter().next();
        first.ok_or_else(|| Failure::internal("a value without parts"))
    }

    fn constant_parts(&self, b: &Inserter<'s>, value: Value<'s>) -> Outcome<Vec<Limbs<'s>>> {
        let ty = value.ty();
        if value.is_undefined() || value.is_null() {
            let zeros = |leaf: Leaf<'s>| leaf.held(self.l.cx.session).into_iter().map(Type::zero).collect();
            return Ok(leaves(self.l.target, ty).into_iter().map(zeros).collect());
        }
        match ty.view() {
            TypeView::Vector(_, count) => self.constant_elements(b, value, count.into()),
            TypeView::Array(_, count) => self.constant_elements(b, value, count),
            TypeView::Structure(members, _) => self.constant_elements(b, value, members.len() as u64),
            TypeView::Integer(bits) if bits > LIMB => {
                let limb = |at: u32| {
                    let at = ty.constant(at.into()).unwrap_or(value);
                    b.cast(Opcode::LLVMTrunc, b.binary(Opcode::LLVMLShr, value, at), self.l.cx.session.integer(LIMB))
                };
                Ok(vec![(0..bits).step_by(LIMB as usize).map(limb).collect()])
            }
            TypeView::Integer(_) if !accepted::is_value(self.l.target, ty) => {
                let held = leaves(self.l.target, ty).into_iter().flat_map(|leaf| leaf.held(self.l.cx.session)).next();
                let literal = held.zip(value.integer()).and_then(|(held, bits)| held.constant(bits));
                literal.map(|literal| vec![vec![literal]]).ok_or_else(|| Failure::internal("an odd literal"))
            }
            _ => Ok(vec![vec![value]]),
        }
    }

    fn constant_elements(&self, b: &Inserter<'s>, value: Value<'s>, count: u64) -> Outcome<Vec<Limbs<'s>>> {
        let mut parts = Vec::new();
        for index in 0..count {
            let element =
                value.element(index as u32).ok_or_else(|| Failure::internal("a constant without elements"))?;
            match element.ty().view() {
                // A legal vector in an aggregate is one part.
                _ if accepted::is_value(self.l.target, element.ty()) && members(element.ty()).is_empty() => {
                    parts.push(vec![element])
                }
                _ => parts.extend(self.constant_parts(b, element)?),
            }
        }
        Ok(parts)
    }

    /// Rebuilds a value of an accepted type from its parts or elements.
    pub(super) fn whole(&self, b: &Inserter<'s>, ty: Type<'s>, parts: &[Limbs<'s>]) -> Option<Value<'s>> {
        match ty.view() {
            TypeView::Vector(_, count) if parts.len() == count as usize && count > 1 => {
                let elements = (0u64..).zip(parts);
                elements.into_iter().try_fold(ty.undefined(), |vector, (index, element)| {
                    Some(b.with_element(vector, *element.first()?, ty.constant_index(index)?))
                })
            }
            TypeView::Structure(..) | TypeView::Array(..) => {
                let (mut whole, mut at) = (ty.undefined(), 0);
                for (index, member) in (0u32..).zip(members(ty)) {
                    let count = leaves(self.l.target, member).len();
                    whole = b.with_member(whole, self.whole(b, member, parts.get(at..at + count)?)?, index);
                    at += count;
                }
                Some(whole)
            }
            _ => parts.first()?.first().copied(),
        }
    }

    /// Replaces an instruction by parts or elements.
    pub(super) fn give(&mut self, b: &Inserter<'s>, instruction: Value<'s>, parts: Vec<Limbs<'s>>) -> Outcome<()> {
        let ty = instruction.ty();
        if accepted::is_value(self.l.target, ty) && ty.view() != TypeView::Void {
            let value = self.whole(b, ty, &parts).ok_or_else(|| Failure::internal("a value without parts"))?;
            instruction.replace_uses(value);
        } else {
            self.parts.insert(instruction, parts);
        }
        self.dead.push(instruction);
        Ok(())
    }

    /// Marks an instruction without a result as replaced.
    pub(super) fn done(&mut self, instruction: Value<'s>) {
        self.dead.push(instruction);
    }

    pub(super) fn phi(&mut self, b: &Inserter<'s>, phi: Value<'s>) {
        let session = self.l.cx.session;
        let part = |leaf: Leaf<'s>| leaf.held(session).into_iter().map(|ty| b.phi(ty)).collect();
        let parts: Vec<Limbs<'s>> = leaves(self.l.target, phi.ty()).into_iter().map(part).collect();
        self.phis.push((phi, parts.clone()));
        self.parts.insert(phi, parts);
        self.dead.push(phi);
    }
}

/// Member types of a structure or array.
pub(super) fn members<'s>(ty: Type<'s>) -> Vec<Type<'s>> {
    match ty.view() {
        TypeView::Structure(members, _) => members,
        TypeView::Array(element, count) => vec![element; count as usize],
        _ => Vec::new(),
    }
}
