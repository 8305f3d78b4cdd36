//! Adds ranges to the results of index queries.
//!
//! In: calls that stand for built-in variables. Out: the same with ranges of their results.
//! *Invariant:* the ranges hold for every launch that the configuration is used for. Without them a
//! conversion to 32 bits and back leaves a mask, through which a device's compiler does not see
//! that adjacent work-items access adjacent memory.

use super::builtins::PREFIX;
use crate::{context::Context, device_module::DeviceModule};
use sinter_core::spirv::LARGEST_GROUP;
use sinter_llvm::ir::Value;

/// One more than the largest signed 32-bit integer.
const END: u64 = 1 << 31;

pub(super) fn state<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    for function in m.module.functions() {
        let name = function.name();
        let Some(variable) = name.strip_prefix(PREFIX).and_then(|name| name.strip_prefix("builtin_")) else { continue };
        for call in function.users().into_iter().filter(|user| user.callee() == Some(function)) {
            if let Some((from, to)) = range(cx, variable, call) {
                call.set_range(cx.session, from, to);
            }
        }
    }
}

/// The minimum, and one more than the maximum.
fn range(cx: &Context<'_, '_>, variable: &str, call: Value<'_>) -> Option<(u64, u64)> {
    let config = cx.config();
    let axis = call.arguments().first()?.integer()? as usize;
    let absent = axis >= usize::from(config.dimensions);
    let along = |sizes: Option<[u32; 3]>| {
        sizes.and_then(|sizes| sizes.get(axis).copied()).or(absent.then_some(1)).map(u64::from)
    };
    let size = along(config.launched_group(cx.target()));
    // As many groups as fit into that many work-items.
    let most = (END - 1) / along(config.group_size).unwrap_or(1) + 1;
    let launch = |from| config.sizes_fit_i32.then_some((from, most));
    match variable {
        "LocalInvocationId" => Some((0, size.unwrap_or(LARGEST_GROUP.into()))),
        "WorkgroupSize" => Some(size.map_or((1, u64::from(LARGEST_GROUP) + 1), |size| (size, size + 1))),
        "WorkgroupId" => launch(0),
        "NumWorkgroups" => launch(1),
        _ => None,
    }
}
