//! Memory semantics and scopes of Vulkan's memory model, and pointers of atomic operations.
//!
//! In: the semantics that OpenCL's model has. Out: those of Vulkan's. *Invariant:* a release makes
//! available and an acquire makes visible; Vulkan has no sequentially consistent order, in whose
//! place an operation acquires and releases, behind a fence of the device.

use super::{
    super::{Emitter, assembly::id},
    memory::{Home, Place},
};
use crate::failure::{Failure, Outcome};
use rspirv::spirv::{MemorySemantics, Op, Scope, StorageClass, Word};
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
    /// The fence before a sequentially consistent operation.
    pub(in super::super) fn lead(&mut self, old: u32) {
        if is_sequential(old) {
            let device = self.integer_constant(32, Scope::Device as u64);
            let order = self.integer_constant(32, semantics(old, Access::Both).into());
            self.out.act(Op::MemoryBarrier, vec![id(device), id(order)]);
        }
    }

    /// The pointer of an atomic operation on a type.
    pub(in super::super) fn shader_atomic_pointer(
        &mut self,
        instruction: Value<'s>,
        pointer: Value<'s>,
        ty: Type<'s>,
        op: Op,
    ) -> Outcome<Word> {
        let home = self.home(instruction, pointer)?;
        let width = match ty.view() {
            TypeView::Integer(width) | TypeView::Float(width) => width,
            _ => return Err(Failure::internal("an atomic operation on an odd type")),
        };
        let address = self.address_in(home, pointer)?;
        let is_float = matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT);
        match home {
            Home::Words(words) if words.class == StorageClass::Workgroup && width == 32 && !is_float => {
                Ok(self.word_at(words, address, 0))
            }
            Home::Words(words) => {
                let memory = if words.class == StorageClass::Workgroup { "local" } else { "private" };
                let what = format!("an atomic operation on `{}` in {memory} memory", ty.text());
                let hint = "shaders have those of 32-bit integers in local memory; use one, or global memory";
                self.unsupported(instruction, what, hint)
            }
            Home::Global => {
                let place = Place { address, offset: 0, alignment: width / 8, volatile: false, home };
                if !is_float {
                    return Ok(self.global_pointer(place, width));
                }
                let pointee = self.ty(ty)?;
                let ty = self.pointer_to(StorageClass::PhysicalStorageBuffer, pointee);
                Ok(self.out.value(Op::ConvertUToPtr, ty, vec![id(address)]))
            }
        }
    }
}
