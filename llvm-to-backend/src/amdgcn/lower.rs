//! Generates a code object.
//!
//! *Invariant:* it depends on the module alone, and refers to nothing outside of itself. Lines of the source are named only where the
//! target asks for it.

use crate::{
    context::Context,
    device_module::{DeviceModule, Optimised},
    failure::{Failure, Outcome},
    gpu::line_tables::reduce,
};
use object::{Object, ObjectSection, ObjectSymbol, read::elf::ElfFile64};
use sinter_core::{AmdgcnTarget, CodeFormat, CodeObject, EntryInfo};
use sinter_llvm::{Emit, Machine, Module, Session, Shared, link_shared};

/// What the name of a kernel's descriptor ends with, and the size of the descriptor (LLVM, "User Guide for AMDGPU Backend",
/// "Kernel Descriptor").
const DESCRIPTOR: &str = ".kd";
const DESCRIPTOR_SIZE: u64 = 64;
/// No variables, no types.
const LINES: &str = "emissionKind: LineTablesOnly";

pub(super) fn lower(
    cx: &Context<'_, '_>,
    target: &AmdgcnTarget,
    m: DeviceModule<'_, Optimised>,
) -> Outcome<CodeObject> {
    let symbol = m.kernel.name();
    let object = emit(cx.session, cx.machine, target, m.module, Emit::Object)?;
    let code = link_shared(&object, Shared::Amdgpu)?;
    let entry = EntryInfo {
        local_memory: local_memory(&code, &symbol)?,
        symbol,
        arguments: m.facts.arguments,
        argument_size: m.facts.argument_size,
        argument_align: m.facts.argument_align,
        item_memory: 0,
        takes_local_memory: false,
    };
    Ok(CodeObject { format: CodeFormat::AmdgpuElf, bytes: code.into(), entry, assembly: None })
}

/// The assembly or the relocatable object of an optimised module.
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

/// Bytes of local memory that every launch gets: the first word of the kernel's descriptor.
fn local_memory(code: &[u8], kernel: &str) -> Outcome<u32> {
    let file = ElfFile64::<object::Endianness>::parse(code).map_err(|error| Failure::internal(error.to_string()))?;
    let name = format!("{kernel}{DESCRIPTOR}");
    let found = file.dynamic_symbols().find(|symbol| symbol.name() == Ok(&name));
    let word = found.and_then(|symbol| {
        let section = file.section_by_index(symbol.section_index()?).ok()?;
        let descriptor = section.data_range(symbol.address(), DESCRIPTOR_SIZE).ok()??;
        Some(u32::from_le_bytes(descriptor.first_chunk().copied()?))
    });
    word.ok_or_else(|| Failure::internal(format!("the code object has no descriptor `{name}`")))
}
