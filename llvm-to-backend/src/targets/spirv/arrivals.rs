//! Lets work-items count as arrived at barriers that they do not reach.
//!
//! In: a kernel. Out: the same, or, if a part of a group may end or wait at another barrier while
//! the rest waits, a kernel that runs in rounds. In each round a work-item that has not ended runs
//! up to its next barrier; then all wait at one barrier, and go on if any has not ended. Devices
//! that take SPIR-V leave barriers that a part of a group reaches undefined. *Invariant:* every
//! work-item of a group runs the same number of rounds, each with one barrier.
//!
//! SYCL demands that a group reaches its barriers together. So a value that is loaded from one
//! address for all of a group counts as uniform here, as such a program promises.

use super::layout::LAYOUT;
use crate::{
    cfg::{Kind, Tracking, Variation, plan, read::read_as},
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
    targets::{
        local_memory::LINE,
        split::{Piece, RETURNED, Split, split},
    },
};
use sinter_llvm::ir::{Opcode, Value};
use std::fmt::Write;

/// The barrier of a group or a sub-group; the first argument says which.
const BARRIER: &str = "__sinter_spirv_op_ControlBarrier__all";
/// SPIR-V's number of the scope of a group.
const GROUP: u64 = 2;
/// The bits of the memory semantics that are an order.
const ORDERS: u64 = 0x1e;
/// Names of instructions, and of those among them that combine values of a group or a sub-group.
const INSTRUCTION: &str = "__sinter_spirv_op_";
const COLLECTIVE: &str = "__sinter_spirv_op_Group";
/// Names of the variables that say which work-item of its group one is.
const INDICES: [&str; 2] =
    ["__sinter_spirv_builtin_LocalInvocationId", "__sinter_spirv_builtin_SubgroupLocalInvocationId"];
/// Attributes of parameters that the kernel keeps.
const ATTRIBUTES: [&str; 8] =
    ["align", "byval", "dereferenceable", "dereferenceable_or_null", "noalias", "nocapture", "readonly", "writeonly"];

/// Makes a kernel run in rounds if work-items may miss one of its barriers.
pub(super) fn count<'s>(cx: &Context<'s, '_>, mut m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    if !m.module.function(BARRIER).is_some_and(Value::is_used) || !is_missed(m.kernel) {
        return Ok(m);
    }
    let (name, barrier) = (m.kernel.name(), strongest(m.kernel));
    let signature = m.module.declare_like("sinter.signature", m.kernel);
    for index in 0..m.kernel.parameters().len() as u32 {
        m.kernel.copy_parameter_attributes(index, signature, index, &ATTRIBUTES);
    }
    let (integer, pointer) = (cx.session.integer(32), cx.session.pointer());
    let item = m.kernel.with_more_parameters(&format!("{name}.item"), &[integer, pointer], integer);
    item.make_external();
    item.remove_attribute("noinline");
    item.add_attribute("alwaysinline", 0);
    let &[.., state, memory] = &item.parameters()[..] else { return Err(Failure::internal("the piece is lost")) };
    let piece = Piece { state, item: cx.session.literal(0), count: cx.session.literal(1), memory, shared: None };
    let graph = read_as(item, |_| Variation::Uniform, &|value| waits(value).then_some(Kind::Barrier));
    let split = split(cx, item, piece, graph)?;
    let types: Vec<_> = signature.parameters().iter().map(|parameter| parameter.ty().text()).collect();
    let rounds = cx.session.parse(text(&name, &types, &split, barrier).as_bytes());
    let rounds = rounds.map_err(|error| Failure::internal(format!("rounds: {error}")))?;
    rounds.copy_target(&m.module);
    let like = rounds.function(&name).ok_or_else(|| Failure::internal("the rounds have another name"))?;
    m.module.declare_like(&name, like);
    m.module.link_needed(rounds)?;
    m.kernel = m.module.function(&name).ok_or_else(|| Failure::internal("the rounds were not linked"))?;
    for index in 0..types.len() as u32 {
        signature.copy_parameter_attributes(index, m.kernel, index, &ATTRIBUTES);
    }
    signature.delete();
    item.move_debug_info(m.kernel);
    item.make_internal();
    m.facts.local_memory += LINE as u32;
    Ok(m)
}

/// True for a barrier of the group.
fn waits(value: Value<'_>) -> bool {
    is_call_of(value, |name| name == BARRIER) && is_of_group(value)
}

fn is_call_of(value: Value<'_>, is: impl Fn(&str) -> bool) -> bool {
    value.opcode() == Opcode::LLVMCall && value.callee().is_some_and(|callee| is(&callee.name()))
}

fn is_of_group(call: Value<'_>) -> bool {
    call.arguments().first().and_then(|scope| scope.integer()) == Some(GROUP)
}

/// True if some work-items of a group may reach a barrier that others do not reach.
fn is_missed(kernel: Value<'_>) -> bool {
    let graph = read_as(kernel, |_| Variation::Uniform, &promised);
    plan(&graph.cfg).tracking == Tracking::PerItem
}

/// The kind of an instruction whose result may differ between the work-items of a group only if
/// its operands do, or in any case.
fn promised(value: Value<'_>) -> Option<Kind> {
    let differs = |name: &str| INDICES.contains(&name) || name.starts_with(INSTRUCTION);
    match value.opcode() {
        _ if waits(value) => Some(Kind::Barrier),
        Opcode::LLVMCall if is_call_of(value, |name| name.starts_with(COLLECTIVE)) && is_of_group(value) => {
            Some(Kind::Pure)
        }
        Opcode::LLVMCall if is_call_of(value, differs) => Some(Kind::Effect),
        Opcode::LLVMCall | Opcode::LLVMLoad => Some(Kind::Pure),
        _ => None,
    }
}

/// The widest scope of memory among the barriers, and all that they order.
fn strongest(kernel: Value<'_>) -> (u64, u64) {
    let barriers = kernel.instructions().into_iter().filter(|value| waits(*value));
    let (scope, semantics) = barriers.fold((GROUP, 0), |(scope, semantics), barrier| {
        let argument = |index: usize| barrier.arguments().get(index).and_then(|argument| argument.integer());
        (scope.min(argument(1).unwrap_or(GROUP)), semantics | argument(2).unwrap_or(0))
    });
    // The order is the highest of its bits; there must not be two.
    let order = (semantics & ORDERS).checked_ilog2().map_or(0, |highest| 1 << highest);
    (scope, semantics & !ORDERS | order)
}

/// The kernel that runs the pieces. A counter tells if any work-item has not ended. There are
/// three: while one is used, the next one becomes zero, and slow work-items may still read the last
/// one.
fn text(name: &str, types: &[String], split: &Split, (scope, semantics): (u64, u64)) -> String {
    let (mut parameters, mut arguments) = (String::new(), String::new());
    for (index, ty) in types.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(parameters, "{comma}{ty} %p{index}");
        let _ = write!(arguments, "{ty} %p{index}, ");
    }
    let declared: String = types.iter().map(|ty| format!("{ty}, ")).collect();
    let wait = format!("call void @{BARRIER}(i32 {GROUP}, i32 {scope}, i32 {semantics}) convergent");
    let size = split.item_memory.max(1);
    format!(
        r#"target datalayout = "{LAYOUT}"

@sinter.arrivals = internal addrspace(3) global [3 x i32] poison, align 4

declare i32 @"{name}.item"({declared}i32, ptr)
declare void @{BARRIER}(i32, i32, i32) convergent

define spir_kernel void @"{name}"({parameters}) convergent nounwind {{
entry:
  %room = alloca [{size} x i8], align {LINE}, addrspace(5)
  %memory = addrspacecast ptr addrspace(5) %room to ptr
  store volatile i32 0, ptr addrspace(3) @sinter.arrivals, align 4
  {wait}
  br label %round
round:
  %next = phi i32 [ -1, %entry ], [ %after, %again ]
  %slot = phi i32 [ 0, %entry ], [ %following, %again ]
  %last = icmp eq i32 %slot, 2
  %successor = add nuw nsw i32 %slot, 1
  %following = select i1 %last, i32 0, i32 %successor
  %cleared = getelementptr inbounds [3 x i32], ptr addrspace(3) @sinter.arrivals, i32 0, i32 %following
  store volatile i32 0, ptr addrspace(3) %cleared, align 4
  %runs = icmp ne i32 %next, {RETURNED}
  %mine = getelementptr inbounds [3 x i32], ptr addrspace(3) @sinter.arrivals, i32 0, i32 %slot
  br i1 %runs, label %tell, label %wait
tell:
  store volatile i32 1, ptr addrspace(3) %mine, align 4
  br label %wait
wait:
  {wait}
  %told = load volatile i32, ptr addrspace(3) %mine, align 4
  %any = icmp ne i32 %told, 0
  br i1 %any, label %go, label %done
go:
  br i1 %runs, label %run, label %again
run:
  %first = icmp eq i32 %next, -1
  %state = select i1 %first, i32 0, i32 %next
  %stopped = call i32 @"{name}.item"({arguments}i32 %state, ptr %memory)
  br label %again
again:
  %after = phi i32 [ {RETURNED}, %go ], [ %stopped, %run ]
  br label %round
done:
  ret void
}}
"#
    )
}
