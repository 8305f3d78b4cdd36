//! Properties of an instruction besides its operands.
//!
//! In: an instruction or a constant. Out: plain values. *Invariant:* nothing here changes the
//! module. A method is valid only for the instructions that its first sentence names.

use crate::{
    blocks::Block,
    ir::{Opcode, Type, Value, ValueKind},
    machine::Machine,
    types::TypeView,
};
use llvm_sys::{core::*, *};

pub use llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as AtomicOperation, LLVMIntPredicate as IntegerPredicate,
    LLVMRealPredicate as FloatPredicate,
};

/// Fast-math flags of a floating-point operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FastMathFlags {
    /// No operand and no result is NaN.
    pub no_nans: bool,
    /// No operand and no result is infinite.
    pub no_infinities: bool,
    /// The sign of zeros does not matter.
    pub no_signed_zeros: bool,
    /// Divisions may multiply by the reciprocal.
    pub reciprocal: bool,
    /// It may be fused with other operations.
    pub contract: bool,
    /// It may be replaced by an approximation.
    pub approximate: bool,
    /// It may be reassociated.
    pub reassociate: bool,
}

/// True for an operation on two numbers of one type.
pub fn is_binary(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMAdd
            | Opcode::LLVMFAdd
            | Opcode::LLVMSub
            | Opcode::LLVMFSub
            | Opcode::LLVMMul
            | Opcode::LLVMFMul
            | Opcode::LLVMUDiv
            | Opcode::LLVMSDiv
            | Opcode::LLVMFDiv
            | Opcode::LLVMURem
            | Opcode::LLVMSRem
            | Opcode::LLVMFRem
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
    )
}

impl FastMathFlags {
    /// True if all flags are set.
    pub fn is_complete(self) -> bool {
        let FastMathFlags { no_nans, no_infinities, no_signed_zeros, reciprocal, contract, approximate, reassociate } =
            self;
        no_nans && no_infinities && no_signed_zeros && reciprocal && contract && approximate && reassociate
    }
}

impl<'s> Value<'s> {
    /// Predicate of an `icmp`.
    pub fn integer_predicate(self) -> IntegerPredicate {
        // SAFETY: callers pass an `icmp`.
        unsafe { LLVMGetICmpPredicate(self.raw()) }
    }

    /// True for integer arithmetic that does not wrap as unsigned (`nuw`).
    pub fn has_no_unsigned_wrap(self) -> bool {
        // SAFETY: callers pass an addition, subtraction, multiplication, left shift or truncation.
        unsafe { LLVMGetNUW(self.raw()) != 0 }
    }

    /// True for integer arithmetic that does not wrap as signed (`nsw`).
    pub fn has_no_signed_wrap(self) -> bool {
        // SAFETY: callers pass an addition, subtraction, multiplication, left shift or truncation.
        unsafe { LLVMGetNSW(self.raw()) != 0 }
    }

    /// Predicate of an `fcmp`.
    pub fn float_predicate(self) -> FloatPredicate {
        // SAFETY: callers pass an `fcmp`.
        unsafe { LLVMGetFCmpPredicate(self.raw()) }
    }

    /// Fast-math flags of a floating-point operation; none for other values.
    pub fn fast_math_flags(self) -> FastMathFlags {
        // SAFETY: a live instruction.
        if !self.is_instruction() || unsafe { LLVMCanValueUseFastMathFlags(self.raw()) } == 0 {
            return FastMathFlags::default();
        }
        // SAFETY: an instruction that has the flags.
        let flags = unsafe { LLVMGetFastMathFlags(self.raw()) };
        let has = |flag| flags & flag != 0;
        FastMathFlags {
            no_nans: has(LLVMFastMathNoNaNs),
            no_infinities: has(LLVMFastMathNoInfs),
            no_signed_zeros: has(LLVMFastMathNoSignedZeros),
            reciprocal: has(LLVMFastMathAllowReciprocal),
            contract: has(LLVMFastMathAllowContract),
            approximate: has(LLVMFastMathApproxFunc),
            reassociate: has(LLVMFastMathAllowReassoc),
        }
    }

    /// True if a load, store or atomic operation is volatile.
    pub fn is_volatile(self) -> bool {
        // SAFETY: callers pass accesses of memory.
        unsafe { LLVMGetVolatile(self.raw()) != 0 }
    }

    /// Memory ordering of a load, store, fence or `atomicrmw`.
    pub fn ordering(self) -> Ordering {
        // SAFETY: callers pass one of these.
        unsafe { LLVMGetOrdering(self.raw()) }
    }

    /// Success and failure ordering of a `cmpxchg`.
    pub fn exchange_orderings(self) -> (Ordering, Ordering) {
        // SAFETY: callers pass a `cmpxchg`.
        unsafe { (LLVMGetCmpXchgSuccessOrdering(self.raw()), LLVMGetCmpXchgFailureOrdering(self.raw())) }
    }

    /// The operation of an `atomicrmw`.
    pub fn atomic_operation(self) -> AtomicOperation {
        // SAFETY: callers pass an `atomicrmw`.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw()) }
    }

    /// Name of the sync scope of an atomic operation; empty for system scope.
    pub fn sync_scope(self) -> String {
        let text = self.text();
        let name = text.split_once("syncscope(\"").and_then(|(_, rest)| rest.split_once('"'));
        name.map(|(name, _)| name.to_owned()).unwrap_or_default()
    }

    /// The source element type of a `getelementptr`, instruction or constant.
    pub fn stepped_type(self) -> Type<'s> {
        // SAFETY: callers pass a `getelementptr`.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw()) })
    }

    /// True if a `getelementptr` is `inbounds`.
    pub fn is_in_bounds(self) -> bool {
        // SAFETY: callers pass a `getelementptr`.
        unsafe { LLVMIsInBounds(self.raw()) != 0 }
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub fn member_indices(self) -> Vec<u32> {
        // SAFETY: callers pass one of these; LLVM owns the list.
        let (indices, count) = unsafe { (LLVMGetIndices(self.raw()), LLVMGetNumIndices(self.raw())) };
        // SAFETY: a list of that length that lives as long as the instruction; an instruction has
        // at least one.
        unsafe { std::slice::from_raw_parts(indices, count as usize) }.to_vec()
    }

    /// True for a fence of the compiler, which orders nothing for other threads.
    pub fn is_of_one_thread(self) -> bool {
        // SAFETY: callers pass an atomic instruction.
        unsafe { LLVMIsAtomicSingleThread(self.raw()) != 0 }
    }

    /// The mask of a `shufflevector`; `None` for a poison element.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        // SAFETY: callers pass a `shufflevector`; the index is in range.
        let element = |index| u32::try_from(unsafe { LLVMGetMaskValue(self.raw(), index) }).ok();
        // SAFETY: as above.
        (0..unsafe { LLVMGetNumMaskElements(self.raw()) }).map(element).collect()
    }

    /// The constant byte offset of a `getelementptr`; `None` if an index is not constant.
    pub fn constant_byte_offset(self, machine: &Machine) -> Option<i64> {
        let operands = self.operands();
        let (first, rest) = operands.get(1..)?.split_first()?;
        let mut ty = self.stepped_type();
        let mut bytes = first.signed()?.checked_mul(ty.alloc_size(machine).try_into().ok()?)?;
        for index in rest {
            let (part, offset) = match ty.view() {
                TypeView::Structure(members, _) => {
                    let number = u32::try_from(index.integer()?).ok()?;
                    (*members.get(number as usize)?, i64::try_from(ty.member_offset(number, machine)).ok()?)
                }
                TypeView::Array(element, _) | TypeView::Vector(element, _) => {
                    let size = i64::try_from(element.alloc_size(machine)).ok()?;
                    (element, index.signed()?.checked_mul(size)?)
                }
                _ => return None,
            };
            (ty, bytes) = (part, bytes.checked_add(offset)?);
        }
        Some(bytes)
    }

    /// The sign-extended value of a literal of at most 64 bits.
    pub fn signed(self) -> Option<i64> {
        self.integer()?;
        // SAFETY: a literal of at most 64 bits.
        Some(unsafe { LLVMConstIntGetSExtValue(self.raw()) })
    }

    /// Opcode of a constant expression.
    pub fn constant_opcode(self) -> Opcode {
        // SAFETY: callers pass a constant expression.
        unsafe { LLVMGetConstOpcode(self.raw()) }
    }

    /// True for a constant of any kind, addresses of globals included.
    pub fn is_constant_value(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsConstant(self.raw()) != 0 }
    }

    /// True if a constant is `undef` or `poison`.
    pub fn is_undefined(self) -> bool {
        matches!(self.kind(), ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind)
    }

    /// True if a constant is zero in all its parts.
    pub fn is_null(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsNull(self.raw()) != 0 }
    }

    /// An element of a constant vector, array or structure.
    pub fn element(self, index: u32) -> Option<Value<'s>> {
        // SAFETY: callers pass constants of such a type that have the element.
        Value::wrap(unsafe { LLVMGetAggregateElement(self.raw(), index) })
    }

    /// The bits of an integer or floating-point literal of at most 64 bits.
    pub fn literal_bits(self) -> Option<u64> {
        match self.kind() {
            ValueKind::LLVMConstantIntValueKind => self.integer(),
            ValueKind::LLVMConstantFPValueKind => {
                // SAFETY: a live type has a context.
                let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(self.raw())) };
                let width = match self.ty().view() {
                    TypeView::Float(width) => width,
                    _ => return None,
                };
                // SAFETY: a literal and an integer type of its width.
                let bits = unsafe { LLVMConstBitCast(self.raw(), LLVMIntTypeInContext(context, width)) };
                Value::wrap(bits)?.integer()
            }
            _ => None,
        }
    }

    /// The condition of a conditional branch; `None` for other instructions.
    pub fn branch_condition(self) -> Option<Value<'s>> {
        // SAFETY: callers pass a `br`.
        let conditional = unsafe { LLVMIsConditional(self.raw()) != 0 };
        // SAFETY: a branch with two ways.
        if conditional { Value::wrap(unsafe { LLVMGetCondition(self.raw()) }) } else { None }
    }

    /// The basic block that this operand is.
    pub fn as_block(self) -> Block<'s> {
        // SAFETY: callers pass operands that are blocks.
        Block::new(unsafe { LLVMValueAsBasicBlock(self.raw()) })
    }
}
