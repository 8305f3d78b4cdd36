//! Gives every loop one way back to its start.
//!
//! In: the kernel before any pass. Out: the same, with the ways back of a loop joined in a block. *Invariant:* only the shape of the
//! code changes.
//!
//! LLVM makes two nested loops of one with several ways back (`LoopSimplify.cpp`, `separateNestedLoop`), and then drops the
//! condition of the outer one where the inner one implies it. Work-items that went different ways in a round then meet again
//! only behind the loop: depth-first search by 32 work-items in step takes 6.5 times as long on an H100.

use crate::device_module::DeviceModule;

pub(crate) fn join_latches<S>(m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        function.join_latches();
    }
}
