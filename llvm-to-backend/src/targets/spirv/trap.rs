//! Reports the kernel that trapped.
//!
//! In: a kernel that may trap. Out: each trap prints the source location, if debug information has
//! one, and the kernel, before it ends the work-item. *Invariant:* a report is a constant string,
//! so that every device can print it.

use super::print::{REPORT, keep_apart};
use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    targets::gpu::trap::{Trap, text, traps},
};

/// The report is not a format: names may contain a `%`.
const FORMAT: &str = "%s";

pub(super) fn report<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>) {
    let (pointer, integer) = (cx.session.pointer(), cx.session.integer(32));
    for Trap { call, cause, file, line, kernel } in traps(m) {
        let known = m.module.function(REPORT);
        let report = known.unwrap_or_else(|| m.module.declare(REPORT, integer, &[pointer, pointer]));
        keep_apart(report);
        let place = if file.is_empty() { String::new() } else { format!("{file}:{line}: ") };
        let message = format!("{place}{kernel}: Assertion `{}' failed.\n", cause.assertion());
        let [format, message] = [FORMAT, &message].map(|message| text(m, message));
        call.insert_before(|insert| insert.call(report, &[format, message]));
    }
}
