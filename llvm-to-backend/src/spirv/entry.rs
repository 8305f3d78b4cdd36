//! Makes the kernel the entry point of a module.
//!
//! In: a kernel with the parameters of its record. Out: one with those that it reads. *Invariant:* parameter `i` is argument `i` of `EntryInfo`; what is
//! passed in memory is a copy of the kernel's own in private memory.

use crate::{
    backend::first_use,
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
    gpu::entry::{Convention, plain, rebuild},
    spirv::{limits, local_memory::is_dynamic},
};
use sinter_llvm::function::KernelConvention;

/// Private memory, where the argument belongs to the kernel.
const CONVENTION: Convention = Convention { kernels: KernelConvention::Spirv, space: 5, is_copied: true };

pub(super) fn entry<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    let taken = m.facts.arguments.len() + usize::from(is_dynamic(&m));
    if taken > limits::PARAMETERS {
        let what = format!("a kernel with {taken} parameters");
        let hint = format!(
            "SPIR-V has room for {}, and each number of a captured object is one; put the object into memory and capture a pointer to it",
            limits::PARAMETERS
        );
        let first_too_many = m.facts.arguments.get(limits::PARAMETERS).or(m.facts.arguments.last());
        let read = first_too_many.and_then(|argument| first_use(m.kernel.parameters()[argument.parameter as usize]));
        return Err(cx.unsupported(what, read, &hint).into());
    }
    let m = rebuild(cx, CONVENTION, m)?;
    m.kernel.set_name(limits::cut(&plain(&m.kernel.name())));
    m.kernel.make_external();
    Ok(m)
}
