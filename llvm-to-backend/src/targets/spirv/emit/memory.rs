//! Emits loads, stores and address computations.
//!
//! In: an access through a pointer. Out: the same through a pointer to the accessed type.
//! *Invariant:* every access states its alignment; a boolean is loaded and stored as a byte.

use super::{Emitter, Typed, assembly::id, types::storage_class};
use crate::failure::{Failure, Outcome};
use rspirv::{
    dr::Operand,
    spirv::{MemoryAccess, Op, Word},
};
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    types::TypeView,
};

impl<'s> Emitter<'_, 's> {
    /// Storage class that a pointer addresses.
    fn class_of(&self, pointer: Value<'s>) -> Outcome<rspirv::spirv::StorageClass> {
        let space = pointer.address_space().ok_or_else(|| Failure::internal("an access without a pointer"))?;
        storage_class(space)
    }

    /// Casts a pointer to a pointee type, at the same address.
    pub(super) fn pointer_as(&mut self, pointer: Value<'s>, pointee: Word) -> Outcome<Word> {
        if let Some(typed) = self.body.typed.get(&pointer).filter(|typed| typed.pointee == pointee) {
            return Ok(typed.pointer);
        }
        let class = self.class_of(pointer)?;
        let (ty, byte) = (self.pointer_to(class, pointee), self.integer(8));
        let known = match self.body.typed.get(&pointer) {
            Some(typed) => typed.pointer,
            None => self.id(pointer)?,
        };
        if pointee == byte && !self.body.typed.contains_key(&pointer) {
            return Ok(known);
        }
        Ok(self.out.value(Op::Bitcast, ty, vec![id(known)]))
    }

    /// Casts a typed pointer to a byte pointer, if any user needs that.
    pub(super) fn pointer_to_bytes(&mut self, pointer: Value<'s>) -> Outcome<()> {
        let Some(Typed { pointer: typed, .. }) = self.body.typed.get(&pointer).copied() else { return Ok(()) };
        if !pointer.users().into_iter().any(|user| needs_bytes(user, pointer)) {
            return Ok(());
        }
        let class = self.class_of(pointer)?;
        let byte = self.integer(8);
        let (ty, result) = (self.pointer_to(class, byte), self.result(pointer)?);
        self.out.value_as(result, Op::Bitcast, ty, vec![id(typed)]);
        Ok(())
    }

    pub(super) fn access(&self, instruction: Value<'s>) -> Vec<Operand> {
        let volatile = if instruction.is_volatile() { MemoryAccess::VOLATILE } else { MemoryAccess::NONE };
        let alignment = instruction.alignment().max(1);
        vec![Operand::MemoryAccess(MemoryAccess::ALIGNED | volatile), Operand::LiteralBit32(alignment)]
    }

    /// True if a structure or vector contains booleans, which have another type in memory.
    pub(super) fn holds_booleans(ty: Type<'s>) -> bool {
        match ty.view() {
            TypeView::Integer(1) => true,
            TypeView::Vector(element, _) | TypeView::Array(element, _) => Self::holds_booleans(element),
            TypeView::Structure(members, _) => members.into_iter().any(Self::holds_booleans),
            _ => false,
        }
    }

    pub(super) fn load(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let (pointer, ty) = (instruction.operands()[0], instruction.ty());
        let pointee = self.memory_type(ty)?;
        let from = self.pointer_as(pointer, pointee)?;
        let operands = [id(from)].into_iter().chain(self.access(instruction)).collect();
        if ty.view() == TypeView::Integer(1) {
            let byte = self.out.value(Op::Load, pointee, operands);
            let none = self.integer_constant(8, 0);
            return self.define(instruction, Op::INotEqual, vec![id(byte), id(none)]);
        }
        if Self::holds_booleans(ty) {
            return self.unsupported(instruction, "a load of several booleans at once", "load them one by one");
        }
        let result = self.result(instruction)?;
        self.out.value_as(result, Op::Load, pointee, operands);
        Ok(())
    }

    pub(super) fn store(&mut self, instruction: Value<'s>) -> Outcome<()> {
        let operands = instruction.operands();
        let (value, pointer) = (operands[0], operands[1]);
        let pointee = self.memory_type(value.ty())?;
        let mut stored = self.id(value)?;
        if value.ty().view() == TypeView::Integer(1) {
            let (yes, no) = (self.integer_constant(8, 1), self.integer_constant(8, 0));
            stored = self.out.value(Op::Select, pointee, vec![id(stored), id(yes), id(no)]);
        } else if Self::holds_booleans(value.ty()) {
            return self.unsupported(instruction, "a store of several booleans at once", "store them one by one");
        }
        let to = self.pointer_as(pointer, pointee)?;
        let operands = [id(to), id(stored)].into_iter().chain(self.access(instruction)).collect();
        self.out.act(Op::Store, operands);
        Ok(())
    }

    /// Emits a `getelementptr`.
    pub(super) fn step(&mut self, value: Value<'s>) -> Outcome<()> {
        let operands = value.operands();
        let [base, first, rest @ ..] = operands.as_slice() else {
            return Err(Failure::internal("a step without an index"));
        };
        let op = if value.is_in_bounds() { Op::InBoundsPtrAccessChain } else { Op::PtrAccessChain };
        let stepped = self.memory_type(value.stepped_type())?;
        let from = self.pointer_as(*base, stepped)?;
        let mut chain = vec![id(from), id(self.index(*first)?)];
        let mut ty = value.stepped_type();
        for index in rest {
            let (part, index) = self.part_type(ty, *index)?;
            ty = part;
            chain.push(id(index));
        }
        let pointee = self.memory_type(ty)?;
        let class = self.class_of(value)?;
        let result_type = self.pointer_to(class, pointee);
        if pointee == self.integer(8) {
            let result = self.result(value)?;
            self.out.value_as(result, op, result_type, chain);
            return Ok(());
        }
        let pointer = self.out.value(op, result_type, chain);
        self.body.typed.insert(value, Typed { pointer, pointee });
        self.pointer_to_bytes(value)
    }

    /// ID of an index. A one-bit index is signed.
    fn index(&mut self, index: Value<'s>) -> Outcome<Word> {
        let known = self.id(index)?;
        if index.ty().view() != TypeView::Integer(1) {
            return Ok(known);
        }
        let ty = self.integer(64);
        let (yes, no) = (self.integer_constant(64, u64::MAX), self.integer_constant(64, 0));
        Ok(self.out.value(Op::Select, ty, vec![id(known), id(yes), id(no)]))
    }

    /// The type of a member or element, and the ID of its index. Structure members need 32-bit
    /// constants.
    fn part_type(&mut self, whole: Type<'s>, index: Value<'s>) -> Outcome<(Type<'s>, Word)> {
        match whole.view() {
            TypeView::Array(element, _) | TypeView::Vector(element, _) => Ok((element, self.index(index)?)),
            TypeView::Structure(members, _) => {
                let number = index.integer().unwrap_or_default();
                let member = members.get(number as usize).copied();
                let member = member.ok_or_else(|| Failure::internal("a step to a member that is not there"))?;
                Ok((member, self.integer_constant(32, number)))
            }
            _ => Err(Failure::internal(format!("a step into `{}`", whole.text()))),
        }
    }
}

/// True if `user` uses a pointer otherwise than as the address of an access.
fn needs_bytes<'s>(user: Value<'s>, pointer: Value<'s>) -> bool {
    let opcode = if user.is_instruction() { user.opcode() } else { return true };
    match opcode {
        Opcode::LLVMLoad | Opcode::LLVMGetElementPtr => false,
        Opcode::LLVMStore => user.operands()[0] == pointer,
        _ => true,
    }
}
