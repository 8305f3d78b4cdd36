//! Inlines the functions that need their work-group into the kernel.
//!
//! *Invariant:* afterwards a function that reaches an index query, a barrier, a collective or local
//! memory is called recursively or through a pointer only. This runs at every optimisation level,
//! since only the kernel itself has a work-group. All others are left to the optimiser's cost
//! model: inlining every call would multiply the code by the number of paths to it.

use crate::{
    context::Context,
    device_module::{DeviceModule, Inlined, Pruned},
    failure::Outcome,
    passes::inlining::{INLINE, mark, needing_group},
};
use sinter_llvm::ir::Value;
use std::collections::{HashMap, HashSet};

/// Limit for the kernel's instructions after inlining. Call trees multiply code at each level;
/// beyond this LLVM would take minutes and gigabytes.
const MOST: u64 = 100_000;

pub(crate) fn inline<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Pruned>) -> Outcome<DeviceModule<'s, Inlined>> {
    let size = inlined_size(m.kernel, &needing_group(&m), &mut HashMap::new());
    if size > MOST {
        let what = format!("calls that make {size} instructions of the kernel where they are inlined (at most {MOST})");
        let hint = "functions that use the work-group are inlined at each call: read the item's index and wait at \
                    barriers in the kernel, and pass what they need as arguments";
        return Err(cx.unsupported(what, None, hint).into());
    }
    mark(&m, usize::MAX);
    m.module.run_passes(INLINE, None)?;
    Ok(m.advance())
}

/// Instructions of a function with all calls inlined; a recursive call counts as one.
fn inlined_size<'s>(function: Value<'s>, inlined: &HashSet<Value<'s>>, known: &mut HashMap<Value<'s>, u64>) -> u64 {
    if let Some(size) = known.get(&function) {
        return *size;
    }
    known.insert(function, 1);
    let size = function.instructions().into_iter().fold(0_u64, |sum, instruction| {
        let callee = instruction.callee().filter(|callee| inlined.contains(callee));
        sum.saturating_add(callee.map_or(1, |callee| inlined_size(callee, inlined, known)))
    });
    known.insert(function, size);
    size
}
