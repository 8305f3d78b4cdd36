//! Reads the kernel's arguments.
//!
//! In: parameters of the kernel. Out: loads from the push constants, or from the argument buffer
//! whose address they have. *Invariant:* offsets are those of `push_constants::layout`.

use super::{
    super::{Emitter, assembly::id},
    memory::Place,
    state::{BIAS, Home, Words},
};
use crate::{
    device_module::{DeviceModule, Optimised},
    failure::{Failure, Outcome},
};
use rspirv::{
    dr::Operand,
    spirv::{Decoration, Op, StorageClass, Word},
};
use sinter_core::spirv::push_constants::{Layout, layout};
use sinter_llvm::ir::Value;
use std::collections::HashMap;

impl<'s> Emitter<'_, 's> {
    /// Loads the arguments into parameters; one in memory is copied to private memory, unless it
    /// stays where it is.
    pub(super) fn pass_arguments(&mut self, m: &DeviceModule<'s, Optimised>) -> Outcome<()> {
        let kernel = m.kernel;
        let (parameters, offsets) = (kernel.parameters(), argument_offsets(self, m));
        for (index, (parameter, offset)) in (0u32..).zip(parameters.into_iter().zip(offsets)) {
            let place = self.argument_place(offset, 16)?;
            match kernel.by_value_type(index) {
                Some(passed) => self.copy_argument(parameter, place, passed.alloc_size(self.cx.machine))?,
                None => {
                    let value = self.read(parameter.ty(), place)?;
                    self.body.values.insert(parameter, value);
                }
            }
        }
        Ok(())
    }

    /// Copies an argument in memory, in words: its object has whole words.
    fn copy_argument(&mut self, parameter: Value<'s>, place: Place, size: u64) -> Outcome<()> {
        let Some(home) = self.shader.homes.class(parameter).and_then(|class| self.shader.objects.get(&class)).copied()
        else {
            return Ok(());
        };
        let address = self.shader.addresses.get(&parameter).copied().unwrap_or_default();
        let address = self.integer_constant(32, address);
        for at in (0..size.next_multiple_of(4)).step_by(4) {
            let word = self.read_integer(32, place.behind(at))?;
            self.store_words(home, address, at, 32, word);
        }
        Ok(())
    }

    /// Decides where arguments are. Those in memory that are only read stay in the argument buffer,
    /// if there is one.
    pub(super) fn place_arguments(&mut self, m: &DeviceModule<'s, Optimised>) {
        let layout = layout(argument_size(self, m));
        self.shader.arguments.layout = Some(layout);
        if !layout.takes_buffer {
            return;
        }
        let offsets: HashMap<_, _> = m.kernel.parameters().into_iter().zip(argument_offsets(self, m)).collect();
        for (number, class) in &self.shader.homes.classes {
            let stays = !class.is_written && self.shader.homes.generic != Some(*number) && !class.objects.is_empty();
            let places: Option<Vec<_>> =
                class.objects.iter().map(|object| Some((*object, BIAS + offsets.get(object)?))).collect();
            if let Some(places) = places.filter(|_| stays) {
                self.shader.arguments.read_only.insert(*number);
                self.shader.addresses.extend(places);
            }
        }
    }

    /// The address of the argument buffer.
    pub(super) fn argument_buffer(&mut self) -> Outcome<Word> {
        let (words, _) = self.block()?;
        let zero = self.integer_constant(32, 0);
        Ok(self.load_words(words, zero, 0, 64))
    }

    /// The push constants as an array of words.
    fn block(&mut self) -> Outcome<(Words, Layout)> {
        let layout =
            self.shader.arguments.layout.ok_or_else(|| Failure::internal("push constants without a layout"))?;
        if let Some(known) = self.shader.arguments.block {
            return Ok((known, layout));
        }
        let (word, count) = (self.integer(32), self.integer_constant(32, u64::from(layout.size / 4)));
        let array = self.out.distinct_global(Op::TypeArray, None, vec![id(word), id(count)]);
        self.out.annotate(array, Decoration::ArrayStride, vec![Operand::LiteralBit32(4)]);
        let block = self.out.distinct_global(Op::TypeStruct, None, vec![id(array)]);
        self.out.annotate(block, Decoration::Block, vec![]);
        self.out.annotate_member(block, 0, Decoration::Offset, vec![Operand::LiteralBit32(0)]);
        let ty = self.pointer_to(StorageClass::PushConstant, block);
        let class = vec![Operand::StorageClass(StorageClass::PushConstant)];
        let variable = self.out.distinct_global(Op::Variable, Some(ty), class);
        self.out.name(variable, "arguments");
        self.interface.push(variable);
        let words = Words {
            variable,
            class: StorageClass::PushConstant,
            in_block: true,
            bias: 0,
            is_wide: false,
            is_volatile: false,
        };
        self.shader.arguments.block = Some(words);
        Ok((words, layout))
    }

    fn argument_place(&mut self, offset: u64, alignment: u32) -> Outcome<Place> {
        let (words, layout) = self.block()?;
        let zero = self.integer_constant(32, 0);
        let block = Place { address: zero, offset, alignment, volatile: false, home: Home::Words(words) };
        if !layout.takes_buffer {
            return Ok(block);
        }
        let address = self.argument_buffer()?;
        Ok(Place { address, home: Home::Global, ..block })
    }

    /// A word of the hidden part.
    pub(super) fn hidden(&mut self, offset: impl Fn(Layout) -> u32) -> Outcome<Word> {
        let (words, layout) = self.block()?;
        let zero = self.integer_constant(32, 0);
        Ok(self.load_word(words, zero, offset(layout).into()))
    }

    /// The address of the status buffer.
    pub(super) fn status(&mut self) -> Outcome<Word> {
        let (words, layout) = self.block()?;
        let zero = self.integer_constant(32, 0);
        Ok(self.load_words(words, zero, layout.status.into(), 64))
    }
}

/// Offsets of the parameters in the argument buffer. Tools emit modules without a record of their
/// arguments; those follow each other.
fn argument_offsets<'s>(emitter: &Emitter<'_, 's>, m: &DeviceModule<'s, Optimised>) -> Vec<u64> {
    let parameters = m.kernel.parameters();
    if parameters.len() == m.facts.arguments.len() {
        return m.facts.arguments.iter().map(|argument| argument.offset.into()).collect();
    }
    let (mut end, mut offsets) = (0u64, Vec::new());
    for (index, parameter) in (0u32..).zip(parameters) {
        let ty = m.kernel.by_value_type(index).unwrap_or(parameter.ty());
        let offset = end.next_multiple_of(ty.alignment(emitter.cx.machine).max(1).into());
        offsets.push(offset);
        end = offset + ty.alloc_size(emitter.cx.machine);
    }
    offsets
}

fn argument_size<'s>(emitter: &Emitter<'_, 's>, m: &DeviceModule<'s, Optimised>) -> u32 {
    if m.kernel.parameters().len() == m.facts.arguments.len() {
        return m.facts.argument_size;
    }
    let last = m.kernel.parameters().len().checked_sub(1).map(|last| {
        let ty = m.kernel.by_value_type(last as u32).unwrap_or(m.kernel.parameters()[last].ty());
        argument_offsets(emitter, m)[last] + ty.alloc_size(emitter.cx.machine)
    });
    last.unwrap_or_default() as u32
}
