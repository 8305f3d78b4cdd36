//! Emits functions.
//!
//! In: a function. Out: its parameters and blocks. *Invariant:* a block comes after its dominators,
//! as SPIR-V demands; unreachable blocks are not emitted; the entry block starts with variables,
//! then expressions of global addresses.

use super::{Body, Emitter, Typed, assembly::id, types::storage_class};
use crate::{
    device_module::{DeviceModule, Optimised},
    failure::{Failure, Outcome},
    targets::{local_memory::LINE, spirv::local_memory},
};
use rspirv::{
    dr::Operand,
    spirv::{Decoration, FunctionParameterAttribute, Op, StorageClass, Word},
};
use sinter_core::names::readable;
use sinter_core::spirv::arguments::PARAMETERS;
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Type, Value, ValueKind},
    types::TypeView,
};
use std::collections::HashSet;

/// Attributes of pointer parameters, LLVM's and SPIR-V's.
const POINTER_ATTRIBUTES: [(&str, FunctionParameterAttribute); 3] = [
    ("noalias", FunctionParameterAttribute::NoAlias),
    ("readonly", FunctionParameterAttribute::NoWrite),
    ("readnone", FunctionParameterAttribute::NoReadWrite),
];

impl<'s> Emitter<'_, 's> {
    pub(super) fn function(&mut self, m: &DeviceModule<'s, Optimised>, function: Value<'s>) -> Outcome<()> {
        self.body = Body::default();
        let is_kernel = function == m.kernel;
        let blocks = in_order(function);
        // Capabilities of parameters and variables get the function's first source location.
        self.out.needs.place = function.instructions().into_iter().find_map(Value::location);
        self.header(m, function, is_kernel)?;
        for block in &blocks {
            let label = self.out.fresh();
            self.body.labels.insert(*block, label);
        }
        let instructions: Vec<Value<'s>> = blocks.iter().flat_map(|block| block.instructions()).collect();
        for instruction in &instructions {
            if instruction.ty().view() != TypeView::Void {
                let result = self.out.fresh();
                self.body.values.insert(*instruction, result);
            }
        }
        for (index, block) in blocks.iter().enumerate() {
            let label = self.label(*block)?;
            self.out.begin_block(label);
            if index == 0 {
                self.variables(&instructions)?;
                self.addresses(&instructions)?;
            }
            for instruction in block.instructions() {
                self.out.needs.place = instruction.location();
                self.line(instruction);
                self.instruction(instruction)?;
            }
        }
        self.out.end_function();
        Ok(())
    }

    pub(super) fn label(&self, block: Block<'s>) -> Outcome<Word> {
        self.body.labels.get(&block).copied().ok_or_else(|| Failure::internal("a block that is not reached was named"))
    }

    fn header(&mut self, m: &DeviceModule<'s, Optimised>, function: Value<'s>, is_kernel: bool) -> Outcome<()> {
        let result = self.ty(function.return_type())?;
        let mut types = Vec::new();
        for (index, parameter) in (0u32..).zip(function.parameters()) {
            types.push(self.parameter_type(function, index, parameter)?);
        }
        let dynamic = is_kernel && local_memory::is_dynamic(m);
        if dynamic {
            types.push(self.line_pointer());
        }
        if types.len() > PARAMETERS {
            let what = format!("a function with {} parameters", types.len());
            let hint = format!("SPIR-V has room for {PARAMETERS}; pass a pointer to a structure");
            return Err(self.cx.unsupported(what, self.out.needs.place.clone(), &hint).into());
        }
        let operands = [result].iter().chain(&types).copied().map(id).collect();
        let ty = self.out.global(Op::TypeFunction, None, operands);
        let known = self.functions.get(&function).copied();
        let name = known.ok_or_else(|| Failure::internal("a function without an id"))?;
        self.out.begin_function(result, ty, name);
        self.out.name(name, &function.name());
        for ((index, parameter), ty) in (0u32..).zip(function.parameters()).zip(&types) {
            self.parameter(function, index, parameter, *ty)?;
        }
        if dynamic {
            let (ty, parameter) = (self.line_pointer(), self.out.fresh());
            self.out.parameter(ty, parameter);
            self.out.name(parameter, "local_memory");
            self.out.annotate(parameter, Decoration::Alignment, vec![Operand::LiteralBit32(LINE as u32)]);
            self.body.dynamic = Some(parameter);
        }
        Ok(())
    }

    /// Pointer type for dynamic local memory. Its pointee has [`LINE`] bytes, from which a driver
    /// derives the alignment that the headers promise.
    fn line_pointer(&mut self) -> Word {
        let element = self.integer(64);
        let line = self.vector(element, (LINE / 8) as u32);
        self.pointer_to(StorageClass::Workgroup, line)
    }

    /// A by-value parameter points to a type of its own, which gives the driver its size.
    fn parameter_type(&mut self, function: Value<'s>, index: u32, parameter: Value<'s>) -> Outcome<Word> {
        match function.by_value_type(index) {
            Some(passed) => {
                let passed = self.passed_type(passed)?;
                Ok(self.pointer_to(StorageClass::Function, passed))
            }
            None => self.ty(parameter.ty()),
        }
    }

    /// A kernel parameter must not be an array (OpenCL C 3.0, 6.11 "Restrictions"), which Intel's
    /// GPU compiler enforces; a structure wraps it.
    fn passed_type(&mut self, passed: Type<'s>) -> Outcome<Word> {
        let memory = self.memory_type(passed)?;
        match passed.view() {
            TypeView::Structure(..) => Ok(memory),
            _ => Ok(self.out.global(Op::TypeStruct, None, vec![id(memory)])),
        }
    }

    fn parameter(&mut self, function: Value<'s>, index: u32, parameter: Value<'s>, ty: Word) -> Outcome<()> {
        let made = self.out.fresh();
        self.out.parameter(ty, made);
        let attribute = |attribute| vec![Operand::FunctionParameterAttribute(attribute)];
        if let Some(passed) = function.by_value_type(index) {
            let pointee = self.passed_type(passed)?;
            self.out.annotate(made, Decoration::FuncParamAttr, attribute(FunctionParameterAttribute::ByVal));
            self.body.typed.insert(parameter, Typed { pointer: made, pointee });
        } else {
            self.body.values.insert(parameter, made);
            for (name, said) in POINTER_ATTRIBUTES {
                if function.has_parameter_attribute(index, name) {
                    self.out.annotate(made, Decoration::FuncParamAttr, attribute(said));
                }
            }
        }
        if let Some(alignment) = function.parameter_alignment(index).filter(|_| parameter.address_space().is_some()) {
            self.out.annotate(made, Decoration::Alignment, vec![Operand::LiteralBit32(alignment)]);
        }
        Ok(())
    }

    /// Declares private variables, which SPIR-V allows only at the start of a function.
    fn variables(&mut self, instructions: &[Value<'s>]) -> Outcome<()> {
        let reserved: Vec<_> = instructions.iter().filter(|i| i.opcode() == Opcode::LLVMAlloca).copied().collect();
        for alloca in &reserved {
            let element = self.memory_type(alloca.allocated_type())?;
            let count = alloca.operands().first().and_then(|count| count.integer()).unwrap_or(1);
            let pointee = if count == 1 { element } else { self.array(element, count) };
            let ty = self.pointer_to(StorageClass::Function, pointee);
            let class = vec![Operand::StorageClass(StorageClass::Function)];
            let pointer = self.out.value(Op::Variable, ty, class);
            self.out.annotate(pointer, Decoration::Alignment, vec![Operand::LiteralBit32(alloca.alignment())]);
            self.body.typed.insert(*alloca, Typed { pointer, pointee });
        }
        reserved.into_iter().try_for_each(|alloca| self.pointer_to_bytes(alloca))
    }

    /// Emits expressions of addresses that are constant during the kernel.
    fn addresses(&mut self, instructions: &[Value<'s>]) -> Outcome<()> {
        for parameter in instructions.first().map(|i| i.function().parameters()).unwrap_or_default() {
            if self.body.typed.contains_key(&parameter) {
                let bytes = self.out.fresh();
                self.body.values.insert(parameter, bytes);
                self.pointer_to_bytes(parameter)?;
            }
        }
        let operands = instructions.iter().filter(|i| !i.is_call()).flat_map(|i| i.operands());
        let arguments = instructions.iter().filter(|i| i.is_call()).flat_map(|call| call.arguments());
        let all: Vec<_> = operands.chain(arguments).collect();
        all.into_iter().try_for_each(|value| self.address_of(value))
    }

    fn address_of(&mut self, value: Value<'s>) -> Outcome<()> {
        if !value.is_constant_value() || Self::is_plain(value) || self.body.values.contains_key(&value) {
            return Ok(());
        }
        match value.kind() {
            ValueKind::LLVMGlobalVariableValueKind => self.global_address(value),
            ValueKind::LLVMConstantExprValueKind => {
                value.operands().into_iter().try_for_each(|operand| self.address_of(operand))?;
                let result = self.out.fresh();
                self.body.values.insert(value, result);
                self.operation(value, value.constant_opcode())
            }
            ValueKind::LLVMFunctionValueKind => {
                let what = format!("the address of the function `{}`", readable(&value.name()));
                let hint =
                    "devices that take SPIR-V have no function pointers; call the function, or choose it by a number";
                Err(self.cx.unsupported(what, crate::backend::first_use(value), hint).into())
            }
            _ => {
                value.operands().into_iter().try_for_each(|operand| self.address_of(operand))?;
                let parts = value.operands().into_iter().map(|part| self.id(part)).collect::<Outcome<Vec<_>>>()?;
                let ty = self.ty(value.ty())?;
                let made = self.out.value(Op::CompositeConstruct, ty, parts.into_iter().map(id).collect());
                self.body.values.insert(value, made);
                Ok(())
            }
        }
    }

    fn global_address(&mut self, global: Value<'s>) -> Outcome<()> {
        if local_memory::is_dynamic_array(global) {
            let what = "dynamic local memory in a function that is not inlined into the kernel";
            let hint = "pass a pointer to it as an argument";
            let misplaced = || self.cx.unsupported(what, crate::backend::first_use(global), hint);
            let parameter = self.body.dynamic.ok_or_else(misplaced)?;
            let ty = self.pointer(3)?;
            let pointer = self.out.value(Op::Bitcast, ty, vec![id(parameter)]);
            self.body.values.insert(global, pointer);
            return Ok(());
        }
        let known = self.variable(global)?;
        let class = storage_class(global.address_space().unwrap_or_default())?;
        let byte = self.integer(8);
        let ty = self.pointer_to(class, byte);
        let bytes = self.out.value(Op::Bitcast, ty, vec![id(known.variable)]);
        self.body.values.insert(global, bytes);
        self.body.typed.insert(global, Typed { pointer: known.variable, pointee: known.pointee });
        Ok(())
    }
}

/// Reachable blocks in reverse postorder: each after its dominators.
fn in_order(function: Value<'_>) -> Vec<Block<'_>> {
    let Some(entry) = function.blocks().first().copied() else { return Vec::new() };
    let (mut seen, mut done) = (HashSet::from([entry]), Vec::new());
    let mut open = vec![(entry, entry.successors())];
    while let Some((block, rest)) = open.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => open.push((next, next.successors())),
            Some(_) => {}
            None => {
                done.push(*block);
                open.pop();
            }
        }
    }
    done.reverse();
    done
}
