//! Makes the kernel the entry of a PTX module.
//!
//! In: a kernel with the parameters of its record. Out: a kernel with a valid PTX name, and with
//! its work-group size if that is known. *Invariant:* the parameters have the offsets that
//! `dead_arguments` chose.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
    targets::gpu::entry::{Convention, plain, rebuild},
};
use sinter_llvm::function::KernelConvention;

const CONVENTION: Convention = Convention { kernels: KernelConvention::Ptx, space: 0, is_copied: true };
/// LLVM's metadata for PTX directives of a kernel.
const ANNOTATIONS: &str = "nvvm.annotations";
/// The exact size of a work-group, which becomes `.reqntid`.
const GROUP_SIZE: [&str; 3] = ["reqntidx", "reqntidy", "reqntidz"];

/// Identifiers that PTX does not accept as names.
const RESERVED: [&str; 3] = ["_", "$", "WARP_SZ"];
pub(super) fn entry<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    let m = rebuild(cx, CONVENTION, m)?;
    m.kernel.set_name(&symbol(&m.kernel.name()));
    for (key, size) in GROUP_SIZE.iter().zip(cx.config().group_size.into_iter().flatten()) {
        m.module.annotate(ANNOTATIONS, m.kernel, key, size);
    }
    Ok(m)
}

/// The kernel's name as a PTX identifier.
fn symbol(name: &str) -> String {
    let name = plain(name);
    match name.as_str() {
        name if RESERVED.contains(&name) => format!("kernel_{name}"),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        _ => name,
    }
}
