//! Marks functions for inlining.
//!
//! *Invariant:* a function that reaches an index query, a barrier, a collective, local memory or a
//! device global is inlined wherever LLVM can, at every optimisation level, unless it is a
//! collective whose copies would be most of the kernel, on a target whose functions can be
//! collectives; for all others the optimiser's cost model decides, but for those that a backend
//! inlines itself.

use crate::{backend::LOCAL_SPACE, device_module::DeviceModule};
use sinter_core::device_global::variable_of;
use sinter_llvm::ir::Value;
use std::collections::HashSet;

/// Inlines `alwaysinline` functions, then removes those without callers.
pub(crate) const INLINE: &str = "always-inline,globaldce";
/// Name prefixes of builtins that depend on the work-group.
const GROUP_BUILTINS: [&str; 5] = [
    "__acpp_sscp_get_",
    "__acpp_sscp_work_group_",
    "__acpp_sscp_sub_group_",
    "__sinter_sub_group_",
    "__sinter_local_memory",
];
/// Name prefix of library functions that the backend inlines itself, later than all others.
pub(crate) const LATE_PREFIX: &str = "__sinter_update_";

/// Name prefix of the collectives of a work-group.
pub(crate) const COLLECTIVES: &str = "__acpp_sscp_work_group_";

/// Marks every function that needs its work-group, except the kernel, for inlining, and allows
/// inlining of all others. Collectives stay functions whose copies would have more than
/// `most_copied` instructions together.
pub(crate) fn mark<S>(m: &DeviceModule<'_, S>, most_copied: usize) {
    for function in m.defined().into_iter().filter(|function| !function.name().starts_with(LATE_PREFIX)) {
        function.remove_attribute("noinline");
        function.remove_attribute("optnone");
    }
    for function in needing_group(m).into_iter().filter(|function| *function != m.kernel) {
        let stays = function.name().starts_with(COLLECTIVES) && copied(function) > most_copied;
        function.add_attribute(if stays { "noinline" } else { "alwaysinline" }, 0);
    }
}

/// True if collectives have stayed functions.
pub(crate) fn has_collectives<S>(m: &DeviceModule<'_, S>) -> bool {
    m.defined().into_iter().any(|function| function.name().starts_with(COLLECTIVES))
}

/// Instructions of all copies of a function that is inlined at each call.
fn copied(function: Value<'_>) -> usize {
    function.users().len() * function.instructions().len()
}

/// Functions that refer to a group builtin, to local memory or to a device global, directly or
/// through other functions.
pub(crate) fn needing_group<'s, S>(m: &DeviceModule<'s, S>) -> HashSet<Value<'s>> {
    let builtin = |f: &Value<'s>| GROUP_BUILTINS.iter().any(|prefix| f.name().starts_with(prefix));
    let of_launch = |v: &Value<'s>| v.address_space() == Some(LOCAL_SPACE) || variable_of(&v.name()).is_some();
    let variables = m.module.globals().into_iter().filter(of_launch);
    let mut queue: Vec<_> = m.undefined().into_iter().filter(builtin).chain(variables).collect();
    let mut found = HashSet::new();
    while let Some(function) = queue.pop() {
        queue.extend(users(function).into_iter().map(Value::function).filter(|user| found.insert(*user)));
    }
    found
}

/// The instructions that use a value, directly or through constants.
pub(crate) fn users(value: Value<'_>) -> Vec<Value<'_>> {
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
