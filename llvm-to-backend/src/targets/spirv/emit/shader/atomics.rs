//! Memory semantics and scopes of Vulkan's memory model, and atomic operations.
//!
//! In: the semantics that OpenCL's model has. Out: those of Vulkan's. *Invariant:* a release makes
//! available and an acquire makes visible; Vulkan has no sequentially consistent order, in whose
//! place an operation acquires and releases, behind a fence of the device.

use super::{
    super::{Emitter, assembly::id},
    memory::Place,
    state::Home,
    updates::Update,
};
use crate::failure::{Failure, Outcome};
use rspirv::spirv::{MemorySemantics, Op, Scope, StorageClass, Word};
use sinter_core::SpirvFeature;
use sinter_llvm::{
    ir::{Type, Value},
    types::TypeView,
};

/// The accesses that an order may apply to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Access {
    Read,
    Write,
    Both,
}

/// Vulkan's semantics for OpenCL's.
pub(in super::super) fn semantics(old: u32, access: Access) -> u32 {
    let old = MemorySemantics::from_bits_truncate(old);
    let (acquire, release) = (MemorySemantics::ACQUIRE, MemorySemantics::RELEASE);
    let all = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::SEQUENTIALLY_CONSISTENT;
    let acquires = old.intersects(acquire | all) && access != Access::Write;
    let releases = old.intersects(release | all) && access != Access::Read;
    let memory = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::UNIFORM_MEMORY;
    let (available, visible) = (MemorySemantics::MAKE_AVAILABLE, MemorySemantics::MAKE_VISIBLE);
    let new = match (acquires, releases) {
        (true, true) => MemorySemantics::ACQUIRE_RELEASE | memory | available | visible,
        (true, false) => acquire | memory | visible,
        (false, true) => release | memory | available,
        (false, false) => MemorySemantics::RELAXED,
    };
    new.bits()
}

/// True if semantics of OpenCL are sequentially consistent.
pub(in super::super) fn is_sequential(old: u32) -> bool {
    MemorySemantics::from_bits_truncate(old).contains(MemorySemantics::SEQUENTIALLY_CONSISTENT)
}

/// The accesses of an atomic instruction.
pub(in super::super) fn access_of(op: Op) -> Access {
    match op {
        Op::AtomicLoad => Access::Read,
        Op::AtomicStore => Access::Write,
        _ => Access::Both,
    }
}

/// Vulkan's scope for OpenCL's: the device is the widest.
pub(in super::super) fn scope(old: u32) -> u32 {
    if old == Scope::CrossDevice as u32 { Scope::Device as u32 } else { old }
}

impl<'s> Emitter<'_, 's> {
    /// Vulkan's semantics for OpenCL's, outside of barriers. Where a fence is a barrier there are
    /// none: such devices execute all atomic operations in one order.
    pub(in super::super) fn semantics_of(&self, old: u32, access: Access) -> u32 {
        if self.target.has(SpirvFeature::DivergentFences) { semantics(old, access) } else { 0 }
    }

    /// Emits a fence. Where a fence is a barrier, it is an atomic operation that changes nothing.
    pub(in super::super) fn fence(&mut self, scope: Word, order: Word) -> Outcome<()> {
        if !self.is_shader() || self.target.has(SpirvFeature::DivergentFences) {
            self.out.act(Op::MemoryBarrier, vec![id(scope), id(order)]);
            return Ok(());
        }
        let (address, word) = (self.status()?, self.integer_in_memory(32));
        let (device, none) = (self.integer_constant(32, Scope::Device as u64), self.integer_constant(32, 0));
        let place = Place { address, offset: 0, alignment: 4, volatile: false, home: Home::Global };
        let pointer = self.global_pointer(place, word);
        self.out.value(Op::AtomicOr, word, [pointer, device, none, none].map(id).to_vec());
        Ok(())
    }

    /// The fence before a sequentially consistent operation.
    pub(in super::super) fn lead(&mut self, old: u32) -> Outcome<()> {
        if !is_sequential(old) {
            return Ok(());
        }
        let device = self.integer_constant(32, Scope::Device as u64);
        let order = self.integer_constant(32, semantics(old, Access::Both).into());
        self.fence(device, order)
    }

    /// Emits an atomic operation on what a pointer leads to. `orders` are scope and semantics.
    pub(in super::super) fn shader_atomic(
        &mut self,
        access: Value<'s>,
        (pointer, ty): (Value<'s>, Type<'s>),
        op: Op,
        orders: &[Word],
        values: &[Word],
        result: Option<Word>,
    ) -> Outcome<()> {
        let width = match ty.view() {
            TypeView::Integer(width) | TypeView::Float(width) => width,
            _ => return Err(Failure::internal("an atomic operation on an odd type")),
        };
        let is_float = matches!(ty.view(), TypeView::Float(_));
        let (writes, made) = (op != Op::AtomicLoad, self.ty(ty)?);
        let home = self.home(access, pointer)?;
        let address = self.address_in(home, pointer)?;
        let update = Update { op, ty, made, width, is_float, orders, values };
        let old = self.at_home((home, address), made, writes, &mut |emitter, home, address| match home {
            Home::Words(words) if words.class == StorageClass::Workgroup => {
                if width == 64 && !words.is_wide {
                    let what = "an atomic operation on 64 bits in local memory";
                    let hint = "the device lacks `local-int64-atomics`; use 32 bits, or global memory";
                    return emitter.unsupported(access, what, hint);
                }
                emitter.update_local(words, address, &update)
            }
            Home::Global => emitter.update_global(address, &update),
            _ => emitter.update_alone(home, address, &update),
        })?;
        if let (Some(result), Some(old)) = (result, old) {
            self.out.value_as(result, Op::CopyObject, made, vec![id(old)]);
        }
        Ok(())
    }
}
