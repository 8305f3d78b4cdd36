//! Gives a module the attributes of the host CPU.
//!
//! *Invariant:* every function carries the target's CPU and features and no others: LLVM takes the
//! instruction set from the function, not from the machine, and refuses to inline where caller and
//! callee differ.

use crate::{context::Context, device_module::DeviceModule, targets::foreign::forget_machine};
use sinter_core::HostTarget;

/// `UWTableKind::Async` (llvm/Support/CodeGen.h): the stack can be unwound at every instruction.
const UNWIND_TABLE_ASYNC: u64 = 2;

pub(super) fn flavor<S>(cx: &Context<'_, '_>, target: &HostTarget, m: &DeviceModule<'_, S>) {
    m.module.set_target(&target.triple, cx.machine);
    let features = cx.machine.features();
    for function in m.module.functions() {
        forget_machine(function);
        if !function.is_intrinsic() {
            function.add_text_attribute("target-cpu", &target.cpu);
            function.add_text_attribute("target-features", &features);
        }
        if !function.is_declaration() {
            // Device code has no exceptions, but a debugger has to unwind out of a kernel.
            function.add_attribute("nounwind", 0);
            function.add_attribute("uwtable", UNWIND_TABLE_ASYNC);
        }
    }
}
