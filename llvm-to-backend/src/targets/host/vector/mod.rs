//! Turns a kernel of one work-item into a kernel of one row of work-items.
//!
//! In: a checked kernel. Out: the same kernel with code for a row of lanes, the work-items that
//! follow each other along x from the local ID on; or the kernel unchanged, and the reason.
//! *Invariant:* a work-item has the same results in a row as alone. What cannot be vectorised
//! stays as it was: all work is done on a copy.
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
    failure::{Failure, Outcome},
};
use sinter_core::Rows;
use sinter_llvm::{Module, ir::Value};

/// Cleans up after the emission: slots become registers, and the code of one work-item goes.
const CLEAN: &str = "function(simplifycfg,sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,adce)";

/// Vectorises the kernel where that is possible and, unless the user decides, faster. Returns the
/// number of work-items that a call of it runs.
pub(super) fn vectorise<'s>(cx: &Context<'s, '_>, m: &mut DeviceModule<'s, Checked>) -> Outcome<u32> {
    let Some(lanes) = width::wanted(cx) else { return Ok(1) };
    let (remark, lanes) = match rows(cx, m, lanes)? {
        Ok(Copy { module, kernel }) => {
            (m.module, m.kernel) = (module, kernel);
            (format!("rows of {lanes} work-items"), lanes)
        }
        Err(reason) => (format!("work-items run one by one: {reason}"), 1),
    };
    m.facts.remarks.push(remark);
    Ok(lanes)
}

/// A copy of a module, and the kernel in it.
struct Copy<'s> {
    module: Module<'s>,
    kernel: Value<'s>,
}

/// The kernel as one of rows, or the reason why it is none.
fn rows<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>, lanes: u32) -> Outcome<Result<Copy<'s>, String>> {
    let chosen = cx.config().rows == Rows::Auto;
    if let Some(reason) = refusal::before(m).or_else(|| cost::refusal(cx, m.kernel).filter(|_| chosen)) {
        return Ok(Err(reason));
    }
    let module = m.module.copy();
    let kernel = module.function(&m.kernel.name()).ok_or_else(|| Failure::internal("the kernel was not copied"))?;
    let copy = Copy { module, kernel };
    prepare::prepare(cx, &copy.module)?;
    let mut planned = match plan(cx, kernel, lanes) {
        Ok(planned) => planned,
        Err(reason) => return Ok(Err(reason)),
    };
    let cost = cost::cost(cx, &planned.graph, &planned.rows, lanes);
    if chosen && !cost.is_worth_it() {
        return Ok(Err(cost.to_string()));
    }
    if math::link(cx, &copy.module, kernel)? {
        prepare::prepare(cx, &copy.module)?;
        planned = match plan(cx, kernel, lanes) {
            Ok(planned) => planned,
            Err(reason) => return Ok(Err(reason)),
        };
    }
    if let Err(broken) = emit::emit(cx, &copy.module, kernel, &planned.graph, &planned.rows, lanes) {
        return Ok(Err(broken.to_string()));
    }
    copy.module.run_passes(CLEAN, Some(cx.machine))?;
    Ok(Ok(copy))
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
