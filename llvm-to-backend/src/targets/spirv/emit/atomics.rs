//! Emits atomic instructions.
//!
//! In: an atomic instruction with an ordering and a scope. Out: the SPIR-V instruction with the
//! same ordering and scope. *Invariant:* the memory semantics cover all storage classes, as in
//! LLVM, although SPIR-V can restrict them to some; an unnamed scope is the system scope, if the
//! device has that.

use super::{Emitter, assembly::id, shader::Access};
use crate::failure::{Failure, Outcome};
use rspirv::spirv::{Capability, MemorySemantics, Op, Scope, Word};
use sinter_core::SpirvFeature;
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    operation::{AtomicOperation, Ordering},
    types::TypeView,
};

/// Names of scopes, those of Sinter and of other targets.
const SCOPES: [(&str, Scope); 9] = [
    ("singlethread", Scope::Invocation),
    ("work_item", Scope::Invocation),
    ("wavefront", Scope::Subgroup),
    ("subgroup", Scope::Subgroup),
    ("sub_group", Scope::Subgroup),
    ("workgroup", Scope::Workgroup),
    ("work_group", Scope::Workgroup),
    ("agent", Scope::Device),
    ("device", Scope::Device),
];

fn semantics(ordering: Ordering) -> MemorySemantics {
    let memory = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::CROSS_WORKGROUP_MEMORY;
    match ordering {
        Ordering::LLVMAtomicOrderingAcquire => MemorySemantics::ACQUIRE | memory,
        Ordering::LLVMAtomicOrderingRelease => MemorySemantics::RELEASE | memory,
        Ordering::LLVMAtomicOrderingAcquireRelease => MemorySemantics::ACQUIRE_RELEASE | memory,
        Ordering::LLVMAtomicOrderingSequentiallyConsistent => MemorySemantics::SEQUENTIALLY_CONSISTENT | memory,
        _ => MemorySemantics::RELAXED,
    }
}

/// An ordering for success that is at least as strong as that for failure, as SPIR-V demands.
fn joined(success: Ordering, failure: Ordering) -> Ordering {
    use Ordering::{
        LLVMAtomicOrderingAcquire as Acquire, LLVMAtomicOrderingAcquireRelease as AcquireRelease,
        LLVMAtomicOrderingRelease as Release, LLVMAtomicOrderingSequentiallyConsistent as SequentiallyConsistent,
    };
    match (success, failure) {
        (_, SequentiallyConsistent) => SequentiallyConsistent,
        (Release, Acquire) => AcquireRelease,
        (Acquire | AcquireRelease | SequentiallyConsistent, Acquire) => success,
        (_, Acquire) => Acquire,
        _ => success,
    }
}

fn operation(operation: AtomicOperation) -> Option<Op> {
    Some(match operation {
        AtomicOperation::LLVMAtomicRMWBinOpXchg => Op::AtomicExchange,
        AtomicOperation::LLVMAtomicRMWBinOpAdd => Op::AtomicIAdd,
        AtomicOperation::LLVMAtomicRMWBinOpSub => Op::AtomicISub,
        AtomicOperation::LLVMAtomicRMWBinOpAnd => Op::AtomicAnd,
        AtomicOperation::LLVMAtomicRMWBinOpOr => Op::AtomicOr,
        AtomicOperation::LLVMAtomicRMWBinOpXor => Op::AtomicXor,
        AtomicOperation::LLVMAtomicRMWBinOpMax => Op::AtomicSMax,
        AtomicOperation::LLVMAtomicRMWBinOpMin => Op::AtomicSMin,
        AtomicOperation::LLVMAtomicRMWBinOpUMax => Op::AtomicUMax,
        AtomicOperation::LLVMAtomicRMWBinOpUMin => Op::AtomicUMin,
        AtomicOperation::LLVMAtomicRMWBinOpFAdd => Op::AtomicFAddEXT,
        AtomicOperation::LLVMAtomicRMWBinOpFMax => Op::AtomicFMaxEXT,
        AtomicOperation::LLVMAtomicRMWBinOpFMin => Op::AtomicFMinEXT,
        _ => return None,
    })
}

impl<'s> Emitter<'_, 's> {
    fn number(&mut self, value: u32) -> Word {
        self.integer_constant(32, u64::from(value))
    }

    fn scope(&mut self, instruction: Value<'s>) -> Word {
        let name = instruction.sync_scope();
        let known = SCOPES.iter().find(|(known, _)| *known == name.trim_end_matches("-one-as"));
        match known {
            // The smallest scope of the memory model that orders anything.
            Some((_, Scope::Invocation)) if self.is_shader() => self.number(Scope::Subgroup as u32),
            Some((_, scope)) => self.number(*scope as u32),
            None => self.system_scope(),
        }
    }

    /// The widest scope of the device.
    pub(super) fn system_scope(&mut self) -> Word {
        let has = self.target.has(SpirvFeature::SystemScope);
        self.number(if has { Scope::CrossDevice } else { Scope::Device } as u32)
    }

    fn order(&mut self, ordering: Ordering, access: Access) -> Word {
        let kernels = semantics(ordering).bits();
        let number = if self.is_shader() { self.semantics_of(kernels, access) } else { kernels };
        self.number(number)
    }

    /// The fence that an instruction of a shader needs before it.
    fn lead_of(&mut self, ordering: Ordering) -> Outcome<()> {
        if self.is_shader() { self.lead(semantics(ordering).bits()) } else { Ok(()) }
    }

    pub(super) fn atomic(&mut self, instruction: Value<'s>, opcode: Opcode) -> Outcome<()> {
        let (scope, operands) = (self.scope(instruction), instruction.operands());
        if opcode == Opcode::LLVMLoad || opcode == Opcode::LLVMStore || opcode == Opcode::LLVMAtomicRMW {
            self.lead_of(instruction.ordering())?;
        }
        match opcode {
            Opcode::LLVMFence => {
                let order = self.order(instruction.ordering(), Access::Both);
                self.fence(scope, order)
            }
            Opcode::LLVMLoad => {
                let order = self.order(instruction.ordering(), Access::Read);
                let result = self.result(instruction)?;
                let place = (operands[0], instruction.ty());
                self.perform(instruction, place, Op::AtomicLoad, &[scope, order], &[], Some(result))
            }
            Opcode::LLVMStore => {
                let order = self.order(instruction.ordering(), Access::Write);
                let value = self.id(operands[0])?;
                let place = (operands[1], operands[0].ty());
                self.perform(instruction, place, Op::AtomicStore, &[scope, order], &[value], None)
            }
            Opcode::LLVMAtomicRMW => self.read_modify_write(instruction, scope),
            _ => self.compare_exchange(instruction, scope),
        }
    }

    /// Emits the operation `op` on what a pointer leads to. `orders` are scope and semantics.
    fn perform(
        &mut self,
        access: Value<'s>,
        (pointer, ty): (Value<'s>, Type<'s>),
        op: Op,
        orders: &[Word],
        values: &[Word],
        result: Option<Word>,
    ) -> Outcome<()> {
        let origin = self.origin(pointer);
        if self.is_shader() {
            return self.shader_atomic(access, (origin, ty), op, orders, values, result);
        }
        self.needs_atomics_on(ty);
        let pointee = self.memory_type(ty)?;
        let pointer = self.pointer_as(origin, pointee)?;
        let operands = [pointer].iter().chain(orders).chain(values).copied().map(id).collect();
        match result {
            Some(result) => {
                let ty = self.ty(ty)?;
                self.out.value_as(result, op, ty, operands);
            }
            None => self.out.act(op, operands),
        }
        Ok(())
    }

    fn read_modify_write(&mut self, instruction: Value<'s>, scope: Word) -> Outcome<()> {
        let operands = instruction.operands();
        let Some(op) = operation(instruction.atomic_operation()) else {
            let hint = "use a compare-exchange loop";
            return self.unsupported(instruction, "an atomic operation that SPIR-V does not have", hint);
        };
        if !self.is_shader() {
            self.needs_float_atomics(op, operands[1].ty());
        }
        let value = self.id(operands[1])?;
        let order = self.order(instruction.ordering(), Access::Both);
        let (place, result) = ((operands[0], operands[1].ty()), self.result(instruction)?);
        self.perform(instruction, place, op, &[scope, order], &[value], Some(result))
    }

    /// Declares the capability of a floating-point atomic, which depends on the width of its type.
    pub(super) fn needs_float_atomics(&mut self, op: Op, ty: Type<'s>) {
        let wide = ty.view() == TypeView::Float(64);
        match (op, wide) {
            (Op::AtomicFAddEXT, false) => self.out.needs.add(Capability::AtomicFloat32AddEXT),
            (Op::AtomicFAddEXT, true) => self.out.needs.add(Capability::AtomicFloat64AddEXT),
            (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, false) => self.out.needs.add(Capability::AtomicFloat32MinMaxEXT),
            (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, true) => self.out.needs.add(Capability::AtomicFloat64MinMaxEXT),
            _ => {}
        }
    }

    /// LLVM's result is a pair: the previous value, and true if that was the expected one.
    fn compare_exchange(&mut self, instruction: Value<'s>, scope: Word) -> Outcome<()> {
        let operands = instruction.operands();
        let [pointer, expected, new] = operands.as_slice() else {
            return Err(Failure::internal("a compare-exchange without three operands"));
        };
        let (success, failure) = instruction.exchange_orderings();
        self.lead_of(joined(success, failure))?;
        let success = self.order(joined(success, failure), Access::Both);
        let failure = self.order(failure, Access::Read);
        let place = (*pointer, expected.ty());
        let (expected, new, old) = (self.id(*expected)?, self.id(*new)?, self.out.fresh());
        let (orders, values) = ([scope, success, failure], [new, expected]);
        self.perform(instruction, place, Op::AtomicCompareExchange, &orders, &values, Some(old))?;
        let boolean = self.boolean();
        let same = self.out.value(Op::IEqual, boolean, vec![id(old), id(expected)]);
        self.define(instruction, Op::CompositeConstruct, vec![id(old), id(same)])
    }
}
