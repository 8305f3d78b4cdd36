//! Copies short objects by vector loads and stores.
//!
//! In: optimised code. Out: the same, where a `memcpy` of one to four times 16 bytes between
//! pointers of that alignment is that many loads of four words, and as many stores. *Invariant:* a
//! copy has no more effects than before; volatile ones stay.
//!
//! LLVM 19 lowers such a copy, an assignment of `float4`, to words of 8 bytes.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::ir::Value;

/// Bytes of the widest access of PTX.
const WIDTH: u64 = 16;
/// Bytes that are copied through registers.
const LARGEST: u64 = 64;

pub(super) fn widen<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    for function in m.module.functions() {
        if function.name().starts_with("llvm.memcpy.p") {
            let calls = function.users().into_iter().filter(|user| user.callee() == Some(function));
            calls.for_each(|call| widen_copy(cx, call));
        }
    }
}

fn widen_copy(cx: &Context<'_, '_>, call: Value<'_>) {
    let [to, from, size, volatile] = call.arguments()[..] else { return };
    let is_aligned = |index| call.argument_alignment(index).is_some_and(|alignment| alignment >= WIDTH);
    let Some(size) = size.integer().filter(|size| (WIDTH..=LARGEST).contains(size) && size % WIDTH == 0) else {
        return;
    };
    if volatile.integer() != Some(0) || !is_aligned(0) || !is_aligned(1) {
        return;
    }
    let four_words = cx.session.integer(32).vector(4);
    call.insert_before(|insert| {
        let offsets = (0..size / WIDTH).map(|part| cx.session.literal(part * WIDTH));
        let parts: Vec<_> = offsets
            .map(|offset| (offset, insert.load_aligned(four_words, insert.offset(from, offset), WIDTH as u32, false)))
            .collect();
        for (offset, part) in parts {
            insert.store_aligned(part, insert.offset(to, offset), WIDTH as u32, false);
        }
    });
    call.erase();
}
