//! Makes operations on pointers as wide as the pointers of AMD GPUs.
//!
//! In: code for a layout in which all pointers have 64 bits. Out: the same for one in which those to local and private memory have 32.
//! *Invariant:* bits that a short pointer does not have are cut off, which changes no address that the memory has.
//!
//! An intrinsic with a mask of the wrong width is invalid IR, for which LLVM 19 writes code that uses address 0.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::ir::Value;

/// The intrinsic with masks of 64 bits, for local and for private memory.
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
