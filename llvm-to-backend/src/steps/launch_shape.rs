//! Replaces what is known of the launch by literals.
//!
//! In: calls to index queries. Out: those whose answer is the same in every launch of this configuration are gone.
//! The call graph is recorded here, the last place where every call of the source is still a call.

use super::{fold::fold, specialize::replace_calls};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Specialized},
    failure::Outcome,
};

/// Whether groups at the end of a range may have fewer items.
pub(super) const RAGGED_GROUPS: &str = "__sinter_ragged_groups";
/// Whether all sizes of the launch fit into 32 bits.
pub(super) const SIZES_FIT: &str = "__acpp_sscp_if_global_sizes_fit_in_int";
const DIMENSIONS: [&str; 3] = ["x", "y", "z"];

pub(crate) fn launch_shape<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    mut m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    let changes = known_answers(cx, backend).into_iter().filter(|(name, answer)| replace(&m, name, *answer)).count();
    if changes > 0 {
        fold(&m)?;
    }
    m.facts.calls.record(&m.module);
    Ok(m)
}

/// The queries with one answer, and the answer.
fn known_answers<B: Backend>(cx: &Context<'_, '_>, backend: &B) -> Vec<(String, u64)> {
    let mut answers = vec![
        (SIZES_FIT.to_owned(), u64::from(cx.config().sizes_fit_i32)),
        (RAGGED_GROUPS.to_owned(), u64::from(backend.ragged_groups())),
    ];
    for dimension in &DIMENSIONS[usize::from(cx.config().dimensions.min(3))..] {
        for (query, answer) in [("local_id", 0), ("group_id", 0), ("local_size", 1), ("num_groups", 1)] {
            answers.push((format!("__acpp_sscp_get_{query}_{dimension}"), answer));
        }
    }
    for (size, dimension) in cx.config().group_size.into_iter().flatten().zip(DIMENSIONS) {
        answers.push((format!("__acpp_sscp_get_local_size_{dimension}"), u64::from(size)));
        if size == 1 {
            answers.push((format!("__acpp_sscp_get_local_id_{dimension}"), 0));
        }
    }
    answers
}

fn replace(m: &DeviceModule<'_, Specialized>, name: &str, answer: u64) -> bool {
    let Some(function) = m.module.function(name).filter(|f| f.is_declaration() && f.is_used()) else { return false };
    let Some(literal) = function.return_type().constant(answer) else { return false };
    replace_calls(function, literal);
    true
}
