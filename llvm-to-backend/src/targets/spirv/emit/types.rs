//! Emits types.
//!
//! In: types of LLVM. Out: IDs of SPIR-V types. *Invariant:* integers have no sign, which is a
//! property of operations; a pointer that is a value is a byte pointer, and its pointee type is
//! chosen at each use; a boolean is a boolean in registers and a byte in memory.

use super::{Emitter, assembly::id, shader::address_width};
use crate::{
    failure::{Failure, Outcome},
    targets::spirv::limits::ELEMENTS,
};
use rspirv::{
    dr::Operand,
    spirv::{Capability, Decoration, Op, StorageClass, Word},
};
use sinter_llvm::{ir::Type, types::TypeView};

/// Storage class of an address space.
pub(super) fn storage_class(space: u32) -> Outcome<StorageClass> {
    Ok(match space {
        0 => StorageClass::Generic,
        1 => StorageClass::CrossWorkgroup,
        3 => StorageClass::Workgroup,
        4 => StorageClass::UniformConstant,
        5 => StorageClass::Function,
        other => return Err(Failure::internal(format!("address space {other} was not refused"))),
    })
}

/// True if a type contains an array with more elements than an instruction can have.
pub(super) fn is_long(ty: Type<'_>) -> bool {
    match ty.view() {
        TypeView::Array(element, count) => count > ELEMENTS || is_long(element),
        TypeView::Structure(members, _) => members.into_iter().any(is_long),
        _ => false,
    }
}

/// Offset and length of the arrays that such an array is split into.
pub(super) fn pieces(count: u64) -> impl Iterator<Item = (u64, u64)> {
    (0..count).step_by(ELEMENTS as usize).map(move |start| (start, ELEMENTS.min(count - start)))
}

impl<'s> Emitter<'_, 's> {
    pub(super) fn void(&mut self) -> Word {
        self.out.global(Op::TypeVoid, None, vec![])
    }

    pub(super) fn boolean(&mut self) -> Word {
        self.out.global(Op::TypeBool, None, vec![])
    }

    /// An integer type of 8, 16, 32 or 64 bits.
    pub(super) fn integer(&mut self, width: u32) -> Word {
        match width {
            8 => self.out.needs.add(Capability::Int8),
            16 => self.out.needs.add(Capability::Int16),
            64 => self.out.needs.add(Capability::Int64),
            _ => {}
        }
        self.out.global(Op::TypeInt, None, vec![Operand::LiteralBit32(width), Operand::LiteralBit32(0)])
    }

    pub(super) fn float(&mut self, width: u32) -> Word {
        match width {
            16 => self.out.needs.add(Capability::Float16),
            64 => self.out.needs.add(Capability::Float64),
            _ => {}
        }
        self.out.global(Op::TypeFloat, None, vec![Operand::LiteralBit32(width)])
    }

    pub(super) fn vector(&mut self, element: Word, count: u32) -> Word {
        if count > 4 {
            self.out.needs.add(Capability::Vector16);
        }
        self.out.global(Op::TypeVector, None, vec![id(element), Operand::LiteralBit32(count)])
    }

    /// A pointer to a type.
    pub(super) fn pointer_to(&mut self, class: StorageClass, pointee: Word) -> Word {
        if class == StorageClass::Generic {
            self.out.needs.add(Capability::GenericPointer);
        }
        self.out.global(Op::TypePointer, None, vec![Operand::StorageClass(class), id(pointee)])
    }

    /// A byte pointer, the type of pointers that are values.
    pub(super) fn pointer(&mut self, space: u32) -> Outcome<Word> {
        let byte = self.integer(8);
        Ok(self.pointer_to(storage_class(space)?, byte))
    }

    pub(super) fn array(&mut self, element: Word, count: u64) -> Word {
        // SPIR-V arrays have at least one element.
        let count = self.integer_constant(if self.is_shader() { 32 } else { 64 }, count.max(1));
        self.out.global(Op::TypeArray, None, vec![id(element), id(count)])
    }

    /// The type of values in registers.
    pub(super) fn ty(&mut self, ty: Type<'s>) -> Outcome<Word> {
        if let Some(known) = self.types.get(&ty) {
            return Ok(*known);
        }
        let made = match ty.view() {
            TypeView::Void => self.void(),
            TypeView::Integer(1) => self.boolean(),
            TypeView::Integer(width) => self.integer(width),
            TypeView::Float(width) => self.float(width),
            TypeView::Pointer(space) if self.is_shader() => self.integer(address_width(space)),
            TypeView::Pointer(space) => self.pointer(space)?,
            TypeView::Vector(element, count) => {
                let element = self.ty(element)?;
                self.vector(element, count)
            }
            _ => self.aggregate(ty, Self::ty)?,
        };
        self.types.insert(ty, made);
        Ok(made)
    }

    /// The type of values in memory.
    pub(super) fn memory_type(&mut self, ty: Type<'s>) -> Outcome<Word> {
        if let Some(known) = self.memory_types.get(&ty) {
            return Ok(*known);
        }
        let made = match ty.view() {
            TypeView::Integer(1) => self.integer(8),
            // A packed structure has a new ID each time that it is declared.
            TypeView::Array(..) | TypeView::Structure(..) if Self::holds_booleans(ty) => {
                self.aggregate(ty, Self::memory_type)?
            }
            _ => self.ty(ty)?,
        };
        self.memory_types.insert(ty, made);
        Ok(made)
    }

    /// The type of an initialised variable. An array with more elements than an instruction can
    /// have is a structure of arrays with the same layout.
    pub(super) fn content_type(&mut self, ty: Type<'s>) -> Outcome<Word> {
        match ty.view() {
            _ if !is_long(ty) => self.memory_type(ty),
            TypeView::Array(element, count) if count > ELEMENTS => {
                let element = self.content_type(element)?;
                let pieces = pieces(count).map(|(_, count)| id(self.array(element, count))).collect();
                Ok(self.out.global(Op::TypeStruct, None, pieces))
            }
            _ => self.aggregate(ty, Self::content_type),
        }
    }

    fn aggregate(&mut self, ty: Type<'s>, part: fn(&mut Self, Type<'s>) -> Outcome<Word>) -> Outcome<Word> {
        match ty.view() {
            TypeView::Array(element, count) => {
                let element = part(self, element)?;
                Ok(self.array(element, count))
            }
            TypeView::Structure(members, packed) => {
                let members = members.into_iter().map(|member| part(self, member)).collect::<Outcome<Vec<_>>>()?;
                let operands = members.iter().copied().map(id).collect();
                if !packed || self.is_shader() {
                    return Ok(self.out.global(Op::TypeStruct, None, operands));
                }
                if let Some(known) = self.packed.get(&members) {
                    return Ok(*known);
                }
                let made = self.out.distinct_global(Op::TypeStruct, None, operands);
                self.out.annotate(made, Decoration::CPacked, vec![]);
                self.packed.insert(members, made);
                Ok(made)
            }
            _ => Err(Failure::internal(format!("the type `{}` was not refused", ty.text()))),
        }
    }
}
