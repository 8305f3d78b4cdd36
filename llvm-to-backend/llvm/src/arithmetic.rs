//! Builds arithmetic, conversion, vector and memory instructions.
//!
//! In: operands and an opcode. Out: the new instruction, or a constant for literal operands.
//! *Invariant:* operands have the types that the operation takes; callers take them from an
//! instruction with the same operation, or from its parts.

use crate::{
    insert::Inserter,
    ir::{Opcode, Type, Value},
    operation::{FloatPredicate, IntegerPredicate},
};
use llvm_sys::core::*;

/// Operations on one or two values.
impl<'s> Inserter<'s> {
    /// An operation on two numbers of one type.
    pub fn binary(&self, operation: Opcode, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        // SAFETY: an operation on two numbers, and two of one type that it takes.
        Value::new(unsafe { LLVMBuildBinOp(self.raw(), operation, a.raw(), b.raw(), c"".as_ptr()) })
    }

    /// A conversion; returns `value` itself if it has the type.
    pub fn cast(&self, operation: Opcode, value: Value<'s>, ty: Type<'s>) -> Value<'s> {
        if value.ty() == ty {
            return value;
        }
        // SAFETY: a conversion and a value and a type that it takes.
        Value::new(unsafe { LLVMBuildCast(self.raw(), operation, value.raw(), ty.raw(), c"".as_ptr()) })
    }

    /// A comparison of integers or pointers.
    pub fn compare(&self, predicate: IntegerPredicate, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        // SAFETY: two values of one type.
        Value::new(unsafe { LLVMBuildICmp(self.raw(), predicate, a.raw(), b.raw(), c"".as_ptr()) })
    }

    /// A comparison of floating-point numbers.
    pub fn compare_floats(&self, predicate: FloatPredicate, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        // SAFETY: two values of one type.
        Value::new(unsafe { LLVMBuildFCmp(self.raw(), predicate, a.raw(), b.raw(), c"".as_ptr()) })
    }

    /// `-a` of a floating-point number.
    pub fn negate(&self, a: Value<'s>) -> Value<'s> {
        // SAFETY: a floating-point number.
        Value::new(unsafe { LLVMBuildFNeg(self.raw(), a.raw(), c"".as_ptr()) })
    }

    /// A phi without incoming values.
    pub fn phi(&self, ty: Type<'s>) -> Value<'s> {
        // SAFETY: a type that values can have; callers insert it among phis.
        Value::new(unsafe { LLVMBuildPhi(self.raw(), ty.raw(), c"".as_ptr()) })
    }
}

/// Parts of vectors and structures.
impl<'s> Inserter<'s> {
    /// An element of a vector.
    pub fn element(&self, vector: Value<'s>, index: Value<'s>) -> Value<'s> {
        // SAFETY: a vector and an integer.
        Value::new(unsafe { LLVMBuildExtractElement(self.raw(), vector.raw(), index.raw(), c"".as_ptr()) })
    }

    /// A vector with one element replaced.
    pub fn with_element(&self, vector: Value<'s>, element: Value<'s>, index: Value<'s>) -> Value<'s> {
        let (vector, element, index) = (vector.raw(), element.raw(), index.raw());
        // SAFETY: a vector, a value of its element's type and an integer.
        Value::new(unsafe { LLVMBuildInsertElement(self.raw(), vector, element, index, c"".as_ptr()) })
    }

    /// A member of a structure or array.
    pub fn member(&self, whole: Value<'s>, index: u32) -> Value<'s> {
        // SAFETY: a structure or array that has the member.
        Value::new(unsafe { LLVMBuildExtractValue(self.raw(), whole.raw(), index, c"".as_ptr()) })
    }

    /// A structure or array with one member replaced.
    pub fn with_member(&self, whole: Value<'s>, member: Value<'s>, index: u32) -> Value<'s> {
        // SAFETY: a structure or array and a value of the member's type.
        Value::new(unsafe { LLVMBuildInsertValue(self.raw(), whole.raw(), member.raw(), index, c"".as_ptr()) })
    }
}

/// Memory.
impl<'s> Inserter<'s> {
    /// Loads a value with this alignment.
    pub fn load_aligned(&self, ty: Type<'s>, from: Value<'s>, alignment: u32, volatile: bool) -> Value<'s> {
        let load = self.load(ty, from);
        // SAFETY: a load, and a power of two.
        unsafe { LLVMSetAlignment(load.raw(), alignment) };
        // SAFETY: a load.
        unsafe { LLVMSetVolatile(load.raw(), i32::from(volatile)) };
        load
    }

    /// Stores a value with this alignment.
    pub fn store_aligned(&self, value: Value<'s>, to: Value<'s>, alignment: u32, volatile: bool) -> Value<'s> {
        let store = self.store(value, to);
        // SAFETY: a store, and a power of two.
        unsafe { LLVMSetAlignment(store.raw(), alignment) };
        // SAFETY: a store.
        unsafe { LLVMSetVolatile(store.raw(), i32::from(volatile)) };
        store
    }

    /// `pointer + bytes`; may wrap and leave the object.
    pub fn distant(&self, pointer: Value<'s>, bytes: Value<'s>) -> Value<'s> {
        // SAFETY: a live type has a context.
        let byte = unsafe { LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(pointer.raw()))) };
        let mut indices = [bytes.raw()];
        // SAFETY: a pointer and one index.
        let address = unsafe { LLVMBuildGEP2(self.raw(), byte, pointer.raw(), indices.as_mut_ptr(), 1, c"".as_ptr()) };
        Value::new(address)
    }

    /// Returns from a function of type `void`.
    pub fn leave(&self) {
        // SAFETY: a builder in a function that returns nothing.
        unsafe { LLVMBuildRetVoid(self.raw()) };
    }

    /// An `alloca` with this alignment.
    pub fn reserve(&self, ty: Type<'s>, alignment: u32) -> Value<'s> {
        let made = self.room(ty);
        // SAFETY: an alloca, and a power of two.
        unsafe { LLVMSetAlignment(made.raw(), alignment) };
        made
    }
}

impl<'s> Value<'s> {
    /// Adds an incoming value to a phi.
    pub fn add_incoming(self, value: Value<'s>, from: crate::blocks::Block<'s>) {
        let (mut value, mut block) = (value.raw(), from.raw());
        // SAFETY: a phi, a value of its type and a predecessor of its block.
        unsafe { LLVMAddIncoming(self.raw(), &mut value, &mut block, 1) };
    }

    /// Copies the fast-math flags of another operation.
    pub fn copy_fast_math_flags(self, other: Value<'s>) {
        // SAFETY: two values; the flags are asked and set only of instructions that have them.
        unsafe {
            if self.is_instruction()
                && LLVMCanValueUseFastMathFlags(self.raw()) != 0
                && LLVMCanValueUseFastMathFlags(other.raw()) != 0
            {
                LLVMSetFastMathFlags(self.raw(), LLVMGetFastMathFlags(other.raw()));
            }
        }
    }
}

impl<'s> Type<'s> {
    /// The zero constant of this type.
    pub fn zero(self) -> Value<'s> {
        // SAFETY: a sized type.
        Value::new(unsafe { LLVMConstNull(self.raw()) })
    }

    /// The `undef` constant of this type.
    pub fn undefined(self) -> Value<'s> {
        // SAFETY: a live type.
        Value::new(unsafe { LLVMGetUndef(self.raw()) })
    }

    /// The floating-point literal of this type.
    pub fn real(self, value: f64) -> Value<'s> {
        // SAFETY: a floating-point type, or a vector of one.
        Value::new(unsafe { LLVMConstReal(self.raw(), value) })
    }

    /// A vector type with elements of this type.
    pub fn vector(self, count: u32) -> Type<'s> {
        // SAFETY: a type that elements of vectors can have.
        Type::new(unsafe { LLVMVectorType(self.raw(), count) })
    }
}

impl<'s> Type<'s> {
    /// A 32-bit index literal, in the context of this type.
    pub fn constant_index(self, index: u64) -> Option<Value<'s>> {
        // SAFETY: a live type has a context.
        Type::new(unsafe { LLVMInt32TypeInContext(LLVMGetTypeContext(self.raw())) }).constant(index)
    }
}
