//! Legalises memory of types that SPIR-V lacks.
//!
//! In: accesses, addresses, stack memory and variables of any type. Out: the same bytes at the same
//! offsets. *Invariant:* an access of an `n`-bit integer loads or stores as many bytes as in LLVM,
//! `n / 8` rounded up, in power-of-two pieces, none wider than the alignment; padding bits are
//! stored as zeros and ignored by loads. Objects of other types are byte arrays, with byte offsets
//! as addresses.

use super::{
    accepted::{self, width},
    expansion::{Expansion, members},
    members::is_vector,
    shapes::{LIMB, Limbs, bits, lanes, leaves},
};
use crate::{
    backend::first_use,
    failure::{Failure, Outcome},
};
use sinter_core::names::readable;
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Type, Value},
    types::TypeView,
};

/// Location of an access.
#[derive(Clone, Copy)]
struct Place<'s> {
    base: Value<'s>,
    offset: u64,
    alignment: u32,
    volatile: bool,
}

impl<'s> Place<'s> {
    fn behind(self, bytes: u64) -> Self {
        Place { offset: self.offset + bytes, ..self }
    }

    /// The greatest power of two that is known to divide the address.
    fn aligned(self) -> u64 {
        let alignment = u64::from(self.alignment.max(1));
        if self.offset == 0 { alignment } else { alignment.min(1 << self.offset.trailing_zeros()) }
    }

    fn address(self, b: &Inserter<'s>, session: &'s sinter_llvm::Session) -> Value<'s> {
        if self.offset == 0 { self.base } else { b.offset(self.base, session.literal(self.offset)) }
    }
}

/// Offsets and widths in bits of the pieces of an access.
fn pieces(place: Place<'_>, bytes: u64) -> Vec<(u64, u32)> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < bytes {
        // No piece spans two limbs.
        let fits = [bytes - at, 8 - at % 8].map(|room| 1 << room.ilog2());
        let widest = fits.into_iter().fold(place.behind(at).aligned(), u64::min);
        pieces.push((at, widest as u32 * 8));
        at += widest;
    }
    pieces
}

impl<'s, S> Expansion<'_, 's, '_, S> {
    pub(super) fn access(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let volatile = instruction.is_volatile();
        let alignment = instruction.alignment();
        if instruction.opcode() == Opcode::LLVMLoad {
            let place = Place { base: operands[0], offset: 0, alignment, volatile };
            let parts = self.read(b, instruction.ty(), place).ok_or_else(|| self.refuse(instruction))?;
            return self.give(b, instruction, parts);
        }
        let place = Place { base: operands[1], offset: 0, alignment, volatile };
        let parts = self.parts_of(b, operands[0])?;
        self.write(b, operands[0].ty(), &parts, place).ok_or_else(|| self.refuse(instruction))?;
        self.done(instruction);
        Ok(())
    }

    /// Offsets of the members of a structure or array, in bytes.
    fn offsets(&self, ty: Type<'s>) -> Vec<u64> {
        let machine = self.l.cx.machine;
        match ty.view() {
            TypeView::Structure(members, _) => {
                (0..members.len() as u32).map(|index| ty.member_offset(index, machine)).collect()
            }
            TypeView::Array(element, count) => (0..count).map(|i| i * element.alloc_size(machine)).collect(),
            _ => Vec::new(),
        }
    }

    /// Loads the parts of a value.
    fn read(&self, b: &Inserter<'s>, ty: Type<'s>, place: Place<'s>) -> Option<Vec<Limbs<'s>>> {
        let session = self.l.cx.session;
        match ty.view() {
            TypeView::Structure(..) | TypeView::Array(..) => {
                let mut parts = Vec::new();
                for (member, offset) in members(ty).into_iter().zip(self.offsets(ty)) {
                    parts.extend(self.read(b, member, place.behind(offset))?);
                }
                Some(parts)
            }
            _ if accepted::is_access(self.l.target, ty) => {
                let address = place.address(b, session);
                Some(vec![vec![b.load_aligned(ty, address, place.aligned() as u32, place.volatile)]])
            }
            TypeView::Vector(element, count) => {
                let lanes = self.read_lanes(b, element, count, place)?;
                let is_whole = accepted::is_value(self.l.target, ty);
                Some(if is_whole { vec![vec![self.whole(b, ty, &lanes)?]] } else { lanes })
            }
            TypeView::Integer(bits) => {
                let limbs = self.read_integer(b, bits, place);
                Some(vec![self.arithmetic(b).run(&limbs, 0, bits)])
            }
            _ => None,
        }
    }

    /// Loads a vector whose elements are packed bit by bit.
    fn read_lanes(&self, b: &Inserter<'s>, element: Type<'s>, count: u32, place: Place<'s>) -> Option<Vec<Limbs<'s>>> {
        let size = bits(element)?;
        if size % 8 == 0 {
            let lane = |lane: u32| self.read(b, element, place.behind(u64::from(lane) * u64::from(size) / 8));
            return Some((0..count).map(lane).collect::<Option<Vec<_>>>()?.concat());
        }
        let limbs = self.read_integer(b, size * count, place);
        let arithmetic = self.arithmetic(b);
        Some((0..count).map(|lane| arithmetic.run(&limbs, lane * size, size)).collect())
    }

    /// Loads an integer as limbs of 64 bits.
    fn read_integer(&self, b: &Inserter<'s>, bits: u32, place: Place<'s>) -> Limbs<'s> {
        let session = self.l.cx.session;
        let arithmetic = self.arithmetic(b);
        let ty = session.integer(LIMB);
        let mut limbs = vec![ty.zero(); bits.div_ceil(LIMB) as usize];
        for (at, size) in pieces(place, bits.div_ceil(8).into()) {
            let piece = place.behind(at);
            let (address, alignment) = (piece.address(b, session), piece.aligned() as u32);
            let value = b.load_aligned(session.integer(size), address, alignment, place.volatile);
            let value = b.cast(Opcode::LLVMZExt, value, ty);
            let limb = &mut limbs[(at / 8) as usize];
            *limb = arithmetic.either(*limb, arithmetic.up(value, at % 8 * 8));
        }
        limbs
    }

    fn write(&self, b: &Inserter<'s>, ty: Type<'s>, parts: &[Limbs<'s>], place: Place<'s>) -> Option<()> {
        let session = self.l.cx.session;
        match ty.view() {
            TypeView::Structure(..) | TypeView::Array(..) => {
                let mut at = 0;
                for (member, offset) in members(ty).into_iter().zip(self.offsets(ty)) {
                    let count = leaves(self.l.target, member).len();
                    self.write(b, member, parts.get(at..at + count)?, place.behind(offset))?;
                    at += count;
                }
                Some(())
            }
            _ if accepted::is_access(self.l.target, ty) => {
                let address = place.address(b, session);
                b.store_aligned(*parts.first()?.first()?, address, place.aligned() as u32, place.volatile);
                Some(())
            }
            TypeView::Vector(element, count) => {
                let lanes = match parts {
                    [whole] if count > 1 || accepted::is_value(self.l.target, ty) => {
                        self.lanes_of(b, *whole.first()?).ok()?
                    }
                    lanes => lanes.to_vec(),
                };
                self.write_lanes(b, element, &lanes, place)
            }
            TypeView::Integer(bits) => {
                let limbs = self.arithmetic(b).widened(parts.first()?);
                self.write_integer(b, bits, &limbs, place);
                Some(())
            }
            _ => None,
        }
    }

    fn write_lanes(&self, b: &Inserter<'s>, element: Type<'s>, lanes: &[Limbs<'s>], place: Place<'s>) -> Option<()> {
        let size = bits(element)?;
        if size % 8 == 0 {
            let mut lanes = (0u64..).zip(lanes);
            return lanes.try_for_each(|(lane, limbs)| {
                self.write(b, element, std::slice::from_ref(limbs), place.behind(lane * u64::from(size) / 8))
            });
        }
        let arithmetic = self.arithmetic(b);
        let joined = arithmetic.widened(&arithmetic.joined(lanes, size));
        self.write_integer(b, size * lanes.len() as u32, &joined, place);
        Some(())
    }

    fn write_integer(&self, b: &Inserter<'s>, bits: u32, limbs: &Limbs<'s>, place: Place<'s>) {
        let session = self.l.cx.session;
        let arithmetic = self.arithmetic(b);
        for (at, size) in pieces(place, bits.div_ceil(8).into()) {
            let limb = limbs[(at / 8) as usize];
            let down = arithmetic.down(limb, at % 8 * 8);
            let piece = place.behind(at);
            let (address, alignment) = (piece.address(b, session), piece.aligned() as u32);
            let value = b.cast(Opcode::LLVMTrunc, down, session.integer(size));
            b.store_aligned(value, address, alignment, place.volatile);
        }
    }

    /// Expands a `getelementptr` to byte offsets; for vectors, one for each element.
    pub(super) fn address(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let count = if is_vector(instruction.ty()) { lanes(self.l.target, instruction.ty()).len() } else { 1 };
        let mut results = Vec::new();
        for lane in 0..count {
            let base = self.lane(b, operands[0], lane)?;
            let distance = self.distance(b, instruction, &operands[1..], lane)?;
            let base = base.first().copied().ok_or_else(|| self.refuse(instruction))?;
            let inside = instruction.is_in_bounds();
            results.push(vec![if inside { b.offset(base, distance) } else { b.distant(base, distance) }]);
        }
        self.give(b, instruction, results)
    }

    /// An element of a vector, or the scalar that all elements share.
    fn lane(&self, b: &Inserter<'s>, value: Value<'s>, lane: usize) -> Outcome<Limbs<'s>> {
        let lanes = self.lanes_of(b, value)?;
        let lane = if is_vector(value.ty()) { lane } else { 0 };
        lanes.into_iter().nth(lane).ok_or_else(|| Failure::internal("an address without elements"))
    }

    fn distance(&self, b: &Inserter<'s>, gep: Value<'s>, indices: &[Value<'s>], lane: usize) -> Outcome<Value<'s>> {
        let (session, machine) = (self.l.cx.session, self.l.cx.machine);
        let arithmetic = self.arithmetic(b);
        let (mut ty, mut sum) = (gep.stepped_type(), session.literal(0));
        for (position, index) in indices.iter().enumerate() {
            let limbs = self.lane(b, *index, lane)?;
            let bits = width(index.ty()).ok_or_else(|| self.refuse(gep))?;
            let index = arithmetic.resized(&limbs, bits, LIMB, true);
            let index = index.first().copied().ok_or_else(|| self.refuse(gep))?;
            let scale = match ty.view() {
                _ if position == 0 => ty.alloc_size(machine),
                TypeView::Structure(members, _) => {
                    let member = index.integer().ok_or_else(|| self.refuse(gep))? as u32;
                    let offset = session.literal(ty.member_offset(member, machine));
                    sum = b.binary(Opcode::LLVMAdd, sum, offset);
                    ty = members.get(member as usize).copied().ok_or_else(|| self.refuse(gep))?;
                    continue;
                }
                TypeView::Array(element, _) | TypeView::Vector(element, _) => {
                    ty = element;
                    element.alloc_size(machine)
                }
                _ => return Err(self.refuse(gep)),
            };
            let bytes = b.binary(Opcode::LLVMMul, index, session.literal(scale));
            sum = b.binary(Opcode::LLVMAdd, sum, bytes);
        }
        Ok(sum)
    }
}

/// Replaces an alloca by a byte array.
pub(super) fn alloca<'s, S>(e: &mut Expansion<'_, 's, '_, S>, b: &Inserter<'s>, alloca: Value<'s>) -> Outcome<()> {
    let Some(size) = alloca.allocated_size(e.l.cx.machine) else { return Err(e.refuse(alloca)) };
    let made = b.reserve(e.l.cx.session.bytes(size), alloca.alignment());
    e.give(b, alloca, vec![vec![made]])
}

/// Replaces variables and by-value parameters by byte arrays.
pub(super) fn globals<S>(l: &super::legaliser::Legaliser<'_, '_, '_, S>) -> Outcome<()> {
    for global in l.m.module.globals() {
        if accepted::is_layout(l.target, global.value_type()) {
            continue;
        }
        // Variables in local memory are uninitialised.
        let is_undefined = global.initializer().is_some_and(Value::is_undefined);
        let lowered = global.initializer().and_then(|_| global.lower_to_bytes());
        if is_undefined {
            lowered.into_iter().for_each(Value::make_initializer_undefined);
        }
        if lowered.is_none() {
            let what = format!("the variable `{}` of an odd type", readable(&global.name()));
            return Err(l.cx.unsupported(what, first_use(global), "use types that OpenCL C has").into());
        }
    }
    for function in l.m.module.functions() {
        for index in 0..function.parameters().len() as u32 {
            if let Some(ty) = function.by_value_type(index).filter(|ty| !accepted::is_layout(l.target, *ty)) {
                let alignment = function.parameter_alignment(index);
                function.set_by_value_type(index, l.cx.session.bytes(ty.alloc_size(l.cx.machine)));
                if alignment.is_none() {
                    function.add_parameter_alignment(index, ty.alignment(l.cx.machine));
                }
            }
        }
    }
    Ok(())
}
