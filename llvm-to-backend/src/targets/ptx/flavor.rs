//! Gives a module the attributes of NVIDIA GPUs.
//!
//! *Invariant:* no alias is left, since PTX has none for variables; no function has the CPU or
//! features of another target, because LLVM's PTX back end has one instruction set for the whole
//! module.

use super::layout::TRIPLE;
use crate::{context::Context, device_module::DeviceModule, targets::gpu::flavor::neutralise};

pub(super) fn flavor<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    m.module.set_target(TRIPLE, cx.machine);
    m.module.resolve_aliases();
    m.module.functions().into_iter().for_each(|function| neutralise(cx, function));
}
