//! Emits PTX.
//!
//! *Invariant:* the PTX depends on the module alone. It has `.loc` directives only if the target
//! asks for them.

use crate::{
    context::Context,
    device_module::{DeviceModule, Optimised},
    failure::Outcome,
    targets::gpu::line_tables::reduce,
};
use sinter_core::{CodeFormat, CodeObject, EntryInfo, PtxTarget};
use sinter_llvm::{Emit, Machine, Module, Session};

/// Emits `.loc` and `.file` only. With more, the code is marked as a debug build, which ptxas does
/// not optimise.
const DIRECTIVES: &str = "emissionKind: DebugDirectivesOnly";

pub(super) fn lower(cx: &Context<'_, '_>, target: &PtxTarget, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject> {
    let symbol = m.kernel.name();
    let text = text(cx.session, cx.machine, target, m.module)?;
    let entry = EntryInfo {
        symbol,
        arguments: m.facts.arguments,
        argument_size: m.facts.argument_size,
        argument_align: m.facts.argument_align,
        local_memory: m.facts.local_memory,
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
    Ok(CodeObject { format: CodeFormat::Ptx, bytes: text.into(), entry, assembly: None, level: cx.full_level() })
}

/// The PTX of an optimised module.
pub(crate) fn text(session: &Session, machine: &Machine, target: &PtxTarget, module: Module<'_>) -> Outcome<Vec<u8>> {
    if !target.line_tables {
        module.strip_debug();
        return Ok(machine.emit(&module, Emit::Assembly)?);
    }
    Ok(machine.emit(&reduce(session, &module, DIRECTIVES)?, Emit::Assembly)?)
}
