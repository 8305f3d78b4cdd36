//! Loads a code object as a kernel that can be launched.
//!
//! In: a code object. Out: a kernel with everything that a launch needs. *Invariant:* the code is a
//! whole module for the device, and a sub-group size that it requires is one of the device's.

use crate::{
    callable::{Callable, Needs},
    forms::Forms,
    kept::Kept,
    status::Status,
    trap::Trapping,
    vendor::Vulkan,
};
use sinter_core::{
    CodeObject, SpirvFeature,
    spirv::push_constants::{Facts, entry_name, facts},
};
use sinter_driver::{DeviceKind, DriverError};
use sinter_driver_common::{
    Context, Failure, Handle, KernelLimits, Loaded, LoadedKernel, Module, Resources, group_size::GroupSizeRules, spirv,
};
use std::sync::Arc;

/// Preferred group sizes on a device with this sub-group size.
pub(crate) fn rules(kind: DeviceKind, sub_group: u32) -> GroupSizeRules {
    // A CPU runs a work-group in a loop: larger groups amortise the cost of starting one.
    let line = if kind == DeviceKind::Cpu { 1024 } else { 256 };
    GroupSizeRules { sub_group: sub_group.clamp(1, line), candidates: [line, 128, 512, 1024], tile: 256 }
}

/// Loads a code object for a device.
pub(crate) fn load(
    resources: &Arc<Resources<Vulkan>>,
    forms: &Arc<Forms>,
    code: &CodeObject,
) -> Result<LoadedKernel<Vulkan>, DriverError> {
    let (context, entry) = (&resources.context, &code.entry);
    let _current = context.enter()?;
    let callable = callable(context, forms, code)?;
    let sub_group = callable.needs.sub_group.or(context.info.sub_group_sizes.iter().max().map(|size| *size as u32));
    let limits = limits(context, callable.needs.sub_group);
    let handle = Handle(Box::into_raw(Box::new(callable)));
    let module = Module { handle, context: Arc::clone(context) };
    let loaded = Loaded { module, function: handle, limits, fixed_local_memory: 0 };
    LoadedKernel::new(resources, entry, loaded, &rules(context.info.kind, sub_group.unwrap_or(1)))
}

/// Limits of a kernel that requires a sub-group size, or none.
fn limits(context: &Context<Vulkan>, sub_group: Option<u32>) -> KernelLimits {
    let most = context.api.chosen.most_sub_groups;
    let group = sub_group.map_or(u32::MAX, |size| size.saturating_mul(most)).min(context.limits.group);
    KernelLimits { group, local_memory: context.limits.most_local_memory }
}

/// Creates the kernel. The context is current.
fn callable(context: &Context<Vulkan>, forms: &Arc<Forms>, code: &CodeObject) -> Result<Callable, DriverError> {
    let (entry, name) = (&code.entry, entry_name(&code.entry.symbol));
    let refused = |reason| context.refused(&entry.symbol, reason);
    let spirv = forms.spirv(code).ok_or_else(|| refused(format!("it is {}, not SPIR-V", code.format.name())))?;
    spirv::check(spirv, name, &forms.target).map_err(refused)?;
    let facts = facts(spirv);
    let sub_group = facts.sub_group_size;
    if let Some(size) = sub_group.filter(|size| !context.info.sub_group_sizes.contains(&u64::from(*size))) {
        let sizes = &context.info.sub_group_sizes;
        return Err(refused(format!("it requires sub-groups of {size}; the device has {sizes:?}")));
    }
    let sub_group = sub_group.filter(|_| context.api.chosen.has(SpirvFeature::SubGroupSize));
    let name = context.c_name(name)?;
    let logical = context.api.logical();
    let made = status(&context.api, &entry.symbol, facts).and_then(|status| {
        let needs = Needs { sub_group, ..Needs::of(entry) };
        Callable::create(logical, needs, spirv, name, status, Some(Kept::of(logical, forms, code)))
    });
    made.map_err(|failure| context.failed(&entry.symbol, failure, ""))
}

/// The status of a kernel: its own if it has traps, prints or constant tables.
fn status(vulkan: &Vulkan, symbol: &str, facts: Facts) -> Result<Arc<Status>, Failure> {
    let (traps, prints) = (!facts.traps.is_empty(), !facts.prints.is_empty());
    if !traps && !prints && facts.tables.is_empty() {
        return vulkan.blank_status();
    }
    let status = vulkan.status(symbol, facts)?;
    if traps {
        let trapping: Arc<dyn Trapping> = Arc::clone(&status) as _;
        vulkan.logical().traps.watch(&trapping);
    }
    Ok(status)
}
