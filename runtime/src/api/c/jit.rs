//! Waits for code that is made in the background.
//!
//! *Invariant:* a process without a runtime gets none by asking.
#![expect(unsafe_code, reason = "exports C symbols")]

use super::{global, guard::guard};

/// `sinter_wait_for_jit`: see `sinter/sinter.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_wait_for_jit() -> i32 {
    guard(|| {
        if let Some(runtime) = global::existing() {
            runtime.wait_for_jit();
        }
        Ok(())
    })
}
