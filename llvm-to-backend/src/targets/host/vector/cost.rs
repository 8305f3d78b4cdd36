//! Estimates whether a row is faster than its work-items one by one.
//!
//! In: a kernel, its plan, and the number of lanes. Out: the cycles of a row and those of its
//! work-items. *Invariant:* nothing here changes what is computed. A block in a loop counts
//! [`ROUNDS`] times as often as the one around it.

use super::{
    item_loops::element_of_rounds,
    math,
    plan::Planned,
    progress::{WAITS, waits},
    properties::{STRAIGHT, called, elements_apart, is_barrier, is_dropped, is_private, is_short},
    reason::Reason,
};
use crate::{
    cfg::{
        Variation,
        graph::BlockId,
        innermost_loops,
        operation::Shape,
        read::read,
        rows::{End, Mask, RowBlock, RowPlan},
    },
    context::Context,
    targets::{
        host::builtins::{BARRIER, is_call_of_row, is_index_query},
        local_memory::DYNAMIC_LOCAL_MEMORY,
    },
};
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Value},
    types::TypeView,
};
use std::{
    collections::{HashMap, HashSet},
    fmt,
};

/// Rounds of a loop whose number is unknown.
const ROUNDS: u64 = 8;
/// Rounds of such a loop for a row, some of whose lanes have left: it waits for the last.
const LAST_LANE: u64 = 12;
/// Depth of loops beyond which blocks count no more.
const DEEPEST: usize = 4;
/// Cycles to take a mask and to move lanes on.
const MASK: u64 = 3;
/// Cycles until it is known which lanes stay in a loop. More lanes wait no longer.
const DECISION: u64 = 8;
/// Cycles of a mathematical function for a register, and of a call of libm.
const MATH: u64 = 20;
const MATH_CALL: u64 = 30;
/// Cycles of a lane's part in a gather or scatter. A processor does two or three of the other
/// operations in a cycle, but not of these.
const GATHER: u64 = 6;
/// Cycles until the last shuffle of a load of every few elements is done.
const SHUFFLED: u64 = 3;
/// Cycles of the part of a row in a collective, for each register, and of that of a work-item.
const COLLECTIVE: u64 = 12;
const COLLECTIVE_OF_ITEM: u64 = 10;
/// Cycles of an access next to that of the next work-item: the work-item's own next access is often
/// in another cache line, or in one of the few that share a set of the cache.
const STRIDED: u64 = 8;
/// Cycles that a work-item loses in a loop by a branch or selection that the processor cannot
/// foresee, in the mean: it selects by branches.
const BRANCH: u64 = 4;
const SELECTION: u64 = 2;
/// Cycles until a work-item in a loop can load what it has stored in its private memory.
const FORWARDED: u64 = 8;
/// Cycles around each lane where lanes run one after another.
const TURN: u64 = 4;
/// The same without a loop.
const STEP: u64 = 1;
/// Cycles of a division by a power of two, and by another literal.
const SHIFTED: u64 = 3;
const MULTIPLIED: u64 = 6;
/// Cycles of a call of a function with a body, beside those of the body.
const CALL: u64 = 8;
/// Cycles of a function with an unknown body.
const BODY: u64 = 40;
/// Cycles of an atomic operation on memory that no other thread has: a load and a store.
const UPDATE: u64 = 3;

/// Cycles of a row and of its work-items.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Cost {
    row: u64,
    items: u64,
    /// True if there is something that LLVM's vectoriser leaves alone.
    loops: bool,
    /// True if lanes leave a loop in different rounds.
    parts: bool,
    /// True if lanes load from addresses of their own in a loop.
    loads: bool,
    /// True if lanes may wait for each other: the result of an atomic operation in a loop.
    waits: bool,
    /// The place of what may wait, or of what costs most in the row.
    location: Option<String>,
}

impl Cost {
    /// True if the row is faster than lanes that run one after another.
    pub(super) fn is_better_than_turns(&self, lanes: u32) -> bool {
        self.row < self.items + u64::from(lanes) * TURN
    }

    /// True if the row is clearly faster. Code without loops is left to LLVM's vectoriser, which
    /// works on the loop over work-items. A loop that ends when another work-item has released
    /// something ends if they run in turn, but not if they run in lock step.
    pub(super) fn is_worth_it(&self) -> bool {
        self.loops && !self.waits && self.row * 10 < self.items * 7
    }

    /// How often the lanes may fill the registers at most. Lanes that may leave a loop at different
    /// times wait for the last one: the more, the longer. If they wait for memory, too, more lanes
    /// gain nothing.
    pub(super) fn most_registers(&self) -> u32 {
        match (self.parts, self.loads) {
            (true, true) => 1,
            (true, false) => 2,
            (false, _) => u32::MAX,
        }
    }

    /// True if these rows are clearly faster than the rows of `other`.
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        let (own, others) = (self.row * other.items, other.row * self.items);
        own * 10 < others * 9
    }

    /// Why the row is not faster.
    pub(super) fn reason(&self) -> Reason {
        Reason { text: self.to_string(), location: self.location.clone() }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.loops {
            true if self.waits => write!(f, "{WAITS}"),
            true => {
                let gain = if self.row < self.items { ", which is no clear gain" } else { "" };
                write!(f, "a row would take about {} cycles, its work-items {}{gain}", self.row, self.items)
            }
            false => write!(f, "the kernel has no loops, barriers or mathematical functions"),
        }
    }
}

/// The reason why no row can be faster, which shows before there is a plan.
pub(super) fn refusal(cx: &Context<'_, '_>, kernel: Value<'_>) -> Option<Reason> {
    let computes = kernel.instructions().into_iter().any(|value| math::has(cx, value) || is_barrier(value));
    let loops = !innermost_loops(&read(kernel, BARRIER, |_| Variation::Uniform).cfg).is_empty();
    let calls = kernel.instructions().into_iter().any(|value| called(value).is_some());
    (!computes && !loops && !calls).then(|| Cost::default().reason())
}

/// The costs of a plan for rows of this many lanes in this many lines; `calls` has those of each
/// call of a function with a body, in the row and in each work-item.
pub(super) fn cost<'s>(
    cx: &Context<'s, '_>,
    Planned { graph, rows: plan, .. }: &Planned<'s>,
    [lanes, lines]: [u32; 2],
    calls: &HashMap<Value<'s>, [u64; 2]>,
) -> Cost {
    let numbers: HashMap<_, _> = graph.values().iter().copied().zip(0_usize..).collect();
    let shape = |value: Value<'s>| numbers.get(&value).map_or(Shape::Same, |number| plan.shapes[*number]);
    let estimate = Estimate { cx, lanes: lanes.into(), lines: lines.into(), shape: &shape, calls };
    let mut cost = Cost { loops: !calls.is_empty(), ..Cost::default() };
    let mut dearest = None;
    let waiting = waiting_blocks(plan);
    for row in &plan.blocks {
        let weight = ROUNDS.pow(row.depth.min(DEEPEST) as u32);
        let of_items = weight * u64::from(lanes) / estimate.rounds_at_once(graph.block(row.block));
        let of_row = if waiting.contains(&row.block) { weight * LAST_LANE / ROUNDS } else { weight };
        cost.row += of_row * mask_cost(row);
        cost.parts |= matches!(row.end, End::Again { .. });
        for instruction in graph.block(row.block).instructions() {
            let [in_row, of_item] = estimate.instruction(instruction);
            cost.row += of_row * in_row;
            let unforeseen = if row.depth > 0 { estimate.unforeseen(instruction) } else { 0 };
            cost.items += of_items * (of_item + unforeseen);
            cost.loops |= row.depth > 0 || math::has(cx, instruction) || is_barrier(instruction);
            let is_load = instruction.opcode() == Opcode::LLVMLoad && shape(instruction.operands()[0]) != Shape::Same;
            cost.loads |= row.depth > 0 && is_load;
            dearest = dearest.max(Some((of_row * in_row, numbers[&instruction])));
        }
    }
    let waiting = waits(graph, plan);
    cost.waits = waiting.is_some();
    // The place of what may wait, or of the instruction that costs most in the row.
    let dearest = || dearest.map(|(_, number)| graph.values()[number]);
    cost.location = waiting.or_else(dearest).and_then(Value::location);
    cost
}

/// The blocks of loops that lanes leave in different rounds.
fn waiting_blocks(plan: &RowPlan) -> HashSet<BlockId> {
    let position = |block: BlockId| plan.blocks.iter().position(|row| row.block == block);
    let ends = plan.blocks.iter().enumerate().filter_map(|(last, row)| match row.end {
        End::Again { header, .. } => position(header).map(|first| first..=last),
        _ => None,
    });
    ends.flatten().map(|at| plan.blocks[at].block).collect()
}

fn mask_cost(row: &RowBlock) -> u64 {
    let taken = if row.mask == Mask::Slot { MASK } else { 0 };
    taken + if let End::Again { .. } = row.end { DECISION } else { 0 }
}

/// The way a call is made in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Calls {
    /// Lane by lane.
    Lanes,
    /// Of a version with these costs.
    Rows(Cost),
    /// Of a version whose costs depend on those of this call.
    Again,
}

/// Cycles of a call of a function with a body, in a row and in each work-item. `once` if lanes have
/// it run once for all of them.
pub(super) fn call_cost(way: Calls, once: bool, lanes: u64) -> [u64; 2] {
    match way {
        Calls::Rows(Cost { items, .. }) if once => [items / lanes + CALL; 2],
        Calls::Rows(cost) if cost.is_better_than_turns(lanes as u32) => [cost.row + CALL, cost.items / lanes + CALL],
        Calls::Rows(Cost { items, .. }) => [items + lanes * (CALL + TURN), items / lanes + CALL],
        Calls::Again | Calls::Lanes if once => [BODY; 2],
        Calls::Again => [BODY * 2, BODY],
        Calls::Lanes => [lanes * (BODY + TURN), BODY],
    }
}

struct Estimate<'s, 'c> {
    cx: &'c Context<'s, 'c>,
    lanes: u64,
    lines: u64,
    shape: &'c dyn Fn(Value<'s>) -> Shape,
    /// Cycles of calls of functions with a body.
    calls: &'c HashMap<Value<'s>, [u64; 2]>,
}

impl<'s> Estimate<'s, '_> {
    /// Cycles in a row and in each work-item.
    fn instruction(&self, value: Value<'s>) -> [u64; 2] {
        let cycles = cycles(value);
        if let Some(cycles) = self.calls.get(&value) {
            return *cycles;
        }
        match value.opcode() {
            Opcode::LLVMPHI | Opcode::LLVMAlloca | Opcode::LLVMFence => [0, 0],
            Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMRet | Opcode::LLVMUnreachable => [0, 0],
            Opcode::LLVMLoad | Opcode::LLVMStore if value.is_volatile() || value.is_atomic() => {
                [self.lanes * (cycles + self.turn()), cycles]
            }
            Opcode::LLVMLoad => self.access(value.operands()[0], value, true),
            Opcode::LLVMStore => self.access(value.operands()[1], value.operands()[0], false),
            _ if is_division(value) && self.differs(value) => match division_by_literal(value) {
                Some(cycles) => [self.registers(value, self.lanes) * cycles, cycles],
                None => [self.lanes * cycles, cycles],
            },
            _ if is_short(value) => [self.lanes * (cycles + self.turn()), cycles],
            Opcode::LLVMCall if is_free(value) => [0, 0],
            Opcode::LLVMCall if is_call_of_row(value) => {
                [self.registers(value.arguments()[1], self.lanes) * COLLECTIVE, COLLECTIVE_OF_ITEM]
            }
            Opcode::LLVMCall | Opcode::LLVMFRem if math::has(self.cx, value) => {
                [self.registers(value, self.lanes) * MATH, MATH_CALL]
            }
            Opcode::LLVMCall if !value.is_function_of_operands() => [self.lanes * (cycles + TURN), cycles],
            _ if self.is_of_address(value) => [0, 0],
            _ if self.differs(value) => [self.registers(value, self.lanes) * cycles, cycles],
            _ if (self.shape)(value).is_in_lines() => [self.lines * cycles, cycles],
            _ => [cycles, cycles],
        }
    }

    /// Cycles that a work-item in a loop waits for what no row waits for.
    fn unforeseen(&self, value: Value<'s>) -> u64 {
        let differs = |operand: usize| value.operands().get(operand).is_some_and(|value| self.differs(*value));
        match value.opcode() {
            Opcode::LLVMBr | Opcode::LLVMSwitch if differs(0) => BRANCH,
            Opcode::LLVMSelect if differs(0) => SELECTION,
            Opcode::LLVMStore if self.differs(value.operands()[1]) && is_private(value.operands()[1]) => FORWARDED,
            _ => 0,
        }
    }

    /// Cycles around each lane of a short instruction.
    fn turn(&self) -> u64 {
        if self.lanes <= STRAIGHT.into() { STEP } else { TURN }
    }

    fn differs(&self, value: Value<'s>) -> bool {
        (self.shape)(value) == Shape::Any
    }

    /// True for arithmetic that becomes a part of addresses, or of the counter of a loop.
    fn is_of_address(&self, value: Value<'s>) -> bool {
        match (self.shape)(value) {
            Shape::Linear { .. } | Shape::LinearInLine { .. } => true,
            Shape::Same => matches!(
                value.opcode(),
                Opcode::LLVMGetElementPtr | Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc
            ),
            _ => false,
        }
    }

    /// Cycles of a load every few elements, which takes as many vector loads, and shuffles.
    fn strided(&self, elements: u32, content: Value<'s>) -> [u64; 2] {
        [self.registers(content, self.lanes) * u64::from(elements) * 2 + SHUFFLED, 1]
    }

    /// Cycles of an access in a row and in each work-item.
    fn access(&self, address: Value<'s>, content: Value<'s>, is_load: bool) -> [u64; 2] {
        let size = content.ty().alloc_size(self.cx.machine);
        let length = self.lanes / self.lines;
        match (self.shape)(address) {
            Shape::Same => [1, 1],
            Shape::SameInLine => [self.lines, 1],
            // All lines have one part of a load.
            Shape::Linear { step, .. } if step == size.cast_signed() => [self.registers(content, length), STRIDED],
            Shape::LinearInLine { step, .. } if step == size.cast_signed() => {
                [self.lines * self.registers(content, length), STRIDED]
            }
            Shape::Linear { step, .. } if self.lines == 1 && is_load => {
                match elements_apart(address, step, size, self.lanes as u32) {
                    Some(elements) => self.strided(elements, content),
                    None => [self.lanes * GATHER, 1],
                }
            }
            _ => [self.lanes * GATHER, 1],
        }
    }

    /// Rounds of a work-item's loop that LLVM's vectoriser does at once.
    fn rounds_at_once(&self, block: Block<'s>) -> u64 {
        element_of_rounds(self.cx, block).map_or(1, |size| (self.register() / size).clamp(1, ROUNDS))
    }

    /// Bytes of a register.
    fn register(&self) -> u64 {
        let has = |feature| self.cx.machine.has_feature(feature);
        if has("avx512f") {
            64
        } else if has("avx2") {
            32
        } else {
            16
        }
    }

    /// Registers that a vector of such values takes.
    fn registers(&self, value: Value<'s>, lanes: u64) -> u64 {
        let ty = value.ty();
        let size = if ty.view() == TypeView::Void { 1 } else { ty.store_size(self.cx.machine) };
        (size * lanes).div_ceil(self.register()).max(1)
    }
}

/// True for a call that becomes a value of the launch, or nothing.
fn is_free(call: Value<'_>) -> bool {
    let name = call.callee().map(Value::name).unwrap_or_default();
    [BARRIER, DYNAMIC_LOCAL_MEMORY].contains(&&*name) || is_index_query(&name) || is_dropped(&name)
}

fn is_division(value: Value<'_>) -> bool {
    matches!(value.opcode(), Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem)
}

/// Cycles of a division that becomes shifts, or a multiplication of up to 32 bits.
fn division_by_literal(value: Value<'_>) -> Option<u64> {
    let by = value.operands()[1].signed()?.unsigned_abs();
    let is_narrow = matches!(value.ty().shape(), sinter_llvm::ir::Shape::Integer(..=32));
    (by.is_power_of_two() || is_narrow).then_some(if by.is_power_of_two() { SHIFTED } else { MULTIPLIED })
}

/// Cycles of one instruction.
fn cycles(value: Value<'_>) -> u64 {
    match value.opcode() {
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => 12,
        Opcode::LLVMFRem => 40,
        Opcode::LLVMFDiv => 4,
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => 20,
        Opcode::LLVMCall if is_short(value) => UPDATE,
        Opcode::LLVMCall => match value.callee().filter(|callee| callee.is_intrinsic()).map(Value::name) {
            Some(name) if name.starts_with("llvm.sqrt") => 6,
            Some(_) => 1,
            None => BODY,
        },
        _ => 1,
    }
}
