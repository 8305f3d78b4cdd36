//! Chooses the rows of a kernel.
//!
//! In: a prepared kernel and the rows to try. Out: the best plan with the row versions of functions
//! that it needs, or the reason why there is none. *Invariant:* rows that the user asks for, or in
//! which work-items exchange values, are the only ones to try.

use super::{
    callees::Callees,
    cost::Cost,
    plan::{Planned, plan_function},
    reason::Reason,
    refusal,
    versions::Versions,
    width::{self, Calls},
};
use crate::{
    cfg::{operation::Shape, rows::Mask},
    context::Context,
};
use sinter_llvm::ir::Value;
use std::collections::HashMap;

/// The reason for rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// Work-items exchange values in them.
    Exchanges,
    /// The user wants them.
    Asked,
    /// They may be faster.
    Faster,
}

/// Functions without row versions, by name, and the reasons.
pub(super) type Avoided = HashMap<String, String>;

/// A plan, and what a call of the kernel runs.
pub(super) struct Best<'s> {
    pub(super) planned: Planned<'s>,
    pub(super) versions: Versions<'s>,
    pub(super) calls: Calls,
    pub(super) cost: Cost,
}

/// The best plan of those `wanted`: one with more lanes only where it is clearly faster.
pub(super) fn best<'s>(
    cx: &Context<'s, '_>,
    kernel: Value<'s>,
    wanted: &[Calls],
    why: Why,
    avoided: &Avoided,
) -> Result<Best<'s>, Reason> {
    let mut found: Option<Best<'s>> = None;
    for &calls in wanted {
        let (planned, mut versions) = match plan(cx, kernel, calls, why, avoided) {
            Ok(planned) => planned,
            Err(reason) if found.is_none() => return Err(reason),
            Err(_) => break,
        };
        let cost = versions.cost(cx, &planned, calls.lines);
        let is_better = |best: &Best<'_>| {
            cost.is_better_than(&best.cost) && !width::fills_more(cx, calls.lanes, cost.most_registers())
        };
        if found.as_ref().is_none_or(is_better) {
            found = Some(Best { planned, versions, calls, cost });
        }
    }
    found.ok_or_else(|| Reason::of_kernel("no size for rows"))
}

/// Blocks with masks of their own beyond which rows are made only where they are needed: their code
/// takes seconds to compile, and most lanes wait in them.
const MOST_MASKS: usize = 96;

/// The plan for the kernel, and the functions that it calls.
pub(super) fn plan<'s>(
    cx: &Context<'s, '_>,
    kernel: Value<'s>,
    Calls { lanes, lines, .. }: Calls,
    why: Why,
    avoided: &Avoided,
) -> Result<(Planned<'s>, Versions<'s>), Reason> {
    if let Some(reason) = refusal::after(cx, kernel, lanes) {
        return Err(reason);
    }
    let callees = Callees::of(cx, kernel, lanes, avoided);
    let shapes = vec![Shape::Same; kernel.parameters().len()];
    let planned = plan_function(cx, &callees, kernel, &shapes, [lanes, lines])?;
    let masks = planned.rows.blocks.iter().filter(|row| row.mask == Mask::Slot).count();
    if why == Why::Faster && masks > MOST_MASKS {
        return Err(Reason::of_kernel(format!("{masks} places where work-items part, of at most {MOST_MASKS}")));
    }
    Ok((planned, Versions::new(cx, kernel, callees, lanes, why == Why::Asked)))
}
