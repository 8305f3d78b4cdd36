//! Splits a kernel at its barriers.
//!
//! In: an item function as a [`Graph`] with its barriers. Out: a function that runs one piece: it
//! starts at the given state and returns the state that follows, [`RETURNED`] at the end.
//! *Invariant:* values that the plan keeps are in the work-item's own memory, or in that of its
//! group, while other work-items run; no other value survives a barrier.
//!
//! A value that all work-items of a group have alike is kept once for the group unless these are
//! very many, in two places: a piece reads what the pieces before the barrier wrote, and writes for
//! those after the next one. Whoever runs the pieces copies the one to the other at each barrier.
//! Where the places are variables of the loops around the pieces, the value becomes one of these
//! loops.
//!
//! A value that is live across a barrier is spilled to an alloca, which every use loads from and
//! every piece initialises at its start. LLVM promotes these allocas to registers again and inserts
//! the phis that the pieces need. Where that makes very many copies, a value that many pieces pass
//! on stays in the work-item's memory instead: copies in all of them grow with the square of the
//! code.

use crate::{
    cfg::{BarrierPlan, Tracking, ValueId, plan, read::Graph},
    context::Context,
    failure::Outcome,
    passes::{
        cycles::cyclic,
        demote::{demote, demote_to},
    },
};
use sinter_llvm::{
    blocks::Block,
    insert::Inserter,
    ir::{Opcode, Type, Value},
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// State of a work-item that has returned.
pub(crate) const RETURNED: u32 = 0;
/// The driver's alignment of a work-item's memory, in bytes.
const LINE: u64 = 64;

/// The number of the first slot among the allocations that alias scopes name, and the number of
/// slots that are told apart; the others are one allocation.
const FIRST_SLOT: u32 = u32::MAX - MOST_SLOTS;
const MOST_SLOTS: u32 = 16;

/// Parameters of an item function that select the piece and the work-item to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'s> {
    /// The state to start at.
    pub(crate) state: Value<'s>,
    /// Linear index of the work-item in its group.
    pub(crate) item: Value<'s>,
    /// Number of work-items in the group.
    pub(crate) count: Value<'s>,
    /// Memory for values that are live across barriers.
    pub(crate) memory: Value<'s>,
    /// Memory for those of them that the group has once. Without it each work-item has all.
    pub(crate) shared: Option<Shared<'s>>,
}

/// The two places of values that a group has once, in each of which they have the same offsets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared<'s> {
    /// Read by a piece.
    pub(crate) before: Value<'s>,
    /// Written by a piece.
    pub(crate) after: Value<'s>,
}

/// Properties of a split kernel that the loops around it need.
#[derive(Debug)]
pub(crate) struct Split {
    /// The possible successors of each state.
    pub(crate) next: Vec<BTreeSet<u32>>,
    /// Bytes of kept values per work-item, if states can differ: the states follow those of the
    /// whole group.
    pub(crate) states_at: Option<u64>,
    /// Bytes that each work-item keeps across barriers.
    pub(crate) item_memory: u64,
    /// Bytes of each of the places of [`Shared`].
    pub(crate) shared_memory: u64,
}

/// Maximum number of states that get a loop each. The kernel is inlined into each of these loops,
/// and LLVM optimises all of it each time: with 1,600 states that took a minute and a half.
const MOST_LOOPS: usize = 96;
/// Maximum number of copies of values at the starts of states, and of values that a group has once,
/// which are handed over at each. With 90 states and 90 values, a kernel of 700 instructions took
/// 27 s; with 120 of a group, translating took 1 GB.
const MOST_COPIES: usize = 400;
/// In a kernel with more, the maximum number of states that a value is copied into.
const MOST_STATES: usize = 8;

impl Split {
    /// True if one loop calls the kernel for all states, instead of inlining it.
    pub(crate) fn is_shared(&self) -> bool {
        shares_code(self.next.len())
    }
}

/// True if one loop calls a kernel with this many states for all of them.
pub(crate) fn shares_code(states: usize) -> bool {
    states > MOST_LOOPS
}

/// The values that stay in the work-item's memory instead of being copied into each state.
fn resident(plan: &BarrierPlan) -> BTreeSet<ValueId> {
    let mut states: HashMap<ValueId, usize> = HashMap::new();
    plan.states.iter().flat_map(|state| &state.live).for_each(|id| *states.entry(*id).or_default() += 1);
    if states.values().sum::<usize>() <= MOST_COPIES {
        return BTreeSet::new();
    }
    states.into_iter().filter(|(_, count)| *count > MOST_STATES).map(|(id, _)| id).collect()
}

/// Location of a kept value. Its address is `memory + offset * count + size * item`: the values of
/// all work-items of a group are adjacent, as vector code needs it.
#[derive(Debug, Clone, Copy)]
struct Slot {
    offset: u64,
    size: u64,
}

/// Splits `item`, of which `graph` is read, at its barriers.
pub(crate) fn split<'s>(cx: &Context<'s, '_>, item: Value<'s>, piece: Piece<'s>, graph: Graph<'s>) -> Outcome<Split> {
    no_objects_in_loops(cx, item)?;
    let plan = plan(&graph.cfg);
    sized(cx, &graph, &plan)?;
    let layout = Layout::new(cx, &graph, &plan, piece.shared.is_some())?;
    separate_kept_values(cx, item, &layout.allocations());
    let split = Split {
        next: plan.states.iter().map(|state| state.next.clone()).collect(),
        states_at: layout.states,
        item_memory: layout.size,
        shared_memory: layout.shared_size,
    };
    Edits { cx, graph, plan, layout, piece, item }.run();
    Ok(split)
}

/// Says of the kernel's own accesses that none touches a kept value, to which it has no pointer.
fn separate_kept_values(cx: &Context<'_, '_>, item: Value<'_>, slots: &[u32]) {
    for access in item.instructions() {
        if matches!(access.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore | Opcode::LLVMCall) {
            access.avoid_allocations(cx.session, slots);
        }
    }
}

/// Refuses allocas in loops: private memory is reserved once for a work-item, but such an alloca
/// creates a new object in each iteration.
fn no_objects_in_loops(cx: &Context<'_, '_>, item: Value<'_>) -> Outcome<()> {
    let cyclic = cyclic(item);
    let repeated = |i: &Value<'_>| i.opcode() == Opcode::LLVMAlloca && cyclic.contains(&i.block());
    match item.instructions().into_iter().find(repeated) {
        Some(_) => {
            let hint = "reserve it before the loop; `alloca` in a loop makes a new object in each round";
            Err(cx.unsupported("private memory reserved in a loop of a kernel with barriers", None, hint).into())
        }
        None => Ok(()),
    }
}

/// Refuses values of unsized types that are live across a barrier.
fn sized(cx: &Context<'_, '_>, graph: &Graph<'_>, plan: &BarrierPlan) -> Outcome<()> {
    let values = plan.states.iter().flat_map(|state| state.live.iter().chain(&state.recomputed));
    match values.map(|id| graph.value(*id).ty()).find(|ty| !ty.has_known_size()) {
        Some(ty) => {
            let what = format!("a value of the type `{}` that outlives a barrier", ty.text());
            Err(cx.unsupported(what, None, "compute it again behind the barrier").into())
        }
        None => Ok(()),
    }
}

/// The slots of a work-item, and the places of what its group has once.
#[derive(Debug, Default)]
struct Layout {
    values: HashMap<ValueId, Slot>,
    /// Offsets of the values that the group has once.
    shared: HashMap<ValueId, u64>,
    shared_size: u64,
    /// The values that stay in their slots.
    resident: BTreeSet<ValueId>,
    objects: BTreeMap<ValueId, Slot>,
    states: Option<u64>,
    size: u64,
    /// The offsets of `values`, numbered.
    numbers: HashMap<u64, u32>,
}

/// A value or variable that gets a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    Shared(ValueId),
    Value(ValueId),
    Object(ValueId),
    State,
}

impl Layout {
    /// The number of a slot among the allocations that alias scopes name.
    fn allocation(&self, slot: Slot) -> u32 {
        let before = self.numbers.get(&slot.offset).copied().unwrap_or(MOST_SLOTS);
        FIRST_SLOT + before.min(MOST_SLOTS - 1)
    }

    fn allocations(&self) -> Vec<u32> {
        let all = u32::try_from(self.numbers.len()).map_or(MOST_SLOTS, |all| all.min(MOST_SLOTS));
        (0..all).map(|slot| FIRST_SLOT + slot).collect()
    }

    /// The slot of a value that the phi `content` takes over, or of a phi that takes it over, if no
    /// state needs both: a piece that only passes the value on then leaves it where it is.
    fn of_relative(&self, graph: &Graph<'_>, plan: &BarrierPlan, content: Content, size: u64) -> Option<Slot> {
        let Content::Value(id) = content else { return None };
        if self.resident.contains(&id) {
            return None;
        }
        let value = graph.value(id);
        let joined = |phi: &Value<'_>| phi.is_instruction() && phi.opcode() == Opcode::LLVMPHI;
        let taken = [value].into_iter().filter(joined).flat_map(Value::incoming).map(|(_, value)| value);
        let relatives: HashSet<_> = taken.chain(value.users().into_iter().filter(joined)).collect();
        let meets = |other: ValueId| plan.states.iter().any(|s| s.live.contains(&id) && s.live.contains(&other));
        let is_free = |slot: &Slot| {
            let mut holders = self.values.iter().filter(|(_, held)| held.offset == slot.offset);
            slot.size == size && holders.all(|(other, _)| !meets(*other))
        };
        let is_related = |id: &ValueId| relatives.contains(&graph.value(*id)) && !self.resident.contains(id);
        let mut related: Vec<_> = self.values.iter().filter(|(other, _)| is_related(other)).collect();
        related.sort_by_key(|(other, _)| **other);
        related.into_iter().map(|(_, slot)| *slot).find(is_free)
    }

    /// Sorts by alignment, largest first, so that a slot needs padding for its own size only.
    fn new(cx: &Context<'_, '_>, graph: &Graph<'_>, plan: &BarrierPlan, shares: bool) -> Outcome<Self> {
        let resident = resident(plan);
        let is_few = plan.shared.len() * plan.states.len() <= MOST_COPIES;
        let is_shared = |id: ValueId| shares && is_few && plan.shared.contains(&id) && !resident.contains(&id);
        let mut wanted = wanted(cx, graph, plan, is_shared);
        wanted.sort_by_key(|(content, _, alignment)| (std::cmp::Reverse(*alignment), *content));
        let mut layout = Layout { resident, ..Layout::default() };
        for (content, size, alignment) in wanted {
            if alignment > LINE {
                let what = format!(
                    "a private variable or value with an alignment of {alignment} bytes that outlives a barrier"
                );
                return Err(cx
                    .unsupported(what, None, "align it to 64 bytes at most, as the memory for such values is")
                    .into());
            }
            let size = size.next_multiple_of(alignment);
            if let Content::Shared(id) = content {
                layout.shared.insert(id, layout.shared_size);
                layout.shared_size += size;
                continue;
            }
            let slot = layout.of_relative(graph, plan, content, size).unwrap_or(Slot { offset: layout.size, size });
            layout.size = layout.size.max(slot.offset + size);
            match content {
                Content::Shared(_) => {}
                Content::Value(id) => drop(layout.values.insert(id, slot)),
                Content::Object(id) => drop(layout.objects.insert(id, slot)),
                Content::State => layout.states = Some(slot.offset),
            }
        }
        let offsets: BTreeSet<_> = layout.values.values().map(|slot| slot.offset).collect();
        layout.numbers = offsets.into_iter().zip(0..).collect();
        Ok(layout)
    }
}

/// Every value and variable to keep, with its size and alignment.
fn wanted(
    cx: &Context<'_, '_>,
    graph: &Graph<'_>,
    plan: &BarrierPlan,
    is_shared: impl Fn(ValueId) -> bool,
) -> Vec<(Content, u64, u64)> {
    let value = |id: &ValueId| {
        let ty = graph.value(*id).ty();
        let content = if is_shared(*id) { Content::Shared(*id) } else { Content::Value(*id) };
        (content, ty.alloc_size(cx.machine), u64::from(ty.alignment(cx.machine)).min(LINE))
    };
    let object = |id: &ValueId| {
        let alloca = graph.value(*id);
        let alignment = alloca.alignment().max(alloca.allocated_type().alignment(cx.machine));
        (Content::Object(*id), alloca.allocated_size(cx.machine).unwrap_or(0), u64::from(alignment))
    };
    let states = (plan.tracking == Tracking::PerItem).then_some((Content::State, 4, 4));
    plan.kept.iter().map(value).chain(plan.objects.iter().map(object)).chain(states).collect()
}

/// The edits of the IR, whose order matters.
struct Edits<'s, 'c> {
    cx: &'c Context<'s, 'c>,
    graph: Graph<'s>,
    plan: BarrierPlan,
    layout: Layout,
    piece: Piece<'s>,
    item: Value<'s>,
}

/// Start of a piece: its block, and the values that it recomputes.
struct Start<'s> {
    block: Block<'s>,
    recomputed: Vec<(ValueId, Value<'s>)>,
}

impl<'s> Edits<'s, '_> {
    fn run(self) {
        let old_entry = self.item.blocks()[0];
        let entry = self.item.prepend_block("");
        self.move_allocas(entry);
        let starts: Vec<_> = (1..self.plan.states.len()).map(|state| self.start(state)).collect();
        let places = self.places(entry);
        places.iter().for_each(|(id, place)| demote(self.graph.value(*id), *place));
        self.layout.resident.iter().for_each(|id| self.demote_to_slot(*id));
        // Before the cuts: cutting a block moves its first part into a new block, which its
        // predecessors then branch to.
        let cases: Vec<_> = (1..).zip(&starts).map(|(state, start)| (state, start.block)).collect();
        entry.append(|insert| insert.switch(self.piece.state, old_entry, &cases));
        for (state, start) in (1..).zip(&starts) {
            self.cut(state, start, &places);
        }
        self.return_states();
    }

    /// Private variables are allocated at the start of every piece; those that are live across a
    /// barrier lie in the work-item's memory instead.
    fn move_allocas(&self, entry: Block<'s>) {
        let allocas: Vec<_> =
            self.item.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMAlloca).collect();
        let objects: HashMap<_, _> =
            self.layout.objects.iter().map(|(id, slot)| (self.graph.value(*id), *slot)).collect();
        for alloca in allocas {
            remove_lifetime_markers(alloca);
            match objects.get(&alloca) {
                Some(slot) => {
                    let address = entry.append(|insert| self.address(insert, *slot));
                    alloca.replace_uses(entry.append(|insert| insert.address_space_cast(address, alloca.ty())));
                    alloca.erase();
                }
                None => entry.append(|insert| insert.adopt(alloca)),
            }
        }
    }

    /// Address of this work-item's slot.
    fn address(&self, insert: &Inserter<'s>, slot: Slot) -> Value<'s> {
        let literal = |value| self.cx.session.literal(value);
        let column = insert.multiply(self.piece.count, literal(slot.offset));
        let row = insert.multiply(self.piece.item, literal(slot.size));
        insert.offset(insert.offset(self.piece.memory, column), row)
    }

    /// A block that recomputes values of the state that are cheaper to recompute than to keep.
    fn start(&self, state: usize) -> Start<'s> {
        let block = self.item.append_block("");
        let mut copies: HashMap<Value<'s>, Value<'s>> = HashMap::new();
        let mut recomputed = Vec::new();
        for id in &self.plan.states[state].recomputed {
            let original = self.graph.value(*id);
            let copy = block.append(|insert| insert.copy_of(original));
            for (index, operand) in original.operands().into_iter().enumerate() {
                copies.get(&operand).into_iter().for_each(|again| copy.set_operand(index, *again));
            }
            copies.insert(original, copy);
            recomputed.push((*id, copy));
        }
        Start { block, recomputed }
    }

    /// An alloca for each value that one piece needs and another defines.
    fn places(&self, entry: Block<'s>) -> BTreeMap<ValueId, Value<'s>> {
        let states = self.plan.states.iter();
        let needed: BTreeSet<ValueId> = states.flat_map(|s| s.live.iter().chain(&s.recomputed)).copied().collect();
        let place = |id: ValueId| (id, entry.append(|insert| insert.room(self.ty(id))));
        needed.difference(&self.layout.resident).map(|id| place(*id)).collect()
    }

    /// Stores a value to its slot after its definition and reloads it before each use.
    fn demote_to_slot(&self, id: ValueId) {
        let (value, slot) = (self.graph.value(id), self.layout.values[&id]);
        let own = |access: Value<'s>| {
            access.set_allocation(self.cx.session, self.layout.allocation(slot), &self.layout.allocations());
            access
        };
        let alignment = self.alignment(id);
        demote_to(
            value,
            |insert| own(insert.load_aligned(value.ty(), self.address(insert, slot), alignment, false)),
            |insert| own(insert.store_aligned(value, self.address(insert, slot), alignment, false)),
        );
    }

    /// Alignment of a slot. A vector of a row may ask for more than the driver gives.
    fn alignment(&self, id: ValueId) -> u32 {
        self.ty(id).alignment(self.cx.machine).min(LINE as u32)
    }

    fn ty(&self, id: ValueId) -> Type<'s> {
        self.graph.value(id).ty()
    }

    /// Ends a piece before a barrier and begins the next one after it.
    fn cut(&self, state: usize, start: &Start<'s>, places: &BTreeMap<ValueId, Value<'s>>) {
        let State { live, barrier } = self.state(state);
        let rest = barrier.block();
        let end = rest.split_before(barrier);
        barrier.erase();
        for (id, place) in live.iter().filter_map(|id| Some((*id, *places.get(id)?))) {
            self.keep(id, place, (end, start.block));
        }
        for (id, value) in &start.recomputed {
            let place = places[id];
            start.block.append(|insert| insert.store(*value, place));
        }
        end.append(|insert| insert.give(self.number(state as u64)));
        start.block.append(|insert| insert.branch(rest));
    }

    /// Passes a value from the end of a piece to the start of the next one.
    fn keep(&self, id: ValueId, place: Value<'s>, (end, start): (Block<'s>, Block<'s>)) {
        let (ty, alignment) = (self.ty(id), self.alignment(id));
        let slot = self.layout.values.get(&id);
        let address = |insert: &Inserter<'s>, shared: fn(Shared<'s>) -> Value<'s>| match (slot, self.piece.shared) {
            (None, Some(places)) => insert.offset(shared(places), self.cx.session.literal(self.layout.shared[&id])),
            _ => self.address(insert, self.layout.values[&id]),
        };
        let stored = end.append(|insert| {
            let to = address(insert, |places| places.after);
            insert.store_aligned(insert.load(ty, place), to, alignment, false)
        });
        let loaded =
            start.append(|insert| insert.load_aligned(ty, address(insert, |places| places.before), alignment, false));
        start.append(|insert| insert.store(loaded, place));
        if let Some(slot) = slot {
            let (own, all) = (self.layout.allocation(*slot), self.layout.allocations());
            [stored, loaded].into_iter().for_each(|access| access.set_allocation(self.cx.session, own, &all));
        }
    }

    fn state(&self, state: usize) -> State<'s> {
        let crate::cfg::State { barrier, live, .. } = &self.plan.states[state];
        // Every state but the first begins at a barrier.
        State { live: live.clone(), barrier: self.graph.value(barrier.unwrap_or(ValueId(0))) }
    }

    fn number(&self, state: u64) -> Value<'s> {
        let ty = self.piece.state.ty();
        ty.constant(state).unwrap_or(self.piece.state)
    }

    fn return_states(&self) {
        for instruction in self.item.instructions() {
            if instruction.opcode() == Opcode::LLVMRet && instruction.operands().is_empty() {
                instruction.insert_before(|insert| insert.give(self.number(u64::from(RETURNED))));
                instruction.erase();
            }
        }
    }
}

/// A state other than the first.
struct State<'s> {
    live: Vec<ValueId>,
    barrier: Value<'s>,
}

/// Removes lifetime markers, because the variable lives on in the next piece.
fn remove_lifetime_markers(alloca: Value<'_>) {
    let marks = |user: &Value<'_>| user.callee().is_some_and(|callee| callee.name().starts_with("llvm.lifetime."));
    alloca.users().into_iter().filter(marks).for_each(Value::erase);
}
