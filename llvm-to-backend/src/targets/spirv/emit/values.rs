//! Emits arithmetic and comparisons.
//!
//! In: an operation on scalars or vectors. Out: one instruction, or a few where LLVM treats
//! booleans as numbers, which SPIR-V does not. *Invariant:* fast-math flags are passed on, and none
//! is added.

use super::{Emitter, assembly::id};
use crate::failure::Outcome;
use rspirv::{
    dr::Operand,
    spirv::{Capability, Decoration, FPFastMathMode, Op, Word},
};
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    operation::{FloatPredicate, IntegerPredicate},
    types::TypeView,
};

/// Opcode for numbers, and that for booleans if it differs.
fn binary(opcode: Opcode) -> Option<(Op, Op)> {
    Some(match opcode {
        Opcode::LLVMAdd => (Op::IAdd, Op::LogicalNotEqual),
        Opcode::LLVMSub => (Op::ISub, Op::LogicalNotEqual),
        Opcode::LLVMMul => (Op::IMul, Op::LogicalAnd),
        Opcode::LLVMAnd => (Op::BitwiseAnd, Op::LogicalAnd),
        Opcode::LLVMOr => (Op::BitwiseOr, Op::LogicalOr),
        Opcode::LLVMXor => (Op::BitwiseXor, Op::LogicalNotEqual),
        Opcode::LLVMUDiv => (Op::UDiv, Op::Nop),
        Opcode::LLVMSDiv => (Op::SDiv, Op::Nop),
        Opcode::LLVMURem => (Op::UMod, Op::Nop),
        Opcode::LLVMSRem => (Op::SRem, Op::Nop),
        Opcode::LLVMShl => (Op::ShiftLeftLogical, Op::Nop),
        Opcode::LLVMLShr => (Op::ShiftRightLogical, Op::Nop),
        Opcode::LLVMAShr => (Op::ShiftRightArithmetic, Op::Nop),
        Opcode::LLVMFAdd => (Op::FAdd, Op::Nop),
        Opcode::LLVMFSub => (Op::FSub, Op::Nop),
        Opcode::LLVMFMul => (Op::FMul, Op::Nop),
        Opcode::LLVMFDiv => (Op::FDiv, Op::Nop),
        Opcode::LLVMFRem => (Op::FRem, Op::Nop),
        Opcode::LLVMFNeg => (Op::FNegate, Op::Nop),
        _ => return None,
    })
}

fn integer_comparison(predicate: IntegerPredicate) -> Op {
    match predicate {
        IntegerPredicate::LLVMIntEQ => Op::IEqual,
        IntegerPredicate::LLVMIntNE => Op::INotEqual,
        IntegerPredicate::LLVMIntUGT => Op::UGreaterThan,
        IntegerPredicate::LLVMIntUGE => Op::UGreaterThanEqual,
        IntegerPredicate::LLVMIntULT => Op::ULessThan,
        IntegerPredicate::LLVMIntULE => Op::ULessThanEqual,
        IntegerPredicate::LLVMIntSGT => Op::SGreaterThan,
        IntegerPredicate::LLVMIntSGE => Op::SGreaterThanEqual,
        IntegerPredicate::LLVMIntSLT => Op::SLessThan,
        IntegerPredicate::LLVMIntSLE => Op::SLessThanEqual,
    }
}

/// `None` for a comparison with a constant result.
fn float_comparison(predicate: FloatPredicate) -> Option<Op> {
    Some(match predicate {
        FloatPredicate::LLVMRealPredicateFalse | FloatPredicate::LLVMRealPredicateTrue => return None,
        FloatPredicate::LLVMRealOEQ => Op::FOrdEqual,
        FloatPredicate::LLVMRealOGT => Op::FOrdGreaterThan,
        FloatPredicate::LLVMRealOGE => Op::FOrdGreaterThanEqual,
        FloatPredicate::LLVMRealOLT => Op::FOrdLessThan,
        FloatPredicate::LLVMRealOLE => Op::FOrdLessThanEqual,
        FloatPredicate::LLVMRealONE => Op::FOrdNotEqual,
        FloatPredicate::LLVMRealORD => Op::Ordered,
        FloatPredicate::LLVMRealUNO => Op::Unordered,
        FloatPredicate::LLVMRealUEQ => Op::FUnordEqual,
        FloatPredicate::LLVMRealUGT => Op::FUnordGreaterThan,
        FloatPredicate::LLVMRealUGE => Op::FUnordGreaterThanEqual,
        FloatPredicate::LLVMRealULT => Op::FUnordLessThan,
        FloatPredicate::LLVMRealULE => Op::FUnordLessThanEqual,
        FloatPredicate::LLVMRealUNE => Op::FUnordNotEqual,
    })
}

/// The number of elements of a vector.
pub(super) fn lanes(ty: Type<'_>) -> Option<u32> {
    match ty.view() {
        TypeView::Vector(_, count) => Some(count),
        _ => None,
    }
}

pub(super) fn is_boolean(ty: Type<'_>) -> bool {
    ty.scalar().view() == TypeView::Integer(1)
}

impl<'s> Emitter<'_, 's> {
    /// Emits arithmetic. False for other operations.
    pub(super) fn arithmetic(&mut self, value: Value<'s>, opcode: Opcode) -> Outcome<bool> {
        match opcode {
            Opcode::LLVMICmp => self.compare_integers(value)?,
            Opcode::LLVMFCmp => self.compare_floats(value)?,
            _ => {
                let Some((number, truth)) = binary(opcode) else { return Ok(false) };
                match is_boolean(value.ty()) {
                    true if truth == Op::Nop => self.odd_truth(value, opcode)?,
                    true if truth == Op::LogicalNotEqual && lanes(value.ty()).is_some() => self.differ(value)?,
                    true => self.define_of(value, truth, &value.operands())?,
                    false if number == Op::SRem && self.is_shader() => self.shader_remainder(value)?,
                    false if number == Op::FRem && self.is_shader() => {
                        self.shader_function_of_opencl(value, "fmod", &value.operands())?;
                    }
                    false if number == Op::FDiv && !self.is_shader() && self.may_approximate_division(value) => {
                        self.extended_instruction(value, "native_divide", &value.operands())?;
                    }
                    // Compilers analyse additions better than `or`.
                    false if opcode == Opcode::LLVMOr && value.is_disjoint() => {
                        self.define_of(value, Op::IAdd, &value.operands())?;
                    }
                    false if self.is_shader() && self.product_and_quotient(value, opcode)? => {}
                    false if self.is_shader() => self.shader_operation(value, number)?,
                    false => {
                        self.define_of(value, number, &value.operands())?;
                        self.permissions(value, opcode)?;
                    }
                }
            }
        }
        Ok(true)
    }

    fn may_approximate_division(&self, value: Value<'s>) -> bool {
        self.cx.config().approximations.division && value.ty().scalar().view() == TypeView::Float(32)
    }

    /// Emits inequality of booleans as selects. Intel's GPU compiler crashes on comparisons and
    /// negations of boolean vectors.
    fn differ(&mut self, value: Value<'s>) -> Outcome<()> {
        let (operands, ty, count) = (value.operands(), self.ty(value.ty())?, lanes(value.ty()));
        let (first, second) = (self.id(operands[0])?, self.id(operands[1])?);
        let [yes, no] = [true, false].map(|truth| self.truth(truth)).map(|truth| self.splat(truth, ty, count));
        let opposite = self.out.value(Op::Select, ty, [second, no, yes].map(id).to_vec());
        self.define(value, Op::Select, [first, opposite, second].map(id).to_vec())
    }

    /// Emits shifts, quotients and remainders of booleans, which are defined only for a shift by 0
    /// and a division by 1.
    fn odd_truth(&mut self, value: Value<'s>, opcode: Opcode) -> Outcome<()> {
        match opcode {
            Opcode::LLVMURem | Opcode::LLVMSRem => {
                let ty = self.ty(value.ty())?;
                let none = self.null(ty);
                self.alias(value, none)
            }
            _ => {
                let first = self.id(value.operands()[0])?;
                self.alias(value, first)
            }
        }
    }

    /// Emits fast-math flags of an operation. No-wrap flags of integers are dropped: a wrap is
    /// undefined behaviour in SPIR-V, but in LLVM only an undefined result, which may be unused. A
    /// compiler that maps SPIR-V's decoration to LLVM's flag would lose a `freeze` of the result.
    fn permissions(&mut self, value: Value<'s>, opcode: Opcode) -> Outcome<()> {
        // Before SPIR-V 1.6 the decoration is not allowed on other operations.
        if matches!(
            opcode,
            Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMFDiv | Opcode::LLVMFRem
        ) {
            let result = self.result(value)?;
            self.float_permissions(value, result);
        }
        Ok(())
    }

    fn float_permissions(&mut self, value: Value<'s>, result: Word) {
        let flags = value.fast_math_flags();
        let modes = [
            (flags.no_nans, FPFastMathMode::NOT_NAN),
            (flags.no_infinities, FPFastMathMode::NOT_INF),
            (flags.no_signed_zeros, FPFastMathMode::NSZ),
            (flags.reciprocal, FPFastMathMode::ALLOW_RECIP),
            (flags.is_complete(), FPFastMathMode::FAST),
        ];
        let mode =
            modes.into_iter().filter(|(allowed, _)| *allowed).fold(FPFastMathMode::NONE, |all, (_, mode)| all | mode);
        if mode != FPFastMathMode::NONE {
            self.out.annotate(result, Decoration::FPFastMathMode, vec![Operand::FPFastMathMode(mode)]);
        }
    }

    fn compare_integers(&mut self, value: Value<'s>) -> Outcome<()> {
        let operands = value.operands();
        let (ty, predicate) = (operands[0].ty(), value.integer_predicate());
        let sides = [self.id(operands[0])?, self.id(operands[1])?];
        let (op, sides) = match ty.scalar().view() {
            TypeView::Pointer(_) if self.is_shader() => (integer_comparison(predicate), sides),
            TypeView::Pointer(_) => {
                let address = self.integer(64);
                let number = |emitter: &mut Self, side| emitter.out.value(Op::ConvertPtrToU, address, vec![id(side)]);
                (integer_comparison(predicate), sides.map(|side| number(self, side)))
            }
            TypeView::Integer(1) => match predicate {
                IntegerPredicate::LLVMIntEQ => (Op::LogicalEqual, sides),
                IntegerPredicate::LLVMIntNE => (Op::LogicalNotEqual, sides),
                _ => {
                    let sides = [self.number_of(sides[0], ty, -1)?, self.number_of(sides[1], ty, -1)?];
                    (integer_comparison(predicate), sides)
                }
            },
            _ if self.is_shader() => (integer_comparison(predicate), self.compared(value, sides)?),
            _ => (integer_comparison(predicate), sides),
        };
        self.define(value, op, sides.into_iter().map(id).collect())
    }

    /// Booleans as bytes: 0 for false and `truth` for true, which is -1 for signed comparisons, and
    /// the largest value for others.
    fn number_of(&mut self, value: Word, ty: Type<'s>, truth: i8) -> Outcome<Word> {
        let byte = self.integer(8);
        let count = lanes(ty);
        let bytes = count.map_or(byte, |count| self.vector(byte, count));
        let (yes, no) = (self.integer_constant(8, u64::from(truth.cast_unsigned())), self.integer_constant(8, 0));
        let (yes, no) = (self.splat(yes, bytes, count), self.splat(no, bytes, count));
        Ok(self.out.value(Op::Select, bytes, vec![id(value), id(yes), id(no)]))
    }

    fn compare_floats(&mut self, value: Value<'s>) -> Outcome<()> {
        let predicate = value.float_predicate();
        if self.is_shader() && matches!(predicate, FloatPredicate::LLVMRealORD | FloatPredicate::LLVMRealUNO) {
            return self.shader_order(value, predicate == FloatPredicate::LLVMRealORD);
        }
        match float_comparison(predicate) {
            Some(op) => self.define_of(value, op, &value.operands()),
            None => {
                let ty = self.ty(value.ty())?;
                let truth = self.truth(predicate == FloatPredicate::LLVMRealPredicateTrue);
                let all = self.splat(truth, ty, lanes(value.ty()));
                self.alias(value, all)
            }
        }
    }

    /// Declares that atomic operations on a type are used.
    pub(super) fn needs_atomics_on(&mut self, ty: Type<'s>) {
        if matches!(ty.view(), TypeView::Integer(64) | TypeView::Float(64) | TypeView::Pointer(_)) {
            self.out.needs.add(Capability::Int64Atomics);
        }
    }

    /// As [`Self::needs_atomics_on`], for an integer.
    pub(super) fn needs_atomics_of(&mut self, width: u32) {
        if width == 64 {
            self.out.needs.add(Capability::Int64Atomics);
        }
    }
}
