//! Replaces queries of the launch by literals.
//!
//! In: calls to index queries. Out: those with the same answer in every launch of this
//! configuration are literals, which the next step folds together with the constants.

use crate::{
    backend::{Backend, GroupLimits},
    context::Context,
    device_module::{Complete, DeviceModule, Shaped},
    failure::Outcome,
    passes::queries::{EXACT_RANGE, SIZES_FIT, check_queries, replace_calls},
};

const DIMENSIONS: [&str; 3] = ["x", "y", "z"];

pub(crate) fn launch_shape<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    m: DeviceModule<'s, Complete>,
) -> Outcome<DeviceModule<'s, Shaped>> {
    check_group_size(cx, backend)?;
    check_sub_group_size(cx, backend)?;
    check_queries(cx, &m)?;
    backend.protect(&m);
    known_answers(cx, backend).into_iter().for_each(|(name, answer)| replace(&m, &name, answer));
    Ok(m.advance())
}

/// Rejects a work-group larger than any device of the target's kind runs. The limit of a particular
/// device is checked by its driver.
fn check_group_size<B: Backend>(cx: &Context<'_, '_>, backend: &B) -> Outcome<()> {
    let Some(GroupLimits { items: most, depth }) = backend.group_limits() else { return Ok(()) };
    let Some(size) = cx.config().group_size else { return Ok(()) };
    if size.contains(&0) {
        return Err(cx.unsupported("a work-group without work-items", None, "sizes count from 1").into());
    }
    let items = size.iter().fold(1, |items: u64, size| items.saturating_mul(u64::from(*size)));
    if items <= u64::from(most) && size[2] <= depth {
        return Ok(());
    }
    let what = format!("a work-group of {} work-items", size.map(|size| size.to_string()).join("x"));
    let hint = format!("it has at most {most} in all and {depth} along the third dimension");
    Err(cx.unsupported(what, None, &hint).into())
}

/// Rejects a sub-group size that the target does not have.
fn check_sub_group_size<B: Backend>(cx: &Context<'_, '_>, backend: &B) -> Outcome<()> {
    let Some(size) = cx.config().sub_group_size else { return Ok(()) };
    if cx.target().makes_sub_groups_of(size) {
        return Ok(());
    }
    let hint = backend.other_sub_groups(cx.target());
    Err(cx.unsupported(format!("sub-groups of {size} work-items, which the kernel requires,"), None, &hint).into())
}

/// The queries with a constant answer, and the answer.
fn known_answers<B: Backend>(cx: &Context<'_, '_>, backend: &B) -> Vec<(String, u64)> {
    let mut answers = vec![
        (SIZES_FIT.to_owned(), u64::from(cx.config().sizes_fit_i32)),
        (EXACT_RANGE.to_owned(), u64::from(backend.runs_exact_ranges())),
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

fn replace(m: &DeviceModule<'_, Complete>, name: &str, answer: u64) {
    let Some(function) = m.module.function(name).filter(|f| f.is_declaration() && f.is_used()) else { return };
    if let Some(literal) = function.return_type().constant(answer) {
        replace_calls(function, literal);
    }
}
