//! Plans the rows of a function.
//!
//! In: a kernel or a function that it calls, and the shapes of its parameters. Out: its control
//! flow and the plan for it, or the reason why it has no rows. *Invariant:* the function stays as
//! it is.

use super::{
    callees::Callees,
    facts::facts,
    reason::Reason,
    words::{Words, words},
};
use crate::{
    cfg::{
        Variation,
        operation::Shape,
        plan_rows,
        read::{Graph, read},
        rows::RowPlan,
    },
    context::Context,
    targets::host::builtins::BARRIER,
};
use sinter_llvm::ir::Value;
use std::collections::HashMap;

/// A function and the plan for its rows.
#[derive(Debug)]
pub(super) struct Planned<'s> {
    pub(super) graph: Graph<'s>,
    pub(super) rows: RowPlan,
    pub(super) words: Words<'s>,
}

impl<'s> Planned<'s> {
    /// The shape of each value of the function.
    pub(super) fn shapes(&self) -> HashMap<Value<'s>, Shape> {
        self.graph.values().iter().copied().zip(self.rows.shapes.iter().copied()).collect()
    }
}

/// The plan for a function whose parameters have these shapes.
pub(super) fn plan_function<'s>(
    cx: &Context<'s, '_>,
    callees: &Callees<'s>,
    function: Value<'s>,
    shapes: &[Shape],
    [lanes, lines]: [u32; 2],
) -> Result<Planned<'s>, Reason> {
    let graph = read(function, BARRIER, |_| Variation::Uniform);
    let words = words(cx, function);
    let facts = facts(cx, &graph, callees, &words, [lanes, lines]);
    let rows =
        plan_rows(&graph.cfg, &facts, shapes, [lanes, lines]).map_err(|reason| Reason::of_flow(&graph, &reason))?;
    Ok(Planned { graph, rows, words })
}
