//! Turns a code object into a kernel that can be launched.
//!
//! In: a code object. Out: a [`HipKernel`] with what launches must know about it. *Invariant:* the library's answers are asked for once,
//! here, so a launch asks none; the code object lives as long as the library may read it.

use crate::{
    code,
    library::{Hip, HipError},
};
use hip_sys::types::{Function, FunctionAttribute, FunctionStruct, JitOption, LIMIT_STACK};
use sinter_core::{AmdgcnTarget, CodeFormat, CodeObject, EntryInfo};
use sinter_driver::{DriverError, Kernel, NativeKind};
use sinter_driver_common::{
    Context, Failure, Handle, KernelLimits, Module, StreamKernel,
    group_size::{Habits, Preferred, choose},
    lock, retire,
};
use std::{
    any::Any,
    ffi::{CString, c_void},
    ptr,
    sync::Arc,
};

/// Room for what the library says about code that it refuses.
const LOG: usize = 8192;
/// Sizes of groups that are tried. 256 is what AMD's own libraries use most.
const CANDIDATES: [u32; 4] = [256, 128, 512, 1024];
/// Bytes of private memory of a work-item where nobody knows how much it needs: the most that the library takes (ROCm's CLR). It starts
/// with 1 KiB.
const STACK: usize = 16 << 10;
/// Work-items in a group over a plane or a volume.
const TILE: u32 = 256;

/// What work-groups of a GPU look like.
pub(crate) fn habits(gpu: &AmdgcnTarget) -> Habits {
    Habits { sub_group: gpu.wave.size(), candidates: CANDIDATES, tile: TILE }
}

/// A kernel of this driver.
pub(crate) struct HipKernel {
    entry: EntryInfo,
    context: Arc<Context<Hip>>,
    function: Handle<FunctionStruct>,
    limits: KernelLimits,
    /// Local memory of its variables.
    fixed: u32,
    number: u32,
    preferred_group: Preferred,
    module: Option<Module<Hip>>,
}

/// The error for code that cannot be loaded.
fn refused(context: &Context<Hip>, symbol: &str, reason: String) -> DriverError {
    DriverError::Load { device: context.info.name.clone(), kernel: symbol.to_owned(), reason }
}

impl HipKernel {
    /// Loads a code object for `gpu`.
    pub(crate) fn load(
        context: &Arc<Context<Hip>>,
        gpu: &AmdgcnTarget,
        code: &CodeObject,
    ) -> Result<Self, DriverError> {
        context.unload_retired();
        let symbol = &code.entry.symbol;
        if code.format != CodeFormat::AmdgpuElf {
            return Err(refused(context, symbol, format!("it is {:?}, not code for AMD's GPUs", code.format)));
        }
        code::check(&code.bytes, gpu).map_err(|reason| refused(context, symbol, reason))?;
        let _current = context.enter()?;
        if code::has_dynamic_stack(&code.bytes) {
            make_room(context, symbol)?;
        }
        let module = load_module(context, symbol, &code.bytes)?;
        let function = find_function(&module, symbol)?;
        let (limits, fixed) = find_limits(context, function.0, code.entry.local_memory)?;
        let groups = |size| active_groups(context, function.0, size, code.entry.local_memory.saturating_sub(fixed));
        Ok(HipKernel {
            preferred_group: Preferred::new(&habits(gpu), limits.group, groups),
            number: context.number_kernel(symbol),
            entry: code.entry.clone(),
            context: Arc::clone(context),
            function,
            limits,
            fixed,
            module: Some(module),
        })
    }
}

/// What the library says about an image, which those of ROCm 5 and 6 never do.
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

    fn said(&self) -> String {
        let text = self.text.split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(text).trim().to_owned()
    }

    fn explain(&self, context: &Context<Hip>, failure: Failure) -> String {
        let error = HipError::new(&context.api, failure.code);
        format!("{} reported {error}\n{}", failure.call, self.said()).trim_end().to_owned()
    }
}

/// Loads a whole code object. The context is current.
fn load_module(context: &Arc<Context<Hip>>, symbol: &str, code: &Arc<[u8]>) -> Result<Module<Hip>, DriverError> {
    let (mut log, mut handle) = (Log::new(), ptr::null_mut());
    let (image, count) = (code.as_ptr().cast(), log.options.len() as u32);
    let (options, values) = (log.options.as_mut_ptr(), log.values.as_mut_ptr());
    // SAFETY: the image was checked to be whole and stays until the module is unloaded; options and values are as many as said.
    let loaded = unsafe { context.api.api.module_load(&raw mut handle, image, count, options, values) };
    loaded.map_err(|failure| match failure.is_about_code() {
        true => refused(context, symbol, log.explain(context, failure)),
        false => context.report(failure),
    })?;
    lock(&context.api.images).insert(handle.addr(), Arc::clone(code));
    Ok(Module { handle: Handle(handle), context: Arc::clone(context) })
}

/// Gives work-items of the current device room for calls of unknown depth. Where there is none they would write over each other's memory.
fn make_room(context: &Context<Hip>, symbol: &str) -> Result<(), DriverError> {
    // SAFETY: a number of the library's and one that it takes.
    let reason = match unsafe { context.api.api.set_limit(LIMIT_STACK, STACK) } {
        Some(Ok(())) => return Ok(()),
        Some(Err(failure)) if failure.is_sticky() => return Err(context.report(failure)),
        Some(Err(failure)) => HipError::new(&context.api, failure.code).to_string(),
        None => "this version of ROCm lacks it".to_owned(),
    };
    let needs = "it calls functions recursively or through pointers, for which hipDeviceSetLimit has to make room";
    Err(refused(context, symbol, format!("{needs}: {reason}")))
}

fn find_function(module: &Module<Hip>, symbol: &str) -> Result<Handle<FunctionStruct>, DriverError> {
    let (context, mut function) = (&module.context, ptr::null_mut());
    let name = CString::new(symbol);
    let name = name.map_err(|_| refused(context, symbol, "its symbol contains a null character".to_owned()))?;
    // SAFETY: the module is loaded, the name ends with a null character, and `function` may be written.
    let found = unsafe { context.api.api.module_function(&raw mut function, module.handle.0, name.as_ptr()) };
    found.map_err(|failure| match failure.is_about_code() {
        true => refused(context, symbol, "the code has no entry of this name".to_owned()),
        false => context.report(failure),
    })?;
    Ok(Handle(function))
}

/// Asks for the limits of a kernel, and for the local memory of its variables, as far as its entry declares that.
fn find_limits(context: &Context<Hip>, function: Function, declared: u32) -> Result<(KernelLimits, u32), DriverError> {
    let ask = |attribute| {
        let mut value = 0;
        // SAFETY: the function is loaded, and `value` may be written.
        let asked = unsafe { context.api.api.function_attribute(&raw mut value, attribute, function) };
        asked.map(|()| u32::try_from(value).unwrap_or(0)).map_err(|failure| context.report(failure))
    };
    let group = ask(FunctionAttribute::MaxThreadsPerBlock)?;
    let variables = ask(FunctionAttribute::SharedSizeBytes)?;
    let fixed = variables.min(declared);
    let local_memory = context.limits.most_local_memory.saturating_sub(variables - fixed);
    Ok((KernelLimits { group, local_memory }, fixed))
}

/// How many groups of a size a multiprocessor holds; 0 where the library does not say.
fn active_groups(context: &Context<Hip>, function: Function, size: u32, local_memory: u32) -> u32 {
    let mut groups = 0;
    // SAFETY: the function is loaded, and `groups` may be written.
    let asked = unsafe { context.api.api.active_groups(&raw mut groups, function, size as i32, local_memory as usize) };
    asked.map_or(0, |()| u32::try_from(groups).unwrap_or(0))
}

impl Kernel for HipKernel {
    fn entry(&self) -> &EntryInfo {
        &self.entry
    }

    fn choose_group_size(&self, global: [u64; 3]) -> Option<[u32; 3]> {
        Some(choose(global, self.preferred_group, self.limits.group, &self.context.limits))
    }

    fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        match kind {
            NativeKind::Device => Some(ptr::without_provenance_mut(self.context.device as usize)),
            NativeKind::Module => self.module.as_ref().map(|module| module.handle.0.cast()),
            NativeKind::Function => Some(self.function.0.cast()),
            _ => None,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl StreamKernel<Hip> for HipKernel {
    #[inline]
    fn context(&self) -> &Arc<Context<Hip>> {
        &self.context
    }

    #[inline]
    fn function(&self) -> Function {
        self.function.0
    }

    #[inline]
    fn limits(&self) -> KernelLimits {
        self.limits
    }

    /// The library reads every argument that the code declares, whether it is used or not.
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
        self.fixed
    }
}

impl Drop for HipKernel {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            retire(module);
        }
    }
}
