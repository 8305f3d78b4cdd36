//! Turns a code object into a kernel that can be launched.
//!
//! In: a code object. Out: a kernel with what launches must know about it. *Invariant:* the library's answers are asked for
//! once, here, so a launch asks none.

use crate::{
    arguments::Callable,
    library::{OpenCl, made},
    queries::bytes,
};
use opencl_sys::types::{
    KERNEL_LOCAL_MEM_SIZE, KERNEL_NUM_ARGS, KERNEL_PREFERRED_MULTIPLE, KERNEL_WORK_GROUP_SIZE, Kernel,
    PROGRAM_BUILD_LOG, Program,
};
use sinter_core::{CodeFormat, CodeObject, EntryInfo, SpirvTarget};
use sinter_driver::{DeviceKind, DriverError};
use sinter_driver_common::{
    Context, Failure, Handle, KernelLimits, Loaded, LoadedKernel, Module, error::written, group_size::Habits, spirv,
};
use std::{ptr, sync::Arc};

/// What work-groups look like on a device where so many work-items run in lockstep.
pub(crate) fn habits(kind: DeviceKind, sub_group: u32) -> Habits {
    // A CPU runs a work-group in a loop: what it costs to begin one is shared by more work-items.
    let line = if kind == DeviceKind::Cpu { 1024 } else { 256 };
    Habits { sub_group: sub_group.clamp(1, line), candidates: [line, 128, 512, 1024], tile: 256 }
}

/// A program that is released unless it becomes a module's.
struct Building<'a> {
    context: &'a Context<OpenCl>,
    program: Program,
}

impl Drop for Building<'_> {
    fn drop(&mut self) {
        // SAFETY: the program is ours, and nobody else has it. An error, such as that the process is ending, leaves nothing to do.
        let _ = unsafe { self.context.api.api.program_release(self.program) };
    }
}

/// Loads a code object for a device.
pub(crate) fn load(
    context: &Arc<Context<OpenCl>>,
    target: &SpirvTarget,
    code: &CodeObject,
) -> Result<LoadedKernel<OpenCl>, DriverError> {
    let entry = &code.entry;
    if code.format != CodeFormat::Spirv {
        return Err(context.refused(&entry.symbol, format!("it is {:?}, not SPIR-V", code.format)));
    }
    spirv::check(&code.bytes, &entry.symbol, target).map_err(|reason| context.refused(&entry.symbol, reason))?;
    let _current = context.enter()?;
    let module = build(context, entry, &code.bytes)?;
    let function = module.handle;
    // SAFETY: the module was just made.
    let kernel = unsafe { &*function.0 }.kernel.0;
    let (limits, multiple) =
        find_limits(context, kernel, entry.local_memory).map_err(|failure| context.report(failure))?;
    let loaded = Loaded { module, function, limits, fixed_local_memory: entry.local_memory };
    LoadedKernel::new(entry, loaded, &habits(context.info.kind, multiple))
}

/// Makes a kernel of code. The context is current.
fn build(context: &Arc<Context<OpenCl>>, entry: &EntryInfo, code: &[u8]) -> Result<Module<OpenCl>, DriverError> {
    let (opencl, symbol) = (&context.api, &entry.symbol);
    // SAFETY: the context is alive.
    let program = unsafe { opencl.platform.program(opencl.context(), code) };
    let program = program.map_err(|failure| context.failed(symbol, failure, ""))?;
    let building = Building { context, program };
    // SAFETY: program and device are alive.
    let built = unsafe {
        let options = opencl.options.as_ptr();
        opencl.api.program_build(program, 1, &raw const opencl.device.0, options, ptr::null(), ptr::null_mut())
    };
    built.map_err(|failure| context.failed(symbol, failure, &build_log(opencl, program)))?;
    let name = context.c_name(symbol)?;
    let mut code = 0;
    // SAFETY: the program was built, and the name ends with a null character.
    let kernel = unsafe { opencl.api.kernel_create(program, name.as_ptr(), &raw mut code) };
    let kernel = made("clCreateKernel", code, kernel).map_err(|failure| context.failed(symbol, failure, ""))?;
    std::mem::forget(building);
    let callable = Box::new(Callable::new(Handle(program), Handle(kernel), entry));
    let (wanted, prepared) = (callable.parameters(), callable.prepare(opencl));
    let module = Module { handle: Handle(Box::into_raw(callable)), context: Arc::clone(context) };
    let found = prepared.and_then(|()| parameters(opencl, kernel)).map_err(|failure| context.report(failure))?;
    if found == wanted {
        return Ok(module);
    }
    Err(context.refused(symbol, format!("its entry has {found} parameters instead of {wanted}")))
}

/// What the compiler said.
fn build_log(opencl: &OpenCl, program: Program) -> String {
    let log = bytes(|room, place, size| {
        // SAFETY: program and device are alive, and there is as much room as said.
        unsafe { opencl.api.program_build_info(program, opencl.device.0, PROGRAM_BUILD_LOG, room, place, size) }
    });
    written(&log.unwrap_or_default())
}

fn parameters(opencl: &OpenCl, kernel: Kernel) -> Result<u32, Failure> {
    let mut count = 0u32;
    let (size, place) = (size_of_val(&count), (&raw mut count).cast());
    // SAFETY: the kernel is alive, and the count has the size that is passed.
    unsafe { opencl.api.kernel_info(kernel, KERNEL_NUM_ARGS, size, place, ptr::null_mut()) }?;
    Ok(count)
}

/// Asks for the limits of a kernel, and for what its work-groups should be multiples of.
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
    // What the device needs for itself is not the launch's.
    let own = ask(KERNEL_LOCAL_MEM_SIZE)?.saturating_sub(declared);
    let local_memory = context.limits.most_local_memory.saturating_sub(own);
    Ok((KernelLimits { group, local_memory }, ask(KERNEL_PREFERRED_MULTIPLE)?))
}
