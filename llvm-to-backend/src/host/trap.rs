//! Says which kernel trapped before the process ends.
//!
//! In: a kernel in which `throw`, `abort`, a failed `assert` and the like have become `llvm.trap`. Out: each trap prints
//! a line with the kernel's name to standard error and calls `abort`. *Invariant:* no signal handler is installed: those
//! belong to the program. A fault of the hardware is therefore the program's own signal and prints nothing here.

use super::work_items::quoted;
use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
};

const TRAP: &str = "llvm.trap";
const REPORT: &str = "sinter.trap";

/// Replaces the traps of the kernel.
pub(super) fn report<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>) -> Outcome<()> {
    let Some(trap) = m.module.function(TRAP).filter(|trap| trap.is_used()) else { return Ok(()) };
    let text = report_text(&m.kernel.name());
    let source = cx.session.parse(text.as_bytes()).map_err(|error| Failure::internal(format!("trap: {error}")))?;
    source.copy_target(&m.module);
    let function = source.function(REPORT).ok_or_else(|| Failure::internal("the trap has another name"))?;
    m.module.declare_like(REPORT, function);
    m.module.link_needed(source)?;
    let report = m.module.function(REPORT).ok_or_else(|| Failure::internal("the trap was not linked"))?;
    trap.replace_uses(report);
    report.make_internal();
    Ok(())
}

fn report_text(kernel: &str) -> String {
    let message = format!("sinter: kernel `{kernel}` trapped: it threw, aborted or failed an assertion\n");
    let (size, message) = (message.len(), quoted(&message));
    format!(
        "@message = private unnamed_addr constant [{size} x i8] c{message}
declare i64 @write(i32, ptr, i64)
declare void @abort() noreturn
define void @{REPORT}() cold noinline noreturn nounwind {{
  %written = call i64 @write(i32 2, ptr @message, i64 {size})
  call void @abort()
  unreachable
}}
"
    )
}
