//! Gives every loop a single latch.
//!
//! In: the kernel before any pass. Out: the same, with the back edges of each loop going through
//! one block. *Invariant:* only the control flow graph changes.
//!
//! LLVM turns a loop with several latches into two nested loops (`LoopSimplify.cpp`,
//! `separateNestedLoop`), and then drops the condition of the outer one where the inner one implies
//! it. Work-items that diverged in an iteration then reconverge only after the loop: depth-first
//! search by 32 work-items in step takes 6.5 times as long on an H100.

use crate::device_module::DeviceModule;

pub(crate) fn join_latches<S>(m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        function.join_latches();
    }
}
