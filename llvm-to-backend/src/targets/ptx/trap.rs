//! Reports the kernel that trapped.
//!
//! In: a kernel that may trap. Out: each trap is a failed device assertion (`__assertfail`), which
//! prints the source location, if debug information has one, the kernel, the group and the item to
//! standard error. *Invariant:* the call does not return; the trap after it terminates the block.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
    targets::gpu::trap::{Trap, text, traps},
};

const ASSERTFAIL: &str = "__assertfail";

pub(super) fn report<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>) -> Outcome<()> {
    let traps = traps(m);
    if traps.is_empty() {
        return Ok(());
    }
    let (pointer, integer, size) = (cx.session.pointer(), cx.session.integer(32), cx.session.integer(64));
    let declare = || m.module.declare(ASSERTFAIL, cx.session.nothing(), &[pointer, pointer, integer, pointer, size]);
    let assertfail = m.module.function(ASSERTFAIL).unwrap_or_else(declare);
    assertfail.add_attribute("cold", 0);
    let name = text(m, &traps[0].kernel);
    for Trap { call, cause, file, line, .. } in traps {
        let Some((line, one)) = integer.constant(line.into()).zip(size.constant(1)) else { continue };
        let [reason, file] = [cause.assertion(), &file].map(|content| text(m, content));
        call.insert_before(|insert| insert.call(assertfail, &[reason, file, line, name, one]));
    }
    Ok(())
}
