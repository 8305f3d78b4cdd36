//! Turns a kernel of one work-item into a kernel of one row of work-items.
//!
//! In: a checked kernel. Out: the same kernel with code for a row of lanes, the work-items that
//! follow each other along x from the local ID on; or the kernel unchanged, and the reason.
//! *Invariant:* a work-item has the same results in a row as alone. What cannot be vectorised
//! stays as it was; nothing of a kernel is ever half done.
//!
//! The shapes of values, the order of blocks and the branches that remain are decided on the plain
//! control flow (`cfg::rows`); then new code is emitted block by block. The number of lanes that
//! exist is asked for by [`emit::LIVE_LANES`].

mod cost;
mod emit;
mod facts;
mod form;
mod instructions;
mod lane_by_lane;
mod math;
mod memory;
mod prepare;
mod refusal;
mod values;
mod width;

pub(super) use self::emit::LIVE_LANES;

use super::builtins::BARRIER;
use crate::{
    cfg::{
        Variation,
        operation::Shape,
        plan_rows,
        read::{Graph, read},
        rows::RowPlan,
    },
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
};
use sinter_core::Rows;
use sinter_llvm::ir::Value;

/// Cleans up after the emission: slots become registers, and the code of one work-item goes.
const CLEAN: &str = "function(simplifycfg,sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,adce)";

/// Vectorises the kernel where that is possible and, unless the user decides, faster. Returns the
/// number of work-items that a call of it runs.
pub(super) fn vectorise<'s>(cx: &Context<'s, '_>, m: &mut DeviceModule<'s, Checked>) -> Outcome<u32> {
    let Some(lanes) = width::wanted(cx) else { return Ok(1) };
    let refusal = rows(cx, m, lanes)?;
    m.facts.remarks.push(match &refusal {
        None => format!("rows of {lanes} work-items"),
        Some(reason) => format!("work-items run one by one: {reason}"),
    });
    Ok(if refusal.is_none() { lanes } else { 1 })
}

/// Turns the kernel into one of rows; otherwise returns the reason why not.
fn rows<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>, lanes: u32) -> Outcome<Option<String>> {
    if let Some(reason) = refusal::before(m) {
        return Ok(Some(reason));
    }
    prepare::prepare(cx, m)?;
    let planned = match plan(cx, m.kernel, lanes) {
        Ok(planned) => planned,
        Err(reason) => return Ok(Some(reason)),
    };
    let cost = cost::cost(cx, &planned.graph, &planned.rows, lanes);
    if cx.config().rows == Rows::Auto && !cost.is_worth_it() {
        return Ok(Some(cost.to_string()));
    }
    if !math::link(cx, m)? {
        return emit(cx, m, &planned, lanes);
    }
    prepare::prepare(cx, m)?;
    match plan(cx, m.kernel, lanes) {
        Ok(planned) => emit(cx, m, &planned, lanes),
        Err(reason) => Ok(Some(reason)),
    }
}

/// A kernel and the plan for its rows.
struct Planned<'s> {
    graph: Graph<'s>,
    rows: RowPlan,
}

fn plan<'s>(cx: &Context<'s, '_>, kernel: Value<'s>, lanes: u32) -> Result<Planned<'s>, String> {
    if let Some(reason) = refusal::after(kernel) {
        return Err(reason);
    }
    let graph = read(kernel, BARRIER, |_| Variation::Uniform);
    let facts = facts::facts(cx, &graph);
    let parameters = vec![Shape::Same; graph.cfg.parameters.len()];
    let rows = plan_rows(&graph.cfg, &facts, &parameters, lanes).map_err(|reason| reason.to_string())?;
    Ok(Planned { graph, rows })
}

/// Emits the row; returns the reason if that fails and the kernel stays as it is.
fn emit<'s>(
    cx: &Context<'s, '_>,
    m: &DeviceModule<'s, Checked>,
    planned: &Planned<'s>,
    lanes: u32,
) -> Outcome<Option<String>> {
    let emitted = emit::emit(cx, &m.module, m.kernel, &planned.graph, &planned.rows, lanes);
    m.module.run_passes(CLEAN, Some(cx.machine))?;
    Ok(emitted.err().map(|broken| broken.to_string()))
}
