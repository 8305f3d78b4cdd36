//! Queries: functions without parameters whose calls are replaced by a literal or by the work-item
//! loops.
//!
//! In: declarations of queries of the launch and of the target. Out: an error for a query of the
//! wrong type, or its value in the place of its calls. *Invariant:* a query has no parameters and
//! returns an integer.

use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_llvm::ir::{Opcode, Shape, Value};

/// True if work-groups at the end of a range may have fewer work-items.
pub(crate) const EXACT_RANGE: &str = "__sinter_ragged_groups";
/// True if all sizes of the launch fit into 32 bits.
pub(crate) const SIZES_FIT: &str = "__acpp_sscp_if_global_sizes_fit_in_int";
/// Prefixes of the target's queries; AdaptiveCpp has used both names.
const REFLECT: [&str; 2] = ["__acpp_sscp_jit_reflect_", "__acpp_sscp_s2_reflect_"];

/// Refuses queries, of the launch and of the target, that are declared with the wrong type.
pub(crate) fn check_queries<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    m.undefined().into_iter().filter(|f| is_query(&f.name())).try_for_each(|query| well_typed(cx, query))
}

/// True if a function is replaced by a literal or by the work-item loops, instead of being linked.
pub(crate) fn is_query(name: &str) -> bool {
    const INDICES: [&str; 4] = ["local_id_", "group_id_", "local_size_", "num_groups_"];
    let index = |rest: &str| INDICES.iter().any(|prefix| rest.starts_with(prefix));
    reflected(name).is_some()
        || name.strip_prefix("__acpp_sscp_get_").is_some_and(index)
        || [EXACT_RANGE, SIZES_FIT].contains(&name)
}

/// Name of a reflection query without its prefix.
pub(crate) fn reflected(name: &str) -> Option<&str> {
    REFLECT.iter().find_map(|prefix| name.strip_prefix(prefix))
}

/// Verifies that a query has no parameters and returns an integer, in its declaration and at each
/// call.
fn well_typed(cx: &Context<'_, '_>, query: Value<'_>) -> Outcome<()> {
    let integer = matches!(query.return_type().shape(), Shape::Integer(_)) && query.parameters().is_empty();
    let plain = |call: &Value<'_>| call.operands() == [query] && call.ty() == query.return_type();
    let odd = query.users().into_iter().find(|user| user.callee() == Some(query) && !(integer && plain(user)));
    match odd {
        Some(call) => {
            let what = format!("a call of the query `{}` with another type than `iN ()`", query.name());
            Err(cx
                .unsupported(what, call.location(), "declare it without parameters and with an integer result")
                .into())
        }
        None => Ok(()),
    }
}

/// Replaces the results of all calls to `function` by `literal`.
pub(crate) fn replace_calls<'s>(function: Value<'s>, literal: Value<'s>) {
    for call in function.users().into_iter().filter(|user| user.callee() == Some(function)) {
        call.replace_uses(literal);
        if call.opcode() == Opcode::LLVMCall {
            call.erase();
        }
    }
}
