//! Emits what kernels print.
//!
//! In: the call that stands for a print. Out: stores of its number and its values to the buffer
//! behind the status, which the driver prints when the launch is complete. *Invariant:* a print
//! writes its units as a whole, or nothing where there is no room.

use super::{
    super::{Emitter, assembly::id},
    memory::Place,
    state::Home,
};
use crate::failure::{Failure, Outcome};
use rspirv::spirv::{Op, Scope, Word};
use sinter_core::spirv::push_constants::{PRINT_UNITS, PRINTED, prints_at};
use sinter_llvm::{ir::Value, types::TypeView};

impl<'s> Emitter<'_, 's> {
    pub(in super::super) fn print_report(&mut self, call: Value<'s>) -> Outcome<()> {
        let arguments = call.arguments();
        let (text, values) = arguments.split_first().ok_or_else(|| Failure::internal("a print without a format"))?;
        let bytes = text.initializer().and_then(|text| text.content_bytes());
        let bytes = bytes.ok_or_else(|| Failure::internal("a print without a text"))?;
        let text: String = bytes.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
        let known = self.shader.prints.iter().position(|known| *known == text);
        let number = known.unwrap_or(self.shader.prints.len()) as u64 + 1;
        if known.is_none() {
            self.shader.prints.push(text);
        }
        let mut units = vec![self.integer_constant(64, number)];
        for value in values {
            units.push(self.unit(*value)?);
        }
        self.print_units(&units)?;
        if self.body.values.contains_key(&call) {
            let ty = self.ty(call.ty())?;
            let zero = self.null(ty);
            self.alias(call, zero)?;
        }
        Ok(())
    }

    /// A value as 64 bits.
    fn unit(&mut self, value: Value<'s>) -> Outcome<Word> {
        let (mut known, long) = (self.id(value)?, self.integer(64));
        let width = match value.ty().view() {
            TypeView::Float(width) => {
                let bits = self.integer(width);
                known = self.out.value(Op::Bitcast, bits, vec![id(known)]);
                width
            }
            TypeView::Integer(1) => {
                let (yes, no) = (self.integer_constant(64, 1), self.integer_constant(64, 0));
                return Ok(self.out.value(Op::Select, long, [known, yes, no].map(id).to_vec()));
            }
            TypeView::Integer(width) => width,
            TypeView::Pointer(space) => super::address_width(space),
            _ => return Err(Failure::internal("a print of an odd type")),
        };
        Ok(self.resized(known, width, long))
    }

    fn print_units(&mut self, units: &[Word]) -> Outcome<()> {
        let (status, word, long, boolean) = (self.status()?, self.integer(32), self.integer(64), self.boolean());
        let place = |offset| Place { address: status, offset, alignment: 8, volatile: false, home: Home::Global };
        let pointer = self.global_pointer(place(PRINTED.into()), word);
        let (device, relaxed) = (self.integer_constant(32, Scope::Device as u64), self.integer_constant(32, 0));
        let count = self.integer_constant(32, units.len() as u64);
        let start = self.out.value(Op::AtomicIAdd, word, [pointer, device, relaxed, count].map(id).to_vec());
        let last = self.integer_constant(32, u64::from(PRINT_UNITS).saturating_sub(units.len() as u64));
        let fits = self.out.value(Op::ULessThanEqual, boolean, vec![id(start), id(last)]);
        let end = self.begin_branch(fits);
        let (start, eight) = (self.resized(start, 32, long), self.integer_constant(64, 8));
        let offset = self.out.value(Op::IMul, long, vec![id(start), id(eight)]);
        let address = self.out.value(Op::IAdd, long, vec![id(status), id(offset)]);
        let first = prints_at(self.shader.filled.len());
        for (index, unit) in (0u64..).zip(units) {
            let place = Place { address, ..place(first + 8 * index) };
            self.write_integer(64, *unit, place)?;
        }
        self.end_branch(end);
        Ok(())
    }
}
