//! Makes the kernel the entry of a code object.
//!
//! In: a kernel with the parameters of its record. Out: a kernel that an AQL packet can dispatch.
//! *Invariant:* the explicit kernel arguments are the argument buffer that `dead_arguments` laid
//! out; the hidden arguments of AMD's runtime follow it.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
    targets::gpu::{
        CONSTANT_SPACE,
        entry::{Convention, plain, rebuild},
    },
};
use sinter_llvm::function::KernelConvention;

const CONVENTION: Convention =
    Convention { kernels: KernelConvention::Amdgpu, space: CONSTANT_SPACE, is_copied: false };
/// Minimum and maximum work-items of a work-group.
const GROUP_SIZE: &str = "amdgpu-flat-work-group-size";
/// The maximum if the launch leaves the work-group size open, as it does for a range: the driver of
/// the runtime chooses no larger one, and AMD's runtime reports this limit for each kernel. In
/// groups of 1024, the hardware maximum, a work-item has a quarter of the registers.
const LARGEST_OPEN_GROUP: u32 = 256;
/// The exact work-group size, which AMD's runtime compares with the launch.
const EXACT_SIZE: &str = "reqd_work_group_size";
/// Every grid consists of whole work-groups.
const UNIFORM: &str = "uniform-work-group-size";

pub(super) fn entry<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    let m = rebuild(cx, CONVENTION, m)?;
    m.kernel.set_name(&plain(&m.kernel.name()));
    m.kernel.make_protected();
    let known = cx.config().group_size;
    if let Some(sizes) = known {
        m.kernel.set_numbers(&m.module, EXACT_SIZE, &sizes);
    }
    let items = known.map(|sizes| sizes.into_iter().fold(1, u32::saturating_mul));
    let (least, most) = items.map_or((1, LARGEST_OPEN_GROUP), |items| (items, items));
    m.kernel.add_text_attribute(GROUP_SIZE, &format!("{least},{most}"));
    m.kernel.add_text_attribute(UNIFORM, "true");
    Ok(m)
}
