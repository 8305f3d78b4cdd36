//! What types are made of.
//!
//! In: a type. Out: a [`TypeView`] of it, one level deep. *Invariant:* a view names every type that
//! can be in a module of this LLVM; what no code generator of ours takes is [`TypeView::Other`].

use crate::{ir::Type, machine::Machine};
use llvm_sys::{LLVMTypeKind, core::*, prelude::*, target::LLVMOffsetOfElement};

/// A type, one level deep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeView<'s> {
    /// `void`.
    Void,
    /// An integer of this many bits.
    Integer(u32),
    /// A floating-point type of this many bits, as IEEE 754 defines it.
    Float(u32),
    /// A pointer into this address space.
    Pointer(u32),
    /// A vector of so many elements.
    Vector(Type<'s>, u32),
    /// An array of so many elements.
    Array(Type<'s>, u64),
    /// A structure, and whether it has no gaps.
    Structure(Vec<Type<'s>>, bool),
    /// Labels, tokens, functions, types of one processor, vectors of unknown length.
    Other,
}

impl<'s> Type<'s> {
    /// What the type is.
    pub fn view(self) -> TypeView<'s> {
        let raw = self.raw();
        // SAFETY: a live type.
        match unsafe { LLVMGetTypeKind(raw) } {
            LLVMTypeKind::LLVMVoidTypeKind => TypeView::Void,
            // SAFETY: an integer type.
            LLVMTypeKind::LLVMIntegerTypeKind => TypeView::Integer(unsafe { LLVMGetIntTypeWidth(raw) }),
            LLVMTypeKind::LLVMHalfTypeKind => TypeView::Float(16),
            LLVMTypeKind::LLVMFloatTypeKind => TypeView::Float(32),
            LLVMTypeKind::LLVMDoubleTypeKind => TypeView::Float(64),
            // SAFETY: a pointer type.
            LLVMTypeKind::LLVMPointerTypeKind => TypeView::Pointer(unsafe { LLVMGetPointerAddressSpace(raw) }),
            // SAFETY: a vector type.
            LLVMTypeKind::LLVMVectorTypeKind => TypeView::Vector(element(raw), unsafe { LLVMGetVectorSize(raw) }),
            // SAFETY: an array type.
            LLVMTypeKind::LLVMArrayTypeKind => TypeView::Array(element(raw), unsafe { LLVMGetArrayLength2(raw) }),
            LLVMTypeKind::LLVMStructTypeKind => structure(raw),
            _ => TypeView::Other,
        }
    }

    /// The type of the elements of a vector; the type itself where it is none.
    pub fn scalar(self) -> Type<'s> {
        match self.view() {
            TypeView::Vector(element, _) => element,
            _ => self,
        }
    }

    /// Where a member of a structure begins, in bytes.
    pub fn member_offset(self, index: u32, machine: &Machine) -> u64 {
        // SAFETY: callers pass a structure that has the member.
        unsafe { LLVMOffsetOfElement(machine.layout(), self.raw(), index) }
    }
}

fn element<'s>(raw: LLVMTypeRef) -> Type<'s> {
    // SAFETY: callers pass a vector or an array.
    Type::new(unsafe { LLVMGetElementType(raw) })
}

fn structure<'s>(raw: LLVMTypeRef) -> TypeView<'s> {
    // SAFETY: a structure.
    if unsafe { LLVMIsOpaqueStruct(raw) } != 0 {
        return TypeView::Other;
    }
    // SAFETY: as above; the index is in range.
    let member = |index| Type::new(unsafe { LLVMStructGetTypeAtIndex(raw, index) });
    // SAFETY: as above.
    let members = (0..unsafe { LLVMCountStructElementTypes(raw) }).map(member).collect();
    // SAFETY: as above.
    TypeView::Structure(members, unsafe { LLVMIsPackedStruct(raw) } != 0)
}
