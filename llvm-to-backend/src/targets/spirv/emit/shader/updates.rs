//! Atomic operations by the memory that they change.
//!
//! In: an operation of SPIR-V, and an address in memory of a known kind. Out: that operation where
//! the memory has it, else a loop of compare and exchange, or plain accesses where no other item
//! sees the memory. *Invariant:* the result is the value before the operation.

use super::{
    super::{Emitter, assembly::id},
    memory::Place,
    state::{Home, Words},
};
use crate::failure::{Failure, Outcome};
use rspirv::{
    dr::Operand,
    spirv::{LoopControl, Op, StorageClass, Word},
};
use sinter_llvm::ir::Type;

/// An operation. `orders` are its scope and semantics, `values` its other operands.
pub(super) struct Update<'u, 's> {
    pub(super) op: Op,
    pub(super) ty: Type<'s>,
    /// The ID of the type.
    pub(super) made: Word,
    pub(super) width: u32,
    pub(super) is_float: bool,
    pub(super) orders: &'u [Word],
    pub(super) values: &'u [Word],
}

/// Operations with an instruction for values in registers.
const PLAIN: [(Op, Op); 6] = [
    (Op::AtomicIAdd, Op::IAdd),
    (Op::AtomicISub, Op::ISub),
    (Op::AtomicAnd, Op::BitwiseAnd),
    (Op::AtomicOr, Op::BitwiseOr),
    (Op::AtomicXor, Op::BitwiseXor),
    (Op::AtomicFAddEXT, Op::FAdd),
];
/// Those with an instruction of GLSL.std.450.
const EXTENDED: [(Op, u32); 6] = [
    (Op::AtomicUMin, 38),
    (Op::AtomicSMin, 39),
    (Op::AtomicUMax, 41),
    (Op::AtomicSMax, 42),
    (Op::AtomicFMinEXT, 79),
    (Op::AtomicFMaxEXT, 80),
];

impl<'s> Emitter<'_, 's> {
    /// Emits an operation on global memory, which has all that the legaliser let through.
    pub(super) fn update_global(&mut self, address: Word, update: &Update<'_, 's>) -> Outcome<Option<Word>> {
        self.needs_atomics_on(update.ty);
        self.needs_float_atomics(update.op, update.ty);
        let pointer = match update.is_float {
            true => {
                let ty = self.pointer_to(StorageClass::PhysicalStorageBuffer, update.made);
                self.out.value(Op::ConvertUToPtr, ty, vec![id(address)])
            }
            false => {
                let alignment = update.width / 8;
                let place = Place { address, offset: 0, alignment, volatile: false, home: Home::Global };
                let ty = self.integer_in_memory(update.width);
                self.global_pointer(place, ty)
            }
        };
        Ok(self.atomic_instruction(pointer, update))
    }

    fn atomic_instruction(&mut self, pointer: Word, update: &Update<'_, 's>) -> Option<Word> {
        let operands = [pointer].iter().chain(update.orders).chain(update.values).copied().map(id).collect();
        if update.op == Op::AtomicStore {
            self.out.act(update.op, operands);
            return None;
        }
        Some(self.out.value(update.op, update.made, operands))
    }

    /// Emits an operation on memory that only one item sees.
    pub(super) fn update_alone(&mut self, home: Home, address: Word, update: &Update<'_, 's>) -> Outcome<Option<Word>> {
        let place = Place { address, offset: 0, alignment: update.width / 8, volatile: false, home };
        if update.op == Op::AtomicStore {
            self.write(update.ty, update.values[0], place)?;
            return Ok(None);
        }
        let old = self.read(update.ty, place)?;
        if update.op != Op::AtomicLoad {
            let new = self.updated(old, update)?;
            self.write(update.ty, new, place)?;
        }
        Ok(Some(old))
    }

    /// Emits an operation on local memory, which consists of integers of 32 or 64 bits.
    pub(super) fn update_local(
        &mut self,
        words: Words,
        address: Word,
        update: &Update<'_, 's>,
    ) -> Outcome<Option<Word>> {
        let element = words.element();
        if element == update.width && !update.is_float {
            self.needs_atomics_on(update.ty);
            let pointer = self.word_at(words, address, 0);
            return Ok(self.atomic_instruction(pointer, update));
        }
        let (whole, pointer) = (self.integer(element), self.word_at(words, address, 0));
        self.needs_atomics_of(element);
        let (relaxed, scope) = (self.integer_constant(32, 0), update.orders[0]);
        if update.op == Op::AtomicLoad {
            let loaded = self.out.value(Op::AtomicLoad, whole, [pointer, scope, update.orders[1]].map(id).to_vec());
            return Ok(Some(self.part_of(words, address, loaded, update)));
        }
        let first = self.out.value(Op::AtomicLoad, whole, [pointer, scope, relaxed].map(id).to_vec());
        let before = self.out.current_label().ok_or_else(|| Failure::internal("an operation outside of blocks"))?;
        let [head, body, again, end, found] = [(); 5].map(|()| self.out.fresh());
        self.out.act(Op::Branch, vec![id(head)]);
        self.out.begin_block(head);
        let seen = self.out.value(Op::Phi, whole, [first, before, found, again].map(id).to_vec());
        self.out.act(Op::LoopMerge, vec![id(end), id(again), Operand::LoopControl(LoopControl::NONE)]);
        self.out.act(Op::Branch, vec![id(body)]);
        self.out.begin_block(body);
        let old = self.part_of(words, address, seen, update);
        let new = self.updated(old, update)?;
        let new = self.with_part(words, address, seen, new, update);
        // A failure is followed by another attempt, so that it needs no order.
        let operands = [pointer, scope, update.orders[1], relaxed, new, seen].map(id).to_vec();
        self.out.value_as(found, Op::AtomicCompareExchange, whole, operands);
        let boolean = self.boolean();
        let is_done = self.out.value(Op::IEqual, boolean, vec![id(found), id(seen)]);
        self.out.act(Op::BranchConditional, [is_done, end, again].map(id).to_vec());
        self.out.begin_block(again);
        self.out.act(Op::Branch, vec![id(head)]);
        self.out.begin_block(end);
        Ok((update.op != Op::AtomicStore).then_some(old))
    }

    /// The value in a word.
    fn part_of(&mut self, words: Words, address: Word, whole: Word, update: &Update<'_, 's>) -> Word {
        let bits = match words.element() == update.width {
            true => whole,
            false => {
                let (wide, short) = (self.integer(words.element()), self.integer(update.width));
                let shift = self.shift_in(words, address, 0);
                let low = self.out.value(Op::ShiftRightLogical, wide, vec![id(whole), id(shift)]);
                self.out.value(Op::UConvert, short, vec![id(low)])
            }
        };
        if update.is_float { self.out.value(Op::Bitcast, update.made, vec![id(bits)]) } else { bits }
    }

    /// A word with another value in it.
    fn with_part(&mut self, words: Words, address: Word, whole: Word, new: Word, update: &Update<'_, 's>) -> Word {
        let short = self.integer(update.width);
        let bits = if update.is_float { self.out.value(Op::Bitcast, short, vec![id(new)]) } else { new };
        if words.element() == update.width {
            return bits;
        }
        let (others, placed) = self.placed(words, address, 0, update.width, bits);
        let wide = self.integer(words.element());
        let kept = self.out.value(Op::BitwiseAnd, wide, vec![id(whole), id(others)]);
        self.out.value(Op::BitwiseOr, wide, vec![id(kept), id(placed)])
    }

    /// The value after an operation.
    fn updated(&mut self, old: Word, update: &Update<'_, 's>) -> Outcome<Word> {
        let (op, made, value) = (update.op, update.made, update.values[0]);
        if let Some((_, plain)) = PLAIN.iter().find(|(atomic, _)| *atomic == op) {
            return Ok(self.out.value(*plain, made, vec![id(old), id(value)]));
        }
        if let Some((_, number)) = EXTENDED.iter().find(|(atomic, _)| *atomic == op) {
            return Ok(self.glsl(*number, made, &[old, value]));
        }
        match op {
            Op::AtomicStore | Op::AtomicExchange => Ok(value),
            Op::AtomicCompareExchange => {
                let boolean = self.boolean();
                let is_it = self.out.value(Op::IEqual, boolean, vec![id(old), id(update.values[1])]);
                Ok(self.out.value(Op::Select, made, [is_it, value, old].map(id).to_vec()))
            }
            _ => Err(Failure::internal(format!("Op{op:?} was not refused"))),
        }
    }
}
