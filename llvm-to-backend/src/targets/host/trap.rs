//! Reports which kernel trapped before the process ends.
//!
//! In: a kernel in which `throw`, `abort`, a failed `assert` and the like have become `llvm.trap`.
//! Out: each trap prints a line with the kernel's name, and its source location if debug
//! information has one, to standard error and ends the program: by `std::terminate` where C++ says
//! so, if the process has it, and by `abort`. *Invariant:* no signal handler is installed, because
//! those belong to the program. A hardware fault therefore raises the program's own signal and
//! prints nothing here.

use super::work_items::quoted;
use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
    targets::trap_cause::TrapCause,
};
use sinter_core::names::readable;
use std::fmt::Write;

/// Source location of a trap, and its cause.
type Place = (Option<String>, TrapCause);

const TRAP: &str = "llvm.trap";
const REPORT: &str = "sinter.trap";
/// The end of a report: in a program with a C++ library it calls the handler of
/// `std::set_terminate`.
const TERMINATE: &str = "  %is_there = icmp ne ptr @_ZSt9terminatev, null
  br i1 %is_there, label %terminate, label %abort
terminate:
  call void @_ZSt9terminatev()
  unreachable
";
const ABORT: &str = "  br label %abort
";

/// Replaces the traps of the kernel.
pub(super) fn report<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>) -> Outcome<()> {
    let Some(trap) = m.module.function(TRAP).filter(|trap| trap.is_used()) else { return Ok(()) };
    let calls: Vec<_> = trap.users().into_iter().filter(|user| user.callee() == Some(trap)).collect();
    let places: Vec<Place> = calls.iter().map(|call| (call.location(), TrapCause::of(*call))).collect();
    let mut different = places.clone();
    different.sort();
    different.dedup();
    let text = reports(&m.kernel.name(), &different);
    let source = cx.session.parse(text.as_bytes()).map_err(|error| Failure::internal(format!("trap: {error}")))?;
    source.copy_target(&m.module);
    for (index, _) in different.iter().enumerate() {
        m.module.declare_like(&name(index), trap);
    }
    m.module.link_needed(source)?;
    for (call, place) in calls.iter().zip(&places) {
        let index = different.iter().position(|known| known == place).unwrap_or_default();
        let report = m.module.function(&name(index)).ok_or_else(|| Failure::internal("a trap was not linked"))?;
        call.set_callee(report);
        report.make_internal();
    }
    if !trap.is_used() {
        trap.delete();
    }
    Ok(())
}

/// Name of the function that reports the traps at one place.
fn name(index: usize) -> String {
    format!("{REPORT}.{index}")
}

fn reports(kernel: &str, places: &[Place]) -> String {
    let mut text = String::from("declare i64 @write(i32, ptr, i64)\ndeclare void @abort() noreturn\n");
    if places.iter().any(|(_, cause)| cause.terminates()) {
        text.push_str("declare extern_weak void @_ZSt9terminatev() noreturn\n");
    }
    let kernel = readable(kernel);
    for (index, (place, cause)) in places.iter().enumerate() {
        let end = if cause.terminates() { TERMINATE } else { ABORT };
        let (cause, at) = (cause.sentence(), place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default());
        let message = format!("sinter: kernel `{kernel}` trapped{at}: {cause}\n");
        let (size, message, name) = (message.len(), quoted(&message), name(index));
        let _ = write!(
            text,
            "@message.{index} = private unnamed_addr constant [{size} x i8] c{message}
define void @{name}() cold noinline noreturn nounwind uwtable {{
  %written = call i64 @write(i32 2, ptr @message.{index}, i64 {size})
{end}abort:
  call void @abort()
  unreachable
}}
"
        );
    }
    text
}
