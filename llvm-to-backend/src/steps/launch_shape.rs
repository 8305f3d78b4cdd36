//! Replaces what is known of the launch by literals.
//!
//! In: calls to index queries. Out: those whose answer is the same in every launch of this configuration are gone. What follows
//! from the answers is folded with that of the constants, in the next step.

use super::specialize::{check_queries, replace_calls};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Generic},
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
    m: DeviceModule<'s, Generic>,
) -> Outcome<DeviceModule<'s, Generic>> {
    check_queries(cx, &m)?;
    known_answers(cx, backend).into_iter().for_each(|(name, answer)| replace(&m, &name, answer));
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

fn replace(m: &DeviceModule<'_, Generic>, name: &str, answer: u64) {
    let Some(function) = m.module.function(name).filter(|f| f.is_declaration() && f.is_used()) else { return };
    if let Some(literal) = function.return_type().constant(answer) {
        replace_calls(function, literal);
    }
}
