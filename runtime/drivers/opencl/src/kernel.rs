//! Turns a code object into a kernel that can be launched.
//!
//! In: a code object. Out: an [`OpenClKernel`] with what launches must know about it. *Invariant:* the library's answers are asked for
//! once, here, so a launch asks none.

use crate::{
    arguments::Callable,
    code,
    library::{OpenCl, OpenClError, is_about_code, made},
};
use opencl_sys::types::{
    KERNEL_LOCAL_MEM_SIZE, KERNEL_NUM_ARGS, KERNEL_PREFERRED_MULTIPLE, KERNEL_WORK_GROUP_SIZE, Kernel as KernelHandle,
    PROGRAM_BUILD_LOG, Program,
};
use sinter_core::{CodeFormat, CodeObject, EntryInfo, SpirvTarget};
use sinter_driver::{DeviceKind, DriverError, Kernel, NativeKind};
use sinter_driver_common::{
    Context, Failure, Handle, KernelLimits, Module, StreamKernel,
    group_size::{Habits, Preferred, choose},
    retire,
};
use std::{any::Any, ffi::CString, ffi::c_void, ptr, sync::Arc};

/// What work-groups look like on a device where so many work-items run in lockstep.
pub(crate) fn habits(kind: DeviceKind, sub_group: u32) -> Habits {
    // A CPU runs a work-group in a loop: what it costs to begin one is shared by more work-items.
    let line = if kind == DeviceKind::Cpu { 1024 } else { 256 };
    Habits { sub_group: sub_group.clamp(1, line), candidates: [line, 128, 512, 1024], tile: 256 }
}

/// A kernel of this driver.
pub(crate) struct OpenClKernel {
    entry: EntryInfo,
    context: Arc<Context<OpenCl>>,
    limits: KernelLimits,
    number: u32,
    preferred_group: Preferred,
    module: Option<Module<OpenCl>>,
}

/// The error for code that cannot be loaded.
fn refused(context: &Context<OpenCl>, symbol: &str, reason: String) -> DriverError {
    DriverError::Load { device: context.info.name.clone(), kernel: symbol.to_owned(), reason }
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

impl OpenClKernel {
    /// Loads a code object for a device.
    pub(crate) fn load(
        context: &Arc<Context<OpenCl>>,
        target: &SpirvTarget,
        code: &CodeObject,
    ) -> Result<Self, DriverError> {
        context.unload_retired();
        let symbol = &code.entry.symbol;
        if code.format != CodeFormat::Spirv {
            return Err(refused(context, symbol, format!("it is {:?}, not SPIR-V", code.format)));
        }
        code::check(&code.bytes, symbol, target).map_err(|reason| refused(context, symbol, reason))?;
        let _current = context.enter()?;
        let module = build(context, &code.entry, &code.bytes)?;
        // SAFETY: the module was just made.
        let kernel = unsafe { &*module.handle.0 }.kernel.0;
        let (limits, multiple) =
            find_limits(context, kernel, code.entry.local_memory).map_err(|failure| context.report(failure))?;
        Ok(OpenClKernel {
            preferred_group: Preferred::usual(&habits(context.info.kind, multiple), limits.group),
            number: context.number_kernel(symbol),
            entry: code.entry.clone(),
            context: Arc::clone(context),
            limits,
            module: Some(module),
        })
    }

    fn callable(&self) -> *mut Callable {
        self.module.as_ref().map_or(ptr::null_mut(), |module| module.handle.0)
    }
}

/// Makes a kernel of code. The context is current.
fn build(context: &Arc<Context<OpenCl>>, entry: &EntryInfo, code: &[u8]) -> Result<Module<OpenCl>, DriverError> {
    let (opencl, symbol) = (&context.api, &entry.symbol);
    let of_code = |failure: Failure, log: Option<String>| match is_about_code(failure) {
        true => refused(context, symbol, explain(opencl, failure, log.as_deref().unwrap_or_default())),
        false => context.report(failure),
    };
    // SAFETY: the context is alive.
    let program =
        unsafe { opencl.platform.program(opencl.context(), code) }.map_err(|failure| of_code(failure, None))?;
    let building = Building { context, program };
    // SAFETY: program and device are alive.
    let built = unsafe {
        let options = opencl.options.as_ptr();
        opencl.api.program_build(program, 1, &raw const opencl.device.0, options, ptr::null(), ptr::null_mut())
    };
    built.map_err(|failure| of_code(failure, build_log(opencl, program)))?;
    let name = CString::new(symbol.as_str());
    let name = name.map_err(|_| refused(context, symbol, "its symbol contains a null character".to_owned()))?;
    let mut code = 0;
    // SAFETY: the program was built, and the name ends with a null character.
    let kernel = unsafe { opencl.api.kernel_create(program, name.as_ptr(), &raw mut code) };
    let kernel = made("clCreateKernel", code, kernel).map_err(|failure| of_code(failure, None))?;
    std::mem::forget(building);
    let callable = Box::new(Callable::new(Handle(program), Handle(kernel), entry));
    let (wanted, prepared) = (callable.parameters(), callable.prepare(opencl));
    let module = Module { handle: Handle(Box::into_raw(callable)), context: Arc::clone(context) };
    let found = prepared.and_then(|()| parameters(opencl, kernel)).map_err(|failure| context.report(failure))?;
    if found == wanted {
        return Ok(module);
    }
    Err(refused(context, symbol, format!("its entry has {found} parameters instead of {wanted}")))
}

fn explain(opencl: &Arc<OpenCl>, failure: Failure, log: &str) -> String {
    let error = OpenClError::new(opencl, failure.code);
    format!("{} reported {error}\n{}", failure.call, log.trim()).trim_end().to_owned()
}

/// What the compiler said.
fn build_log(opencl: &OpenCl, program: Program) -> Option<String> {
    let (device, mut size) = (opencl.device.0, 0);
    let ask = |room, place, size| {
        // SAFETY: program and device are alive, and there is as much room as said.
        unsafe { opencl.api.program_build_info(program, device, PROGRAM_BUILD_LOG, room, place, size) }.ok()
    };
    ask(0, ptr::null_mut(), &raw mut size)?;
    let mut text = vec![0u8; size];
    ask(text.len(), text.as_mut_ptr().cast(), ptr::null_mut())?;
    let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
    Some(String::from_utf8_lossy(text).into_owned())
}

fn parameters(opencl: &OpenCl, kernel: KernelHandle) -> Result<u32, Failure> {
    let mut count = 0u32;
    let (size, place) = (size_of_val(&count), (&raw mut count).cast());
    // SAFETY: the kernel is alive, and the count has the size that is passed.
    unsafe { opencl.api.kernel_info(kernel, KERNEL_NUM_ARGS, size, place, ptr::null_mut()) }?;
    Ok(count)
}

/// Asks for the limits of a kernel, and for what its work-groups should be multiples of.
fn find_limits(context: &Context<OpenCl>, kernel: KernelHandle, declared: u32) -> Result<(KernelLimits, u32), Failure> {
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

impl Kernel for OpenClKernel {
    fn entry(&self) -> &EntryInfo {
        &self.entry
    }

    fn choose_group_size(&self, global: [u64; 3]) -> Option<[u32; 3]> {
        Some(choose(global, self.preferred_group, self.limits.group, &self.context.limits))
    }

    fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        // SAFETY: the module lives as long as the kernel.
        let callable = unsafe { self.callable().as_ref() }?;
        match kind {
            NativeKind::Device => Some(self.context.api.device.0.cast()),
            NativeKind::Module => Some(callable.program.0.cast()),
            NativeKind::Function => Some(callable.kernel.0.cast()),
            _ => None,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl StreamKernel<OpenCl> for OpenClKernel {
    #[inline]
    fn context(&self) -> &Arc<Context<OpenCl>> {
        &self.context
    }

    #[inline]
    fn function(&self) -> *mut Callable {
        self.callable()
    }

    #[inline]
    fn limits(&self) -> KernelLimits {
        self.limits
    }

    #[inline]
    fn argument_size(&self) -> usize {
        self.entry.argument_size as usize
    }

    #[inline]
    fn number(&self) -> u32 {
        self.number
    }

    #[inline]
    fn fixed_local_memory(&self) -> u32 {
        self.entry.local_memory
    }
}

impl Drop for OpenClKernel {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            retire(module);
        }
    }
}
