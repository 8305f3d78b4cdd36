//! Values of types that SPIR-V does not have.
//!
//! In: a function whose values, memory and signature may have any type. Out: the same with the types of [`super::accepted`]. *Invariant:* each
//! value of another type is represented by its parts, made where the value was; an instruction of an accepted type on others gets its
//! operands from their parts. Blocks are visited after those that dominate them, so that parts exist before they are used; phis are
//! filled at the end.

use super::{
    Legaliser, accepted,
    integers::Arithmetic,
    memory,
    shapes::{LIMB, Leaf, Limbs, leaves, width},
};
use crate::{
    failure::{Failure, Outcome},
    targets::spirv::limits::CASES,
};
use sinter_llvm::{
    blocks::Block,
    insert::Inserter,
    ir::{Opcode, Type, Value, ValueKind},
    types::TypeView,
};
use std::collections::{HashMap, HashSet};

/// Makes what the engine has no quotient of: a loop for integers of more than 64 bits.
const DIVISIONS: &str = "function(expand-large-div-rem)";
/// A switch on wide integers, or with many cases, becomes branches.
const SWITCHES: &str = "function(lower-switch)";
/// Removes blocks that nothing leads to.
const UNREACHABLE: &str = "function(simplifycfg)";

/// What represents the values of one function.
pub(super) struct Expansion<'l, 's, 'r, S> {
    pub(super) l: &'l Legaliser<'l, 's, 'r, S>,
    parts: HashMap<Value<'s>, Vec<Limbs<'s>>>,
    dead: Vec<Value<'s>>,
    phis: Vec<(Value<'s>, Vec<Limbs<'s>>)>,
    /// The functions that have taken the place of others.
    pub(super) successors: &'l HashMap<Value<'s>, Value<'s>>,
}

/// Passes that make instructions the engine can do without. True where they may have made intrinsics.
pub(super) fn prepare<S>(l: &Legaliser<'_, '_, '_, S>) -> Outcome<bool> {
    let has = |wanted: &dyn Fn(Value<'_>) -> bool| l.m.defined().into_iter().flat_map(Value::instructions).any(wanted);
    let is_wide = |i: Value<'_>| i.operands().first().and_then(|value| width(value.ty())).unwrap_or(0) > LIMB;
    let divides = |i: Value<'_>| {
        let operations = [Opcode::LLVMUDiv, Opcode::LLVMSDiv, Opcode::LLVMURem, Opcode::LLVMSRem];
        operations.contains(&i.opcode()) && is_wide(i)
    };
    let made = has(&divides);
    if made {
        // The pass leaves quotients by literals that are powers of two to code generators.
        for division in l.m.defined().into_iter().flat_map(Value::instructions).filter(|i| divides(*i)) {
            let divisor = division.operands()[1];
            if divisor.is_constant_value() {
                division.set_operand(1, division.insert_before(|insert| insert.freeze(divisor)));
            }
        }
        l.m.module.run_passes(DIVISIONS, Some(l.cx.machine))?;
    }
    let is_long = |i: Value<'_>| i.operands().len() / 2 > CASES + 1;
    if has(&|i| i.opcode() == Opcode::LLVMSwitch && (is_wide(i) || is_long(i))) {
        l.m.module.run_passes(SWITCHES, Some(l.cx.machine))?;
    }
    if l.m.defined().into_iter().any(|function| reachable(function).len() != function.blocks().len()) {
        l.m.module.run_passes(UNREACHABLE, Some(l.cx.machine))?;
    }
    Ok(made)
}

/// Blocks in an order in which each comes after those that dominate it.
fn reachable(function: Value<'_>) -> Vec<Block<'_>> {
    let Some(entry) = function.blocks().first().copied() else { return Vec::new() };
    let (mut seen, mut order) = (HashSet::from([entry]), Vec::new());
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => {
                let successors = next.successors();
                stack.push((next, successors));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

impl<'l, 's, 'r, S> Expansion<'l, 's, 'r, S> {
    pub(super) fn new(l: &'l Legaliser<'l, 's, 'r, S>, successors: &'l HashMap<Value<'s>, Value<'s>>) -> Self {
        Expansion { l, parts: HashMap::new(), dead: Vec::new(), phis: Vec::new(), successors }
    }

    /// Says what represents a value.
    pub(super) fn represent(&mut self, value: Value<'s>, parts: Vec<Limbs<'s>>) {
        self.parts.insert(value, parts);
    }

    pub(super) fn function(mut self, function: Value<'s>) -> Outcome<()> {
        for block in reachable(function) {
            for instruction in block.instructions() {
                if self.is_affected(instruction) {
                    instruction.insert_before(|b| self.instruction(b, instruction))?;
                }
            }
        }
        self.fill_phis()?;
        for value in &self.dead {
            if value.ty().view() != TypeView::Void {
                value.replace_uses(value.ty().poison());
            }
        }
        self.dead.into_iter().for_each(Value::erase);
        Ok(())
    }

    fn is_affected(&self, instruction: Value<'s>) -> bool {
        let opcode = instruction.opcode();
        let is_call = opcode == Opcode::LLVMCall;
        if is_call && instruction.callee().is_some_and(|callee| callee.is_intrinsic()) {
            return false;
        }
        if is_call && instruction.callee().is_some_and(|callee| self.successors.contains_key(&callee)) {
            return true;
        }
        let is_foreign = |value: Value<'s>| {
            value.kind() != ValueKind::LLVMBasicBlockValueKind && !accepted::is_value(value.ty()) && is_data(value.ty())
        };
        let operands = instruction.operands();
        let first = operands.first().copied();
        let is_truth = |value: Option<Value<'s>>| value.is_some_and(|value| width(value.ty()) == Some(1));
        is_foreign(instruction)
            || operands.iter().any(|operand| is_foreign(*operand))
            || match opcode {
                Opcode::LLVMSwitch | Opcode::LLVMIntToPtr => is_truth(first),
                Opcode::LLVMFPToUI | Opcode::LLVMFPToSI | Opcode::LLVMPtrToInt => is_truth(Some(instruction)),
                Opcode::LLVMBitCast => is_truth(first) != is_truth(Some(instruction)),
                Opcode::LLVMLoad | Opcode::LLVMStore if !instruction.is_atomic() => {
                    accepted::accessed(instruction).is_some_and(|ty| !accepted::is_access(ty) && is_data(ty))
                }
                Opcode::LLVMAlloca => !accepted::is_layout(instruction.allocated_type()),
                Opcode::LLVMGetElementPtr => !accepted::is_layout(instruction.stepped_type()),
                _ => false,
            }
    }

    fn fill_phis(&mut self) -> Outcome<()> {
        for (phi, parts) in std::mem::take(&mut self.phis) {
            for (block, value) in phi.incoming() {
                let Some(end) = block.terminator() else { continue };
                let incoming = end.insert_before(|b| self.parts_of(b, value))?;
                for (phi, part) in parts.iter().flatten().zip(incoming.iter().flatten()) {
                    phi.add_incoming(*part, block);
                }
            }
        }
        Ok(())
    }

    /// A construct that has no representation.
    pub(super) fn refuse(&self, instruction: Value<'s>) -> Failure {
        let what = format!("`{}`", instruction.text().trim());
        self.l.cx.unsupported(what, instruction.location(), "use types that OpenCL C has").into()
    }

    pub(super) fn arithmetic<'b>(&self, b: &'b Inserter<'s>) -> Arithmetic<'b, 's> {
        Arithmetic { b, session: self.l.cx.session }
    }
}

/// Whether values of a type are data: no metadata, labels and tokens, and nothing that no target of ours has.
pub(super) fn is_data(ty: Type<'_>) -> bool {
    match ty.view() {
        TypeView::Other | TypeView::Float(_) => false,
        TypeView::Pointer(_) | TypeView::Integer(_) | TypeView::Void => true,
        TypeView::Vector(element, _) => accepted::is_value(element) || matches!(element.view(), TypeView::Integer(_)),
        TypeView::Array(element, _) => accepted::is_value(element) || is_data(element),
        TypeView::Structure(members, _) => {
            members.into_iter().all(|member| accepted::is_value(member) || is_data(member))
        }
    }
}

/// Parts and what they are of.
impl<'s, S> Expansion<'_, 's, '_, S> {
    /// The parts of a value: those of [`leaves`].
    pub(super) fn parts_of(&self, b: &Inserter<'s>, value: Value<'s>) -> Outcome<Vec<Limbs<'s>>> {
        if let Some(parts) = self.parts.get(&value) {
            return Ok(parts.clone());
        }
        let ty = value.ty();
        match ty.view() {
            _ if value.is_constant_value() && !accepted::is_value(ty) => self.constant_parts(b, value),
            TypeView::Structure(..) | TypeView::Array(..) if accepted::is_value(ty) => {
                let count = members(ty).len();
                let mut parts = Vec::new();
                for index in 0..count {
                    parts.extend(self.parts_of(b, b.member(value, index as u32))?);
                }
                Ok(parts)
            }
            _ if accepted::is_value(ty) => Ok(vec![vec![value]]),
            _ => Err(Failure::internal(format!("`{}` has no parts", value.text().trim()))),
        }
    }

    /// The elements of a value: of a vector that SPIR-V has, too.
    pub(super) fn lanes_of(&self, b: &Inserter<'s>, value: Value<'s>) -> Outcome<Vec<Limbs<'s>>> {
        match value.ty().view() {
            TypeView::Vector(_, count) if accepted::is_value(value.ty()) => {
                let index = |index: u32| value.ty().constant_index(index.into());
                Ok((0..count).filter_map(index).map(|index| vec![b.element(value, index)]).collect())
            }
            _ => self.parts_of(b, value),
        }
    }

    /// The only part of a scalar.
    pub(super) fn scalar_of(&self, b: &Inserter<'s>, value: Value<'s>) -> Outcome<Limbs<'s>> {
        let first = self.parts_of(b, value)?.into_iter().next();
        first.ok_or_else(|| Failure::internal("a value without parts"))
    }

    fn constant_parts(&self, b: &Inserter<'s>, value: Value<'s>) -> Outcome<Vec<Limbs<'s>>> {
        let ty = value.ty();
        if value.is_undefined() || value.is_null() {
            let zeros = |leaf: Leaf<'s>| leaf.held(self.l.cx.session).into_iter().map(Type::zero).collect();
            return Ok(leaves(ty).into_iter().map(zeros).collect());
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
            TypeView::Integer(_) if !accepted::is_value(ty) => {
                let held = leaves(ty).into_iter().flat_map(|leaf| leaf.held(self.l.cx.session)).next();
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
                _ if accepted::is_value(element.ty()) && members(element.ty()).is_empty() => parts.push(vec![element]),
                _ => parts.extend(self.constant_parts(b, element)?),
            }
        }
        Ok(parts)
    }

    /// A value of an accepted type from its parts or elements.
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
                    let count = leaves(member).len();
                    whole = b.with_member(whole, self.whole(b, member, parts.get(at..at + count)?)?, index);
                    at += count;
                }
                Some(whole)
            }
            _ => parts.first()?.first().copied(),
        }
    }

    /// Puts parts or elements in the place of an instruction.
    pub(super) fn give(&mut self, b: &Inserter<'s>, instruction: Value<'s>, parts: Vec<Limbs<'s>>) -> Outcome<()> {
        let ty = instruction.ty();
        if accepted::is_value(ty) && ty.view() != TypeView::Void {
            let value = self.whole(b, ty, &parts).ok_or_else(|| Failure::internal("a value without parts"))?;
            instruction.replace_uses(value);
        } else {
            self.parts.insert(instruction, parts);
        }
        self.dead.push(instruction);
        Ok(())
    }

    /// Says that something has taken the place of an instruction without a result.
    pub(super) fn done(&mut self, instruction: Value<'s>) {
        self.dead.push(instruction);
    }

    pub(super) fn phi(&mut self, b: &Inserter<'s>, phi: Value<'s>) {
        let session = self.l.cx.session;
        let part = |leaf: Leaf<'s>| leaf.held(session).into_iter().map(|ty| b.phi(ty)).collect();
        let parts: Vec<Limbs<'s>> = leaves(phi.ty()).into_iter().map(part).collect();
        self.phis.push((phi, parts.clone()));
        self.parts.insert(phi, parts);
        self.dead.push(phi);
    }

    fn instruction(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        match instruction.opcode() {
            Opcode::LLVMPHI => {
                self.phi(b, instruction);
                Ok(())
            }
            Opcode::LLVMLoad | Opcode::LLVMStore if !instruction.is_atomic() => self.access(b, instruction),
            Opcode::LLVMAlloca => memory::alloca(self, b, instruction),
            Opcode::LLVMGetElementPtr => self.address(b, instruction),
            Opcode::LLVMCall | Opcode::LLVMRet => self.call_or_return(b, instruction),
            Opcode::LLVMSwitch => self.switch(b, instruction),
            Opcode::LLVMExtractValue | Opcode::LLVMInsertValue => self.member(b, instruction),
            Opcode::LLVMExtractElement | Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector => {
                self.element(b, instruction)
            }
            Opcode::LLVMBitCast => self.reinterpreted(b, instruction),
            _ => self.elementwise(b, instruction),
        }
    }
}

/// The types of the members of a structure or array.
pub(super) fn members<'s>(ty: Type<'s>) -> Vec<Type<'s>> {
    match ty.view() {
        TypeView::Structure(members, _) => members,
        TypeView::Array(element, count) => vec![element; count as usize],
        _ => Vec::new(),
    }
}
