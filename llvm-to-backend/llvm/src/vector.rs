//! Builds vector code.
//!
//! In: values of one lane, or of all. Out: vectors, accesses under a mask, and the vector forms of
//! scalar instructions. *Invariant:* a mask is a vector of `i1` with as many elements as the values
//! that it covers.

use crate::{
    blocks::Block,
    insert::Inserter,
    ir::{Type, Value},
    module::Module,
};
use llvm_sys::{core::*, debuginfo::*, prelude::*};

unsafe extern "C" {
    fn sinter_copy_flags(to: LLVMValueRef, from: LLVMValueRef);
    fn sinter_drop_flags(instruction: LLVMValueRef);
    fn sinter_wide_intrinsic(call: LLVMValueRef, lanes: u32) -> LLVMValueRef;
    fn sinter_keeps_scalar(call: LLVMValueRef, argument: u32) -> bool;
}

/// Vectors.
impl<'s> Inserter<'s> {
    /// A vector with `value` in each of its lanes.
    pub fn splat(&self, value: Value<'s>, lanes: u32) -> Value<'s> {
        let ty = value.ty().vector(lanes);
        let Some(zero) = value.ty().constant_index(0) else { return ty.poison() };
        let one = self.with_element(ty.poison(), value, zero);
        self.shuffle(one, ty.poison(), &vec![0; lanes as usize])
    }

    /// The elements at these positions of `a` followed by `b`.
    pub fn shuffle(&self, a: Value<'s>, b: Value<'s>, positions: &[u32]) -> Value<'s> {
        let number = |position: &u32| a.ty().constant_index(u64::from(*position));
        let mask: Vec<_> = positions.iter().filter_map(number).collect();
        let mask = Value::vector_of(&mask);
        // SAFETY: two vectors of one type and a constant vector of 32-bit numbers.
        Value::new(unsafe { LLVMBuildShuffleVector(self.raw(), a.raw(), b.raw(), mask.raw(), c"".as_ptr()) })
    }

    /// `getelementptr` over `ty`, of pointers and indices of which some are vectors.
    pub fn addresses(&self, ty: Type<'s>, base: Value<'s>, indices: &[Value<'s>]) -> Value<'s> {
        let mut raw: Vec<LLVMValueRef> = indices.iter().map(|index| index.raw()).collect();
        let count = raw.len() as u32;
        // SAFETY: a pointer or vector of pointers, and indices that the type takes.
        let made = unsafe { LLVMBuildGEP2(self.raw(), ty.raw(), base.raw(), raw.as_mut_ptr(), count, c"".as_ptr()) };
        Value::new(made)
    }

    /// Branches to `yes` or to `no`.
    pub fn branch_if(&self, condition: Value<'s>, yes: Block<'s>, no: Block<'s>) {
        // SAFETY: an `i1` and live blocks of the same function.
        unsafe { LLVMBuildCondBr(self.raw(), condition.raw(), yes.raw(), no.raw()) };
    }

    /// Calls an intrinsic by its name without the suffixes of `types`, which it is overloaded for.
    pub fn intrinsic(&self, module: &Module<'s>, name: &str, types: &[Type<'s>], arguments: &[Value<'s>]) -> Value<'s> {
        let mut raw: Vec<LLVMTypeRef> = types.iter().map(|ty| ty.raw()).collect();
        // SAFETY: a string with its length.
        let id = unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) };
        // SAFETY: an intrinsic that callers name, and the types that it is overloaded for.
        let function = unsafe { LLVMGetIntrinsicDeclaration(module.raw(), id, raw.as_mut_ptr(), raw.len()) };
        self.call(Value::new(function), arguments)
    }

    /// Gives the instructions built from here on the source location of `instruction`.
    pub fn speak_for(&self, instruction: Value<'s>) {
        // SAFETY: a builder and an instruction, whose location may be none.
        unsafe { LLVMSetCurrentDebugLocation2(self.raw(), LLVMInstructionGetDebugLoc(instruction.raw())) };
    }
}

impl<'s> Value<'s> {
    /// A constant vector of these constants, of which there is at least one.
    pub fn vector_of(elements: &[Value<'s>]) -> Value<'s> {
        let mut raw: Vec<LLVMValueRef> = elements.iter().map(|element| element.raw()).collect();
        // SAFETY: constants of one type.
        Value::new(unsafe { LLVMConstVector(raw.as_mut_ptr(), raw.len() as u32) })
    }

    /// Takes over the flags of another instruction with the same operation.
    pub fn copy_flags(self, from: Value<'s>) {
        if self.is_instruction() {
            // SAFETY: two instructions.
            unsafe { sinter_copy_flags(self.raw(), from.raw()) };
        }
    }

    /// Removes flags and metadata that make a result poison for some operands.
    pub fn drop_flags(self) {
        if self.is_instruction() {
            // SAFETY: an instruction.
            unsafe { sinter_drop_flags(self.raw()) };
        }
    }

    /// The declaration of the vector form of an intrinsic that a call calls lane by lane; `None`
    /// where there is none.
    pub fn wide_intrinsic(self, lanes: u32) -> Option<Value<'s>> {
        // SAFETY: callers pass calls in a module.
        Value::wrap(unsafe { sinter_wide_intrinsic(self.raw(), lanes) })
    }

    /// True for an argument that stays a scalar in the vector form of an intrinsic.
    pub fn keeps_scalar(self, argument: u32) -> bool {
        // SAFETY: callers pass calls of such an intrinsic and one of its arguments.
        unsafe { sinter_keeps_scalar(self.raw(), argument) }
    }
}
