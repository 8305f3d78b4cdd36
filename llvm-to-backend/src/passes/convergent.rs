//! Marks barriers and group functions as convergent.
//!
//! In: a module in which barriers and group functions may lack `convergent`, as in hand-written IR
//! and that of other compilers. Out: they have it, and so does every function that refers to one.
//! *Invariant:* runs before any pass sees the module; without the attribute a pass may move a
//! barrier into a branch or duplicate it.

use sinter_llvm::{Module, ir::Value};
use std::collections::HashSet;

const CONVERGENT: &str = "convergent";
/// Name prefixes of barriers and group functions. A request for local memory must not be
/// duplicated, because each call is one variable.
const PREFIXES: [&str; 3] = ["__acpp_sscp_work_group_", "__acpp_sscp_sub_group_", "__sinter_local_memory"];
/// Convergent only to prevent duplication; its other attributes still allow deletion when it is
/// folded.
const IS_CONSTANT: &str = "llvm.is.constant";
/// Attributes that let a pass merge or move calls. Declarations may carry them by mistake.
const FREE: [&str; 3] = ["memory", "speculatable", "willreturn"];

/// Marks the functions of a module.
pub(crate) fn propagate(module: &Module<'_>) {
    let starts = |f: &Value<'_>| {
        (f.has_attribute(CONVERGENT) && !f.name().starts_with(IS_CONSTANT)) || (f.is_declaration() && meets(&f.name()))
    };
    let mut queue: Vec<_> = module.functions().into_iter().filter(starts).collect();
    let mut found: HashSet<_> = queue.iter().copied().collect();
    while let Some(function) = queue.pop() {
        pin(function);
        let users = function.users().into_iter().filter(|user| user.is_instruction()).map(Value::function);
        queue.extend(users.filter(|caller| found.insert(*caller)));
    }
}

fn meets(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn pin(function: Value<'_>) {
    function.add_attribute(CONVERGENT, 0);
    for attribute in FREE {
        function.remove_attribute(attribute);
        let calls = function.users().into_iter().filter(|user| user.callee() == Some(function));
        calls.for_each(|call| call.remove_call_attribute(attribute));
    }
}
