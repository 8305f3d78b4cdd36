//! Structure of types.
//!
//! In: a type. Out: a [`TypeView`] of it, one level deep. *Invariant:* every type of this LLVM has
//! a view; types that none of our code generators takes are [`TypeView::Other`].

use crate::{ir::Type, machine::Machine};
use llvm_sys::{LLVMTypeKind, core::*, prelude::*, target::LLVMOffsetOfElement};

/// A type, one level deep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeView<'s> {
    /// `void`.
    Void,
    /// An integer of this many bits.
    Integer(u32),
    /// An IEEE 754 floating-point type of this many bits.
    Float(u32),
    /// A pointer into this address space.
    Pointer(u32),
    /// A vector of this many elements.
    Vector(Type<'s>, u32),
    /// An array of this many elements.
    Array(Type<'s>, u64),
    /// The members of a structure, and true if it is packed.
    Structure(Vec<Type<'s>>, bool),
    /// Labels, tokens, functions, target types, scalable vectors.
    Other,
}

impl<'s> Type<'s> {
    /// The type with its direct components.
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

    /// The element type of a vector; the type itself if it is not a vector.
    pub fn scalar(self) -> Type<'s> {
        match self.view() {
            TypeView::Vector(element, _) => element,
            _ => self,
        }
    }

    /// Byte offset of a structure's member.
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
