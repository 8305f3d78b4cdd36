//! LLVM's optimiser for SPIR-V, and the legalisation of its result.
//!
//! *Invariant:* legalisation runs at every optimisation level.

use super::{
    legal,
    math::{DIALECT, NAMING},
    short_floats,
};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{Checked, DeviceModule, Optimised},
    failure::Outcome,
    passes::{
        library_calls::{library_calls, text::MOST_COPIED},
        link::link,
    },
    targets::gpu::{math, stack::place_stack, unroll},
};
use sinter_core::{SpirvEnvironment, SpirvTarget};
use sinter_llvm::ir::Value;

/// Address spaces are inferred before the optimiser, which then knows that accesses to different
/// ones do not alias, and again afterwards, when pointers that went through memory are in
/// registers.
const OPTIMISE: &str = "always-inline,globaldce,function(sroa<modify-cfg>,early-cse<>,infer-address-spaces),\
    cgscc(limit-inlining),default<O3>,\
    function(infer-address-spaces,instcombine<no-verify-fixpoint>)";
/// Inlines functions that were linked, and infers address spaces.
const AFTER_LINKING: &str = "always-inline,globaldce,function(infer-address-spaces)";
/// LLVM's intrinsics for fused multiplication and addition and for scaling, the functions that
/// replace them, and what follows the type in the names of the former.
const EXACT: [(&str, &str, &str); 2] = [("llvm.fma.", "fma", ""), ("llvm.ldexp.", "ldexp", ".i32")];
/// Makes them scalar.
const SCALARS: &str = "function(scalarizer)";
/// Cleans up after inlining.
const POLISH: &str = "function(early-cse<>,simplifycfg)";

pub(super) fn optimise<'s, B: Backend>(
    backend: &B,
    target: &SpirvTarget,
    cx: &Context<'s, '_>,
    m: DeviceModule<'s, Checked>,
) -> Outcome<DeviceModule<'s, Optimised>> {
    let missing = short_floats::missing(target);
    short_floats::inline(cx, &missing, &m)?;
    if cx.optimise() {
        unroll::hint(cx, &m);
        m.module.run_passes(OPTIMISE, Some(cx.machine))?;
    }
    let added_calls = [library_calls(cx, &missing, &m)?, math::replace(cx, &DIALECT, &m)?].contains(&true);
    if link(cx, backend, &m)? {
        backend.flavor(cx, &m);
        backend.answer_libraries(cx, &m)?;
    }
    if target.environment == SpirvEnvironment::Vulkan {
        link_exact(cx, backend, &m)?;
    }
    place_stack(cx, &m);
    m.module.run_passes(AFTER_LINKING, Some(cx.machine))?;
    if cx.optimise() && added_calls {
        m.module.run_passes(POLISH, Some(cx.machine))?;
    }
    short_floats::clean(cx, &missing, &m)?;
    if target.environment == SpirvEnvironment::Vulkan {
        legal::prepare(cx, &m)?;
    }
    legal::legalise(cx, target, &m)?;
    Ok(m.advance())
}

/// Links the functions for intrinsics that shaders lack and the legaliser has no code for. Vectors
/// of them are scalarised before.
fn link_exact<'s, B: Backend, S>(cx: &Context<'s, '_>, backend: &B, m: &DeviceModule<'s, S>) -> Outcome<()> {
    let is_exact = |function: &Value<'_>| EXACT.iter().any(|(name, ..)| function.name().starts_with(name));
    if !m.module.functions().iter().any(is_exact) {
        return Ok(());
    }
    m.module.run_passes(SCALARS, Some(cx.machine))?;
    for (intrinsic, name, end) in EXACT {
        for suffix in [NAMING.single, NAMING.double] {
            let ty = suffix.trim_start_matches('_');
            let Some(intrinsic) = m.module.function(&format!("{intrinsic}{ty}{end}")) else { continue };
            let name = format!("{}{name}{suffix}", NAMING.prefix);
            for call in intrinsic.users().into_iter().filter(|user| user.callee() == Some(intrinsic)) {
                let types: Vec<_> = call.arguments().into_iter().map(Value::ty).collect();
                let known = m.module.function(&name);
                let function = known.unwrap_or_else(|| m.module.declare(&name, call.ty(), &types));
                call.replace_uses(call.insert_before(|insert| insert.call(function, &call.arguments())));
                call.erase();
            }
        }
    }
    link(cx, backend, m)?;
    backend.flavor(cx, m);
    backend.answer_libraries(cx, m)?;
    for name in ["fma", "ldexp"].into_iter().flat_map(|name| [NAMING.single, NAMING.double].map(|ty| (name, ty))) {
        let function = m.module.function(&format!("{}{}{}", NAMING.prefix, name.0, name.1));
        function.filter(|function| !function.is_declaration()).into_iter().for_each(call_if_large);
    }
    Ok(())
}

/// A function whose copies would be most of the kernel is called.
fn call_if_large(function: Value<'_>) {
    if function.users().len() * function.instructions().len() > MOST_COPIED {
        function.remove_attribute("alwaysinline");
        function.add_attribute("noinline", 0);
    }
}
