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

mod best;
mod callees;
mod collectives;
mod cost;
mod emit;
mod exchange;
mod facts;
mod flatten;
mod form;
mod instructions;
mod item_loops;
mod lane_by_lane;
mod linear;
mod lines;
mod lockstep;
mod math;
mod memory;
mod passing;
mod permute;
mod plan;
mod prepare;
mod progress;
mod properties;
mod reason;
mod recursion;
mod refusal;
mod row_calls;
mod signature;
mod strides;
mod values;
mod versions;
mod width;
mod words;

pub(super) use self::{
    emit::LIVE_LANES,
    properties::is_dropped,
    width::{items, of_sub_groups},
};

use self::{
    best::{Avoided, Best, Why, best, plan},
    math::Linked,
    plan::Planned,
    properties::is_barrier,
    reason::Reason,
    versions::Versions,
    width::Calls,
};
use super::builtins::is_sub_group_primitive;
use crate::{
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
/// faster. Then links the part of a row, or of a work-item, in collectives of the group.
/// `takes_locks` if a loop takes a lock, which a row could wait for without end.
pub(super) fn vectorise<'s>(
    cx: &Context<'s, '_>,
    m: &mut DeviceModule<'s, Checked>,
    takes_locks: bool,
) -> Outcome<Calls> {
    let calls = vectorise_if_possible(cx, m, takes_locks)?;
    if calls == Calls::SINGLE {
        collectives::link(cx, &m.module, m.kernel, calls)?;
    }
    Ok(calls)
}

fn vectorise_if_possible<'s>(
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
        Some(lanes) => vec![Calls::of_row(cx, lanes, linear)],
        None => width::wanted(cx, m.kernel),
    };
    let Some(first) = wanted.first() else { return Ok(Calls::SINGLE) };
    let why = match cx.config().rows {
        _ if exchanging.is_some() => Why::Exchanges,
        Rows::Auto => Why::Faster,
        _ => Why::Asked,
    };
    match rows(cx, m, &wanted, why)?.map_err(|reason| reason.in_kernel(m.kernel)) {
        Ok(Copy { module, kernel, calls, remarks }) => {
            (m.module, m.kernel) = (module, kernel);
            m.facts.remarks.push(Remark::Decision(describe(calls)));
            m.facts.remarks.extend(remarks.into_iter().map(Remark::Decision));
            Ok(calls)
        }
        Err(reason) if of_sub_groups.is_some() => Err(refused(cx, first.lanes, reason)),
        Err(reason) => {
            let alone = reason.sentence("work-items run one by one");
            m.facts.remarks.push(match of_warps {
                Some(_) => Remark::Warning(format!("{alone}; {LOCKSTEP}")),
                None => Remark::Decision(alone),
            });
            Ok(Calls::SINGLE)
        }
    }
}

/// Said of a kernel that cannot run by warps.
const LOCKSTEP: &str = "if they read what others of their warp write without a barrier in between, results are \
                        wrong: put `__syncthreads()` there";

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

/// A copy of a module, the kernel in it, and what a call of it runs.
struct Copy<'s> {
    module: Module<'s>,
    kernel: Value<'s>,
    calls: Calls,
    remarks: Vec<String>,
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
    // A function for which the emitter fails is avoided in a new copy.
    let mut avoided = Avoided::new();
    loop {
        match copy(cx, m, wanted, why, &avoided)? {
            Ok(copy) => return Ok(Ok(copy)),
            Err(Stop::Kernel(reason)) => return Ok(Err(reason)),
            Err(Stop::Function(name, reason)) => _ = avoided.insert(name, reason),
        }
    }
}

/// Why a copy is of no use.
enum Stop {
    /// The kernel has no rows.
    Kernel(Reason),
    /// This function has no row versions.
    Function(String, String),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Stop::Kernel(reason)
    }
}

/// A copy of the module in which the kernel is one of rows.
fn copy<'s>(
    cx: &Context<'s, '_>,
    m: &DeviceModule<'s, Checked>,
    wanted: &[Calls],
    why: Why,
    avoided: &Avoided,
) -> Outcome<Result<Copy<'s>, Stop>> {
    let chosen = why == Why::Faster;
    let module = m.module.copy();
    let kernel = module.function(&m.kernel.name()).ok_or_else(|| Failure::internal("the kernel was not copied"))?;
    prepare::bound_local_ids(cx, &module);
    if let Some(size) = cx.config().group_size.filter(|_| wanted[0].linear) {
        linear::linearise(cx.session, &module, size);
    }
    flatten::flatten(cx, &module, kernel);
    prepare::prepare(cx, &module)?;
    let Best { mut planned, mut versions, calls, cost } = match best(cx, kernel, wanted, why, avoided) {
        Ok(best) => best,
        Err(reason) => return Ok(Err(reason.into())),
    };
    if chosen && !cost.is_worth_it() {
        return Ok(Err(cost.reason().into()));
    }
    let functions: Vec<_> = std::iter::once(kernel).chain(versions.callees.by_rows()).collect();
    let functions = math::link(cx, &module, &functions)?;
    if let Linked::TooMany(instructions) = functions
        && chosen
    {
        let text = format!("its mathematical functions would be {instructions} instructions in a row");
        let call = kernel.instructions().into_iter().find(|value| math::has(cx, *value));
        let reason = call.map_or_else(|| Reason::of_kernel(&*text), |call| Reason::at(call, &*text));
        return Ok(Err(reason.into()));
    }
    // Too many that are not refused are called for one lane after another.
    let instructions = collectives::link(cx, &module, kernel, calls)?;
    if chosen && instructions > collectives::MOST {
        let text = format!("its collectives would be {instructions} instructions in a row");
        return Ok(Err(Reason::of_kernel(text).into()));
    }
    if functions == Linked::Inlined || instructions > 0 {
        prepare::prepare(cx, &module)?;
        (planned, versions) = match plan(cx, kernel, calls, why, avoided) {
            Ok(planned) => planned,
            Err(reason) => return Ok(Err(reason.into())),
        };
    }
    let early = planned.rows.waits_too_early(&planned.graph.cfg).filter(|_| why != Why::Exchanges);
    if let Some(block) = early {
        let barrier = planned.graph.block(block).instructions().into_iter().find(|one| is_barrier(*one));
        let text = "a barrier in a branch, and work of others in another one";
        let reason = barrier.map_or_else(|| Reason::of_kernel(text), |barrier| Reason::at(barrier, text));
        return Ok(Err(reason.into()));
    }
    if let Err(stop) = emit_all(cx, &module, kernel, &planned, calls, &mut versions) {
        return Ok(Err(stop));
    }
    module.run_passes(CLEAN, Some(cx.machine))?;
    Ok(Ok(Copy { module, kernel, calls, remarks: versions.remarks().collect() }))
}

/// Emits the row of the kernel and the row versions that it calls.
fn emit_all<'s>(
    cx: &Context<'s, '_>,
    module: &Module<'s>,
    kernel: Value<'s>,
    planned: &Planned<'s>,
    calls: Calls,
    versions: &mut Versions<'s>,
) -> Result<(), Stop> {
    emit::emit(cx, module, kernel, planned, calls, versions)
        .map_err(|broken| Stop::Kernel(Reason::of_kernel(broken.to_string())))?;
    while let Some(version) = versions.next() {
        emit::emit_version(cx, module, &version, calls.lanes, versions)
            .map_err(|broken| Stop::Function(version.of.name(), broken.to_string()))?;
    }
    Ok(())
}
