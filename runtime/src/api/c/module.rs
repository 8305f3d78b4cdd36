//! Kernels by name, for programs whose compiler embeds no descriptors.
//!
//! *Invariant:* a `sinter_module` starts with a mark that is overwritten when it is destroyed. It
//! owns the descriptors that it hands out.
#![expect(unsafe_code, reason = "exports C symbols and hands out pointers")]

use super::{guard::guard, pointer};
use crate::{abi::Kernel, api::rust::Module, error::RuntimeError, runtime::Runtime};
use std::ffi::{CStr, c_char, c_void};

const ALIVE: u64 = 0x4d4f_4455_4c45_534e;
const DEAD: u64 = 0xdead_dead_dead_dead;

/// Target of a `sinter_module` handle.
#[repr(C)]
pub struct CModule {
    mark: u64,
    module: Module,
}

/// Boxes a module and writes its handle to `place`; `sinter_module_destroy` frees it.
///
/// # Safety
/// Unless null or misaligned, `place` is writable.
unsafe fn give(module: Module, place: *mut *mut CModule) -> Result<(), RuntimeError> {
    pointer::check("module", place)?;
    let handle = Box::into_raw(Box::new(CModule { mark: ALIVE, module }));
    // SAFETY: writable by the caller's promise.
    unsafe { pointer::write("module", place, handle) }
}

/// The module of a handle. A handle without the mark of a live module is an error.
///
/// # Safety
/// Unless null or misaligned, `handle` is readable.
unsafe fn open<'a>(handle: *const CModule) -> Result<&'a Module, RuntimeError> {
    pointer::check("module", handle)?;
    // SAFETY: readable by the caller's promise; nothing but the mark is read before the mark is
    // checked.
    if unsafe { (&raw const (*handle).mark).read() } != ALIVE {
        return Err(RuntimeError::invalid("module", "is not a module, or was destroyed"));
    }
    // SAFETY: the mark says that `give` made it and that it was not destroyed.
    Ok(unsafe { &(*handle).module })
}

/// Reads a name from C. Null and invalid UTF-8 are errors.
///
/// # Safety
/// Unless null, `name` ends with a zero byte.
unsafe fn text<'a>(name: *const c_char) -> Result<&'a str, RuntimeError> {
    pointer::check("name", name)?;
    // SAFETY: not null, and NUL-terminated by the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    name.to_str().map_err(|_| RuntimeError::invalid("name", "is not UTF-8"))
}

/// `sinter_module_create`: see `sinter/sinter.h`.
///
/// # Safety
/// `container` is readable for `size` bytes, `module` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_module_create(container: *const c_void, size: usize, module: *mut *mut CModule) -> i32 {
    guard(|| {
        pointer::check("module", module)?;
        // SAFETY: readable for its size, by the caller's promise.
        let bytes = unsafe { pointer::bytes("container", container, size) }?;
        // SAFETY: writable by the caller's promise.
        unsafe { give(Module::from_bytes(&Runtime::global(), bytes)?, module) }
    })
}

/// `sinter_module_linked`: see `sinter/sinter.h`.
///
/// # Safety
/// `kernel` is null or a string, `module` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_module_linked(kernel: *const c_char, module: *mut *mut CModule) -> i32 {
    guard(|| {
        pointer::check("module", module)?;
        // SAFETY: a string unless null, by the caller's promise.
        let kernel = Runtime::global().linked_kernel(unsafe { text(kernel) }?)?;
        // SAFETY: writable by the caller's promise.
        unsafe { give(kernel.module(), module) }
    })
}

/// `sinter_module_destroy`: see `sinter/sinter.h`.
///
/// # Safety
/// `module` is null or a module that no other thread uses any more.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_module_destroy(module: *mut CModule) -> i32 {
    guard(|| {
        if module.is_null() {
            return Ok(());
        }
        // SAFETY: readable by the caller's promise.
        unsafe { open(module) }?;
        // SAFETY: `open` found it alive, so it came from `Box::into_raw`, and no other thread uses
        // it.
        let mut owned = unsafe { Box::from_raw(module) };
        owned.mark = DEAD;
        // Keeps the compiler from removing the store to memory that is about to be freed.
        std::hint::black_box(&owned.mark);
        Ok(())
    })
}

/// `sinter_module_get_kernel`: see `sinter/sinter.h`.
///
/// # Safety
/// `module` is null or a module, `name` null or a string, `kernel` null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_module_get_kernel(
    module: *mut CModule,
    name: *const c_char,
    kernel: *mut *const Kernel,
) -> i32 {
    guard(|| {
        // SAFETY: a module and a string unless null, by the caller's promise.
        let found = unsafe { open(module)?.kernel(text(name)?) }?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("kernel", kernel, found.descriptor()) }
    })
}
