//! Exports a kernel for another translator to SPIR-V.
//!
//! In: the IR after the step `optimise`. Out: bitcode that both LLVM's own SPIR-V target and
//! Khronos' translator accept: functions for instructions have names that both know, address spaces
//! have their numbers, and everything that the emitter would add to the module is included.
//! *Invariant:* this is for comparison alone: no translation uses it, so nothing here changes the
//! code that the runtime loads.

mod dynamic;
mod error;
mod mangle;
mod names;
mod text;

pub use self::error::FriendlyError;

use sinter_core::{SpirvFeature, Target, TranslateRequest};
use sinter_llvm::{
    Module, Session,
    ir::{Opcode, Value},
};

/// Triple that both accept. The data layout is the one that they use themselves (LLVM's
/// `SPIRVTargetMachine`).
const TRIPLE: &str = "spirv64-unknown-unknown";
const LAYOUT: &str =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1";

/// Bitcode for another translator, from the IR that [`inspect`](crate::inspect) returned for the
/// same request after the step `optimise`.
pub fn friendly(ir: &str, request: &TranslateRequest) -> Result<Vec<u8>, FriendlyError> {
    let session = Session::new()?;
    let module = session.parse(ir.as_bytes())?;
    let mut defined = module.functions().into_iter().filter(|function| !function.is_declaration());
    let kernel = defined.find(|function| Value::is_visible(*function)).ok_or(FriendlyError::NoKernel)?;
    let kernel = dynamic::pass(&module, kernel)?;
    names::rename(&module)?;
    // Strings that became part of others; they are in an address space that devices lack.
    module.globals().into_iter().filter(|global| !global.is_used()).for_each(Value::delete_global);
    let sizes = [("reqd_work_group_size", request.config.launched_group(&request.target).map(Vec::from))]
        .into_iter()
        .chain([("intel_reqd_sub_group_size", request.config.sub_group_size.map(|size| vec![size]))]);
    for (name, numbers) in sizes {
        numbers.iter().for_each(|numbers| kernel.set_numbers(&module, name, numbers));
    }
    module.set_layout(TRIPLE, LAYOUT);
    let text = text::translated(&module.text()) + &about(&module, kernel, request);
    let module = session.parse(text.as_bytes())?;
    module.verify()?;
    Ok(module.bitcode())
}

/// Metadata of the module, as IR. Its node numbers are higher than any in the module.
fn about(module: &Module<'_>, kernel: Value<'_>, request: &TranslateRequest) -> String {
    // Source language as in the emitter: OpenCL C++ 1.0, with the atomic operations of OpenCL 2.
    let mut metadata = "
!opencl.ocl.version = !{!1000000000}
!spirv.Source = !{!1000000001}
!1000000000 = !{i32 2, i32 0}
!1000000001 = !{i32 4, i32 100000}
"
    .to_owned();
    if may_contract(module) {
        metadata += "!opencl.enable.FP_CONTRACT = !{}\n";
    }
    let has = |feature| matches!(&request.target, Target::Spirv(target) if target.has(feature));
    if request.config.approximations.flush_denormals && has(SpirvFeature::FloatControls) {
        // `DenormFlushToZero` for 32 bits. The kernel's name needs no quotes.
        let name = kernel.name();
        metadata +=
            &format!("!spirv.ExecutionMode = !{{!1000000002}}\n!1000000002 = !{{ptr @{name}, i32 4460, i32 32}}\n");
    }
    metadata
}

/// True if contraction is allowed for all products, since it can be set for the whole kernel only.
fn may_contract(module: &Module<'_>) -> bool {
    let operations = module.functions().into_iter().flat_map(Value::instructions);
    let fusible = [Opcode::LLVMFMul, Opcode::LLVMFAdd, Opcode::LLVMFSub];
    operations
        .into_iter()
        .filter(|operation| fusible.contains(&operation.opcode()))
        .all(|operation| operation.fast_math_flags().contract)
}

#[cfg(test)]
mod tests;
