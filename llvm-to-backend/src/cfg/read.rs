//! Reads a [`Cfg`] from a function in IR.
//!
//! *Invariant:* values and blocks have the numbers of the CFG: parameters first, then the
//! instructions of each block in order. An instruction that cannot be classified is an effect.

use super::graph::{Block, BlockId, Cfg, Instruction, Kind, ValueId, Variation};
use sinter_llvm::{
    blocks,
    ir::{Opcode, Value},
};
use std::collections::HashMap;

/// A function as a CFG, and the IR behind its numbers.
#[derive(Debug)]
pub(crate) struct Graph<'s> {
    pub(crate) cfg: Cfg,
    values: Vec<Value<'s>>,
    blocks: Vec<blocks::Block<'s>>,
}

impl<'s> Graph<'s> {
    /// The block with this number.
    pub(crate) fn block(&self, id: BlockId) -> blocks::Block<'s> {
        self.blocks[id.0 as usize]
    }

    /// All parameters and instructions, in the order of their numbers.
    pub(crate) fn values(&self) -> &[Value<'s>] {
        &self.values
    }

    /// The parameter or instruction with this number.
    pub(crate) fn value(&self, id: ValueId) -> Value<'s> {
        self.values[id.0 as usize]
    }
}

/// Reads `function`. `source` gives the uniformity of each parameter; a call of `barrier` is a
/// barrier.
pub(crate) fn read<'s>(function: Value<'s>, barrier: &str, source: impl Fn(Value<'s>) -> Variation) -> Graph<'s> {
    let is_barrier = |call: Value<'s>| call.callee().is_some_and(|callee| callee.name() == barrier);
    read_as(function, source, &|value| {
        (value.opcode() == Opcode::LLVMCall && is_barrier(value)).then_some(Kind::Barrier)
    })
}

/// Reads `function` as [`read`] does, with the kinds of instructions that `given` has.
pub(crate) fn read_as<'s>(
    function: Value<'s>,
    source: impl Fn(Value<'s>) -> Variation,
    given: &dyn Fn(Value<'s>) -> Option<Kind>,
) -> Graph<'s> {
    let parameters = function.parameters();
    let blocks = function.blocks();
    let mut values = parameters.clone();
    values.extend(function.instructions());
    let reader = Reader {
        given,
        values: (0..).map(ValueId).zip(&values).map(|(id, value)| (*value, id)).collect(),
        blocks: (0..).map(BlockId).zip(&blocks).map(|(id, block)| (*block, id)).collect(),
    };
    let cfg = Cfg {
        parameters: parameters.into_iter().map(source).collect(),
        blocks: blocks.iter().map(|block| reader.block(*block)).collect(),
    };
    Graph { cfg, values, blocks }
}

struct Reader<'s, 'b> {
    given: &'b dyn Fn(Value<'s>) -> Option<Kind>,
    values: HashMap<Value<'s>, ValueId>,
    blocks: HashMap<blocks::Block<'s>, BlockId>,
}

impl<'s> Reader<'s, '_> {
    fn block(&self, block: blocks::Block<'s>) -> Block {
        Block {
            instructions: block.instructions().into_iter().map(|i| self.instruction(i)).collect(),
            successors: block.successors().into_iter().map(|successor| self.blocks[&successor]).collect(),
        }
    }

    fn instruction(&self, instruction: Value<'s>) -> Instruction {
        let kind = self.kind(instruction);
        let operands = match kind {
            Kind::Phi(_) => Vec::new(),
            _ => self.known(instruction.operands()),
        };
        Instruction { kind, operands }
    }

    /// The parameters and instructions among `values`.
    fn known(&self, values: Vec<Value<'s>>) -> Vec<ValueId> {
        values.into_iter().filter_map(|value| self.values.get(&value).copied()).collect()
    }

    fn kind(&self, instruction: Value<'s>) -> Kind {
        if let Some(kind) = (self.given)(instruction) {
            return kind;
        }
        match instruction.opcode() {
            Opcode::LLVMAlloca => Kind::Alloca,
            Opcode::LLVMPHI => Kind::Phi(self.incoming(instruction)),
            Opcode::LLVMUnreachable => Kind::Unreachable,
            Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMRet => Kind::Terminator,
            Opcode::LLVMCall if limits_lifetime(instruction) => Kind::LifetimeStart,
            opcode if is_cheap(opcode) => Kind::Cheap,
            _ if instruction.is_function_of_operands() => Kind::Pure,
            _ => match self.known(escaping(instruction)) {
                pointers if pointers.is_empty() => Kind::Effect,
                pointers => Kind::Escape(pointers),
            },
        }
    }

    fn incoming(&self, phi: Value<'s>) -> Vec<(BlockId, Option<ValueId>)> {
        let edge = |(block, value)| (self.blocks[&block], self.values.get(&value).copied());
        phi.incoming().into_iter().map(edge).collect()
    }
}

/// True if an instruction costs no more than a load.
fn is_cheap(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMICmp
            | Opcode::LLVMSelect
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector
            | Opcode::LLVMGetElementPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
    )
}

/// True for a lifetime marker of an alloca.
fn limits_lifetime(call: Value<'_>) -> bool {
    let of_alloca = |value: &Value<'_>| value.is_instruction() && value.opcode() == Opcode::LLVMAlloca;
    let named = call.callee().is_some_and(|callee| callee.name().starts_with("llvm.lifetime."));
    named && call.operands().get(1).is_some_and(of_alloca)
}

/// The operands that escape: stored, passed to a function, cast to an integer.
fn escaping(instruction: Value<'_>) -> Vec<Value<'_>> {
    let operands = instruction.operands();
    match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMFence => Vec::new(),
        Opcode::LLVMStore => operands.into_iter().take(1).collect(),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => operands.into_iter().skip(1).collect(),
        Opcode::LLVMCall if keeps_no_pointer(instruction) => Vec::new(),
        _ => operands,
    }
}

/// True for a call that only accesses the memory its operands point to.
fn keeps_no_pointer(call: Value<'_>) -> bool {
    let name = call.callee().map(Value::name).unwrap_or_default();
    ["llvm.mem", "llvm.lifetime.", "llvm.dbg.", "llvm.assume"].iter().any(|prefix| name.starts_with(prefix))
}
