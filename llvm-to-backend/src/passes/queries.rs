//! Queries: functions without parameters that a literal, or the loops over work-items, answer.
//!
//! In: declarations of queries of the launch and of the target. Out: an error for one that is not declared as such, or its answer
//! in the place of its calls. *Invariant:* a query takes nothing and returns an integer.

use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_llvm::ir::{Opcode, Shape, Value};

/// Whether groups at the end of a range may have fewer items.
pub(crate) const RAGGED_GROUPS: &str = "__sinter_ragged_groups";
/// Whether all sizes of the launch fit into 32 bits.
pub(crate) const SIZES_FIT: &str = "__acpp_sscp_if_global_sizes_fit_in_int";
/// Queries of the target; AdaptiveCpp has used both spellings.
const REFLECT: [&str; 2] = ["__acpp_sscp_jit_reflect_", "__acpp_sscp_s2_reflect_"];

/// Refuses queries, of the launch and of the target, that are not declared as such.
pub(crate) fn check_queries<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    m.undefined().into_iter().filter(|f| is_query(&f.name())).try_for_each(|query| well_typed(cx, query))
}

/// Whether a function is answered by a literal or by the loops, and not by a definition.
pub(crate) fn is_query(name: &str) -> bool {
    const INDICES: [&str; 4] = ["local_id_", "group_id_", "local_size_", "num_groups_"];
    let index = |rest: &str| INDICES.iter().any(|prefix| rest.starts_with(prefix));
    reflected(name).is_some()
        || name.strip_prefix("__acpp_sscp_get_").is_some_and(index)
        || [RAGGED_GROUPS, SIZES_FIT].contains(&name)
}

/// What a query of the target asks for.
pub(crate) fn reflected(name: &str) -> Option<&str> {
    REFLECT.iter().find_map(|prefix| name.strip_prefix(prefix))
}

/// Queries take nothing and return an integer, where they are declared and wherever they are called.
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

/// Uses `literal` instead of the results of all calls to `function`.
pub(crate) fn replace_calls<'s>(function: Value<'s>, literal: Value<'s>) {
    for call in function.users().into_iter().filter(|user| user.callee() == Some(function)) {
        call.replace_uses(literal);
        if call.opcode() == Opcode::LLVMCall {
            call.erase();
        }
    }
}
