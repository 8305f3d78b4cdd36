//! Entry points for the constructors and destructors that stage 1 emits.
//!
//! *Invariant:* registering stores a pointer. It starts and reads nothing, and cannot fail.
#![expect(unsafe_code, reason = "exports C symbols and keeps pointers into programs")]

use super::{global, guard::guard, pointer};
use crate::abi::Container;

/// `sinter_register_container`: see `sinter/sinter.h`.
///
/// # Safety
/// The container stays valid and unchanged until it is unregistered.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_register_container(container: *const Container) {
    guard(|| {
        pointer::check("container", container)?;
        // SAFETY: the caller promises that the container stays valid until it is unregistered.
        let replaced = unsafe { global::registry().register(container) };
        // A library that was unloaded without running its destructors left kernels under the same
        // addresses.
        if let Some(runtime) = global::existing().filter(|_| replaced) {
            runtime.forget(container);
        }
        Ok(())
    });
}

/// `sinter_unregister_container`: see `sinter/sinter.h`.
///
/// # Safety
/// No launch of the container's kernels is being submitted.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_unregister_container(container: *const Container) {
    guard(|| {
        pointer::check("container", container)?;
        let left = global::registry().unregister(container);
        if let Some(runtime) = global::existing() {
            runtime.forget(container);
            if left == 0 {
                global::write_report();
            }
        }
        Ok(())
    });
}
