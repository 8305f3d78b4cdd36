//! Says which kernel trapped.
//!
//! In: a kernel in which `throw`, `abort` and the like have become `llvm.trap`. Out: each trap is a failed assertion of the
//! driver's, which prints the place in the source where debug information tells, the kernel, the group and the item to standard error.
//! *Invariant:* the call does not come back; the trap behind it ends the block.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
};
use sinter_core::kernel_name;
use sinter_llvm::{demangle, ir::Value};

const TRAP: &str = "llvm.trap";
const ASSERTFAIL: &str = "__assertfail";
const REASON: &str = "no exception, abort or failed assertion";

pub(super) fn report<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>) -> Outcome<()> {
    let Some(trap) = m.module.function(TRAP).filter(|trap| trap.is_used()) else { return Ok(()) };
    let (pointer, line, size) = (cx.session.pointer(), cx.session.integer(32), cx.session.integer(64));
    let nothing = trap.return_type();
    let assertfail = m.module.function(ASSERTFAIL);
    let assertfail =
        assertfail.unwrap_or_else(|| m.module.declare(ASSERTFAIL, nothing, &[pointer, pointer, line, pointer, size]));
    assertfail.add_attribute("cold", 0);
    let name = demangle(&m.kernel.name());
    let [reason, kernel] = [REASON, &format!("kernel {}", kernel_name(&name))].map(|text| constant(m, text));
    for call in trap.users().into_iter().filter(|user| user.callee() == Some(trap)) {
        let place = call.location().unwrap_or_default();
        let (file, number) = place.rsplit_once(':').unwrap_or(("", "0"));
        let number = line.constant(number.parse().unwrap_or(0));
        let Some((number, one)) = number.zip(size.constant(1)) else { continue };
        let file = constant(m, file);
        call.insert_before(|insert| insert.call(assertfail, &[reason, file, number, kernel, one]));
    }
    Ok(())
}

/// Text that ends in a zero byte.
fn constant<'s>(m: &DeviceModule<'s, Checked>, text: &str) -> Value<'s> {
    m.module.add_constant_bytes("sinter.text", &[text.as_bytes(), &[0]].concat(), 1, 0)
}
