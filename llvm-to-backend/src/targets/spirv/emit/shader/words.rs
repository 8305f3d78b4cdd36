//! Memory that is an array of words: local and private memory, constant tables and arguments.
//!
//! In: an address, as 32 bits. Out: the loads and stores of words that access the bytes there.
//! *Invariant:* an access reads or writes the bytes of its value and no others; in local memory the
//! rest of a word is written by nobody, not even with its old value.

use super::{
    super::{Emitter, assembly::id},
    state::Words,
};
use rspirv::{
    dr::Operand,
    spirv::{MemoryAccess, MemorySemantics, Op, Scope, StorageClass, Word},
};

impl Emitter<'_, '_> {
    /// An array type of so many words.
    pub(super) fn word_array(&mut self, count: u64) -> Word {
        let (word, count) = (self.integer(32), self.integer_constant(32, count.max(1)));
        self.out.global(Op::TypeArray, None, vec![id(word), id(count)])
    }

    /// The pointer to the word that contains a byte.
    pub(super) fn word_at(&mut self, words: Words, address: Word, offset: u64) -> Word {
        let word = self.integer(32);
        let by = self.integer_constant(32, offset.wrapping_sub(words.bias));
        let position = self.out.value(Op::IAdd, word, vec![id(address), id(by)]);
        let by = self.integer_constant(32, if words.is_wide { 3 } else { 2 });
        let index = self.out.value(Op::ShiftRightLogical, word, vec![id(position), id(by)]);
        let element = self.integer(words.element());
        let ty = self.pointer_to(words.class, element);
        let member = words.in_block.then(|| self.integer_constant(32, 0));
        let chain = [words.variable].into_iter().chain(member).chain([index]).map(id).collect();
        self.out.value(Op::InBoundsAccessChain, ty, chain)
    }

    fn word_access(words: Words) -> Vec<Operand> {
        let shared = match words.class {
            StorageClass::Workgroup => MemoryAccess::NON_PRIVATE_POINTER,
            _ => MemoryAccess::NONE,
        };
        let access = shared | if words.is_volatile { MemoryAccess::VOLATILE } else { MemoryAccess::NONE };
        if access.is_empty() { vec![] } else { vec![Operand::MemoryAccess(access)] }
    }

    /// Loads the word that contains a byte.
    pub(super) fn load_word(&mut self, words: Words, address: Word, offset: u64) -> Word {
        if words.is_wide {
            return self.load_part(words, address, offset, 32);
        }
        self.load_element(words, address, offset)
    }

    /// Loads the element of the array that contains a byte.
    fn load_element(&mut self, words: Words, address: Word, offset: u64) -> Word {
        let (pointer, element) = (self.word_at(words, address, offset), self.integer(words.element()));
        self.out.value(Op::Load, element, [id(pointer)].into_iter().chain(Self::word_access(words)).collect())
    }

    /// Ends a store. NVIDIA's driver (580.159.04) reads ahead of volatile ones to other words, but
    /// not ahead of a fence; programs that rely on the lockstep of a warp need their order.
    pub(super) fn behind_store(&mut self, words: Words) {
        if !words.is_volatile || words.class != StorageClass::Workgroup || !self.fuses() {
            return;
        }
        let order = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
        let numbers = [Scope::Workgroup as u64, order.bits().into()];
        let operands = numbers.map(|number| id(self.integer_constant(32, number)));
        self.out.act(Op::MemoryBarrier, operands.to_vec());
    }

    fn store_word(&mut self, words: Words, address: Word, offset: u64, value: Word) {
        if words.is_wide {
            return self.store_part(words, address, offset, 32, value);
        }
        let pointer = self.word_at(words, address, offset);
        self.out.act(Op::Store, [id(pointer), id(value)].into_iter().chain(Self::word_access(words)).collect());
    }

    /// The position of a byte in its element, in bits.
    pub(super) fn shift_in(&mut self, words: Words, address: Word, offset: u64) -> Word {
        let word = self.integer(32);
        let (by, three) = (self.integer_constant(32, offset), self.integer_constant(32, 3));
        let inside = self.integer_constant(32, u64::from(words.element() / 8 - 1));
        let position = self.out.value(Op::IAdd, word, vec![id(address), id(by)]);
        let byte = self.out.value(Op::BitwiseAnd, word, vec![id(position), id(inside)]);
        self.out.value(Op::ShiftLeftLogical, word, vec![id(byte), id(three)])
    }

    /// Loads an aligned integer of less than an element.
    fn load_part(&mut self, words: Words, address: Word, offset: u64, width: u32) -> Word {
        let (whole, shift) = (self.load_element(words, address, offset), self.shift_in(words, address, offset));
        let (element, short) = (self.integer(words.element()), self.integer(width));
        let low = self.out.value(Op::ShiftRightLogical, element, vec![id(whole), id(shift)]);
        self.out.value(Op::UConvert, short, vec![id(low)])
    }

    /// Loads an aligned integer of 8 to 64 bits.
    pub(super) fn load_words(&mut self, words: Words, address: Word, offset: u64, width: u32) -> Word {
        let word = self.integer(32);
        match width {
            32 => self.load_word(words, address, offset),
            64 => {
                let pair = self.vector(word, 2);
                let halves = [self.load_word(words, address, offset), self.load_word(words, address, offset + 4)];
                let both = self.out.value(Op::CompositeConstruct, pair, halves.map(id).to_vec());
                let long = self.integer(64);
                self.out.value(Op::Bitcast, long, vec![id(both)])
            }
            _ => self.load_part(words, address, offset, width),
        }
    }

    /// Stores an aligned integer of 8 to 64 bits.
    pub(super) fn store_words(&mut self, words: Words, address: Word, offset: u64, width: u32, value: Word) {
        let word = self.integer(32);
        match width {
            32 => self.store_word(words, address, offset, value),
            64 => {
                let pair = self.vector(word, 2);
                let both = self.out.value(Op::Bitcast, pair, vec![id(value)]);
                for half in [0, 1] {
                    let literal = Operand::LiteralBit32(half);
                    let part = self.out.value(Op::CompositeExtract, word, vec![id(both), literal]);
                    self.store_word(words, address, offset + 4 * u64::from(half), part);
                }
            }
            _ => self.store_part(words, address, offset, width, value),
        }
    }

    /// The mask of the rest of an element, and a value at its place in the element.
    pub(super) fn placed(&mut self, words: Words, address: Word, offset: u64, width: u32, value: Word) -> (Word, Word) {
        let element = self.integer(words.element());
        let shift = self.shift_in(words, address, offset);
        let ones = self.integer_constant(words.element(), (1 << width) - 1);
        let mask = self.out.value(Op::ShiftLeftLogical, element, vec![id(ones), id(shift)]);
        let others = self.out.value(Op::Not, element, vec![id(mask)]);
        let wide = self.out.value(Op::UConvert, element, vec![id(value)]);
        (others, self.out.value(Op::ShiftLeftLogical, element, vec![id(wide), id(shift)]))
    }

    fn store_part(&mut self, words: Words, address: Word, offset: u64, width: u32, value: Word) {
        let word = self.integer(words.element());
        let (others, placed) = self.placed(words, address, offset, width, value);
        let pointer = self.word_at(words, address, offset);
        if words.class == StorageClass::Workgroup {
            self.needs_atomics_of(words.element());
            let scope = self.integer_constant(32, Scope::Workgroup as u64);
            let relaxed = self.integer_constant(32, MemorySemantics::RELAXED.bits().into());
            self.out.value(Op::AtomicAnd, word, [pointer, scope, relaxed, others].map(id).to_vec());
            self.out.value(Op::AtomicOr, word, [pointer, scope, relaxed, placed].map(id).to_vec());
            return;
        }
        let access = Self::word_access(words);
        let old = self.out.value(Op::Load, word, [id(pointer)].into_iter().chain(access.clone()).collect());
        let kept = self.out.value(Op::BitwiseAnd, word, vec![id(old), id(others)]);
        let new = self.out.value(Op::BitwiseOr, word, vec![id(kept), id(placed)]);
        self.out.act(Op::Store, [id(pointer), id(new)].into_iter().chain(access).collect());
    }
}
