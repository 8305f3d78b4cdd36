//! Gives memory accesses alias scopes, one per allocation, and the alignment of its start.
//!
//! In: the pointer parameters that the request maps to allocations. Out: alias scopes on the
//! accesses that reach memory through such parameters alone, and flags: the code depends on them;
//! the code follows other pointers than its parameters; it may wait for another work-item; it may
//! gain by the values of some parameters.
//! *Invariant:* both are added only if a load may follow a store through another parameter, or if
//! an access is less aligned than the target needs it, as members of packed structures are. Code
//! that gains nothing is then the same for all pointers, and the runtime need not look at them.
//!
//! A `noalias` parameter would promise too much: memory may also be reached through pointers that
//! lie in memory. Those accesses, and accesses through several parameters, get no scope and may
//! alias every allocation.

use super::{candidates, progress, reach};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Simplified},
    failure::Outcome,
};
use sinter_core::ALLOCATION_ALIGNMENT;
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Value},
    types::TypeView,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Takes over the alignment of pointers to accesses through them.
const ALIGN: &str = "function(infer-alignment)";

/// Limit for the values visited between an access and its parameters.
const WAY: usize = 64;

/// An access and its allocation.
struct Access<'s> {
    instruction: Value<'s>,
    allocation: u32,
}

impl Access<'_> {
    fn is_load(&self) -> bool {
        self.instruction.opcode() == Opcode::LLVMLoad
    }

    /// True for a number that may begin at an address that is no multiple of its size.
    fn is_unaligned(&self, cx: &Context<'_, '_>) -> bool {
        let ty = match self.instruction.opcode() {
            Opcode::LLVMLoad => self.instruction.ty(),
            Opcode::LLVMStore => self.instruction.operands()[0].ty(),
            _ => return false,
        };
        let is_number = matches!(ty.view(), TypeView::Integer(_) | TypeView::Float(_) | TypeView::Pointer(_));
        is_number && u64::from(self.instruction.alignment()) < ty.alloc_size(cx.machine)
    }
}

/// The accesses of each block in order.
type Accesses<'s> = HashMap<Block<'s>, Vec<Access<'s>>>;

pub(crate) fn allocations<'s, B: Backend>(
    cx: &Context<'s, '_>,
    _: &B,
    mut m: DeviceModule<'s, Simplified>,
) -> Outcome<DeviceModule<'s, Simplified>> {
    m.facts.followed = reach::followed(m.kernel, &m.defined(), cx.machine);
    m.facts.may_wait = progress::may_wait(&m.defined());
    m.facts.candidates = if cx.optimise() { candidates::candidates(m.kernel, &m.defined()) } else { Vec::new() };
    let all = accesses(m.kernel, Some);
    let is_unaligned = B::NEEDS_ALIGNMENT && all.values().flatten().any(|access| access.is_unaligned(cx));
    m.facts.depends_on_allocations = cx.optimise() && (is_unaligned || gains(&all));
    if m.facts.depends_on_allocations {
        let known: BTreeMap<u32, u32> = cx.config().specialization.allocations.iter().copied().collect();
        separate(cx, &accesses(m.kernel, |index| known.get(&index).copied()));
        if is_unaligned {
            known.keys().for_each(|index| m.kernel.align_parameter(*index, ALLOCATION_ALIGNMENT));
            m.module.run_passes(ALIGN, Some(cx.machine))?;
        }
    }
    Ok(m)
}

fn separate(cx: &Context<'_, '_>, accesses: &Accesses<'_>) {
    let all: BTreeSet<u32> = accesses.values().flatten().map(|access| access.allocation).collect();
    let all: Vec<u32> = all.into_iter().collect();
    for Access { instruction, allocation } in accesses.values().flatten() {
        instruction.set_allocation(cx.session, *allocation, &all);
    }
}

/// The accesses whose allocation is known, with the index of their parameter.
fn accesses<'s>(kernel: Value<'s>, known: impl Fn(u32) -> Option<u32>) -> Accesses<'s> {
    let of = |(index, parameter): (u32, Value<'s>)| Some((parameter, known(index)?));
    // A `byval` parameter is a pointer only inside the kernel.
    let pointers = (0..).zip(kernel.parameters()).filter(|(index, _)| kernel.by_value_type(*index).is_none());
    let parameters: HashMap<_, _> = pointers.filter_map(of).collect();
    let access = |instruction: Value<'s>| {
        let allocation = allocation(address(instruction)?, &parameters)?;
        Some(Access { instruction, allocation })
    };
    let of_block = |block: Block<'s>| (block, block.instructions().into_iter().filter_map(access).collect());
    kernel.blocks().into_iter().map(of_block).collect()
}

/// The address that an instruction accesses.
fn address(instruction: Value<'_>) -> Option<Value<'_>> {
    let operands = instruction.operands();
    match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => operands.first().copied(),
        Opcode::LLVMStore => operands.get(1).copied(),
        _ => None,
    }
}

/// The one allocation that an address can point into.
fn allocation<'s>(address: Value<'s>, parameters: &HashMap<Value<'s>, u32>) -> Option<u32> {
    let (mut found, mut seen, mut open) = (None, HashSet::new(), vec![address]);
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        if let Some(allocation) = parameters.get(&value) {
            if found.is_some_and(|found| found != *allocation) {
                return None;
            }
            found = Some(*allocation);
            continue;
        }
        if !value.is_instruction() || seen.len() > WAY {
            return None;
        }
        match value.opcode() {
            Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => {
                open.push(value.operands()[0])
            }
            Opcode::LLVMSelect => open.extend(&value.operands()[1..]),
            Opcode::LLVMPHI => open.extend(value.incoming().into_iter().map(|(_, value)| value)),
            _ => return None,
        }
    }
    found
}

/// True if a load may be executed after a store to another allocation.
fn gains(accesses: &Accesses<'_>) -> bool {
    let stores = accesses.values().flatten().filter(|access| !access.is_load());
    let stored: BTreeSet<u32> = stores.map(|store| store.allocation).collect();
    stored.into_iter().any(|stored| is_followed_by_others(accesses, stored))
}

fn is_followed_by_others(accesses: &Accesses<'_>, stored: u32) -> bool {
    let is_other = |access: &Access<'_>| access.is_load() && access.allocation != stored;
    let is_store = |access: &Access<'_>| !access.is_load() && access.allocation == stored;
    let (mut seen, mut open) = (HashSet::new(), Vec::new());
    for (block, list) in accesses {
        let mut behind = list.iter().skip_while(|access| !is_store(access)).peekable();
        if behind.peek().is_some() {
            open.extend(block.successors());
        }
        if behind.any(is_other) {
            return true;
        }
    }
    while let Some(block) = open.pop() {
        if seen.insert(block) {
            if accesses[&block].iter().any(is_other) {
                return true;
            }
            open.extend(block.successors());
        }
    }
    false
}
