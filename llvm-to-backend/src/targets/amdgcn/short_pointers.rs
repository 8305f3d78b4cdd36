//! Narrows pointer masks to the pointer width of AMD GPUs.
//!
//! In: code for a data layout in which all pointers have 64 bits. Out: the same for a layout in
//! which pointers to local and private memory have 32. *Invariant:* masks are truncated to 32 bits,
//! which changes no valid address.
//!
//! An intrinsic with a mask of the wrong width is invalid IR, for which LLVM 19 emits code that
//! uses address 0.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::ir::Value;

/// The intrinsic with 64-bit masks, for local and private memory.
const LONG: [&str; 2] = ["llvm.ptrmask.p3.i64", "llvm.ptrmask.p5.i64"];

pub(super) fn shorten<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    for long in LONG.into_iter().filter_map(|name| m.module.function(name)) {
        let name = long.name().replace("i64", "i32");
        let pointer = long.return_type();
        let short = m
            .module
            .function(&name)
            .unwrap_or_else(|| m.module.declare(&name, pointer, &[pointer, cx.session.integer(32)]));
        long.users().into_iter().filter(|user| user.is_call()).for_each(|call| replace(cx, call, short));
        long.delete();
    }
}

fn replace<'s>(cx: &Context<'s, '_>, call: Value<'s>, short: Value<'s>) {
    if let [pointer, mask] = call.arguments()[..] {
        let made =
            call.insert_before(|insert| insert.call(short, &[pointer, insert.resize(mask, cx.session.integer(32))]));
        call.replace_uses(made);
        call.erase();
    }
}
