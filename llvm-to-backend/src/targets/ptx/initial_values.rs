//! Rewrites initial values of variables to types that PTX supports.
//!
//! In: optimised code with variables of any type. Out: the same with variables that have the same
//! bytes in memory. *Invariant:* runs last; LLVM's printer omits padding between elements and does
//! not support scalars of odd widths (`NVPTXAsmPrinter::bufferLEByte`).

use crate::{context::Context, device_module::DeviceModule, failure::Outcome, targets::gpu::check::odd_initial_value};

pub(super) fn lower<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    for global in m.module.globals() {
        if global.initializer().is_none() || global.has_printed_padding() {
            continue;
        }
        if global.lower_to_bytes().is_none() {
            return Err(odd_initial_value(cx, global, "that is computed from an address").into());
        }
    }
    Ok(())
}
