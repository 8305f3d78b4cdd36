//! Loads a code object as a kernel that can be launched.
//!
//! In: a code object. Out: a kernel with everything that a launch needs. *Invariant:* the library
//! is queried once, here, so that a launch makes no query; the code object lives as long as the
//! library may read it.

use crate::{code, library::Hip};
use hip_sys::types::{Function, FunctionAttribute, FunctionStruct, JitOption, LIMIT_STACK};
use sinter_core::{AmdgcnTarget, CodeFormat, CodeObject};
use sinter_driver::DriverError;
use sinter_driver_common::{
    Context, Handle, KernelLimits, Loaded, LoadedKernel, Module, Resources, VendorError,
    error::{is_sticky, written},
    group_size::GroupSizeRules,
    lock,
};
use std::{ffi::c_void, ptr, sync::Arc};

/// Size of the buffer for the library's load log in bytes.
const LOG: usize = 8192;
/// Group sizes to try. 256 is the one that AMD's own libraries use most.
const CANDIDATES: [u32; 4] = [256, 128, 512, 1024];
/// Bytes of private memory per work-item if a kernel's need is unknown: the largest value that the
/// library accepts (ROCm's CLR). Its default is 1 KiB.
const STACK: usize = 16 << 10;
/// Work-items in a group over a two- or three-dimensional range.
const TILE: u32 = 256;

/// Preferred group sizes on a GPU.
pub(crate) fn rules(gpu: &AmdgcnTarget) -> GroupSizeRules {
    GroupSizeRules { sub_group: gpu.wave.size(), candidates: CANDIDATES, tile: TILE }
}

/// Loads a code object for `gpu`.
pub(crate) fn load(
    resources: &Arc<Resources<Hip>>,
    gpu: &AmdgcnTarget,
    code: &CodeObject,
) -> Result<LoadedKernel<Hip>, DriverError> {
    let (context, symbol) = (&resources.context, &code.entry.symbol);
    if code.format != CodeFormat::AmdgpuElf {
        return Err(context.refused(symbol, format!("it is {}, not code for AMD's GPUs", code.format.name())));
    }
    code::check(&code.bytes, gpu).map_err(|reason| context.refused(symbol, reason))?;
    let _current = context.enter()?;
    if code::has_dynamic_stack(&code.bytes) {
        make_room(context, symbol)?;
    }
    let module = load_module(context, symbol, &code.bytes)?;
    let function = find_function(&module, symbol)?;
    let (limits, fixed) = find_limits(context, function.0, code.entry.local_memory)?;
    let loaded = Loaded { module, function, limits, fixed_local_memory: fixed };
    let kernel = LoadedKernel::new(resources, &code.entry, loaded, &rules(gpu))?;
    let asked_for = code.entry.local_memory.saturating_sub(fixed);
    Ok(kernel.filling(&rules(gpu), |size| active_groups(context, function.0, size, asked_for)))
}

/// The library's log about an image. ROCm 5 and 6 always leave it empty.
struct Log {
    options: [JitOption; 2],
    values: [*mut c_void; 2],
    text: Vec<u8>,
}

impl Log {
    fn new() -> Self {
        let mut text = vec![0; LOG];
        let values = [text.as_mut_ptr().cast(), ptr::without_provenance_mut(LOG)];
        Log { options: [JitOption::ErrorLogBuffer, JitOption::ErrorLogBufferSizeBytes], values, text }
    }
}

/// Loads a complete code object. The context is current.
fn load_module(context: &Arc<Context<Hip>>, symbol: &str, code: &Arc<[u8]>) -> Result<Module<Hip>, DriverError> {
    let (mut log, mut handle) = (Log::new(), ptr::null_mut());
    let (image, count) = (code.as_ptr().cast(), log.options.len() as u32);
    let (options, values) = (log.options.as_mut_ptr(), log.values.as_mut_ptr());
    // SAFETY: the image is complete and stays until the module is unloaded; the arrays have as many
    // entries as their count says.
    let loaded = unsafe { context.api.api.module_load(&raw mut handle, image, count, options, values) };
    loaded.map_err(|failure| context.failed(symbol, failure, &written(&log.text)))?;
    lock(&context.api.images).insert(handle.addr(), Arc::clone(code));
    Ok(Module { handle: Handle(handle), context: Arc::clone(context) })
}

/// Raises the current device's stack limit for calls of unknown depth. With too little stack,
/// work-items would overwrite each other's memory.
fn make_room(context: &Context<Hip>, symbol: &str) -> Result<(), DriverError> {
    // SAFETY: the limit is one of the library's, and the value is in its range.
    let reason = match unsafe { context.api.api.set_limit(LIMIT_STACK, STACK) } {
        Some(Ok(())) => return Ok(()),
        Some(Err(failure)) if is_sticky(failure) => return Err(context.report(failure)),
        Some(Err(failure)) => VendorError::new(&context.api, failure.code).to_string(),
        None => "this version of ROCm lacks it".to_owned(),
    };
    let needs = "it calls functions recursively or through pointers, for which hipDeviceSetLimit has to make room";
    Err(context.refused(symbol, format!("{needs}: {reason}")))
}

fn find_function(module: &Module<Hip>, symbol: &str) -> Result<Handle<FunctionStruct>, DriverError> {
    let (context, mut function) = (&module.context, ptr::null_mut());
    let name = context.c_name(symbol)?;
    // SAFETY: the module is loaded, the name is null-terminated, and `function` is writable.
    let found = unsafe { context.api.api.module_function(&raw mut function, module.handle.0, name.as_ptr()) };
    found.map_err(|failure| context.without_entry(symbol, failure))?;
    Ok(Handle(function))
}

/// Queries the limits of a kernel and the size of its static local memory, up to the size that its
/// entry declares.
fn find_limits(context: &Context<Hip>, function: Function, declared: u32) -> Result<(KernelLimits, u32), DriverError> {
    let query = |attribute| {
        let mut value = 0;
        // SAFETY: the function is loaded, and `value` is writable.
        let asked = unsafe { context.api.api.function_attribute(&raw mut value, attribute, function) };
        asked.map(|()| u32::try_from(value).unwrap_or(0)).map_err(|failure| context.report(failure))
    };
    let group = query(FunctionAttribute::MaxThreadsPerBlock)?;
    let variables = query(FunctionAttribute::SharedSizeBytes)?;
    let fixed = variables.min(declared);
    let local_memory = context.limits.most_local_memory.saturating_sub(variables - fixed);
    Ok((KernelLimits { group, local_memory }, fixed))
}

/// Number of groups of a size that fit on a multiprocessor; 0 if the library does not say.
fn active_groups(context: &Context<Hip>, function: Function, size: u32, local_memory: u32) -> u32 {
    let mut groups = 0;
    // SAFETY: the function is loaded, and `groups` is writable.
    let asked = unsafe { context.api.api.active_groups(&raw mut groups, function, size as i32, local_memory as usize) };
    asked.map_or(0, |()| u32::try_from(groups).unwrap_or(0))
}
