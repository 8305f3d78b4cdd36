//! Emits a relocatable ELF object.
//!
//! The object is not linked: the host driver places it in memory and applies its relocations. This
//! needs neither a linker nor a file, and debuggers see the object as LLVM emitted it. *Invariant:*
//! it refers to nothing but libc and libm. The code generator may introduce calls (`fmod`, 128-bit
//! division), so the finished object is checked, not only the IR.

use super::builtins::is_of_library;
use crate::{
    backend::Format,
    context::Context,
    device_module::{DeviceModule, Optimised},
    failure::{Failure, GenerationFailure, Outcome},
};
use object::{Object, ObjectSymbol, read::elf::ElfFile64};
use sinter_core::{CodeFormat, CodeObject, EntryInfo, HostTarget, OptLevel};
use sinter_llvm::{Emit, Level, Module};

/// The code generator for quick code.
const QUICK: Level = Level::None;

/// Bytes of stack for all frames of a kernel and its callees together. Worker threads have 2 MiB
/// by default (`std::thread`); the rest is left to the runtime and libm.
const MOST_STACK: u64 = 3 << 19;
/// Bytes of a frame that does not count.
const SMALL_FRAME: u32 = 4 << 10;

pub(super) fn lower(cx: &Context<'_, '_>, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject> {
    let level = if m.facts.is_quick { OptLevel::O1 } else { cx.full_level() };
    if m.facts.is_quick {
        cx.machine.set_level(QUICK);
    }
    m.defined().into_iter().for_each(|function| function.report_frame(SMALL_FRAME));
    let object = cx.machine.emit(&m.module, Emit::Object)?;
    frames_fit(cx, m.facts.is_quick)?;
    only_library_calls(cx, &object)?;
    let entry = EntryInfo {
        symbol: m.kernel.name(),
        arguments: m.facts.arguments,
        argument_size: m.facts.argument_size,
        argument_align: m.facts.argument_align,
        local_memory: m.facts.local_memory,
        item_memory: m.facts.item_memory,
        takes_local_memory: false,
        depends_on_allocations: m.facts.depends_on_allocations,
        followed: m.facts.followed,
        may_wait: m.facts.may_wait,
        candidates: m.facts.candidates,
        device_globals: m.facts.device_globals,
        constants: m.facts.constants,
        remarks: m.facts.remarks,
    };
    Ok(CodeObject { format: CodeFormat::HostElf, bytes: object.into(), entry, assembly: None, level })
}

/// Code of an optimised module in a format for tools.
pub(super) fn code(
    cx: &Context<'_, '_>,
    target: &HostTarget,
    module: &Module<'_>,
    format: Format,
) -> Result<Vec<u8>, GenerationFailure> {
    if !target.line_tables {
        module.strip_debug();
    }
    cx.machine.emit(module, format.into()).map_err(GenerationFailure::Llvm)
}

/// Refuses code whose frames are larger than a worker thread's stack. Quick code has a place in its
/// frame for each value that is used in another block, which the full one need not have.
fn frames_fit(cx: &Context<'_, '_>, is_quick: bool) -> Outcome<()> {
    let bytes = cx.session.take_large_frames();
    if bytes <= MOST_STACK {
        return Ok(());
    }
    let what = format!("{bytes} bytes of stack for a work-item's values and private memory");
    let cause = cx.unsupported(what, None, "the limit is 1.5 MiB; use smaller arrays and vectors, or several kernels");
    Err(if is_quick { Failure::of_quick_code(cause) } else { cause.into() })
}

fn only_library_calls(cx: &Context<'_, '_>, bytes: &[u8]) -> Outcome<()> {
    let file = ElfFile64::<object::Endianness>::parse(bytes).map_err(|error| Failure::internal(error.to_string()))?;
    let foreign = |name: &&str| !name.is_empty() && !is_of_library(name);
    let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
    match undefined.filter_map(|symbol| symbol.name().ok()).find(foreign) {
        Some(name) => {
            let what = format!("an operation that the code generator turns into a call to `{name}`");
            let hint = "atomic operations of 16 bytes on CPUs without CMPXCHG16B are such; use another type";
            Err(cx.unsupported(what, None, hint).into())
        }
        None => Ok(()),
    }
}
