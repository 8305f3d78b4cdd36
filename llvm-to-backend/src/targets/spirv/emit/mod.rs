//! Emits SPIR-V.
//!
//! In: a legalised module. Out: a SPIR-V module for the environment of kernels, or for Vulkan
//! ([`shader`]). *Invariant:* an
//! instruction becomes the same few instructions wherever it stands, and a block becomes a block;
//! an instruction that cannot be emitted is an error with its source location.
//!
//! LLVM's pointers are opaque, those of SPIR-V have a pointee type. A pointer is a byte pointer
//! where it is a value: where it is passed, selected, compared or stored. Loads, stores and address
//! computations cast it to the type that they access. Variables and addresses of their members keep
//! their own types as long as possible, because GPU compilers keep small arrays in registers only
//! if they know the element type.

mod assembly;
mod atomics;
mod calls;
mod capabilities;
mod casts;
mod constants;
mod control;
mod functions;
mod instructions;
mod intrinsics;
mod lines;
mod memory;
mod shader;
mod types;
mod values;
mod vectors;

use self::{
    assembly::{Assembly, id},
    shader::state::{Rounds, Shader},
};
use crate::{
    context::Context,
    device_module::{DeviceModule, Optimised},
    failure::{Failure, Outcome},
    targets::spirv::limits,
};
use rspirv::{
    binary::Disassemble,
    dr::{Module, Operand},
    spirv::{Capability, ExecutionMode, Op, Word},
};
use sinter_core::{SpirvEnvironment, SpirvFeature, SpirvTarget};
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Type, Value},
};
use std::collections::HashMap;

/// A global variable and its pointee type.
#[derive(Debug, Clone, Copy)]
struct Global {
    variable: Word,
    pointee: Word,
}

/// A pointer and its pointee type.
#[derive(Debug, Clone, Copy)]
struct Typed {
    pointer: Word,
    pointee: Word,
}

/// State of the function that is being emitted.
#[derive(Debug, Default)]
struct Body<'s> {
    /// Results and parameters. A pointer has its byte pointer here.
    values: HashMap<Value<'s>, Word>,
    /// Pointers with a known pointee type.
    typed: HashMap<Value<'s>, Typed>,
    labels: HashMap<Block<'s>, Word>,
    /// The pointer to dynamic local memory, if the function is the kernel.
    dynamic: Option<Word>,
    /// The kernel, if it is a shader.
    kernel: Option<Value<'s>>,
    /// The block that ends the kernel, if its code is in a branch.
    end: Option<Word>,
    /// The count of loops that the driver ended, where it may do so.
    rounds: Option<Rounds>,
}

/// State of the module that is being emitted.
struct Emitter<'e, 's> {
    cx: &'e Context<'s, 'e>,
    target: &'e SpirvTarget,
    out: Assembly,
    types: HashMap<Type<'s>, Word>,
    memory_types: HashMap<Type<'s>, Word>,
    constants: HashMap<Value<'s>, Word>,
    globals: HashMap<Value<'s>, Global>,
    functions: HashMap<Value<'s>, Word>,
    built_in: HashMap<rspirv::spirv::BuiltIn, Word>,
    /// Packed structures by their members.
    packed: HashMap<Vec<Word>, Word>,
    /// Variables that the kernel uses, the interface of the entry point.
    interface: Vec<Word>,
    body: Body<'s>,
    shader: Shader<'s>,
}

/// A finished module.
pub(super) struct Written {
    module: Module,
}

impl Written {
    pub(super) fn bytes(&self) -> Vec<u8> {
        assembly::bytes(&self.module)
    }

    /// Disassembly, similar to that of `spirv-dis`.
    pub(super) fn text(&self) -> String {
        self.module.disassemble() + "\n"
    }
}

/// Emits a module whose kernel is `m.kernel`.
pub(super) fn emit<'s>(
    cx: &Context<'s, '_>,
    target: &SpirvTarget,
    m: &DeviceModule<'s, Optimised>,
) -> Outcome<Written> {
    let mut emitter = Emitter::new(cx, target);
    let defined = m.defined();
    for function in &defined {
        let result = emitter.out.fresh();
        emitter.functions.insert(*function, result);
    }
    if emitter.is_shader() {
        emitter.shader(m)?;
    } else {
        emitter.out.needs.add(Capability::Addresses);
        emitter.out.needs.add(Capability::Kernel);
        defined.into_iter().try_for_each(|function| emitter.function(m, function))?;
        emitter.entry(m)?;
    }
    emitter.out.needs.check(cx, target)?;
    if emitter.out.bound() > limits::BOUND {
        let what = format!("a kernel with {} different values", emitter.out.bound());
        let hint = format!("SPIR-V has room for {}; pass large tables in memory", limits::BOUND);
        return Err(cx.unsupported(what, None, &hint).into());
    }
    Ok(Written { module: emitter.out.finish(target.version)? })
}

impl<'e, 's> Emitter<'e, 's> {
    fn new(cx: &'e Context<'s, 'e>, target: &'e SpirvTarget) -> Self {
        Emitter {
            cx,
            target,
            out: Assembly::new(target.environment),
            types: HashMap::new(),
            memory_types: HashMap::new(),
            constants: HashMap::new(),
            globals: HashMap::new(),
            functions: HashMap::new(),
            built_in: HashMap::new(),
            packed: HashMap::new(),
            interface: Vec::new(),
            body: Body::default(),
            shader: Shader::default(),
        }
    }

    /// True if the module is for Vulkan.
    fn is_shader(&self) -> bool {
        self.target.environment == SpirvEnvironment::Vulkan
    }

    /// Emits the entry point and its execution modes.
    fn entry(&mut self, m: &DeviceModule<'s, Optimised>) -> Outcome<()> {
        let kernel = self.functions.get(&m.kernel).copied();
        let kernel = kernel.ok_or_else(|| Failure::internal("the kernel was lost"))?;
        // Up to SPIR-V 1.3 the interface lists built-in variables only, from 1.4 on all variables.
        let built_in: Vec<Word> = self.built_in.values().copied().collect();
        let others = if self.target.version >= 14 { self.interface.as_slice() } else { &[] };
        let mut interface: Vec<Word> = built_in.into_iter().chain(others.iter().copied()).collect();
        interface.sort_unstable();
        interface.dedup();
        self.out.entry_point(kernel, &m.kernel.name(), &interface);
        if let Some(sizes) = self.cx.config().launched_group(self.cx.target()) {
            let sizes = sizes.into_iter().map(Operand::LiteralBit32).collect();
            self.out.execution_mode(kernel, ExecutionMode::LocalSize, sizes);
        }
        if let Some(size) = self.cx.config().sub_group_size {
            self.out.execution_mode(kernel, ExecutionMode::SubgroupSize, vec![Operand::LiteralBit32(size)]);
        }
        if must_not_contract(m) {
            self.out.execution_mode(kernel, ExecutionMode::ContractionOff, vec![]);
        }
        // Subnormals are preserved where the device has no such control.
        if self.cx.config().approximations.flush_denormals && self.target.has(SpirvFeature::FloatControls) {
            self.out.execution_mode(kernel, ExecutionMode::DenormFlushToZero, vec![Operand::LiteralBit32(32)]);
        }
        Ok(())
    }

    /// An error with the location of the instruction.
    fn unsupported<T>(&self, instruction: Value<'s>, what: impl Into<String>, hint: &str) -> Outcome<T> {
        Err(self.cx.unsupported(what, instruction.location(), hint).into())
    }

    /// Emits an instruction whose result ID is that of `instruction`.
    fn define(&mut self, instruction: Value<'s>, op: Op, operands: Vec<Operand>) -> Outcome<()> {
        let (ty, result) = (self.ty(instruction.ty())?, self.result(instruction)?);
        self.out.value_as(result, op, ty, operands);
        Ok(())
    }

    /// As [`Self::define`], with values as operands.
    fn define_of(&mut self, instruction: Value<'s>, op: Op, values: &[Value<'s>]) -> Outcome<()> {
        let operands = values.iter().map(|value| self.id(*value).map(id)).collect::<Outcome<Vec<_>>>()?;
        self.define(instruction, op, operands)
    }

    /// Maps `instruction` to an existing ID.
    fn alias(&mut self, instruction: Value<'s>, value: Word) -> Outcome<()> {
        self.define(instruction, Op::CopyObject, vec![id(value)])
    }

    fn result(&self, instruction: Value<'s>) -> Outcome<Word> {
        let known = self.body.values.get(&instruction).copied();
        known.ok_or_else(|| Failure::internal(format!("`{}` has no id", instruction.text())))
    }

    /// ID of a value.
    fn id(&mut self, value: Value<'s>) -> Outcome<Word> {
        if let Some(known) = self.body.values.get(&value) {
            return Ok(*known);
        }
        if Self::is_plain(value) { self.constant(value) } else { self.result(value) }
    }
}

/// True if a product is added to another value and contraction is not allowed for both operations.
/// SPIR-V can forbid contraction for the whole kernel only.
fn must_not_contract(m: &DeviceModule<'_, Optimised>) -> bool {
    let products = m.defined().into_iter().flat_map(Value::instructions).filter(|i| i.opcode() == Opcode::LLVMFMul);
    products.into_iter().any(|product| {
        let strict = |operation: Value<'_>| !operation.fast_math_flags().contract;
        sums_of(product).into_iter().any(|sum| strict(product) || strict(sum))
    })
}

/// The additions and subtractions that use a value, also through negations.
fn sums_of<'s>(value: Value<'s>) -> Vec<Value<'s>> {
    let of_user = |user: Value<'s>| match user.is_instruction().then(|| user.opcode()) {
        Some(Opcode::LLVMFAdd | Opcode::LLVMFSub) => vec![user],
        Some(Opcode::LLVMFNeg) => sums_of(user),
        _ => vec![],
    };
    value.users().into_iter().flat_map(of_user).collect()
}
