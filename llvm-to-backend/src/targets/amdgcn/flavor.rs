//! Gives a module the attributes and address spaces of AMD GPUs.
//!
//! *Invariant:* every function carries the target's processor and features and no others, because
//! LLVM takes the instruction set from the function; objects are in the address spaces that these
//! GPUs have: variables in global or constant memory, the stack in private memory, and none in the
//! generic space. It runs again after each linking of functions.

use super::{
    layout::{TRIPLE, features},
    short_pointers,
};
use crate::{
    context::Context,
    device_module::DeviceModule,
    targets::gpu::{CONSTANT_SPACE, GLOBAL_SPACE, flavor::neutralise, stack::place_stack},
};
use sinter_core::AmdgcnTarget;
use sinter_llvm::ir::Value;

/// Code object version, times a hundred. AMD's drivers read it from ROCm 5.2 on.
const CODE_OBJECT_VERSION: (&str, u32) = ("amdhsa_code_object_version", 500);
/// Hidden services of AMD's runtime that kernels here never use. LLVM infers that itself, except
/// where a function is called through a pointer: such a kernel would start a host thread for
/// printing, or be refused by a queue that lacks one of the services.
const UNUSED_SERVICES: [&str; 6] = [
    "amdgpu-no-hostcall-ptr",
    "amdgpu-no-heap-ptr",
    "amdgpu-no-default-queue",
    "amdgpu-no-completion-action",
    "amdgpu-no-multigrid-sync-arg",
    "amdgpu-no-queue-ptr",
];
/// Name prefix of device builtins. They are inlined at every optimisation level: a function that is
/// called needs private memory and cannot know the hidden arguments of its kernel.
const BUILTINS: &str = "__acpp_sscp_";

pub(super) fn flavor<S>(cx: &Context<'_, '_>, target: &AmdgcnTarget, m: &DeviceModule<'_, S>) {
    m.module.set_target(TRIPLE, cx.machine);
    m.module.set_flag(CODE_OBJECT_VERSION.0, CODE_OBJECT_VERSION.1);
    m.module.resolve_aliases();
    short_pointers::shorten(cx, m);
    let features = features(target);
    for function in m.module.functions() {
        neutralise(cx, function);
        if !function.is_intrinsic() {
            function.add_text_attribute("target-cpu", &target.processor);
            function.add_text_attribute("target-features", &features);
        }
        if !function.is_declaration() {
            settle(function);
        }
    }
    place_variables(m);
    place_stack(cx, m);
}

/// Sets the attributes of a function with a body.
fn settle(function: Value<'_>) {
    UNUSED_SERVICES.iter().for_each(|service| function.add_text_attribute(service, ""));
    if function.name().starts_with(BUILTINS) {
        function.add_attribute("alwaysinline", 0);
    }
}

/// Places read-only variables in constant memory, where loads are cheapest.
fn place_variables<S>(m: &DeviceModule<'_, S>) {
    let generic = |global: &Value<'_>| global.address_space() == Some(0) && !global.is_thread_local();
    let defined = |global: &Value<'_>| global.initializer().is_some();
    for global in m.module.globals().into_iter().filter(generic).filter(defined) {
        let space = if global.is_constant() { CONSTANT_SPACE } else { GLOBAL_SPACE };
        global.move_to_space(&m.module, space);
    }
}
