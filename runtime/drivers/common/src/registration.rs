//! Registers memory of the program with a vendor library.
//!
//! In: ranges of memory. Out: the addresses that kernels use. *Invariant:* the library decides what
//! can be registered; its answer becomes an error with the cause.

use crate::{base::Base, context::Context, error::code, vendor::Vendor};
use sinter_driver::{DriverError, RegisteredAccess, Unregistered};
use sinter_dylib::Failure;
use std::ffi::c_void;

/// As for [`Device::register_memory`](sinter_driver::Device::register_memory).
///
/// # Safety
/// As there.
pub(crate) unsafe fn register<V: Vendor>(
    base: &Base<V>,
    pointer: *mut c_void,
    size: usize,
    access: RegisteredAccess,
) -> Result<*mut c_void, DriverError> {
    let context = base.context()?;
    let _current = context.enter()?;
    // SAFETY: upheld by the caller; the context is current.
    match unsafe { context.api.register(pointer.expose_provenance(), size, access) } {
        None => base.info.reach(pointer),
        Some(Ok(address)) => Ok(std::ptr::with_exposed_provenance_mut(address)),
        Some(Err(failure)) if V::is_out_of_memory(failure) => {
            let free = context.api.free_memory().ok().flatten();
            Err(DriverError::OutOfMemory { device: base.info.name.clone(), size, alignment: 1, free })
        }
        Some(Err(failure)) => Err(refused(context, pointer, failure)),
    }
}

/// As for [`Device::unregister_memory`](sinter_driver::Device::unregister_memory).
///
/// # Safety
/// As there.
pub(crate) unsafe fn unregister<V: Vendor>(base: &Base<V>, pointer: *mut c_void) -> Result<(), DriverError> {
    let context = base.context()?;
    let _current = context.enter()?;
    // SAFETY: upheld by the caller; the context is current.
    let ended = unsafe { context.api.unregister(pointer.expose_provenance()) };
    ended.map_err(|failure| refused(context, pointer, failure))
}

fn refused<V: Vendor>(context: &Context<V>, pointer: *mut c_void, failure: Failure) -> DriverError {
    let reason = match failure.code {
        code::HOST_MEMORY_ALREADY_REGISTERED => Unregistered::Twice,
        code::HOST_MEMORY_NOT_REGISTERED => Unregistered::Never,
        code::INVALID_VALUE => Unregistered::Unfit,
        code::NOT_SUPPORTED | code::NOT_PERMITTED => {
            let feature = "registration of such memory".to_owned();
            return DriverError::Unsupported { device: context.info.name.clone(), feature };
        }
        _ => return context.report(failure),
    };
    context.api.clear_last_error();
    DriverError::Registration { device: context.info.name.clone(), pointer: pointer.addr(), reason }
}
