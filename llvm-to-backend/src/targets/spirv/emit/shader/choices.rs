//! Accesses through pointers that may lead to several kinds of memory.
//!
//! In: such a pointer, whose upper bits say the kind, and what to do for each kind. Out: branches
//! on those bits. *Invariant:* addresses of global memory have zeros there, and so has null; an
//! access through a pointer of a known kind has no branch.

use super::{
    super::{Emitter, assembly::id},
    state::{BIAS, Home},
};
use crate::failure::{Failure, Outcome};
use rspirv::{
    dr::Operand,
    spirv::{Op, SelectionControl, Word},
};
use sinter_core::spirv::push_constants::TABLES;

/// Number of bits of an address without the kind.
pub(super) const KIND: u32 = 62;
/// Kinds of memory as the upper bits of a pointer.
pub(super) const LOCAL: u64 = 1;
pub(super) const PRIVATE: u64 = 2;
pub(super) const TABLE: u64 = 3;

/// Emits an access to memory of one kind, at an address there.
type Access<'a, E> = &'a mut dyn FnMut(&mut E, Home, Word) -> Outcome<Option<Word>>;

impl Emitter<'_, '_> {
    /// Begins the block that runs if a condition holds, and returns the one behind it.
    pub(super) fn begin_branch(&mut self, condition: Word) -> Word {
        let [yes, end] = [(); 2].map(|()| self.out.fresh());
        let control = Operand::SelectionControl(SelectionControl::NONE);
        self.out.act(Op::SelectionMerge, vec![id(end), control]);
        self.out.act(Op::BranchConditional, [condition, yes, end].map(id).to_vec());
        self.out.begin_block(yes);
        end
    }

    /// Ends the block that [`Emitter::begin_branch`] began.
    pub(super) fn end_branch(&mut self, end: Word) {
        self.out.act(Op::Branch, vec![id(end)]);
        self.out.begin_block(end);
    }

    /// Kinds of memory that the pointers of a class may lead to, by their upper bits.
    fn kinds(&mut self, class: usize, writes: bool) -> Vec<(u64, Home)> {
        let kinds = self.shader.homes.classes.get(&class).map(|class| class.kinds).unwrap_or_default();
        let mut found = Vec::new();
        if kinds.local {
            found.push((LOCAL, Home::Words(self.local_array())));
        }
        found.extend(self.shader.objects.get(&class).map(|words| (PRIVATE, Home::Words(*words))));
        found.extend(self.shader.tables.get(&class).filter(|_| !writes).map(|table| (TABLE, *table)));
        found.push((0, Home::Global));
        found
    }

    /// Emits an access, for each kind of memory that the pointer may lead to. Its value has the
    /// type `ty`.
    pub(super) fn at_home(
        &mut self,
        (home, address): (Home, Word),
        ty: Word,
        writes: bool,
        access: Access<'_, Self>,
    ) -> Outcome<Option<Word>> {
        let Home::Any(class) = home else { return self.reach(home, address, access) };
        let kinds = self.kinds(class, writes);
        let (long, by) = (self.integer(64), self.integer_constant(64, KIND.into()));
        let kind = self.out.value(Op::ShiftRightLogical, long, vec![id(address), id(by)]);
        self.at_one_of((kind, address), &kinds, ty, access)
    }

    fn at_one_of(
        &mut self,
        (kind, address): (Word, Word),
        kinds: &[(u64, Home)],
        ty: Word,
        access: Access<'_, Self>,
    ) -> Outcome<Option<Word>> {
        let [(number, home), others @ ..] = kinds else {
            return Err(Failure::internal("a pointer that leads nowhere"));
        };
        if others.is_empty() {
            return self.reach(*home, address, access);
        }
        let (boolean, number) = (self.boolean(), self.integer_constant(64, *number));
        let is_it = self.out.value(Op::IEqual, boolean, vec![id(kind), id(number)]);
        let [yes, no, end] = [(); 3].map(|()| self.out.fresh());
        let control = Operand::SelectionControl(SelectionControl::NONE);
        self.out.act(Op::SelectionMerge, vec![id(end), control]);
        self.out.act(Op::BranchConditional, [is_it, yes, no].map(id).to_vec());
        self.out.begin_block(yes);
        let word = self.integer(32);
        let short = self.out.value(Op::UConvert, word, vec![id(address)]);
        let first = self.reach(*home, short, access)?;
        let first_end = self.leave(end)?;
        self.out.begin_block(no);
        let other = self.at_one_of((kind, address), others, ty, access)?;
        let other_end = self.leave(end)?;
        self.out.begin_block(end);
        let (Some(first), Some(other)) = (first, other) else { return Ok(None) };
        Ok(Some(self.out.value(Op::Phi, ty, [first, first_end, other, other_end].map(id).to_vec())))
    }

    /// Emits an access to memory of one kind. Tables that the driver fills and the argument buffer
    /// lie in global memory.
    fn reach(&mut self, home: Home, address: Word, access: Access<'_, Self>) -> Outcome<Option<Word>> {
        let (base, start) = match home {
            Home::Table(offset) => (self.status()?, u64::from(TABLES) + offset),
            Home::Arguments => (self.argument_buffer()?, 0),
            _ => return access(self, home, address),
        };
        let long = self.integer(64);
        let wide = self.out.value(Op::UConvert, long, vec![id(address)]);
        let start = self.integer_constant(64, start.wrapping_sub(BIAS));
        let inside = self.out.value(Op::IAdd, long, vec![id(wide), id(start)]);
        let address = self.out.value(Op::IAdd, long, vec![id(base), id(inside)]);
        access(self, Home::Global, address)
    }

    /// Ends a block, whose label it returns.
    fn leave(&mut self, to: Word) -> Outcome<Word> {
        let label = self.out.current_label().ok_or_else(|| Failure::internal("an access outside of blocks"))?;
        self.out.act(Op::Branch, vec![id(to)]);
        Ok(label)
    }
}
