//! 16-bit floating-point formats that a device lacks.
//!
//! In: a kernel at any optimisation level. Out: values of such a format only within functions, for
//! [`library_calls`](crate::passes::library_calls) to compute in `float`. *Invariant:* no parameter
//! or result of a function but the kernel has such a type, since SPIR-V cannot name it.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::Outcome,
    passes::{inlining::INLINE, library_calls::Missing},
};
use sinter_core::{SpirvEnvironment, SpirvFeature, SpirvTarget};
use sinter_llvm::ir::{Opcode, Value};

/// Removes casts of integers to such a format and back.
const CLEAN: &str = "function(early-cse<>,instcombine<no-verify-fixpoint>)";

/// SPIR-V 1.4 has no `bfloat`, and instructions for all other arithmetic if the device has half
/// precision; the legaliser expands integers of other widths.
pub(super) fn missing(target: &SpirvTarget) -> Missing {
    let half = !target.has(SpirvFeature::Fp16);
    // Drivers of Vulkan may convert `double` by way of `float`, which rounds twice.
    let half_of_double = half || target.environment == SpirvEnvironment::Vulkan;
    Missing { half, half_of_double, bfloat: true, wide_parameters: true }
}

/// Inlines functions that take or return such numbers.
pub(super) fn inline<S>(cx: &Context<'_, '_>, missing: &Missing, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let passes = |function: &Value<'_>| {
        let types = function.parameters().into_iter().map(Value::ty).chain([function.return_type()]);
        *function != m.kernel && types.into_iter().any(|ty| missing.names(&ty.text()))
    };
    let due: Vec<_> = m.defined().into_iter().filter(passes).collect();
    due.iter().for_each(|function| function.add_attribute("alwaysinline", 0));
    if !due.is_empty() && !cx.optimise() {
        m.module.run_passes(INLINE, Some(cx.machine))?;
    }
    Ok(())
}

/// Removes what is left of such numbers after their arithmetic was replaced: casts.
pub(super) fn clean<S>(cx: &Context<'_, '_>, missing: &Missing, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let is_left = |i: Value<'_>| i.opcode() == Opcode::LLVMBitCast && missing.names(&i.ty().text());
    if m.defined().into_iter().flat_map(Value::instructions).any(is_left) {
        m.module.run_passes(CLEAN, Some(cx.machine))?;
    }
    Ok(())
}
