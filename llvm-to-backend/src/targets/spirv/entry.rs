//! Makes the kernel the entry point of a module.
//!
//! In: a kernel with the parameters of its record. Out: one with those that it reads. *Invariant:* parameter `i` is argument `i` of `EntryInfo`, or
//! the only one is the whole argument buffer; what is passed in memory is a copy of the kernel's own in private memory.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
    targets::{
        gpu::entry::{Convention, plain, rebuild},
        spirv::{argument_block, limits},
    },
};
use sinter_core::spirv::arguments::takes_buffer;
use sinter_llvm::function::KernelConvention;

/// Private memory, where the argument belongs to the kernel.
const CONVENTION: Convention = Convention { kernels: KernelConvention::Spirv, space: 5, is_copied: true };

pub(super) fn entry<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    let m = if takes_buffer(m.facts.arguments.len()) {
        argument_block::rebuild(cx, m)?
    } else {
        rebuild(cx, CONVENTION, m)?
    };
    m.kernel.set_name(limits::cut(&plain(&m.kernel.name())));
    m.kernel.make_external();
    Ok(m)
}
