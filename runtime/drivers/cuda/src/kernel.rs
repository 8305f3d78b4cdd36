//! Turns a code object into a kernel that can be launched.
//!
//! In: a cubin, or PTX. Out: a kernel with what launches must know about it. *Invariant:* the driver's answers are asked for
//! once, here, so a launch asks none; they also make the driver load the function now, where it would otherwise wait for the first
//! launch (`CUDA_MODULE_LOADING=LAZY`).
//!
//! A cubin that the driver refuses is an error, also where it carries its PTX: whoever keeps it replaces it.

use crate::{
    api::{Api, Handle},
    assemble::{Compiler, Jit},
    context::{Context, Module},
    cubin, group_size,
    registers::Usage,
};
use cudarc::driver::sys::{CUfunc_st, CUfunction_attribute_enum as Attribute};
use sinter_core::{CodeFormat, CodeObject};
use sinter_driver::DriverError;
use sinter_driver_common::{KernelLimits, Loaded, LoadedKernel};
use std::{ptr, sync::Arc};

/// Loads a code object, which is assembled first if it must be.
pub(crate) fn load(
    context: &Arc<Context>,
    compiler: &Compiler,
    code: &CodeObject,
) -> Result<LoadedKernel<Api>, DriverError> {
    let refused = |reason| context.refused(&code.entry.symbol, reason);
    match code.format {
        CodeFormat::Ptx => publish(context, &compiler.assemble(context, code)?),
        CodeFormat::Cubin => {
            cubin::check(&code.bytes).map_err(refused)?;
            publish(context, code)
        }
        other => Err(refused(format!("it is {other:?}, not code for NVIDIA's GPUs"))),
    }
}

/// Loads a cubin that is whole.
fn publish(context: &Arc<Context>, code: &CodeObject) -> Result<LoadedKernel<Api>, DriverError> {
    let entry = &code.entry;
    let _current = context.enter()?;
    let module = load_module(context, &entry.symbol, &code.bytes)?;
    let function = find_function(&module, &entry.symbol)?;
    let limits = find_limits(context, function)?;
    let loaded = Loaded { module, function, limits, fixed_local_memory: 0 };
    let kernel = LoadedKernel::new(entry, loaded, &group_size::HABITS)?;
    let local_memory = entry.local_memory.min(limits.local_memory);
    Ok(kernel.filling(&group_size::HABITS, |size| group_size::active(context, function, size, local_memory)))
}

/// What the kernel of a cubin uses. It is loaded for that, and unloaded.
pub(crate) fn usage(context: &Arc<Context>, symbol: &str, cubin: &[u8]) -> Result<Usage, DriverError> {
    let _current = context.enter()?;
    let module = load_module(context, symbol, cubin)?;
    let function = find_function(&module, symbol)?;
    let ask = |attribute| ask(context, function, attribute);
    Ok(Usage {
        registers: ask(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
        memory: ask(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
        group: ask(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
    })
}

/// Loads a whole cubin. The context is current.
fn load_module(context: &Arc<Context>, symbol: &str, cubin: &[u8]) -> Result<Module, DriverError> {
    let (mut jit, mut handle) = (Jit::new(), ptr::null_mut());
    let image = cubin.as_ptr().cast();
    // SAFETY: the image was checked to be whole, and the options and values are as many as said.
    let loaded = unsafe { context.api.module_load(&raw mut handle, image, jit.count(), jit.options(), jit.values()) };
    loaded.map_err(|failure| context.failed(symbol, failure, &jit.said()))?;
    Ok(Module { handle: Handle(handle), context: Arc::clone(context) })
}

fn find_function(module: &Module, symbol: &str) -> Result<Handle<CUfunc_st>, DriverError> {
    let (context, mut function) = (&module.context, ptr::null_mut());
    let name = context.c_name(symbol)?;
    // SAFETY: the module is loaded, the name ends with a null character, and `function` may be written.
    let found = unsafe { context.api.module_function(&raw mut function, module.handle.0, name.as_ptr()) };
    found.map_err(|failure| context.without_entry(symbol, failure))?;
    Ok(Handle(function))
}

fn ask(context: &Context, function: Handle<CUfunc_st>, attribute: Attribute) -> Result<u32, DriverError> {
    let mut value = 0;
    // SAFETY: the function is loaded, and `value` may be written.
    let asked = unsafe { context.api.function_attribute(&raw mut value, attribute, function.0) };
    asked.map(|()| u32::try_from(value).unwrap_or(0)).map_err(|failure| context.report(failure))
}

/// Asks for the limits of a kernel.
fn find_limits(context: &Context, function: Handle<CUfunc_st>) -> Result<KernelLimits, DriverError> {
    let group = ask(context, function, Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?;
    let fixed = ask(context, function, Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
    let local_memory = context.limits.most_local_memory.saturating_sub(fixed);
    Ok(KernelLimits { group, local_memory })
}
