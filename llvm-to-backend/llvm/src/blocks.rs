//! Basic blocks, and edits that split a function into pieces.
//!
//! Thin handles over LLVM's C interface, like those of [`crate::ir`]. *Invariant:* an edit keeps
//! the function well formed, except that a new block has no terminator until the caller builds one.

use crate::{
    insert::Inserter,
    ir::{Opcode, Type, Value},
    session::Session,
};
use llvm_sys::{LLVMValueKind, core::*, prelude::*};
use std::marker::PhantomData;

unsafe extern "C" {
    fn sinter_expand_constant_users(constant: LLVMValueRef);
    fn sinter_join_latches(function: LLVMValueRef);
}

/// A basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'s>(LLVMBasicBlockRef, PhantomData<&'s Session>);

impl<'s> Block<'s> {
    pub(crate) fn new(raw: LLVMBasicBlockRef) -> Self {
        Block(raw, PhantomData)
    }

    pub(crate) fn raw(self) -> LLVMBasicBlockRef {
        self.0
    }

    /// Its instructions in order.
    pub fn instructions(self) -> Vec<Value<'s>> {
        // SAFETY: a live block; `Value::chain` walks the list that LLVM keeps.
        unsafe { Value::chain(LLVMGetFirstInstruction(self.0), |i| LLVMGetNextInstruction(i)) }
    }

    /// The block's terminator; `None` in a block under construction.
    pub fn terminator(self) -> Option<Value<'s>> {
        // SAFETY: a live block.
        Value::wrap(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    /// The successors of its terminator, one entry per edge.
    pub fn successors(self) -> Vec<Block<'s>> {
        let Some(terminator) = self.terminator() else { return Vec::new() };
        // SAFETY: a terminator.
        let count = unsafe { LLVMGetNumSuccessors(terminator.raw()) };
        // SAFETY: the index is in range.
        (0..count).map(|i| Block::new(unsafe { LLVMGetSuccessor(terminator.raw(), i) })).collect()
    }

    /// Moves everything before `instruction`, which is in this block, into a new block that takes
    /// this one's place: branches to this block go to the new one, which has no terminator yet.
    /// This block keeps the rest and its successors, and has no predecessor yet.
    pub fn split_before(self, instruction: Value<'s>) -> Block<'s> {
        // SAFETY: a live block has a context.
        let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(self.0))) };
        // SAFETY: a live context and block, and a C string.
        let head = Block::new(unsafe { LLVMInsertBasicBlockInContext(context, self.0, c"".as_ptr()) });
        let moved = self.instructions().into_iter().take_while(|i| *i != instruction);
        let builder = Inserter::at_end(context, head.0);
        moved.for_each(|i| builder.adopt(i));
        // Replacing a block also renames it in the phis of its successors, which LLVM finds through
        // its terminator; those must keep naming the block with the terminator.
        if let Some(terminator) = self.terminator() {
            // SAFETY: a live instruction with a parent.
            unsafe { LLVMInstructionRemoveFromParent(terminator.raw()) };
            // SAFETY: two live blocks as values.
            unsafe { LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(self.0), LLVMBasicBlockAsValue(head.0)) };
            // SAFETY: an instruction without a parent, put back at the end of its block.
            Inserter::at_end(context, self.0).insert(terminator);
        }
        head
    }

    /// Redirects the edges from this block's terminator to `old` to `new`. The caller updates the
    /// phis of both.
    pub fn redirect(self, old: Block<'s>, new: Block<'s>) {
        let Some(end) = self.terminator() else { return };
        for (index, _) in (0u32..).zip(self.successors()).filter(|(_, successor)| *successor == old) {
            // SAFETY: a terminator, and the index is in range.
            unsafe { LLVMSetSuccessor(end.raw(), index, new.0) };
        }
    }

    /// Builds instructions at the end of a block without a terminator.
    pub fn append<T>(self, build: impl FnOnce(&Inserter<'s>) -> T) -> T {
        // SAFETY: a live block has a context.
        let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(self.0))) };
        build(&Inserter::at_end(context, self.0))
    }
}

/// Functions and their blocks.
impl<'s> Value<'s> {
    /// The blocks of a function; the first is its entry.
    pub fn blocks(self) -> Vec<Block<'s>> {
        let mut blocks = Vec::new();
        // SAFETY: callers pass functions.
        let mut block = unsafe { LLVMGetFirstBasicBlock(self.raw()) };
        while !block.is_null() {
            blocks.push(Block::new(block));
            // SAFETY: a live block.
            block = unsafe { LLVMGetNextBasicBlock(block) };
        }
        blocks
    }

    /// Adds a block before all others.
    pub fn prepend_block(self, name: &str) -> Block<'s> {
        let name = crate::text::c_string(name);
        // SAFETY: a live function has a context.
        let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(self.raw())) };
        // SAFETY: callers pass functions with a body.
        let first = unsafe { LLVMGetFirstBasicBlock(self.raw()) };
        // SAFETY: a live context and block, and a C string.
        Block::new(unsafe { LLVMInsertBasicBlockInContext(context, first, name.as_ptr()) })
    }

    /// Adds a block after all others.
    pub fn append_block(self, name: &str) -> Block<'s> {
        let name = crate::text::c_string(name);
        // SAFETY: a live function has a context.
        let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(self.raw())) };
        // SAFETY: a live context and function, and a C string.
        Block::new(unsafe { LLVMAppendBasicBlockInContext(context, self.raw(), name.as_ptr()) })
    }

    /// The block that holds an instruction.
    pub fn block(self) -> Block<'s> {
        // SAFETY: callers pass instructions in a block.
        Block::new(unsafe { LLVMGetInstructionParent(self.raw()) })
    }

    /// Incoming values of a phi with their blocks; none of any other value.
    pub fn incoming(self) -> Vec<(Block<'s>, Value<'s>)> {
        if !self.is_instruction() || self.opcode() != Opcode::LLVMPHI {
            return Vec::new();
        }
        // SAFETY: a phi.
        let count = unsafe { LLVMCountIncoming(self.raw()) };
        // SAFETY: the index is in range.
        let block = |i| Block::new(unsafe { LLVMGetIncomingBlock(self.raw(), i) });
        // SAFETY: as above.
        (0..count).map(|i| (block(i), Value::new(unsafe { LLVMGetIncomingValue(self.raw(), i) }))).collect()
    }

    /// Replaces operand `index` of an instruction by a value of the same type.
    pub fn set_operand(self, index: usize, value: Value<'s>) {
        // SAFETY: callers pass an operand's index and a value of its type.
        unsafe { LLVMSetOperand(self.raw(), index as u32, value.raw()) };
    }

    /// True if this is a parameter of a function.
    pub fn is_parameter(self) -> bool {
        self.kind() == LLVMValueKind::LLVMArgumentValueKind
    }

    /// The allocated type of an `alloca`.
    pub fn allocated_type(self) -> Type<'s> {
        // SAFETY: callers pass allocas.
        Type::new(unsafe { LLVMGetAllocatedType(self.raw()) })
    }

    /// True if a constant is undefined, or zero in all its parts.
    pub fn is_undefined_or_zero(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsUndef(self.raw()) != 0 || LLVMIsNull(self.raw()) != 0 }
    }

    /// The instruction after this one in its block.
    pub fn next(self) -> Option<Value<'s>> {
        // SAFETY: callers pass instructions in a block.
        Value::wrap(unsafe { LLVMGetNextInstruction(self.raw()) })
    }

    /// Gives every loop of the function a single latch.
    pub fn join_latches(self) {
        // SAFETY: callers pass functions with a body.
        unsafe { sinter_join_latches(self.raw()) };
    }

    /// Replaces every constant expression that uses this constant by an instruction in front of its
    /// user.
    pub fn expand_constant_users(self) {
        // SAFETY: callers pass constants.
        unsafe { sinter_expand_constant_users(self.raw()) };
    }

    /// Moves an instruction in front of another one of the same function.
    pub fn move_before(self, other: Value<'s>) {
        // SAFETY: a live instruction with a parent.
        unsafe { LLVMInstructionRemoveFromParent(self.raw()) };
        other.insert_before(|insert| insert.insert(self));
    }

    /// True if an instruction's result depends on its operands only: arithmetic, casts, and calls
    /// of functions that are known to access no memory.
    pub fn is_function_of_operands(self) -> bool {
        match self.opcode() {
            Opcode::LLVMCall => self.callee().is_some_and(|f| f.is_intrinsic() && f.accesses_no_memory()),
            Opcode::LLVMFreeze | Opcode::LLVMPHI | Opcode::LLVMAlloca => false,
            Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMIndirectBr | Opcode::LLVMRet => false,
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMLandingPad => false,
            opcode => !self.may_have_effects(opcode),
        }
    }

    fn may_have_effects(self, opcode: Opcode) -> bool {
        matches!(
            opcode,
            Opcode::LLVMLoad
                | Opcode::LLVMStore
                | Opcode::LLVMFence
                | Opcode::LLVMAtomicCmpXchg
                | Opcode::LLVMAtomicRMW
                | Opcode::LLVMInvoke
                | Opcode::LLVMCallBr
                | Opcode::LLVMVAArg
                | Opcode::LLVMResume
                | Opcode::LLVMUnreachable
                | Opcode::LLVMCleanupPad
                | Opcode::LLVMCatchPad
                | Opcode::LLVMCatchSwitch
        )
    }

    /// True if a function is marked `memory(none)` and not `convergent`.
    fn accesses_no_memory(self) -> bool {
        !self.has_attribute("convergent") && self.attribute_value("memory") == Some(0)
    }
}
