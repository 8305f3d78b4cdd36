//! Builds instructions at one position.
//!
//! *Invariant:* an [`Inserter`] has one position, before an instruction or at the end of a block,
//! and lives no longer than the closure that borrows it.

use crate::{
    blocks::Block,
    ir::{Type, Value},
    machine::Machine,
    session::Session,
};
use llvm_sys::{core::*, prelude::*};
use std::marker::PhantomData;

/// Builds instructions at one position.
#[derive(Debug)]
pub struct Inserter<'s>(LLVMBuilderRef, PhantomData<&'s Session>);

impl<'s> Inserter<'s> {
    pub(crate) fn new(raw: LLVMBuilderRef) -> Self {
        Inserter(raw, PhantomData)
    }

    pub(crate) fn raw(&self) -> LLVMBuilderRef {
        self.0
    }

    /// Truncates or zero-extends an integer to `ty`.
    pub fn resize(&self, value: Value<'s>, ty: Type<'s>) -> Value<'s> {
        // SAFETY: an integer value and an integer type.
        Value::new(unsafe { LLVMBuildIntCast2(self.0, value.raw(), ty.raw(), 0, c"".as_ptr()) })
    }

    /// Calls a function.
    pub fn call(&self, function: Value<'s>, arguments: &[Value<'s>]) -> Value<'s> {
        let mut raw: Vec<LLVMValueRef> = arguments.iter().map(|argument| argument.raw()).collect();
        let ty = function.value_type().raw();
        // SAFETY: a function and arguments of its types.
        let call =
            unsafe { LLVMBuildCall2(self.0, ty, function.raw(), raw.as_mut_ptr(), raw.len() as u32, c"".as_ptr()) };
        Value::new(call)
    }

    /// `a * b + c` as two operations.
    pub fn multiply_then_add(&self, [a, b, c]: [Value<'s>; 3]) -> Value<'s> {
        // SAFETY: floating-point values of one type.
        let product = unsafe { LLVMBuildFMul(self.0, a.raw(), b.raw(), c"".as_ptr()) };
        // SAFETY: as above.
        Value::new(unsafe { LLVMBuildFAdd(self.0, product, c.raw(), c"".as_ptr()) })
    }

    /// An `alloca` of `ty` with a copy of the value at `source`.
    pub fn private_copy(&self, ty: Type<'s>, alignment: u32, source: Value<'s>, machine: &Machine) -> Value<'s> {
        // SAFETY: a sized type.
        let copy = unsafe { LLVMBuildAlloca(self.0, ty.raw(), c"".as_ptr()) };
        // SAFETY: an alloca.
        unsafe { LLVMSetAlignment(copy, alignment) };
        // SAFETY: a live type has a context.
        let size =
            unsafe { LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(ty.raw())), ty.alloc_size(machine), 0) };
        // SAFETY: two pointers with that much room and alignment.
        unsafe { LLVMBuildMemCpy(self.0, copy, alignment, source.raw(), alignment, size) };
        Value::new(copy)
    }

    pub(crate) fn at_end(context: LLVMContextRef, block: LLVMBasicBlockRef) -> Self {
        // SAFETY: a live context.
        let builder = unsafe { LLVMCreateBuilderInContext(context) };
        // SAFETY: a new builder and a live block.
        unsafe { LLVMPositionBuilderAtEnd(builder, block) };
        Inserter::new(builder)
    }

    /// Moves an instruction here from its block.
    pub fn adopt(&self, instruction: Value<'s>) {
        // SAFETY: a live instruction with a parent.
        unsafe { LLVMInstructionRemoveFromParent(instruction.raw()) };
        self.insert(instruction);
    }

    /// Inserts an instruction without a parent here.
    pub fn insert(&self, instruction: Value<'s>) {
        // SAFETY: a builder and an instruction without a parent, which keeps its name.
        unsafe { LLVMInsertIntoBuilder(self.raw(), instruction.raw()) };
    }

    /// A copy of an instruction, with the same operands.
    pub fn copy_of(&self, instruction: Value<'s>) -> Value<'s> {
        // SAFETY: a live instruction; the copy has no parent yet.
        let copy = Value::new(unsafe { LLVMInstructionClone(instruction.raw()) });
        self.insert(copy);
        copy
    }

    /// Branches to `block`.
    pub fn branch(&self, block: Block<'s>) {
        // SAFETY: a live block of the same function.
        unsafe { LLVMBuildBr(self.raw(), block.raw()) };
    }

    /// Branches to the block of the case that equals `value`, or to `otherwise`.
    pub fn switch(&self, value: Value<'s>, otherwise: Block<'s>, cases: &[(u64, Block<'s>)]) {
        // SAFETY: an integer and live blocks of the same function.
        let switch = unsafe { LLVMBuildSwitch(self.raw(), value.raw(), otherwise.raw(), cases.len() as u32) };
        for (case, block) in cases {
            if let Some(literal) = value.ty().constant(*case) {
                // SAFETY: a switch, a literal of its type and a live block.
                unsafe { LLVMAddCase(switch, literal.raw(), block.raw()) };
            }
        }
    }

    /// Returns a value.
    pub fn give(&self, value: Value<'s>) {
        // SAFETY: a value of the type that the function returns.
        unsafe { LLVMBuildRet(self.raw(), value.raw()) };
    }

    /// Ends a block with `unreachable`.
    pub fn unreachable(&self) {
        // SAFETY: a builder at the end of a block.
        unsafe { LLVMBuildUnreachable(self.raw()) };
    }

    /// An `alloca` of one value.
    pub fn room(&self, ty: Type<'s>) -> Value<'s> {
        // SAFETY: a sized type.
        Value::new(unsafe { LLVMBuildAlloca(self.raw(), ty.raw(), c"".as_ptr()) })
    }

    /// An `alloca` of several values.
    pub fn room_for(&self, ty: Type<'s>, count: u64) -> Value<'s> {
        // SAFETY: a sized element type.
        let ty = unsafe { LLVMArrayType2(ty.raw(), count) };
        // SAFETY: a sized type.
        Value::new(unsafe { LLVMBuildAlloca(self.raw(), ty, c"".as_ptr()) })
    }

    /// Loads a value.
    pub fn load(&self, ty: Type<'s>, from: Value<'s>) -> Value<'s> {
        // SAFETY: a sized type and a pointer.
        Value::new(unsafe { LLVMBuildLoad2(self.raw(), ty.raw(), from.raw(), c"".as_ptr()) })
    }

    /// Stores a value.
    pub fn store(&self, value: Value<'s>, to: Value<'s>) -> Value<'s> {
        // SAFETY: a value of a sized type and a pointer.
        Value::new(unsafe { LLVMBuildStore(self.raw(), value.raw(), to.raw()) })
    }

    /// `a * b` without unsigned wrap (`nuw`).
    pub fn multiply(&self, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        // SAFETY: integers of one type.
        Value::new(unsafe { LLVMBuildNUWMul(self.raw(), a.raw(), b.raw(), c"".as_ptr()) })
    }

    /// `value`, or an arbitrary fixed value if it is undefined (`freeze`).
    pub fn freeze(&self, value: Value<'s>) -> Value<'s> {
        // SAFETY: a live value.
        Value::new(unsafe { LLVMBuildFreeze(self.raw(), value.raw(), c"".as_ptr()) })
    }

    /// `a == b`.
    pub fn equal(&self, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        let equal = llvm_sys::LLVMIntPredicate::LLVMIntEQ;
        // SAFETY: integers of one type.
        Value::new(unsafe { LLVMBuildICmp(self.raw(), equal, a.raw(), b.raw(), c"".as_ptr()) })
    }

    /// `a & b`.
    pub fn both(&self, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        // SAFETY: integers of one type.
        Value::new(unsafe { LLVMBuildAnd(self.raw(), a.raw(), b.raw(), c"".as_ptr()) })
    }

    /// `a | b`.
    pub fn either(&self, a: Value<'s>, b: Value<'s>) -> Value<'s> {
        // SAFETY: integers of one type.
        Value::new(unsafe { LLVMBuildOr(self.raw(), a.raw(), b.raw(), c"".as_ptr()) })
    }

    /// `condition ? yes : no`.
    pub fn select(&self, condition: Value<'s>, yes: Value<'s>, no: Value<'s>) -> Value<'s> {
        // SAFETY: an `i1`, and two values of one type.
        Value::new(unsafe { LLVMBuildSelect(self.raw(), condition.raw(), yes.raw(), no.raw(), c"".as_ptr()) })
    }

    /// `pointer + bytes`, within one object.
    pub fn offset(&self, pointer: Value<'s>, bytes: Value<'s>) -> Value<'s> {
        // SAFETY: a live type has a context.
        let byte = unsafe { LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(pointer.raw()))) };
        let mut indices = [bytes.raw()];
        // SAFETY: a pointer into an object that holds the offset, and one index.
        let address =
            unsafe { LLVMBuildInBoundsGEP2(self.raw(), byte, pointer.raw(), indices.as_mut_ptr(), 1, c"".as_ptr()) };
        Value::new(address)
    }

    /// The same pointer in the address space of `ty`.
    pub fn address_space_cast(&self, pointer: Value<'s>, ty: Type<'s>) -> Value<'s> {
        if pointer.ty() == ty {
            return pointer;
        }
        // SAFETY: a pointer and a pointer type.
        Value::new(unsafe { LLVMBuildAddrSpaceCast(self.raw(), pointer.raw(), ty.raw(), c"".as_ptr()) })
    }
}

impl Drop for Inserter<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `insert_before`.
        unsafe { LLVMDisposeBuilder(self.0) };
    }
}
