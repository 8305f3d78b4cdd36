//! Turns a kernel of one work-item into a kernel of one row of work-items.
//!
//! In: a checked kernel. Out: the same kernel with code for a row of lanes, the work-items that
//! follow each other along x from the local ID on; or the kernel unchanged, and the reason.
//! *Invariant:* a work-item has the same results in a row as alone. What cannot be vectorised
//! stays as it was: all work is done on a copy. A kernel whose work-items exchange values in
//! sub-groups runs in rows of their size, or not at all; one that relies on the lockstep of warps
//! runs in rows that are warps if it can.
//!
//! The shapes of values, the order of blocks and the branches that remain are decided on the plain
//! control flow (`cfg::rows`); then new code is emitted block by block. The number of lanes that
//! exist is asked for by [`emit::LIVE_LANES`].

mod cost;
mod emit;
mod exchange;
mod facts;
mod form;
mod instructions;
mod lane_by_lane;
mod linear;
mod lines;
mod lockstep;
mod math;
mod memory;
mod permute;
mod prepare;
mod reason;
mod refusal;
mod values;
mod width;

pub(super) use self::{
    emit::LIVE_LANES,
    instructions::is_dropped,
    width::{items, of_sub_groups},
};

use self::{cost::Cost, math::Linked, reason::Reason, width::Calls};
use super::builtins::{BARRIER, is_sub_group_primitive};
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
use sinter_core::{Remark, Rows, container::WARPS_ATTRIBUTE};
use sinter_llvm::{Module, ir::Value};

/// The lanes of a warp.
const WARP: u32 = 32;
/// Cleans up after the emission: slots become registers, and the code of one work-item goes.
const CLEAN: &str = "function(simplifycfg,sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,adce)";

/// Vectorises the kernel where it has to be or where that is possible and, unless the user decides,
/// faster. `takes_locks` if a loop takes one, which a row could wait for without end.
pub(super) fn vectorise<'s>(
    cx: &Context<'s, '_>,
    m: &mut DeviceModule<'s, Checked>,
    takes_locks: bool,
) -> Outcome<Calls> {
    let of_sub_groups = of_sub_groups(cx).filter(|_| exchanges(m));
    let of_warps = of_warps(cx, m).filter(|_| of_sub_groups.is_none() && !takes_locks);
    let linear = match (of_sub_groups, of_warps) {
        (Some(lanes), _) => {
            let refuse = |text: String| refused(cx, lanes, Reason::of_kernel(text).in_kernel(m.kernel));
            width::is_linear(cx, lanes).map_err(refuse)?
        }
        (None, warps) => warps.is_some_and(|(_, linear)| linear),
    };
    let exchanging = of_sub_groups.or(of_warps.map(|(lanes, _)| lanes));
    let wanted = match exchanging {
        Some(lanes) => vec![Calls { lanes, lines: 1, linear, full: width::are_full(cx, lanes, linear) }],
        None => width::wanted(cx, m.kernel),
    };
    let Some(first) = wanted.first() else { return Ok(Calls::SINGLE) };
    let why = match cx.config().rows {
        _ if exchanging.is_some() => Why::Exchanges,
        Rows::Auto => Why::Faster,
        _ => Why::Asked,
    };
    match rows(cx, m, &wanted, why)?.map_err(|reason| reason.in_kernel(m.kernel)) {
        Ok(Copy { module, kernel, calls }) => {
            (m.module, m.kernel) = (module, kernel);
            m.facts.remarks.push(Remark::Decision(describe(calls)));
            Ok(calls)
        }
        Err(reason) if of_sub_groups.is_some() => Err(refused(cx, first.lanes, reason)),
        Err(reason) => {
            m.facts.remarks.push(Remark::Decision(reason.sentence("work-items run one by one")));
            Ok(Calls::SINGLE)
        }
    }
}

fn describe(Calls { lanes, lines, .. }: Calls) -> String {
    let in_lines = if lines > 1 { format!(" in {lines} lines") } else { String::new() };
    format!("rows of {lanes} work-items{in_lines}")
}

/// The lanes of rows that are warps, and true if these are numbered through the group; `None` if
/// the kernel does not rely on their lockstep, or the user wants other rows.
fn of_warps(cx: &Context<'_, '_>, m: &DeviceModule<'_, Checked>) -> Option<(u32, bool)> {
    let is_asked = cx.config().rows == Rows::Auto && m.kernel.has_text_attribute(WARPS_ATTRIBUTE);
    let linear = width::is_linear(cx, WARP).ok().filter(|_| is_asked)?;
    lockstep::is_needed(m.kernel).then_some((WARP, linear))
}

/// True if work-items exchange values in sub-groups.
fn exchanges(m: &DeviceModule<'_, Checked>) -> bool {
    let is_asked = |function: Value<'_>| function.is_used() && is_sub_group_primitive(&function.name());
    m.module.functions().into_iter().any(is_asked)
}

fn refused(cx: &Context<'_, '_>, lanes: u32, Reason { text, location }: Reason) -> Failure {
    let hint = "change that, or let the kernel do with sub-groups of any size, of which this device has one of 1";
    let what = format!("sub-groups of {lanes} work-items in a kernel with {text}");
    Failure::of_sub_groups(cx.unsupported(what, location, hint))
}

/// The reason for rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// Work-items exchange values in them.
    Exchanges,
    /// The user wants them.
    Asked,
    /// They may be faster.
    Faster,
}

/// A copy of a module, the kernel in it, and what a call of it runs.
struct Copy<'s> {
    module: Module<'s>,
    kernel: Value<'s>,
    calls: Calls,
}

/// The kernel as one of rows, of those `wanted` that seem best, or the reason why it is none.
fn rows<'s>(
    cx: &Context<'s, '_>,
    m: &DeviceModule<'s, Checked>,
    wanted: &[Calls],
    why: Why,
) -> Outcome<Result<Copy<'s>, Reason>> {
    let chosen = why == Why::Faster;
    if let Some(reason) = refusal::before(m).or_else(|| cost::refusal(cx, m.kernel).filter(|_| chosen)) {
        return Ok(Err(reason));
    }
    let module = m.module.copy();
    let kernel = module.function(&m.kernel.name()).ok_or_else(|| Failure::internal("the kernel was not copied"))?;
    let mut copy = Copy { module, kernel, calls: wanted[0] };
    prepare::bound_local_ids(cx, &copy.module);
    if let Some(size) = cx.config().group_size.filter(|_| copy.calls.linear) {
        linear::linearise(cx.session, &copy.module, size);
    }
    prepare::prepare(cx, &copy.module)?;
    let (mut planned, cost) = match best(cx, &mut copy, wanted) {
        Ok(best) => best,
        Err(reason) => return Ok(Err(reason)),
    };
    if chosen && !cost.is_worth_it() {
        return Ok(Err(cost.reason()));
    }
    match math::link(cx, &copy.module, kernel)? {
        Linked::Inlined => {
            prepare::prepare(cx, &copy.module)?;
            planned = match plan(cx, kernel, copy.calls) {
                Ok(planned) => planned,
                Err(reason) => return Ok(Err(reason)),
            };
        }
        Linked::TooMany(instructions) if chosen => {
            let text = format!("its mathematical functions would be {instructions} instructions in a row");
            let call = kernel.instructions().into_iter().find(|value| math::has(cx, *value));
            return Ok(Err(call.map_or_else(|| Reason::of_kernel(&*text), |call| Reason::at(call, &*text))));
        }
        // They are called for one lane after another.
        Linked::TooMany(_) | Linked::Nothing => {}
    }
    let early = planned.rows.waits_too_early(&planned.graph.cfg).filter(|_| why != Why::Exchanges);
    if let Some(block) = early {
        let barrier = planned.graph.block(block).instructions().into_iter().find(|one| facts::is_barrier(*one));
        let text = "a barrier in a branch, and work of others in another one";
        return Ok(Err(barrier.map_or_else(|| Reason::of_kernel(text), |barrier| Reason::at(barrier, text))));
    }
    if let Err(broken) = emit::emit(cx, &copy.module, kernel, &planned.graph, &planned.rows, copy.calls) {
        return Ok(Err(Reason::of_kernel(broken.to_string())));
    }
    copy.module.run_passes(CLEAN, Some(cx.machine))?;
    Ok(Ok(copy))
}

/// A kernel and the plan for its rows.
struct Planned<'s> {
    graph: Graph<'s>,
    rows: RowPlan,
}

/// The best plan of those `wanted`: one with more lanes only where it is clearly faster.
fn best<'s>(cx: &Context<'s, '_>, copy: &mut Copy<'s>, wanted: &[Calls]) -> Result<(Planned<'s>, Cost), Reason> {
    let mut found: Option<(Planned<'s>, Cost)> = None;
    for calls in wanted {
        let planned = match plan(cx, copy.kernel, *calls) {
            Ok(planned) => planned,
            Err(reason) if found.is_none() => return Err(reason),
            Err(_) => break,
        };
        let cost = cost::cost(cx, &planned.graph, &planned.rows, [calls.lanes, calls.lines]);
        let is_better = |(_, best): &(Planned<'_>, Cost)| {
            cost.is_better_than(best) && !(cost.parts() && width::is_long(cx, calls.lanes))
        };
        if found.as_ref().is_none_or(is_better) {
            copy.calls = *calls;
            found = Some((planned, cost));
        }
    }
    found.ok_or_else(|| Reason::of_kernel("no size for rows"))
}

fn plan<'s>(cx: &Context<'s, '_>, kernel: Value<'s>, Calls { lanes, lines, .. }: Calls) -> Result<Planned<'s>, Reason> {
    if let Some(reason) = refusal::after(cx, kernel, lanes) {
        return Err(reason);
    }
    let graph = read(kernel, BARRIER, |_| Variation::Uniform);
    let facts = facts::facts(cx, &graph, lines);
    let parameters = vec![Shape::Same; graph.cfg.parameters.len()];
    let rows = plan_rows(&graph.cfg, &facts, &parameters, lanes).map_err(|reason| Reason::of_flow(&graph, &reason))?;
    Ok(Planned { graph, rows })
}
