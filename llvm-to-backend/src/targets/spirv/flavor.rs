//! Gives a module the address spaces of SPIR-V devices.
//!
//! *Invariant:* variables are in global memory, or in constant memory if the device has no
//! variables in global memory; the stack is in private memory; no object is in the generic space.
//! It runs again after each linking of functions.

use super::{
    layout::{LAYOUT, TRIPLE},
    print,
};
use crate::{
    context::Context,
    device_module::DeviceModule,
    targets::gpu::{CONSTANT_SPACE, GLOBAL_SPACE, flavor::neutralise, stack::place_stack},
};
use sinter_core::{SpirvFeature, SpirvTarget};
use sinter_llvm::ir::Value;

/// Name prefixes of device builtins. They are inlined at every optimisation level, because
/// instructions take literals.
const BUILTINS: [&str; 2] = ["__acpp_sscp_", "__sinter_"];

pub(super) fn flavor<S>(cx: &Context<'_, '_>, target: &SpirvTarget, m: &DeviceModule<'_, S>) {
    m.module.set_layout(TRIPLE, LAYOUT);
    m.module.resolve_aliases();
    print::name(m);
    for function in m.module.functions() {
        neutralise(cx, function);
        let name = function.name();
        if !function.is_declaration() && BUILTINS.iter().any(|start| name.starts_with(start)) {
            function.add_attribute("alwaysinline", 0);
        }
    }
    place_variables(target, m);
    place_stack(cx, m);
}

fn place_variables<S>(target: &SpirvTarget, m: &DeviceModule<'_, S>) {
    let generic = |global: &Value<'_>| global.address_space() == Some(0) && !global.is_thread_local();
    let defined = |global: &Value<'_>| global.initializer().is_some();
    for global in m.module.globals().into_iter().filter(generic).filter(defined) {
        let outside = target.has(SpirvFeature::GlobalVariables) || !global.is_constant();
        global.move_to_space(&m.module, if outside { GLOBAL_SPACE } else { CONSTANT_SPACE });
    }
}
