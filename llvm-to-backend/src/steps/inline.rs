//! Merges the functions that ask for an index into the kernel.
//!
//! *Invariant:* afterwards a function that reaches an index query is called recursively or through a pointer only. This
//! runs at every optimisation level, since index queries can only be answered in the kernel itself. All others are left
//! to the optimiser's cost model: merging every call would multiply the code by the number of paths to it.

use crate::{
    context::Context,
    device_module::{DeviceModule, Specialized},
    failure::Outcome,
};
use sinter_llvm::ir::Value;
use std::collections::HashSet;

/// `alwaysinline` functions into their callers, then those that have no caller left away.
pub(super) const INLINE: &str = "always-inline,globaldce";
/// What every index query starts with.
const QUERY: &str = "__acpp_sscp_get_";

pub(crate) fn inline<'s>(
    _: &Context<'s, '_>,
    m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    mark(&m);
    m.module.run_passes(INLINE, None)?;
    Ok(m)
}

/// Marks every function but the kernel that reaches an index query for inlining, and lets all others be inlined.
pub(super) fn mark<S>(m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        function.remove_attribute("noinline");
        function.remove_attribute("optnone");
    }
    for function in asking(m).into_iter().filter(|function| *function != m.kernel) {
        function.add_attribute("alwaysinline", 0);
    }
}

/// The functions that refer to an index query, to a function that does, and so on.
fn asking<'s, S>(m: &DeviceModule<'s, S>) -> HashSet<Value<'s>> {
    let mut queue: Vec<_> = m.undefined().into_iter().filter(|f| f.name().starts_with(QUERY)).collect();
    let mut found = HashSet::new();
    while let Some(function) = queue.pop() {
        let users = function.users().into_iter().filter(|user| user.is_instruction()).map(Value::function);
        queue.extend(users.filter(|user| found.insert(*user)));
    }
    found
}
