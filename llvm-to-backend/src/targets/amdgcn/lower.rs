//! Generates a code object.
//!
//! *Invariant:* the code object depends on the module alone and has no external references. It has
//! line tables only if the target asks for them. A kernel with recursive or indirect calls leaves
//! room for their frames, because AMD's runtime gives such kernels a fixed amount of private
//! memory.

use crate::{
    context::Context,
    device_module::{DeviceModule, Optimised},
    failure::{Failure, Outcome},
    targets::gpu::line_tables::reduce,
};
use object::{Object, ObjectSection, ObjectSymbol, read::elf::ElfFile64};
use sinter_core::{AmdgcnTarget, CodeFormat, CodeObject, EntryInfo};
use sinter_llvm::{Emit, Machine, Module, Session, link_shared};

/// Suffix of a kernel descriptor's symbol, and the size of the descriptor (LLVM, "User Guide for
/// AMDGPU Backend", "Kernel Descriptor").
const DESCRIPTOR: &str = ".kd";
const DESCRIPTOR_SIZE: u64 = 64;
/// Offset of the kernel code properties, and the bit for a dynamic stack.
const PROPERTIES: usize = 56;
const DYNAMIC_STACK: u32 = 1 << 11;
/// Maximum private memory of a work-item, in bytes, of a kernel with recursive or indirect calls
/// (ROCm's CLR clamps it), and the part of it reserved for functions whose frames are not counted.
const DYNAMIC_PRIVATE_MEMORY: u32 = 16 << 10;
const FRAMES: u32 = 8 << 10;
/// Line tables without variables and types.
const LINES: &str = "emissionKind: LineTablesOnly";

pub(super) fn lower(
    cx: &Context<'_, '_>,
    target: &AmdgcnTarget,
    m: DeviceModule<'_, Optimised>,
) -> Outcome<CodeObject> {
    let symbol = m.kernel.name();
    let object = emit(cx.session, cx.machine, target, m.module, Emit::Object)?;
    let code = link_shared(&object)?;
    let descriptor = Descriptor::read(&code, &symbol)?;
    frames_fit(cx, &descriptor)?;
    let entry = EntryInfo {
        local_memory: descriptor.local_memory,
        symbol,
        arguments: m.facts.arguments,
        argument_size: m.facts.argument_size,
        argument_align: m.facts.argument_align,
        item_memory: 0,
        takes_local_memory: false,
        depends_on_allocations: m.facts.depends_on_allocations,
        followed: m.facts.followed,
        may_wait: m.facts.may_wait,
        candidates: m.facts.candidates,
        device_globals: m.facts.device_globals,
        constants: m.facts.constants,
        remarks: m.facts.remarks,
    };
    Ok(CodeObject { format: CodeFormat::AmdgpuElf, bytes: code.into(), entry, assembly: None, level: cx.full_level() })
}

/// Assembly or the relocatable object of an optimised module.
pub(crate) fn emit(
    session: &Session,
    machine: &Machine,
    target: &AmdgcnTarget,
    module: Module<'_>,
    emit: Emit,
) -> Outcome<Vec<u8>> {
    if !target.line_tables {
        module.strip_debug();
        return Ok(machine.emit(&module, emit)?);
    }
    Ok(machine.emit(&reduce(session, &module, LINES)?, emit)?)
}

/// Resources of a kernel, read from its descriptor.
#[derive(Debug)]
struct Descriptor {
    /// Bytes of static local memory of each work-group.
    local_memory: u32,
    /// Bytes of private memory of a work-item, without frames of unknown size.
    private_memory: u32,
    /// True if functions are called whose frames are not counted.
    has_frames: bool,
}

impl Descriptor {
    fn read(code: &[u8], kernel: &str) -> Outcome<Self> {
        let file =
            ElfFile64::<object::Endianness>::parse(code).map_err(|error| Failure::internal(error.to_string()))?;
        let name = format!("{kernel}{DESCRIPTOR}");
        let found = file.dynamic_symbols().find(|symbol| symbol.name() == Ok(&name));
        let bytes = found.and_then(|symbol| {
            let section = file.section_by_index(symbol.section_index()?).ok()?;
            section.data_range(symbol.address(), DESCRIPTOR_SIZE).ok()?
        });
        let word = |place: usize| Some(u32::from_le_bytes(bytes?.get(place..)?.first_chunk().copied()?));
        let read = || {
            let has_frames = word(PROPERTIES)? & DYNAMIC_STACK != 0;
            Some(Descriptor { local_memory: word(0)?, private_memory: word(4)?, has_frames })
        };
        read().ok_or_else(|| Failure::internal(format!("the code object has no descriptor `{name}`")))
    }
}

/// Refuses a kernel whose counted private memory leaves too little for its uncounted frames.
fn frames_fit(cx: &Context<'_, '_>, descriptor: &Descriptor) -> Outcome<()> {
    let size = descriptor.private_memory;
    if !descriptor.has_frames || size <= DYNAMIC_PRIVATE_MEMORY - FRAMES {
        return Ok(());
    }
    let what = format!(
        "{size} bytes of private memory per work-item beside functions that are called recursively or through pointers"
    );
    let hint = format!(
        "AMD's runtime gives such a kernel {} KiB, of which {} are kept for these functions; use a buffer in global memory",
        DYNAMIC_PRIVATE_MEMORY >> 10,
        FRAMES >> 10
    );
    Err(cx.unsupported(what, None, &hint).into())
}
