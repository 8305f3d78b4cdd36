//! Makes the kernel the entry point of a module.
//!
//! In: a kernel with the parameters of its record. Out: a kernel with its live parameters only.
//! *Invariant:* parameter `i` is argument `i` of `EntryInfo`, or the only parameter is the whole
//! argument buffer; a parameter in memory is a copy in private memory that belongs to the kernel.

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

/// Arguments in memory are copies in private memory.
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
