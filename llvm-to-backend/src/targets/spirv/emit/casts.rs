//! Emits conversions.
//!
//! In: a cast. Out: a conversion; booleans become the numbers 0 and 1, or -1 if signed.
//! *Invariant:* SPIR-V casts between a generic pointer and another one; casts between two others do
//! not occur.

use super::{
    Emitter,
    assembly::id,
    values::{is_boolean, lanes},
};
use crate::failure::Outcome;
use rspirv::spirv::Op;
use sinter_llvm::{
    ir::{Opcode, Type, Value, ValueKind},
    types::TypeView,
};

fn conversion(opcode: Opcode) -> Option<Op> {
    Some(match opcode {
        Opcode::LLVMTrunc | Opcode::LLVMZExt => Op::UConvert,
        Opcode::LLVMSExt => Op::SConvert,
        Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => Op::FConvert,
        Opcode::LLVMFPToUI => Op::ConvertFToU,
        Opcode::LLVMFPToSI => Op::ConvertFToS,
        Opcode::LLVMUIToFP => Op::ConvertUToF,
        Opcode::LLVMSIToFP => Op::ConvertSToF,
        Opcode::LLVMPtrToInt => Op::ConvertPtrToU,
        Opcode::LLVMIntToPtr => Op::ConvertUToPtr,
        Opcode::LLVMBitCast => Op::Bitcast,
        _ => return None,
    })
}

fn width(ty: Type<'_>) -> u32 {
    match ty.scalar().view() {
        TypeView::Integer(width) | TypeView::Float(width) => width,
        _ => 0,
    }
}

/// Prefix of atomic instructions, which the builtins use.
const ATOMIC: &str = "__sinter_spirv_op_Atomic";

impl<'s> Emitter<'_, 's> {
    /// Emits a cast. False for other operations.
    pub(super) fn cast(&mut self, value: Value<'s>, opcode: Opcode) -> Outcome<bool> {
        if opcode == Opcode::LLVMAddrSpaceCast {
            return self.change_space(value).map(|()| true);
        }
        let Some(op) = conversion(opcode) else { return Ok(false) };
        let from = value.operands()[0];
        match opcode {
            _ if from.ty() == value.ty() => {
                let same = self.id(from)?;
                self.alias(value, same)?;
            }
            Opcode::LLVMTrunc | Opcode::LLVMFPToUI | Opcode::LLVMFPToSI if is_boolean(value.ty()) => {
                self.boolean_of(value, opcode)?;
            }
            Opcode::LLVMZExt | Opcode::LLVMUIToFP if is_boolean(from.ty()) => self.number_of_boolean(value, false)?,
            Opcode::LLVMSExt | Opcode::LLVMSIToFP if is_boolean(from.ty()) => self.number_of_boolean(value, true)?,
            Opcode::LLVMFPTrunc
                if self.is_shader() && (self.narrow_whole_number(value)? || self.round_to_half(value)?) => {}
            // Compilers optimise signed extensions better than unsigned ones.
            Opcode::LLVMZExt if value.is_instruction() && value.is_known_positive() => {
                self.define_of(value, Op::SConvert, &[from])?
            }
            _ => self.define_of(value, op, &[from])?,
        }
        Ok(true)
    }

    /// Converts to a boolean: the lowest bit of an integer, or of a floating-point value as an
    /// integer.
    fn boolean_of(&mut self, value: Value<'s>, opcode: Opcode) -> Outcome<()> {
        let from = value.operands()[0];
        let (operand, count) = (self.id(from)?, lanes(from.ty()));
        let (number, ty, width) = match opcode {
            Opcode::LLVMTrunc => (operand, self.ty(from.ty())?, width(from.ty())),
            _ => {
                let scalar = self.integer(32);
                let ty = count.map_or(scalar, |count| self.vector(scalar, count));
                (self.out.value(Op::ConvertFToS, ty, vec![id(operand)]), ty, 32)
            }
        };
        let (one, none) = (self.integer_constant(width, 1), self.null(ty));
        let ones = self.splat(one, ty, count);
        let bit = self.out.value(Op::BitwiseAnd, ty, vec![id(number), id(ones)]);
        self.define(value, Op::INotEqual, vec![id(bit), id(none)])
    }

    /// Selects one for true, or minus one if the boolean is signed.
    fn number_of_boolean(&mut self, value: Value<'s>, signed: bool) -> Outcome<()> {
        let (ty, count) = (self.ty(value.ty())?, lanes(value.ty()));
        let truth = match value.ty().scalar().view() {
            TypeView::Float(width) => {
                let scalar = self.float(width);
                let one = one_of_width(width) | if signed { 1 << (width - 1) } else { 0 };
                self.out.global(Op::Constant, Some(scalar), vec![super::constants::literal(width, one)])
            }
            _ => self.integer_constant(width(value.ty()), if signed { u64::MAX } else { 1 }),
        };
        let (yes, no) = (self.splat(truth, ty, count), self.null(ty));
        let condition = self.id(value.operands()[0])?;
        self.define(value, Op::Select, vec![id(condition), id(yes), id(no)])
    }

    fn change_space(&mut self, value: Value<'s>) -> Outcome<()> {
        let from = value.operands()[0];
        match (from.address_space(), value.address_space()) {
            (from_space, to) if from_space == to => {
                let same = self.id(from)?;
                self.alias(value, same)
            }
            (Some(1 | 3 | 5), Some(0)) if is_seen_through(value) => Ok(()),
            // Constant memory cannot be addressed by generic pointers (OpenCL SPIR-V Environment,
            // "Validation Rules").
            (Some(1 | 3 | 5), Some(0)) => self.define_of(value, Op::PtrCastToGeneric, &[from]),
            (Some(0), Some(1 | 3 | 5)) => self.define_of(value, Op::GenericCastToPtr, &[from]),
            _ => {
                let hint = "use memory of one kind; constant memory has no generic pointers";
                self.unsupported(value, "a cast between two address spaces", hint)
            }
        }
    }

    /// The pointer before its cast to a generic one, if that is known.
    pub(super) fn origin(&self, pointer: Value<'s>) -> Value<'s> {
        let opcode = match pointer.kind() {
            ValueKind::LLVMInstructionValueKind => pointer.opcode(),
            ValueKind::LLVMConstantExprValueKind => pointer.constant_opcode(),
            _ => return pointer,
        };
        let is_generic = pointer.address_space() == Some(0);
        if opcode == Opcode::LLVMAddrSpaceCast && is_generic { pointer.operands()[0] } else { pointer }
    }
}

/// True if only atomic operations use a generic pointer. They use its origin instead, since the
/// device may not support generic pointers.
fn is_seen_through<'s>(pointer: Value<'s>) -> bool {
    let sees_through = |user: Value<'s>| {
        let (is_call, is_store) = (user.opcode() == Opcode::LLVMCall, user.opcode() == Opcode::LLVMStore);
        match is_call {
            true => user.callee().is_some_and(|callee| callee.name().starts_with(ATOMIC)),
            false => user.is_atomic() && user.operands().get(usize::from(is_store)) == Some(&pointer),
        }
    };
    pointer.is_instruction() && pointer.users().into_iter().all(|user| user.is_instruction() && sees_through(user))
}

/// Bit pattern of 1.0.
fn one_of_width(width: u32) -> u64 {
    match width {
        16 => 0x3c00,
        32 => 0x3f80_0000,
        _ => 0x3ff0_0000_0000_0000,
    }
}
