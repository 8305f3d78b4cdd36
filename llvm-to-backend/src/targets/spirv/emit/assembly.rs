//! A SPIR-V module under construction.
//!
//! In: instructions, in any order of sections. Out: the words of a module. *Invariant:* requests
//! for equal types or constants return the same ID. rspirv orders the sections as the specification
//! demands (2.4, "Logical Layout of a Module").

use super::capabilities::Needs;
use crate::{
    failure::{Failure, Outcome},
    targets::spirv::limits::{self, WORDS},
};
use rspirv::{
    binary::Assemble,
    dr::{Block, Function, Instruction, Module, ModuleHeader, Operand},
    spirv::{self, Op, Word},
};
use sinter_core::SpirvEnvironment;
use std::collections::HashMap;

/// The module, with the current function and block.
#[derive(Debug)]
pub(super) struct Assembly {
    module: Module,
    next: Word,
    known: HashMap<(Op, Option<Word>, Vec<Operand>), Word>,
    strings: HashMap<String, Word>,
    extended: Option<Word>,
    environment: SpirvEnvironment,
    function: Option<Function>,
    block: Option<Block>,
    /// The first instruction whose size does not fit into 16 bits.
    too_long: Option<Op>,
    pub(super) needs: Needs,
}

/// A source language with OpenCL 2's atomic operations; SYCL compilers declare it too. For other
/// languages Khronos's SPIR-V to LLVM translator, which CPU drivers use as their front end, calls
/// functions of OpenCL 1.2, which have neither memory orders nor generic pointers (`getOCLVersion`
/// in `OCLUtil.cpp`).
const SOURCE: (spirv::SourceLanguage, Word) = (spirv::SourceLanguage::OpenCL_CPP, 100_000);

/// Operations that drivers for Vulkan change unless they are decorated with `NoContraction`:
/// without it they may be contracted, reassociated and transformed (`SPV_KHR_float_controls2`,
/// "Interactions with SPIR-V 1.x"). SPIR-V speaks of arithmetic alone, but validators accept it on
/// conversions, and Mesa reads it there: else `int(float(x))` is `x` (`nir_opt_algebraic.py`).
const ROUNDED: [Op; 9] = [
    Op::FAdd,
    Op::FSub,
    Op::FMul,
    Op::FDiv,
    Op::FConvert,
    Op::ConvertFToU,
    Op::ConvertFToS,
    Op::ConvertUToF,
    Op::ConvertSToF,
];

/// An ID operand.
pub(super) fn id(id: Word) -> Operand {
    Operand::IdRef(id)
}

/// ID operands.
pub(super) fn ids(all: &[Word]) -> Vec<Operand> {
    all.iter().copied().map(Operand::IdRef).collect()
}

impl Assembly {
    pub(super) fn new(environment: SpirvEnvironment) -> Self {
        Assembly {
            module: Module::new(),
            next: 1,
            known: HashMap::new(),
            strings: HashMap::new(),
            extended: None,
            environment,
            function: None,
            block: None,
            too_long: None,
            needs: Needs::default(),
        }
    }

    /// A new, unused ID.
    pub(super) fn fresh(&mut self) -> Word {
        self.next += 1;
        self.next - 1
    }

    fn make(&mut self, op: Op, ty: Option<Word>, result: Option<Word>, operands: Vec<Operand>) -> Instruction {
        let instruction = Instruction::new(op, ty, result, operands);
        self.needs.of_instruction(&instruction);
        if words(&instruction) > WORDS {
            self.too_long.get_or_insert(op);
        }
        instruction
    }

    /// ID of the type or constant that an instruction declares; equal ones share an ID.
    pub(super) fn global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        if let Some(known) = self.known.get(&(op, ty, operands.clone())) {
            return *known;
        }
        let result = self.distinct_global(op, ty, operands.clone());
        self.known.insert((op, ty, operands), result);
        result
    }

    /// Declares a variable or structure, with a new ID for each call.
    pub(super) fn distinct_global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let result = self.fresh();
        let made = self.make(op, ty, Some(result), operands);
        self.module.types_global_values.push(made);
        result
    }

    /// The ID bound: one more than the greatest ID.
    pub(super) fn bound(&self) -> Word {
        self.next
    }

    /// Adds a decoration to an ID.
    pub(super) fn annotate(&mut self, target: Word, decoration: spirv::Decoration, more: Vec<Operand>) {
        let operands = [id(target), Operand::Decoration(decoration)].into_iter().chain(more).collect();
        let made = self.make(Op::Decorate, None, None, operands);
        self.module.annotations.push(made);
    }

    /// Gives an ID a debug name.
    pub(super) fn name(&mut self, target: Word, name: &str) {
        let made = self.make(Op::Name, None, None, vec![id(target), limits::cut(name).into()]);
        self.module.debug_names.push(made);
    }

    /// States a fact about the module.
    pub(super) fn process(&mut self, fact: &str) {
        let made = self.make(Op::ModuleProcessed, None, None, vec![limits::cut(fact).into()]);
        self.module.debug_module_processed.push(made);
    }

    /// Decorates a member of a structure.
    pub(super) fn annotate_member(
        &mut self,
        target: Word,
        member: u32,
        decoration: spirv::Decoration,
        more: Vec<Operand>,
    ) {
        let head = [id(target), Operand::LiteralBit32(member), Operand::Decoration(decoration)];
        let made = self.make(Op::MemberDecorate, None, None, head.into_iter().chain(more).collect());
        self.module.annotations.push(made);
    }

    /// ID of an `OpString`.
    pub(super) fn string(&mut self, text: &str) -> Word {
        if let Some(known) = self.strings.get(text) {
            return *known;
        }
        let result = self.fresh();
        let made = self.make(Op::String, None, Some(result), vec![limits::cut(text).into()]);
        self.module.debug_string_source.push(made);
        self.strings.insert(text.to_owned(), result);
        result
    }

    /// ID of the imported set of extended instructions. A module has one of them.
    pub(super) fn extended_set(&mut self, name: &str) -> Word {
        if let Some(known) = self.extended {
            return known;
        }
        let result = self.fresh();
        let made = self.make(Op::ExtInstImport, None, Some(result), vec![name.into()]);
        self.module.ext_inst_imports.push(made);
        self.extended = Some(result);
        result
    }

    pub(super) fn begin_function(&mut self, result: Word, ty: Word, function: Word) {
        let control = Operand::FunctionControl(spirv::FunctionControl::NONE);
        let definition = self.make(Op::Function, Some(result), Some(function), vec![control, id(ty)]);
        self.function = Some(Function { def: Some(definition), ..Function::new() });
    }

    pub(super) fn parameter(&mut self, ty: Word, parameter: Word) {
        let made = self.make(Op::FunctionParameter, Some(ty), Some(parameter), vec![]);
        self.function.iter_mut().for_each(|function| function.parameters.push(made.clone()));
    }

    pub(super) fn begin_block(&mut self, label: Word) {
        self.end_block();
        let label = self.make(Op::Label, None, Some(label), vec![]);
        self.block = Some(Block { label: Some(label), instructions: vec![] });
    }

    /// The label of the block that is being emitted.
    pub(super) fn current_label(&self) -> Option<Word> {
        self.block.as_ref()?.label.as_ref()?.result_id
    }

    fn end_block(&mut self) {
        if let (Some(function), Some(block)) = (&mut self.function, self.block.take()) {
            function.blocks.push(block);
        }
    }

    pub(super) fn end_function(&mut self) {
        self.end_block();
        let end = self.make(Op::FunctionEnd, None, None, vec![]);
        if let Some(function) = self.function.take() {
            self.module.functions.push(Function { end: Some(end), ..function });
        }
    }

    fn push(&mut self, instruction: Instruction) {
        self.block.iter_mut().for_each(|block| block.instructions.push(instruction.clone()));
    }

    /// Adds an instruction without a result.
    pub(super) fn act(&mut self, op: Op, operands: Vec<Operand>) {
        let made = self.make(op, None, None, operands);
        self.push(made);
    }

    /// Adds an instruction with a new result.
    pub(super) fn value(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let result = self.fresh();
        self.value_as(result, op, ty, operands);
        result
    }

    /// Adds an instruction whose result ID is known.
    pub(super) fn value_as(&mut self, result: Word, op: Op, ty: Word, operands: Vec<Operand>) {
        if self.environment == SpirvEnvironment::Vulkan && ROUNDED.contains(&op) {
            self.annotate(result, spirv::Decoration::NoContraction, vec![]);
        }
        self.free_value(result, op, ty, operands);
    }

    /// As [`Self::value_as`], for an operation that the driver may fuse and reassociate.
    pub(super) fn free_value(&mut self, result: Word, op: Op, ty: Word, operands: Vec<Operand>) {
        let made = self.make(op, Some(ty), Some(result), operands);
        self.push(made);
    }

    /// Adds an execution mode to the kernel.
    pub(super) fn execution_mode(&mut self, kernel: Word, mode: spirv::ExecutionMode, more: Vec<Operand>) {
        let is_by_id = matches!(mode, spirv::ExecutionMode::LocalSizeId);
        let op = if is_by_id { Op::ExecutionModeId } else { Op::ExecutionMode };
        let operands = [id(kernel), Operand::ExecutionMode(mode)].into_iter().chain(more).collect();
        let made = self.make(op, None, None, operands);
        self.module.execution_modes.push(made);
    }

    /// Declares the entry point of the module. `interface` lists its variables.
    pub(super) fn entry_point(&mut self, kernel: Word, name: &str, interface: &[Word]) {
        let model = match self.environment {
            SpirvEnvironment::Vulkan => spirv::ExecutionModel::GLCompute,
            _ => spirv::ExecutionModel::Kernel,
        };
        let model = Operand::ExecutionModel(model);
        let operands = [model, id(kernel), name.into()].into_iter().chain(ids(interface)).collect();
        let made = self.make(Op::EntryPoint, None, None, operands);
        self.module.entry_points.push(made);
    }

    /// The finished module. `version` is ten times the SPIR-V version.
    pub(super) fn finish(mut self, version: u32) -> Outcome<Module> {
        if let Some(op) = self.too_long {
            return Err(Failure::internal(format!("an instruction of more than {WORDS} words was made: Op{op:?}")));
        }
        let mut header = ModuleHeader::new(self.next);
        header.set_version(1, (version % 10) as u8);
        self.module.header = Some(header);
        let (addresses, memory) = match self.environment {
            SpirvEnvironment::Vulkan => (spirv::AddressingModel::PhysicalStorageBuffer64, spirv::MemoryModel::Vulkan),
            _ => (spirv::AddressingModel::Physical64, spirv::MemoryModel::OpenCL),
        };
        let memory = vec![Operand::AddressingModel(addresses), Operand::MemoryModel(memory)];
        self.module.memory_model = Some(Instruction::new(Op::MemoryModel, None, None, memory));
        if self.environment != SpirvEnvironment::Vulkan {
            let source = vec![Operand::SourceLanguage(SOURCE.0), Operand::LiteralBit32(SOURCE.1)];
            self.module.debug_string_source.push(Instruction::new(Op::Source, None, None, source));
        }
        for capability in self.needs.capabilities() {
            let operand = vec![Operand::Capability(capability)];
            self.module.capabilities.push(Instruction::new(Op::Capability, None, None, operand));
        }
        for extension in self.needs.extensions(version) {
            self.module.extensions.push(Instruction::new(Op::Extension, None, None, vec![extension.into()]));
        }
        Ok(self.module)
    }
}

/// Word count of an instruction, which has to fit into 16 bits.
fn words(instruction: &Instruction) -> usize {
    let own = |operand: &Operand| match operand {
        Operand::LiteralString(text) => text.len() / 4 + 1,
        Operand::LiteralBit64(_) => 2,
        _ => 1,
    };
    let ids = [instruction.result_type, instruction.result_id].iter().flatten().count();
    1 + ids + instruction.operands.iter().map(own).sum::<usize>()
}

/// The bytes of a finished module.
pub(super) fn bytes(module: &Module) -> Vec<u8> {
    module.assemble().into_iter().flat_map(Word::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module without its header, as bytes.
    fn written(operands: usize) -> Outcome<Vec<u8>> {
        let mut out = Assembly::new(SpirvEnvironment::OpenCl);
        let ty = out.global(Op::TypeBool, None, vec![]);
        out.distinct_global(Op::TypeStruct, None, vec![id(ty); operands]);
        out.finish(14).map(|module| bytes(&module))
    }

    #[test]
    fn an_instruction_without_room_is_an_error() {
        assert!(written(WORDS - 2).is_ok());
        assert!(written(WORDS - 1).is_err());
    }

    #[test]
    fn words_are_counted_as_they_are_written() {
        let operands = vec![id(1), "four".into(), "five!".into(), Operand::LiteralBit64(1), Operand::LiteralBit32(1)];
        let instruction = Instruction::new(Op::Constant, Some(1), Some(2), operands);
        assert_eq!(words(&instruction), instruction.assemble().len());
    }
}
