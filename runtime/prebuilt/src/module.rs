//! Containers as modules of kernels.
//!
//! *Invariant:* the handle lives until the last kernel of the module is dropped.
#![expect(unsafe_code, reason = "calls the C interface")]

use crate::{
    devices::Runtime,
    error::{RuntimeError, check},
    ffi::{self, RawModule},
    handle::{Handle, terminated},
    kernel::Kernel,
};
use std::{
    ffi::c_char,
    ptr::{NonNull, null, null_mut},
    sync::Arc,
};

/// The kernels of a container. Cheap to clone; the container is freed with the last clone and the
/// last of its kernels.
#[derive(Clone)]
pub struct Module(Arc<Handle>);

impl Module {
    /// Loads a container that `sinter-build` or `sinter-cc --sinter-emit-hcf` wrote. Copies the
    /// bytes. A malformed container is an error.
    pub fn from_bytes(_runtime: &Arc<Runtime>, bytes: &[u8]) -> Result<Self, RuntimeError> {
        // SAFETY: readable for their length, and `module` is writable.
        Self::make(|module| unsafe { ffi::sinter_module_create(bytes.as_ptr().cast(), bytes.len(), module) })
    }

    fn linked(kernel: *const c_char) -> Result<Self, RuntimeError> {
        // SAFETY: the caller's name is NUL-terminated, and `module` is writable.
        Self::make(|module| unsafe { ffi::sinter_module_linked(kernel, module) })
    }

    fn make(create: impl FnOnce(*mut *mut RawModule) -> i32) -> Result<Self, RuntimeError> {
        let mut raw = null_mut();
        check(create(&mut raw))?;
        Ok(Module(Arc::new(Handle::new(raw))))
    }

    /// Finds a kernel by symbol or full demangled name.
    pub fn kernel(&self, name: &str) -> Result<Kernel, RuntimeError> {
        let terminated = terminated(name)?;
        let mut raw = null();
        // SAFETY: a module, a NUL-terminated name, and a writable pointer.
        check(unsafe { ffi::sinter_module_get_kernel(self.0.raw(), terminated.as_ptr(), &mut raw) })?;
        let nothing = || RuntimeError::Internal(format!("the runtime found kernel `{name}` nowhere"));
        Kernel::new(Arc::clone(&self.0), NonNull::new(raw.cast_mut()).ok_or_else(nothing)?, name)
    }
}

impl Runtime {
    /// Finds a kernel in the C++ objects that are linked into the program. Each call makes a new
    /// module, so keep the kernel.
    pub fn linked_kernel(&self, name: &str) -> Result<Kernel, RuntimeError> {
        Module::linked(terminated(name)?.as_ptr())?.kernel(name)
    }
}
