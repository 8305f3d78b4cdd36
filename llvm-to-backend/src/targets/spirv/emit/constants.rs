//! Emits constants and global variables.
//!
//! In: constants of LLVM. Out: IDs outside of functions. *Invariant:* undefined values are
//! undefined in SPIR-V too; addresses and expressions of them are instructions at the start of each
//! function that uses them, or specialization constant operations in initial values.

use super::{
    Emitter, Global,
    assembly::id,
    types::{pieces, storage_class},
};
use crate::{
    backend::first_use,
    failure::{Failure, Outcome},
    targets::{gpu::check::odd_initial_value, spirv::limits::ELEMENTS},
};
use rspirv::{
    dr::Operand,
    spirv::{Decoration, Op, StorageClass, Word},
};
use sinter_core::SpirvFeature;
use sinter_core::names::readable;
use sinter_llvm::{
    ir::{Opcode, Type, Value, ValueKind},
    types::TypeView,
};
use std::ops::Range;

/// A literal operand of one or two words.
pub(super) fn literal(width: u32, bits: u64) -> Operand {
    match width {
        64 => Operand::LiteralBit64(bits),
        // Literals narrower than a word are zero-extended, because integer types here have no sign.
        _ => Operand::LiteralBit32((bits & (u64::MAX >> (64 - width.clamp(1, 64)))) as u32),
    }
}

impl<'s> Emitter<'_, 's> {
    pub(super) fn integer_constant(&mut self, width: u32, value: u64) -> Word {
        let ty = self.integer(width);
        self.out.global(Op::Constant, Some(ty), vec![literal(width, value)])
    }

    pub(super) fn truth(&mut self, value: bool) -> Word {
        let ty = self.boolean();
        self.out.global(if value { Op::ConstantTrue } else { Op::ConstantFalse }, Some(ty), vec![])
    }

    pub(super) fn null(&mut self, ty: Word) -> Word {
        self.out.global(Op::ConstantNull, Some(ty), vec![])
    }

    pub(super) fn undefined(&mut self, ty: Word) -> Word {
        self.out.global(Op::Undef, Some(ty), vec![])
    }

    /// A vector with `value` in each element; `value` itself for a scalar.
    pub(super) fn splat(&mut self, value: Word, ty: Word, count: Option<u32>) -> Word {
        match count {
            Some(count) => self.out.global(Op::ConstantComposite, Some(ty), vec![id(value); count as usize]),
            None => value,
        }
    }

    /// True if a constant needs no instructions.
    pub(super) fn is_plain(value: Value<'s>) -> bool {
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind
            | ValueKind::LLVMConstantFPValueKind
            | ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => true,
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind => value.operands().into_iter().all(Self::is_plain),
            _ => false,
        }
    }

    /// ID of a constant as an operand.
    pub(super) fn constant(&mut self, value: Value<'s>) -> Outcome<Word> {
        if let Some(known) = self.constants.get(&value) {
            return Ok(*known);
        }
        let made = self.make_constant(value)?;
        self.constants.insert(value, made);
        Ok(made)
    }

    fn make_constant(&mut self, value: Value<'s>) -> Outcome<Word> {
        let ty = self.ty(value.ty())?;
        if value.is_undefined() {
            return Ok(self.undefined(ty));
        }
        match value.ty().view() {
            TypeView::Integer(1) => Ok(self.truth(value.literal_bits() == Some(1))),
            TypeView::Integer(width) | TypeView::Float(width) => {
                let bits = value.literal_bits().ok_or_else(|| unknown(value))?;
                Ok(self.out.global(Op::Constant, Some(ty), vec![literal(width, bits)]))
            }
            _ if value.is_null() => Ok(self.null(ty)),
            TypeView::Vector(_, count) => self.composite(value, u64::from(count), ty, Self::constant),
            TypeView::Array(_, count) => self.composite(value, count, ty, Self::constant),
            TypeView::Structure(members, _) => self.composite(value, members.len() as u64, ty, Self::constant),
            _ => Err(unknown(value)),
        }
    }

    fn composite(
        &mut self,
        value: Value<'s>,
        count: u64,
        ty: Word,
        part: fn(&mut Self, Value<'s>) -> Outcome<Word>,
    ) -> Outcome<Word> {
        let parts = self.elements(value, 0..count, part)?;
        Ok(self.out.global(Op::ConstantComposite, Some(ty), parts))
    }

    fn elements(
        &mut self,
        value: Value<'s>,
        range: Range<u64>,
        part: fn(&mut Self, Value<'s>) -> Outcome<Word>,
    ) -> Outcome<Vec<Operand>> {
        let element = |index| value.element(index as u32).ok_or_else(|| unknown(value));
        range.map(|index| part(self, element(index)?).map(id)).collect()
    }

    /// The initial value of an array that has more elements than an instruction can have; its type
    /// is a structure of arrays (`content_type`).
    fn long_array(&mut self, value: Value<'s>, element: Type<'s>, count: u64, ty: Word) -> Outcome<Word> {
        let element = self.content_type(element)?;
        let mut made = Vec::new();
        for (start, count) in pieces(count) {
            let (ty, parts) = (self.array(element, count), self.elements(value, start..start + count, Self::content)?);
            made.push(id(self.out.global(Op::ConstantComposite, Some(ty), parts)));
        }
        Ok(self.out.global(Op::ConstantComposite, Some(ty), made))
    }

    /// True if an initial value can be emitted.
    fn is_content(&self, value: Value<'s>) -> bool {
        let base = || value.operands().first().is_some_and(|base| self.is_content(*base));
        match value.kind() {
            _ if Self::is_plain(value) => true,
            ValueKind::LLVMGlobalVariableValueKind => true,
            ValueKind::LLVMConstantExprValueKind => match value.constant_opcode() {
                Opcode::LLVMAddrSpaceCast => value.address_space() == Some(0) && base(),
                Opcode::LLVMGetElementPtr => value.constant_byte_offset(self.cx.machine).is_some() && base(),
                _ => false,
            },
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind => value.operands().into_iter().all(|part| self.is_content(part)),
            _ => false,
        }
    }

    /// The initial value of a variable: booleans are bytes, addresses are computed when the module
    /// is loaded.
    fn content(&mut self, value: Value<'s>) -> Outcome<Word> {
        let ty = self.content_type(value.ty())?;
        if value.is_undefined() {
            return Ok(self.undefined(ty));
        }
        match value.ty().view() {
            TypeView::Integer(1) => Ok(self.integer_constant(8, value.literal_bits().unwrap_or_default())),
            _ if value.is_null() => Ok(self.null(ty)),
            TypeView::Array(element, count) if count > ELEMENTS => self.long_array(value, element, count, ty),
            TypeView::Array(_, count) => self.composite(value, count, ty, Self::content),
            TypeView::Structure(members, _) => self.composite(value, members.len() as u64, ty, Self::content),
            TypeView::Pointer(_) => self.address(value),
            _ => self.constant(value),
        }
    }

    /// An address in the initial value of a variable.
    fn address(&mut self, value: Value<'s>) -> Outcome<Word> {
        let ty = self.ty(value.ty())?;
        if value.kind() == ValueKind::LLVMGlobalVariableValueKind {
            let Global { variable, .. } = self.variable(value)?;
            return Ok(self.specialized(ty, Op::Bitcast, vec![id(variable)]));
        }
        let operands = value.operands();
        match (value.kind(), operands.first()) {
            (ValueKind::LLVMConstantExprValueKind, Some(base)) => match value.constant_opcode() {
                Opcode::LLVMAddrSpaceCast if value.address_space() == Some(0) => {
                    let base = self.address(*base)?;
                    Ok(self.specialized(ty, Op::PtrCastToGeneric, vec![id(base)]))
                }
                Opcode::LLVMGetElementPtr => {
                    let bytes = value.constant_byte_offset(self.cx.machine).ok_or_else(|| unknown(value))?;
                    let base = self.address(*base)?;
                    let bytes = self.integer_constant(64, bytes.cast_unsigned());
                    Ok(self.specialized(ty, Op::InBoundsPtrAccessChain, vec![id(base), id(bytes)]))
                }
                _ => Err(unknown(value)),
            },
            _ => Err(unknown(value)),
        }
    }

    fn specialized(&mut self, ty: Word, op: Op, operands: Vec<Operand>) -> Word {
        let operands = [Operand::LiteralSpecConstantOpInteger(op)].into_iter().chain(operands).collect();
        self.out.global(Op::SpecConstantOp, Some(ty), operands)
    }

    /// Declares a global variable.
    pub(super) fn variable(&mut self, variable: Value<'s>) -> Outcome<Global> {
        if let Some(known) = self.globals.get(&variable) {
            return Ok(*known);
        }
        let class = storage_class(variable.address_space().unwrap_or_default())?;
        if class == StorageClass::CrossWorkgroup && !self.target.has(SpirvFeature::GlobalVariables) {
            let what = format!("a variable `{}` outside of functions", readable(&variable.name()));
            let hint = "the device lacks `global-variables`; make it constant, or pass a buffer to the kernel";
            return Err(self.cx.unsupported(what, first_use(variable), hint).into());
        }
        let initial = variable.initializer().filter(|_| class != StorageClass::Workgroup);
        let pointee = match initial {
            Some(value) if !value.is_undefined_or_zero() => self.content_type(variable.value_type())?,
            _ => self.memory_type(variable.value_type())?,
        };
        let ty = self.pointer_to(class, pointee);
        if initial.is_some_and(|value| !self.is_content(value)) {
            return Err(odd_initial_value(self.cx, variable, "that is computed from an address").into());
        }
        let initial = match initial {
            // Intel's compiler would treat a variable without an initial value as an import.
            Some(value) if value.is_undefined_or_zero() => Some(self.null(pointee)),
            Some(value) => Some(self.content(value)?),
            None => None,
        };
        let operands = [Operand::StorageClass(class)].into_iter().chain(initial.map(id)).collect();
        let made = self.out.distinct_global(Op::Variable, Some(ty), operands);
        let alignment = variable.alignment().max(variable.value_type().alignment(self.cx.machine));
        self.out.annotate(made, Decoration::Alignment, vec![Operand::LiteralBit32(alignment)]);
        if variable.is_constant() {
            self.out.annotate(made, Decoration::Constant, vec![]);
        }
        self.out.name(made, &variable.name());
        let known = Global { variable: made, pointee };
        self.globals.insert(variable, known);
        self.interface.push(made);
        Ok(known)
    }
}

fn unknown(value: Value<'_>) -> Failure {
    Failure::internal(format!("the constant `{}` was not refused", value.text()))
}
