//! Loads a code object as a kernel that can be launched.
//!
//! In: a cubin, or PTX. Out: a kernel with everything that a launch needs. *Invariant:* the driver
//! is queried once, here, so that a launch makes no query. The queries also make the driver load
//! the function now instead of at the first launch (`CUDA_MODULE_LOADING=LAZY`).
//!
//! A cubin that the driver rejects is an error even if it carries its PTX: the owner of the cache
//! entry replaces it.

use crate::{
    api::{Api, Handle},
    assemble::Compiler,
    context::Context,
    cubin, group_size,
    module::{find_function, load_module, query},
};
use cudarc::driver::sys::{CUfunc_st, CUfunction_attribute_enum as Attribute};
use sinter_core::{CodeFormat, CodeObject};
use sinter_driver::DriverError;
use sinter_driver_common::{KernelLimits, Loaded, LoadedKernel, Resources};
use std::sync::Arc;

/// Loads a code object, assembling it first if necessary.
pub(crate) fn load(
    resources: &Arc<Resources<Api>>,
    compiler: &Compiler,
    code: &CodeObject,
) -> Result<LoadedKernel<Api>, DriverError> {
    let context = &resources.context;
    let refused = |reason| context.refused(&code.entry.symbol, reason);
    match code.format {
        CodeFormat::Ptx => publish(resources, &compiler.assemble(context, code)?),
        CodeFormat::Cubin => {
            cubin::check(&code.bytes).map_err(refused)?;
            publish(resources, code)
        }
        other => Err(refused(format!("it is {other:?}, not code for NVIDIA's GPUs"))),
    }
}

/// Loads a complete cubin.
fn publish(resources: &Arc<Resources<Api>>, code: &CodeObject) -> Result<LoadedKernel<Api>, DriverError> {
    let (context, entry) = (&resources.context, &code.entry);
    let _current = context.enter()?;
    let module = load_module(context, &entry.symbol, &code.bytes)?;
    let function = find_function(&module, &entry.symbol)?;
    let limits = find_limits(context, function)?;
    let loaded = Loaded { module, function, limits, fixed_local_memory: 0 };
    let kernel = LoadedKernel::new(resources, entry, loaded, &group_size::RULES)?;
    let local_memory = entry.local_memory.min(limits.local_memory);
    Ok(kernel.filling(&group_size::RULES, |size| group_size::active(context, function, size, local_memory)))
}

/// Queries the limits of a kernel.
fn find_limits(context: &Context, function: Handle<CUfunc_st>) -> Result<KernelLimits, DriverError> {
    let group = query(context, function, Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?;
    let fixed = query(context, function, Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
    let local_memory = context.limits.most_local_memory.saturating_sub(fixed);
    Ok(KernelLimits { group, local_memory })
}
