//! Where a kernel traps.
//!
//! In: a kernel in which `throw`, `abort` and the like have become `llvm.trap`. Out: each of these calls, with what a report says about it.

use crate::{
    device_module::{Checked, DeviceModule},
    targets::trap_cause::TrapCause,
};
use sinter_core::names::readable;
use sinter_llvm::ir::Value;

const TRAP: &str = "llvm.trap";
/// A trap.
pub(crate) struct Trap<'s> {
    /// The call.
    pub(crate) call: Value<'s>,
    /// The call of the source that became the trap.
    pub(crate) cause: TrapCause,
    /// The source file; empty without debug information.
    pub(crate) file: String,
    /// The line in it.
    pub(crate) line: u32,
    /// The kernel, in words.
    pub(crate) kernel: String,
}

pub(crate) fn traps<'s>(m: &DeviceModule<'s, Checked>) -> Vec<Trap<'s>> {
    let Some(trap) = m.module.function(TRAP) else { return Vec::new() };
    let kernel = format!("kernel {}", readable(&m.kernel.name()));
    let describe = |call: Value<'s>| {
        let place = call.location().unwrap_or_default();
        // Of two places the first is the program's.
        let place = place.split_once(", in ").map_or(&*place, |(own, _)| own);
        let (file, line) = place.rsplit_once(':').unwrap_or(("", "0"));
        Trap {
            call,
            cause: TrapCause::of(call),
            file: file.to_owned(),
            line: line.parse().unwrap_or(0),
            kernel: kernel.clone(),
        }
    };
    trap.users().into_iter().filter(|user| user.callee() == Some(trap)).map(describe).collect()
}

/// Text that ends in a zero byte.
pub(crate) fn text<'s>(m: &DeviceModule<'s, Checked>, text: &str) -> Value<'s> {
    m.module.add_constant_bytes("sinter.text", &[text.as_bytes(), &[0]].concat(), 1, 0)
}
