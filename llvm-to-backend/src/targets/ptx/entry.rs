//! Makes the kernel the entry of a PTX module.
//!
//! In: a kernel with the parameters of its record. Out: one that PTX can name, with the size of its work-group where that is known.
//! *Invariant:* the parameters lie where `dead_arguments` put them.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
    targets::gpu::entry::{Convention, plain, rebuild},
};
use sinter_llvm::function::KernelConvention;

const CONVENTION: Convention = Convention { kernels: KernelConvention::Ptx, space: 0, is_copied: true };
/// LLVM's list of what PTX says about a kernel beside its code.
const ANNOTATIONS: &str = "nvvm.annotations";
/// The exact size of a work-group.
const GROUP_SIZE: [&str; 3] = ["reqntidx", "reqntidy", "reqntidz"];

/// What PTX takes for something else than a name.
const RESERVED: [&str; 3] = ["_", "$", "WARP_SZ"];
pub(super) fn entry<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    let m = rebuild(cx, CONVENTION, m)?;
    m.kernel.set_name(&symbol(&m.kernel.name()));
    for (key, size) in GROUP_SIZE.iter().zip(cx.config().group_size.into_iter().flatten()) {
        m.module.annotate(ANNOTATIONS, m.kernel, key, size);
    }
    Ok(m)
}

/// The kernel's name as PTX can spell it.
fn symbol(name: &str) -> String {
    let name = plain(name);
    match name.as_str() {
        name if RESERVED.contains(&name) => format!("kernel_{name}"),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        _ => name,
    }
}
