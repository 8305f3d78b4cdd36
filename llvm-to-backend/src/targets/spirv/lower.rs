//! Emits the SPIR-V module.
//!
//! *Invariant:* its words depend on the LLVM module and the target alone. It names source lines
//! only if the target asks for them.

use super::{emit::emit, local_memory};
use crate::{
    backend::Format,
    context::Context,
    device_module::{DeviceModule, Facts, Optimised, Parsed},
    failure::{Failure, Outcome},
};
use sinter_core::{CodeFormat, CodeObject, EntryInfo, SpirvTarget};
use sinter_llvm::{Module, ir::Value};

pub(super) fn lower(cx: &Context<'_, '_>, target: &SpirvTarget, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject> {
    let written = emit(cx, target, &m)?;
    let entry = EntryInfo {
        symbol: m.kernel.name(),
        takes_local_memory: local_memory::is_dynamic(&m),
        depends_on_allocations: m.facts.depends_on_allocations,
        followed: m.facts.followed,
        may_wait: m.facts.may_wait,
        candidates: m.facts.candidates,
        device_globals: m.facts.device_globals,
        constants: m.facts.constants,
        remarks: m.facts.remarks,
        arguments: m.facts.arguments,
        argument_size: m.facts.argument_size,
        argument_align: m.facts.argument_align,
        local_memory: m.facts.local_memory,
        item_memory: 0,
    };
    Ok(CodeObject {
        format: CodeFormat::Spirv,
        bytes: written.bytes().into(),
        entry,
        assembly: None,
        level: cx.full_level(),
    })
}

/// The SPIR-V of an optimised LLVM module, as words or disassembly.
pub(super) fn code(cx: &Context<'_, '_>, target: &SpirvTarget, module: Module<'_>, format: Format) -> Outcome<Vec<u8>> {
    let mut defined = module.functions().into_iter().filter(|function| !function.is_declaration());
    let kernel = defined.find(|function| Value::is_visible(*function));
    let kernel = kernel.ok_or_else(|| Failure::internal("a module without a kernel"))?;
    let m = DeviceModule::<Parsed>::new(module, kernel, Facts::default()).advance();
    let written = emit(cx, target, &m)?;
    Ok(match format {
        Format::Assembly => written.text().into_bytes(),
        Format::Object => written.bytes(),
    })
}
