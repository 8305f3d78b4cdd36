//! Loads a code object as a kernel that can be launched.
//!
//! In: a code object. Out: a kernel with everything that a launch needs. *Invariant:* the library
//! is queried once, here, so that a launch makes no query.

use crate::{
    arguments::Callable,
    assemble::{Built, Compiler},
    failure::made,
    library::OpenCl,
};
use opencl_sys::types::{
    KERNEL_LOCAL_MEM_SIZE, KERNEL_NUM_ARGS, KERNEL_PREFERRED_MULTIPLE, KERNEL_WORK_GROUP_SIZE, Kernel,
};
use sinter_core::{CodeObject, EntryInfo};
use sinter_driver::{DeviceKind, DriverError};
use sinter_driver_common::{
    Context, Failure, Handle, KernelLimits, Loaded, LoadedKernel, Module, Resources, group_size::GroupSizeRules,
};
use std::{ptr, sync::Arc};

/// Preferred group sizes on a device with this sub-group size.
pub(crate) fn rules(kind: DeviceKind, sub_group: u32) -> GroupSizeRules {
    // A CPU runs a work-group in a loop: larger groups amortise the cost of starting one.
    let line = if kind == DeviceKind::Cpu { 1024 } else { 256 };
    GroupSizeRules { sub_group: sub_group.clamp(1, line), candidates: [line, 128, 512, 1024], tile: 256 }
}

/// Loads a code object for a device.
pub(crate) fn load(
    resources: &Arc<Resources<OpenCl>>,
    compiler: &Compiler,
    code: &CodeObject,
) -> Result<LoadedKernel<OpenCl>, DriverError> {
    let (context, entry) = (&resources.context, &code.entry);
    let _current = context.enter()?;
    let module = module(context, entry, compiler.build(context, code)?)?;
    let function = module.handle;
    // SAFETY: the module was just created.
    let kernel = unsafe { &*function.0 }.kernel.0;
    let (limits, multiple) =
        find_limits(context, kernel, entry.local_memory).map_err(|failure| context.report(failure))?;
    let loaded = Loaded { module, function, limits, fixed_local_memory: entry.local_memory };
    LoadedKernel::new(resources, entry, loaded, &rules(context.info.kind, multiple))
}

/// Creates the kernel of a program. The context is current.
fn module(context: &Arc<Context<OpenCl>>, entry: &EntryInfo, built: Built) -> Result<Module<OpenCl>, DriverError> {
    let (opencl, symbol) = (&context.api, &entry.symbol);
    let (name, mut code) = (context.c_name(symbol)?, 0);
    // SAFETY: the program was built, and the name is null-terminated.
    let kernel = unsafe { opencl.api.kernel_create(built.program(), name.as_ptr(), &raw mut code) };
    let kernel = made("clCreateKernel", code, kernel).map_err(|failure| context.failed(symbol, failure, ""))?;
    let callable = Box::new(Callable::new(built.keep(), Handle(kernel), entry));
    let (wanted, prepared) = (callable.parameters(), callable.prepare(opencl));
    let module = Module { handle: Handle(Box::into_raw(callable)), context: Arc::clone(context) };
    let found = prepared.and_then(|()| parameters(opencl, kernel)).map_err(|failure| context.report(failure))?;
    if found == wanted {
        return Ok(module);
    }
    Err(context.refused(symbol, format!("its entry has {found} parameters instead of {wanted}")))
}

fn parameters(opencl: &OpenCl, kernel: Kernel) -> Result<u32, Failure> {
    let mut count = 0u32;
    let (size, place) = (size_of_val(&count), (&raw mut count).cast());
    // SAFETY: the kernel is alive, and `count` has the given size.
    unsafe { opencl.api.kernel_info(kernel, KERNEL_NUM_ARGS, size, place, ptr::null_mut()) }?;
    Ok(count)
}

/// Queries the limits of a kernel, and the preferred multiple of its group size.
fn find_limits(context: &Context<OpenCl>, kernel: Kernel, declared: u32) -> Result<(KernelLimits, u32), Failure> {
    let opencl = &context.api;
    let ask = |name| {
        let mut value = 0u64;
        let (size, place) = (size_of_val(&value), (&raw mut value).cast());
        // SAFETY: kernel and device are alive; each of the answers has 64 bits.
        unsafe { opencl.api.kernel_group_info(kernel, opencl.device.0, name, size, place, ptr::null_mut()) }?;
        Ok(u32::try_from(value).unwrap_or(u32::MAX))
    };
    let group = ask(KERNEL_WORK_GROUP_SIZE)?.min(context.limits.group);
    // Local memory that the device uses for itself is not available to a launch.
    let own = ask(KERNEL_LOCAL_MEM_SIZE)?.saturating_sub(declared);
    let local_memory = context.limits.most_local_memory.saturating_sub(own);
    Ok((KernelLimits { group, local_memory }, ask(KERNEL_PREFERRED_MULTIPLE)?))
}
