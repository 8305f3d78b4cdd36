//! Turns a code object into a kernel that can be launched.
//!
//! In: a cubin, or PTX. Out: a [`CudaKernel`] with what launches must know about it. *Invariant:* the driver's answers are asked for
//! once, here, so a launch asks none; they also make the driver load the function now, where it would otherwise wait for the first
//! launch (`CUDA_MODULE_LOADING=LAZY`).
//!
//! A cubin that the driver refuses is an error, also where it carries its PTX: whoever keeps it replaces it.

use crate::{
    api::Handle,
    assemble::{Assembler, Jit, failed, refused},
    context::Context,
    cubin,
    error::Failure,
    group_size,
    module::{Module, retire},
    registers::Usage,
};
use cudarc::driver::sys::{CUfunc_st, CUfunction_attribute_enum as Attribute};
use sinter_core::{CodeFormat, CodeObject, EntryInfo};
use sinter_driver::{DriverError, Kernel, NativeKind};
use std::{
    any::Any,
    ffi::{CString, c_void},
    ptr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

/// What one kernel takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KernelLimits {
    /// Work-items in a work-group, by the registers that it uses.
    pub(crate) group: u32,
    /// Local memory of a work-group that a launch may ask for, with what [`EntryInfo::local_memory`] says.
    pub(crate) local_memory: u32,
}

/// A kernel of this driver.
pub(crate) struct CudaKernel {
    entry: EntryInfo,
    pub(crate) context: Arc<Context>,
    pub(crate) function: Handle<CUfunc_st>,
    pub(crate) limits: KernelLimits,
    /// Local memory that a launch may have without [`CudaKernel::grant`] asking for more.
    granted: AtomicU32,
    /// Bytes of the argument buffer up to the end of the last argument, which is what the code declares.
    pub(crate) argument_size: usize,
    /// Its number in the context.
    pub(crate) number: u32,
    /// Work-items in a work-group that keep the multiprocessors busiest.
    preferred_group: group_size::Preferred,
    module: Option<Module>,
}

impl CudaKernel {
    /// Loads a code object, which is assembled first if it must be.
    pub(crate) fn load(context: &Arc<Context>, assembler: &Assembler, code: &CodeObject) -> Result<Self, DriverError> {
        context.unload_retired();
        let refused = |reason| refused(context, &code.entry.symbol, reason);
        match code.format {
            CodeFormat::Ptx => Self::publish(context, &assembler.assemble(context, code)?),
            CodeFormat::Cubin => {
                cubin::check(&code.bytes).map_err(refused)?;
                Self::publish(context, code)
            }
            other => Err(refused(format!("it is {other:?}, not code for NVIDIA's GPUs"))),
        }
    }

    /// Loads a cubin that is whole.
    fn publish(context: &Arc<Context>, code: &CodeObject) -> Result<Self, DriverError> {
        let symbol = &code.entry.symbol;
        let _current = context.enter()?;
        let module = load_module(context, symbol, &code.bytes)?;
        let function = find_function(&module, symbol)?;
        let limits = find_limits(context, function)?;
        let entry = code.entry.clone();
        let mut kernel = CudaKernel {
            preferred_group: group_size::Preferred::USUAL,
            argument_size: argument_size(&entry),
            number: context.number_kernel(symbol),
            context: Arc::clone(context),
            entry,
            function,
            limits,
            granted: AtomicU32::new(context.limits.local_memory),
            module: Some(module),
        };
        let declared = kernel.entry.local_memory.min(limits.local_memory);
        kernel.grant(declared).map_err(|failure| context.report(failure))?;
        kernel.preferred_group = group_size::preferred(context, function, limits.group, declared);
        Ok(kernel)
    }
}

impl CudaKernel {
    /// Lets a launch have this much local memory. Above what every kernel may have the driver wants to be told once.
    #[inline]
    pub(crate) fn grant(&self, local_memory: u32) -> Result<(), Failure> {
        if local_memory <= self.granted.load(Ordering::Relaxed) { Ok(()) } else { self.grant_all() }
    }

    #[cold]
    fn grant_all(&self) -> Result<(), Failure> {
        let attribute = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let most = self.limits.local_memory;
        // SAFETY: the function is loaded.
        unsafe { self.context.api.function_set(self.function.0, attribute, most as i32) }?;
        self.granted.store(most, Ordering::Relaxed);
        Ok(())
    }
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

/// Where the last argument ends.
fn argument_size(entry: &EntryInfo) -> usize {
    let ends = entry.arguments.iter().map(|argument| argument.offset + argument.size);
    ends.max().unwrap_or(entry.argument_size) as usize
}

/// Loads a whole cubin. The context is current.
fn load_module(context: &Arc<Context>, symbol: &str, cubin: &[u8]) -> Result<Module, DriverError> {
    let (mut jit, mut handle) = (Jit::new(), ptr::null_mut());
    let image = cubin.as_ptr().cast();
    // SAFETY: the image was checked to be whole, and the options and values are as many as said.
    let loaded = unsafe { context.api.module_load(&raw mut handle, image, jit.count(), jit.options(), jit.values()) };
    loaded.map_err(|failure| failed(context, symbol, &jit, failure))?;
    Ok(Module { handle: Handle(handle), context: Arc::clone(context) })
}

fn find_function(module: &Module, symbol: &str) -> Result<Handle<CUfunc_st>, DriverError> {
    let (context, mut function) = (&module.context, ptr::null_mut());
    let name = CString::new(symbol);
    let name = name.map_err(|_| refused(context, symbol, "its symbol contains a null character".to_owned()))?;
    // SAFETY: the module is loaded, the name ends with a null character, and `function` may be written.
    let found = unsafe { context.api.module_function(&raw mut function, module.handle.0, name.as_ptr()) };
    found.map_err(|failure| match failure.is_about_code() {
        true => refused(context, symbol, "the code has no entry of this name".to_owned()),
        false => context.report(failure),
    })?;
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

impl Kernel for CudaKernel {
    fn entry(&self) -> &EntryInfo {
        &self.entry
    }

    fn choose_group_size(&self, global: [u64; 3]) -> Option<[u32; 3]> {
        Some(group_size::choose(global, self.preferred_group, self.limits.group, &self.context.limits))
    }

    fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        match kind {
            NativeKind::Device => Some(ptr::without_provenance_mut(self.context.device as usize)),
            NativeKind::Context => Some(self.context.handle.0.cast()),
            NativeKind::Module => self.module.as_ref().map(|module| module.handle.0.cast()),
            NativeKind::Function => Some(self.function.0.cast()),
            _ => None,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaKernel {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            retire(module);
        }
    }
}
