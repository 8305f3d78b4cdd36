//! Loads cubins into the driver.
//!
//! In: a complete cubin. Out: the driver's module, its function, and its attributes. *Invariant:*
//! an error names the kernel, and distinguishes a rejected cubin from a driver that lacks
//! something.

use crate::{
    api::Handle,
    context::{Context, Module},
    jit::Jit,
    registers::Usage,
};
use cudarc::driver::sys::{CUfunc_st, CUfunction_attribute_enum as Attribute};
use sinter_driver::DriverError;
use std::{ptr, sync::Arc};

/// Resources that the kernel of a cubin uses. Loads the cubin to query them, and unloads it.
pub(crate) fn usage(context: &Arc<Context>, symbol: &str, cubin: &[u8]) -> Result<Usage, DriverError> {
    let _current = context.enter()?;
    let module = load_module(context, symbol, cubin)?;
    let function = find_function(&module, symbol)?;
    let query = |attribute| query(context, function, attribute);
    Ok(Usage {
        registers: query(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
        memory: query(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
        group: query(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
    })
}

/// Loads a complete cubin. The context is current.
pub(crate) fn load_module(context: &Arc<Context>, symbol: &str, cubin: &[u8]) -> Result<Module, DriverError> {
    let (mut jit, mut handle) = (Jit::new(), ptr::null_mut());
    let image = cubin.as_ptr().cast();
    // SAFETY: the image is complete, and the arrays have as many entries as their count says.
    let loaded = unsafe { context.api.module_load(&raw mut handle, image, jit.count(), jit.options(), jit.values()) };
    loaded.map_err(|failure| context.failed(symbol, failure, &jit.logs()))?;
    Ok(Module { handle: Handle(handle), context: Arc::clone(context) })
}

pub(crate) fn find_function(module: &Module, symbol: &str) -> Result<Handle<CUfunc_st>, DriverError> {
    let (context, mut function) = (&module.context, ptr::null_mut());
    let name = context.c_name(symbol)?;
    // SAFETY: the module is loaded, the name is null-terminated, and `function` is writable.
    let found = unsafe { context.api.module_function(&raw mut function, module.handle.0, name.as_ptr()) };
    found.map_err(|failure| context.without_entry(symbol, failure))?;
    Ok(Handle(function))
}

/// Queries an attribute of a function.
pub(crate) fn query(context: &Context, function: Handle<CUfunc_st>, attribute: Attribute) -> Result<u32, DriverError> {
    let mut value = 0;
    // SAFETY: the function is loaded, and `value` is writable.
    let asked = unsafe { context.api.function_attribute(&raw mut value, attribute, function.0) };
    asked.map(|()| u32::try_from(value).unwrap_or(0)).map_err(|failure| context.report(failure))
}
