//! Finds the traps of a kernel and their causes.
//!
//! In: a kernel in which `throw`, `abort` and the like have become `llvm.trap`. Out: each of these
//! calls, with the fields of its report.

use crate::{
    device_module::{Checked, DeviceModule},
    targets::trap_cause::TrapCause,
};
use sinter_core::names::readable;
use sinter_llvm::ir::Value;

const TRAP: &str = "llvm.trap";
/// A trap and the fields of its report.
pub(crate) struct Trap<'s> {
    /// The call of `llvm.trap`.
    pub(crate) call: Value<'s>,
    /// The source construct that became the trap.
    pub(crate) cause: TrapCause,
    /// The source file; empty without debug information.
    pub(crate) file: String,
    /// Line number in `file`.
    pub(crate) line: u32,
    /// The readable name of the kernel.
    pub(crate) kernel: String,
}

pub(crate) fn traps<'s>(m: &DeviceModule<'s, Checked>) -> Vec<Trap<'s>> {
    let Some(trap) = m.module.function(TRAP) else { return Vec::new() };
    let kernel = format!("kernel {}", readable(&m.kernel.name()));
    let describe = |call: Value<'s>| {
        let place = call.location().unwrap_or_default();
        // A location with two places starts with the program's own.
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

/// A constant string with a terminating zero.
pub(crate) fn text<'s>(m: &DeviceModule<'s, Checked>, text: &str) -> Value<'s> {
    m.module.add_constant_bytes("sinter.text", &[text.as_bytes(), &[0]].concat(), 1, 0)
}
