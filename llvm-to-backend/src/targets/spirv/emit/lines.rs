//! Emits source lines.
//!
//! *Invariant:* the module names a file only if the target asks for line tables.

use super::{Emitter, assembly::id};
use rspirv::{dr::Operand, spirv::Op};
use sinter_llvm::ir::Value;

impl<'s> Emitter<'_, 's> {
    pub(super) fn line(&mut self, instruction: Value<'s>) {
        if !self.target.line_tables {
            return;
        }
        if let Some(place) = instruction.place().filter(|place| place.line != 0) {
            let file = self.out.string(&place.file);
            let numbers = [place.line, place.column].map(Operand::LiteralBit32);
            self.out.act(Op::Line, [id(file)].into_iter().chain(numbers).collect());
        }
    }
}
