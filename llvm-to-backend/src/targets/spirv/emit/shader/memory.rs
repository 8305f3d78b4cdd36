//! Emits loads and stores.
//!
//! In: an access to any memory. Out: accesses of integers and floating-point numbers, each no wider
//! than its alignment. *Invariant:* accesses to global and local memory take part in the memory
//! model: fences and atomic operations order them.

use super::{
    super::{Emitter, assembly::id},
    state::{Home, Words},
};
use crate::failure::{Failure, Outcome};
use rspirv::{
    dr::Operand,
    spirv::{Capability, MemoryAccess, Op, StorageClass, Word},
};
use sinter_llvm::{
    ir::{Type, Value},
    types::TypeView,
};

/// A location in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// 64 bits in global memory, else 32.
    pub(super) address: Word,
    pub(super) offset: u64,
    /// The greatest power of two that divides the address without the offset.
    pub(super) alignment: u32,
    pub(super) volatile: bool,
    pub(super) home: Home,
}

impl Place {
    fn of(access: Value<'_>, home: Home, address: Word) -> Self {
        let (alignment, volatile) = (access.alignment(), access.is_volatile());
        Place { address, offset: 0, alignment, volatile, home }
    }

    pub(super) fn behind(self, bytes: u64) -> Self {
        Place { offset: self.offset + bytes, ..self }
    }

    fn aligned(self) -> u64 {
        let alignment = u64::from(self.alignment.max(1));
        if self.offset == 0 { alignment } else { alignment.min(1 << self.offset.trailing_zeros()) }
    }
}

/// Width and number of the elements of a vector in global memory that is accessed as a whole: GPUs
/// have instructions for these.
fn whole(ty: Type<'_>, place: Place) -> Option<(u32, u32)> {
    let TypeView::Vector(element, count) = ty.view() else { return None };
    let width = match element.view() {
        TypeView::Integer(width) | TypeView::Float(width) => width,
        _ => return None,
    };
    let is_global = !matches!(place.home, Home::Words(_));
    let has_instruction = matches!((width, count), (32, 2 | 4) | (64, 2));
    (is_global && has_instruction && place.aligned() >= u64::from(width / 8 * count)).then_some((width, count))
}

impl<'s> Emitter<'_, 's> {
    pub(in super::super) fn shader_load(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let (found, ty) = (self.found(instruction, instruction.operands()[0])?, instruction.ty());
        let made = self.ty(ty)?;
        let value = self.at_home(found, made, false, &mut |emitter, home, address| {
            emitter.read(ty, Place::of(instruction, home, address)).map(Some)
        })?;
        let value = value.ok_or_else(|| Failure::internal("a load without a value"))?;
        self.alias(instruction, value)
    }

    pub(in super::super) fn shader_store(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let (found, value) = (self.found(instruction, operands[1])?, self.id(operands[0])?);
        let made = self.ty(operands[0].ty())?;
        self.at_home(found, made, true, &mut |emitter, home, address| {
            emitter.write(operands[0].ty(), value, Place::of(instruction, home, address))?;
            Ok(None)
        })?;
        Ok(())
    }

    /// The memory that an access reaches, and the address there.
    fn found(&mut self, access: Value<'s>, pointer: Value<'s>) -> Outcome<(Home, Word)> {
        let home = self.home(access, pointer)?;
        Ok((home, self.address_in(home, pointer)?))
    }

    /// Loads a value.
    pub(super) fn read(&mut self, ty: Type<'s>, place: Place) -> Outcome<Word> {
        if let Some((width, count)) = whole(ty, place) {
            let made = self.ty(ty)?;
            return Ok(self.read_vector(width, count, made, place));
        }
        match ty.view() {
            TypeView::Integer(1) => {
                let (byte, zero) = (self.read_integer(8, place)?, self.integer_constant(8, 0));
                let boolean = self.boolean();
                Ok(self.out.value(Op::INotEqual, boolean, vec![id(byte), id(zero)]))
            }
            TypeView::Integer(width) => self.read_integer(width, place),
            TypeView::Float(width) => {
                let (bits, float) = (self.read_integer(width, place)?, self.float(width));
                Ok(self.out.value(Op::Bitcast, float, vec![id(bits)]))
            }
            TypeView::Pointer(_) => {
                let (address, ty) = (self.read_integer(64, place)?, self.ty(ty)?);
                Ok(self.resized(address, 64, ty))
            }
            _ => {
                let (mut parts, made) = (Vec::new(), self.ty(ty)?);
                for (part, offset) in self.parts(ty)? {
                    parts.push(id(self.read(part, place.behind(offset))?));
                }
                Ok(self.out.value(Op::CompositeConstruct, made, parts))
            }
        }
    }

    /// Stores a value.
    pub(super) fn write(&mut self, ty: Type<'s>, value: Word, place: Place) -> Outcome<()> {
        if let Some((width, count)) = whole(ty, place) {
            self.write_vector((width, count), ty, value, place)?;
            return Ok(());
        }
        match ty.view() {
            TypeView::Integer(1) => {
                let (byte, yes, no) = (self.integer(8), self.integer_constant(8, 1), self.integer_constant(8, 0));
                let byte = self.out.value(Op::Select, byte, vec![id(value), id(yes), id(no)]);
                self.write_integer(8, byte, place)
            }
            TypeView::Integer(width) => self.write_integer(width, value, place),
            TypeView::Float(width) => {
                let bits = self.integer(width);
                let bits = self.out.value(Op::Bitcast, bits, vec![id(value)]);
                self.write_integer(width, bits, place)
            }
            TypeView::Pointer(space) => {
                let long = self.integer(64);
                let value =
                    if matches!(space, 3 | 5) { self.out.value(Op::UConvert, long, vec![id(value)]) } else { value };
                self.write_integer(64, value, place)
            }
            _ => {
                for (index, (part, offset)) in (0u32..).zip(self.parts(ty)?) {
                    let made = self.ty(part)?;
                    let part_value =
                        self.out.value(Op::CompositeExtract, made, vec![id(value), Operand::LiteralBit32(index)]);
                    self.write(part, part_value, place.behind(offset))?;
                }
                Ok(())
            }
        }
    }

    fn read_vector(&mut self, width: u32, count: u32, made: Word, place: Place) -> Word {
        let integer = self.integer(width);
        let bits = self.vector(integer, count);
        let (pointer, access) = (self.global_pointer(place, bits), self.global_access(place, width / 8 * count));
        let value = self.out.value(Op::Load, bits, [id(pointer)].into_iter().chain(access).collect());
        if made == bits { value } else { self.out.value(Op::Bitcast, made, vec![id(value)]) }
    }

    fn write_vector(&mut self, (width, count): (u32, u32), ty: Type<'s>, value: Word, place: Place) -> Outcome<()> {
        let (made, integer) = (self.ty(ty)?, self.integer(width));
        let bits = self.vector(integer, count);
        let (pointer, access) = (self.global_pointer(place, bits), self.global_access(place, width / 8 * count));
        let value = if made == bits { value } else { self.out.value(Op::Bitcast, bits, vec![id(value)]) };
        self.out.act(Op::Store, [id(pointer), id(value)].into_iter().chain(access).collect());
        Ok(())
    }

    /// The parts of a structure, array or vector, with their offsets in bytes.
    fn parts(&self, ty: Type<'s>) -> Outcome<Vec<(Type<'s>, u64)>> {
        let machine = self.cx.machine;
        Ok(match ty.view() {
            TypeView::Structure(members, _) => {
                (0u32..).zip(members).map(|(index, member)| (member, ty.member_offset(index, machine))).collect()
            }
            TypeView::Array(element, count) => {
                (0..count).map(|index| (element, index * element.alloc_size(machine))).collect()
            }
            TypeView::Vector(element, count) if element.view() != TypeView::Integer(1) => {
                (0..count).map(|index| (element, u64::from(index) * element.store_size(machine))).collect()
            }
            _ => return Err(Failure::internal(format!("an access of `{}` was not refused", ty.text()))),
        })
    }

    /// Loads an integer of 8 to 64 bits, in pieces if it is not aligned.
    pub(super) fn read_integer(&mut self, width: u32, place: Place) -> Outcome<Word> {
        let piece = width.min(place.aligned() as u32 * 8);
        // Two words are loaded as such from an array of words.
        let enough = if matches!(place.home, Home::Words(_)) { piece >= width.min(32) } else { piece == width };
        if enough {
            return Ok(self.read_aligned(width, place));
        }
        let whole = self.integer(width);
        let mut value = None;
        for at in (0..width).step_by(piece as usize) {
            let part = self.read_aligned(piece, place.behind(u64::from(at / 8)));
            let mut wide = self.out.value(Op::UConvert, whole, vec![id(part)]);
            if at > 0 {
                let by = self.integer_constant(32, at.into());
                wide = self.out.value(Op::ShiftLeftLogical, whole, vec![id(wide), id(by)]);
            }
            value = Some(match value {
                Some(value) => self.out.value(Op::BitwiseOr, whole, vec![id(value), id(wide)]),
                None => wide,
            });
        }
        value.ok_or_else(|| Failure::internal("an access of no bits"))
    }

    pub(super) fn write_integer(&mut self, width: u32, value: Word, place: Place) -> Outcome<()> {
        let piece = width.min(place.aligned() as u32 * 8);
        let enough = if matches!(place.home, Home::Words(_)) { piece >= width.min(32) } else { piece == width };
        if enough {
            self.write_aligned(width, value, place);
            return Ok(());
        }
        let (whole, part) = (self.integer(width), self.integer(piece));
        for at in (0..width).step_by(piece as usize) {
            let by = self.integer_constant(32, at.into());
            let low = self.out.value(Op::ShiftRightLogical, whole, vec![id(value), id(by)]);
            let low = self.out.value(Op::UConvert, part, vec![id(low)]);
            self.write_aligned(piece, low, place.behind(u64::from(at / 8)));
        }
        Ok(())
    }

    fn read_aligned(&mut self, width: u32, place: Place) -> Word {
        match place.home {
            Home::Words(words) => {
                let words = Words { is_volatile: place.volatile, ..words };
                self.load_words(words, place.address, place.offset, width)
            }
            Home::Global | Home::Table(_) | Home::Arguments | Home::Any(_) => {
                let ty = self.integer_in_memory(width);
                let (pointer, access) = (self.global_pointer(place, ty), self.global_access(place, width / 8));
                self.out.value(Op::Load, ty, [id(pointer)].into_iter().chain(access).collect())
            }
        }
    }

    fn write_aligned(&mut self, width: u32, value: Word, place: Place) {
        match place.home {
            Home::Words(words) => {
                let words = Words { is_volatile: place.volatile, ..words };
                self.store_words(words, place.address, place.offset, width, value);
                self.behind_store(words);
            }
            Home::Global | Home::Table(_) | Home::Arguments | Home::Any(_) => {
                let ty = self.integer_in_memory(width);
                let (pointer, access) = (self.global_pointer(place, ty), self.global_access(place, width / 8));
                self.out.act(Op::Store, [id(pointer), id(value)].into_iter().chain(access).collect());
            }
        }
    }

    fn global_access(&mut self, place: Place, size: u32) -> Vec<Operand> {
        let volatile = if place.volatile { MemoryAccess::VOLATILE } else { MemoryAccess::NONE };
        let access = MemoryAccess::ALIGNED | MemoryAccess::NON_PRIVATE_POINTER | volatile;
        let alignment = place.aligned().clamp(u64::from(size), 16) as u32;
        vec![Operand::MemoryAccess(access), Operand::LiteralBit32(alignment)]
    }

    /// The type of integers in global memory.
    pub(super) fn integer_in_memory(&mut self, width: u32) -> Word {
        match width {
            8 => self.out.needs.add(Capability::StorageBuffer8BitAccess),
            16 => self.out.needs.add(Capability::StorageBuffer16BitAccess),
            _ => {}
        }
        self.integer(width)
    }

    /// A pointer to a value of this type in global memory.
    pub(super) fn global_pointer(&mut self, place: Place, pointee: Word) -> Word {
        let mut address = place.address;
        if place.offset != 0 {
            let (long, by) = (self.integer(64), self.integer_constant(64, place.offset));
            address = self.out.value(Op::IAdd, long, vec![id(address), id(by)]);
        }
        let ty = self.pointer_to(StorageClass::PhysicalStorageBuffer, pointee);
        self.out.value(Op::ConvertUToPtr, ty, vec![id(address)])
    }
}
