//! Says which kernel trapped.
//!
//! In: a kernel that may trap. Out: each trap prints the place in the source where debug information tells, and the kernel, before it ends the item.
//! *Invariant:* a report has a constant text, so that every device can print it.

use super::print::{REPORT, keep_apart};
use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    targets::gpu::trap::{Trap, text, traps},
};

/// The text is no format: names may have a `%` in them.
const FORMAT: &str = "%s";

pub(super) fn report<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>) {
    let (pointer, integer) = (cx.session.pointer(), cx.session.integer(32));
    for Trap { call, cause, file, line, kernel } in traps(m) {
        let known = m.module.function(REPORT);
        let report = known.unwrap_or_else(|| m.module.declare(REPORT, integer, &[pointer, pointer]));
        keep_apart(report);
        let place = if file.is_empty() { String::new() } else { format!("{file}:{line}: ") };
        let said = format!("{place}{kernel}: Assertion `{}' failed.\n", cause.assertion());
        let [format, said] = [FORMAT, &said].map(|said| text(m, said));
        call.insert_before(|insert| insert.call(report, &[format, said]));
    }
}
