//! Merges the functions that need their work-group into the kernel.
//!
//! *Invariant:* afterwards a function that reaches an index query, a barrier, a collective or local memory is called
//! recursively or through a pointer only. This runs at every optimisation level, since only the kernel itself has a
//! work-group. All others are left
//! to the optimiser's cost model: merging every call would multiply the code by the number of paths to it.

use crate::{
    backend::LOCAL_SPACE,
    context::Context,
    device_module::{DeviceModule, Specialized},
    failure::Outcome,
};
use sinter_llvm::ir::Value;
use std::collections::{HashMap, HashSet};

/// `alwaysinline` functions into their callers, then those that have no caller left away.
pub(crate) const INLINE: &str = "always-inline,globaldce";
/// What the builtins start with that mean something in a work-group only.
const GROUP_BUILTINS: [&str; 4] =
    ["__acpp_sscp_get_", "__acpp_sscp_work_group_", "__acpp_sscp_sub_group_", "__sinter_local_memory"];

/// Instructions that a kernel may have after inlining. More come from trees of calls, which
/// multiply by the calls at each level; LLVM would take minutes and gigabytes for them.
const MOST: u64 = 100_000;

pub(crate) fn inline<'s>(
    cx: &Context<'s, '_>,
    m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    let size = inlined_size(m.kernel, &needing_group(&m), &mut HashMap::new());
    if size > MOST {
        let what = format!("calls that make {size} instructions of the kernel where they are inlined (at most {MOST})");
        let hint = "functions that use the work-group are inlined at each call: read the item's index and wait at \
                    barriers in the kernel, and pass what they need as arguments";
        return Err(cx.unsupported(what, None, hint).into());
    }
    mark(&m);
    m.module.run_passes(INLINE, None)?;
    Ok(m)
}

/// Marks every function but the kernel that needs its work-group for inlining, and lets all others be inlined.
pub(super) fn mark<S>(m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        function.remove_attribute("noinline");
        function.remove_attribute("optnone");
    }
    for function in needing_group(m).into_iter().filter(|function| *function != m.kernel) {
        function.add_attribute("alwaysinline", 0);
    }
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

/// The functions that refer to a builtin of the group or to local memory, to a function that does, and so on.
fn needing_group<'s, S>(m: &DeviceModule<'s, S>) -> HashSet<Value<'s>> {
    let builtin = |f: &Value<'s>| GROUP_BUILTINS.iter().any(|prefix| f.name().starts_with(prefix));
    let local = m.module.globals().into_iter().filter(|global| global.address_space() == Some(LOCAL_SPACE));
    let mut queue: Vec<_> = m.undefined().into_iter().filter(builtin).chain(local).collect();
    let mut found = HashSet::new();
    while let Some(function) = queue.pop() {
        queue.extend(users(function).into_iter().map(Value::function).filter(|user| found.insert(*user)));
    }
    found
}

/// The instructions that use a value, itself or through constants.
fn users(value: Value<'_>) -> Vec<Value<'_>> {
    let (mut found, mut queue) = (Vec::new(), value.users());
    while let Some(user) = queue.pop() {
        match user.is_instruction() {
            true => found.push(user),
            false if user.is_global() => {}
            false => queue.extend(user.users()),
        }
    }
    found
}
