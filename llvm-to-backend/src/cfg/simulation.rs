//! Runs random kernels twice, with real barriers and split as planned, and compares the observable
//! results.
//!
//! *Invariant:* at each barrier the second run discards all that the plan does not keep; reading a
//! discarded value fails.

use super::dominators::{Tree, going_on};
use super::graph::{BlockId, Kind, ValueId};
use super::layout::Layout;
use super::plan::{BarrierPlan, Tracking, plan};
use super::program::{Op, Program, choices};
use super::uniformity::Uniformity;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

const ITEMS: u64 = 4;
/// Words per alloca.
const WORDS: u64 = 4;
/// Blocks that one item may enter; beyond that it counts as an endless loop, and the group ends.
const FUEL: u32 = 150;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Value {
    Number(u64),
    /// The alloca, its place, and the word.
    Pointer(ValueId, u32, u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cell {
    Holds(Value),
    Undefined,
    /// Not kept across a barrier.
    Lost,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    Barrier(ValueId),
    Returned,
    Dead,
}

/// One work-item.
#[derive(Clone, Debug)]
struct Item {
    id: u64,
    values: Vec<Option<Value>>,
    cells: Vec<[Cell; WORDS as usize]>,
    /// For each alloca, the current place of its memory.
    places: Vec<u32>,
    position: ValueId,
    stop: Option<Stop>,
    steps: u64,
    fuel: u32,
    trace: Vec<Value>,
    /// The results of each instruction, in the order of execution.
    results: Vec<Vec<Value>>,
}

type Checked<T> = Result<T, TestCaseError>;

fn hash(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

impl Item {
    fn new(layout: &Layout<'_>, id: u64) -> Self {
        let count = layout.values() as usize;
        let mut item = Self {
            id,
            values: vec![None; count],
            cells: vec![[Cell::Lost; WORDS as usize]; count],
            places: vec![0; count],
            position: ValueId(layout.range(layout.order()[0]).start),
            stop: None,
            steps: 0,
            fuel: FUEL,
            trace: vec![],
            results: vec![vec![]; count],
        };
        item.set_parameters();
        item
    }

    fn set_parameters(&mut self) {
        [1, self.id % 3, 2].iter().zip(0..).for_each(|(&value, at): (_, usize)| {
            self.values[at] = Some(Value::Number(value));
        });
    }

    fn get(&self, value: ValueId) -> Checked<Value> {
        self.values[value.index()].ok_or_else(|| TestCaseError::fail(format!("item {} forgot {value:?}", self.id)))
    }

    /// The cell at a pointer, which must be to the alloca's current place.
    fn cell(&mut self, pointer: Value) -> Checked<&mut Cell> {
        let Value::Pointer(alloca, place, word) = pointer else {
            return Err(TestCaseError::fail("a number is not a pointer"));
        };
        prop_assert_eq!(place, self.places[alloca.index()], "{:?} was somewhere else", alloca);
        Ok(&mut self.cells[alloca.index()][(word % WORDS) as usize])
    }

    fn load(&mut self, pointer: Value) -> Checked<Value> {
        match *self.cell(pointer)? {
            Cell::Holds(value) => Ok(value),
            Cell::Undefined => Ok(Value::Number(7)),
            Cell::Lost => Err(TestCaseError::fail(format!("content of {pointer:?} was not kept"))),
        }
    }

    /// Runs up to the next barrier or the end.
    fn run(&mut self, program: &Program, layout: &Layout<'_>) -> Checked<Stop> {
        let stop = loop {
            if let Some(stop) = self.step(program, layout)? {
                break stop;
            }
        };
        self.stop = Some(stop);
        Ok(stop)
    }

    fn step(&mut self, program: &Program, layout: &Layout<'_>) -> Checked<Option<Stop>> {
        let at = self.position;
        let (op, operands) = (program.op(at), self.operands(layout, at)?);
        self.position = ValueId(at.0 + 1);
        self.steps += 1;
        let result = match op {
            Op::Barrier => return Ok(Some(Stop::Barrier(at))),
            Op::Return => return Ok(Some(Stop::Returned)),
            Op::Unreachable => return Ok(Some(Stop::Dead)),
            Op::Branch => return self.branch(layout, at, &operands),
            Op::Alloca => Some(self.make(at, Cell::Undefined)),
            Op::Mix | Op::Offset(_) | Op::Select => Some(pure(op, at, &operands)),
            Op::Read => Some(Value::Number(hash((self.id, self.steps)) % 3)),
            _ => self.touch(op, &operands, layout.instruction(at).unwrap().operands.first().copied())?,
        };
        if let Some(result) = result {
            self.set(at, result);
        }
        Ok(None)
    }

    fn operands(&self, layout: &Layout<'_>, at: ValueId) -> Checked<Vec<Value>> {
        layout.instruction(at).unwrap().operands.iter().map(|&operand| self.get(operand)).collect()
    }

    fn set(&mut self, at: ValueId, value: Value) {
        self.values[at.index()] = Some(value);
        self.results[at.index()].push(value);
    }

    /// Allocates `alloca` at a new place with the content `cell`; returns the pointer.
    fn make(&mut self, alloca: ValueId, cell: Cell) -> Value {
        self.cells[alloca.index()] = [cell; WORDS as usize];
        Value::Pointer(alloca, self.places[alloca.index()], 0)
    }

    /// Effects on memory and on the observable trace.
    fn touch(&mut self, op: Op, operands: &[Value], first: Option<ValueId>) -> Checked<Option<Value>> {
        match op {
            Op::Load => return Ok(Some(self.load(operands[0])?)),
            Op::Store => *self.cell(operands[0])? = Cell::Holds(operands[1]),
            Op::Trace => self.trace.push(operands[0]),
            Op::Start => drop(self.make(first.unwrap(), Cell::Undefined)),
            Op::Poke => {
                let found = self.load(operands[0])?;
                if let Value::Pointer(..) = found {
                    let old = self.load(found)?;
                    self.trace.push(old);
                    *self.cell(found)? = Cell::Holds(operands[1]);
                }
            }
            _ => unreachable!("{op:?} is not an effect"),
        }
        Ok(None)
    }

    fn branch(&mut self, layout: &Layout<'_>, at: ValueId, operands: &[Value]) -> Checked<Option<Stop>> {
        let from = layout.block_of(at).unwrap();
        let successors = &layout.block(from).successors;
        let way = hash((operands, at)) as usize % successors.len();
        self.results[at.index()].push(Value::Number(way as u64));
        if self.fuel == 0 {
            return Ok(Some(Stop::Dead));
        }
        self.fuel -= 1;
        self.position = ValueId(layout.range(successors[way]).start);
        let mut phis = Vec::new();
        for (phi, instruction) in layout.instructions(successors[way]) {
            let Kind::Phi(incoming) = &instruction.kind else { break };
            let value = incoming.iter().find(|(block, _)| *block == from).unwrap().1;
            phis.push((phi, value.map_or(Ok(Value::Number(5)), |value| self.get(value))?));
            self.position = ValueId(phi.0 + 1);
        }
        phis.into_iter().for_each(|(phi, value)| self.set(phi, value));
        Ok(None)
    }

    /// Changes the state as planned; `round` makes new places unique.
    fn forget(
        &mut self,
        program: &Program,
        layout: &Layout<'_>,
        plan: &BarrierPlan,
        state: u32,
        round: u32,
    ) -> Checked<()> {
        let state = &plan.states[state as usize];
        let live: Vec<_> = state.live.iter().map(|&value| Ok((value, self.get(value)?))).collect::<Checked<_>>()?;
        self.values.fill(None);
        self.set_parameters();
        for (value, instruction) in layout.reached_instructions().filter(|(_, i)| i.kind == Kind::Alloca) {
            assert!(instruction.operands.is_empty());
            if !plan.objects.contains(&value) {
                self.places[value.index()] = round;
                self.make(value, Cell::Lost);
            }
            self.values[value.index()] = Some(Value::Pointer(value, self.places[value.index()], 0));
        }
        live.into_iter().for_each(|(value, kept)| self.values[value.index()] = Some(kept));
        for &value in &state.recomputed {
            prop_assert_eq!(&layout.instruction(value).unwrap().kind, &Kind::Cheap);
            self.values[value.index()] = Some(pure(program.op(value), value, &self.operands(layout, value)?));
        }
        Ok(())
    }
}

fn pure(op: Op, at: ValueId, operands: &[Value]) -> Value {
    match (op, operands) {
        (Op::Offset(words), &[Value::Pointer(alloca, place, word)]) => Value::Pointer(alloca, place, word + words),
        (Op::Select, &[which, a, b]) => {
            if hash(which) % 2 == 0 {
                a
            } else {
                b
            }
        }
        // A small range, so that equal values and short loops occur.
        (Op::Mix, operands) => Value::Number(hash((operands, at)) % 5),
        other => unreachable!("{other:?} is not pure"),
    }
}

impl Program {
    fn op(&self, at: ValueId) -> Op {
        self.ops[at.index() - self.cfg.parameters.len()]
    }
}

/// Runs a group; with a plan, discards at each barrier what the plan does not keep. Returns true if
/// all items of the group finished.
fn run(program: &Program, layout: &Layout<'_>, plan: Option<&BarrierPlan>) -> Checked<(Vec<Item>, bool)> {
    let mut items: Vec<_> = (0..ITEMS).map(|id| Item::new(layout, id)).collect();
    let mut states = vec![0; items.len()];
    for round in 1.. {
        for (item, state) in items.iter_mut().zip(&mut states).filter(|(item, _)| item.stop != Some(Stop::Returned)) {
            let next = match item.run(program, layout)? {
                Stop::Dead => return Ok((items, false)),
                Stop::Returned => 0,
                Stop::Barrier(at) => plan.map_or(1, |plan| state_after(plan, at)),
            };
            let Some(plan) = plan else { continue };
            prop_assert!(plan.states[*state as usize].next.contains(&next), "{} after {}", next, state);
            *state = next;
            if next > 0 {
                item.forget(program, layout, plan, next, round)?;
            }
        }
        if let Some(plan) = plan.filter(|plan| plan.tracking == Tracking::Uniform) {
            prop_assert!(states.iter().all(|state| *state == states[0]), "items part: {:?}", states);
            check_shared(plan, &items, states[0])?;
        }
        if items.iter().all(|item| item.stop == Some(Stop::Returned)) {
            break;
        }
    }
    Ok((items, true))
}

/// Items that wait have the same shared values.
fn check_shared(plan: &BarrierPlan, items: &[Item], state: u32) -> Checked<()> {
    let live = &plan.states[state as usize].live;
    for &value in plan.shared.iter().filter(|value| live.contains(value)) {
        for item in items {
            prop_assert_eq!(item.get(value)?, items[0].get(value)?, "{:?} differs", value);
        }
    }
    Ok(())
}

fn state_after(plan: &BarrierPlan, barrier: ValueId) -> u32 {
    plan.states.iter().position(|state| state.barrier == Some(barrier)).unwrap() as u32
}

/// Uniform values must be computed equally often in all items, with equal results.
fn check_uniformity(layout: &Layout<'_>, items: &[Item], ended: bool) -> Checked<()> {
    let uniformity = Uniformity::of(layout);
    for (value, _) in layout.reached_instructions().filter(|(value, _)| uniformity.is_uniform(*value)) {
        for pair in items.windows(2) {
            let [a, b] = [&pair[0].results[value.index()], &pair[1].results[value.index()]];
            prop_assert!(!ended || a.len() == b.len(), "{:?} ran {} and {} times", value, a.len(), b.len());
            prop_assert!(a.iter().zip(b).all(|(a, b)| a == b), "{:?} is {:?} and {:?}", value, a, b);
        }
    }
    Ok(())
}

fn check_plan(layout: &Layout<'_>, plan: &BarrierPlan) -> Checked<()> {
    let mut live: Vec<_> = plan.states.iter().flat_map(|state| state.live.clone()).collect();
    live.sort_unstable();
    live.dedup();
    prop_assert_eq!(&live, &plan.kept);
    prop_assert!(plan.states[0].live.is_empty() && plan.states[0].recomputed.is_empty());
    for state in &plan.states {
        prop_assert!(state.live.is_sorted());
        prop_assert!(state.recomputed.iter().all(|value| !plan.kept.contains(value)));
    }
    let kept = plan.kept.iter().filter_map(|&value| layout.instruction(value));
    prop_assert!(kept.clone().count() == plan.kept.len() && !kept.clone().any(|i| i.kind == Kind::Alloca));
    Ok(())
}

/// Number of programs of each kind, to prove that the test covers them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    uniform: u32,
    per_item: u32,
    kept: u32,
    shared: u32,
    recomputed: u32,
    objects: u32,
    ended: u32,
}

fn check(program: &Program, tally: &mut Tally) -> Checked<()> {
    let layout = Layout::of(&program.cfg);
    let plan = plan(&program.cfg);
    check_plan(&layout, &plan)?;
    let (real, ended) = run(program, &layout, None)?;
    check_uniformity(&layout, &real, ended)?;
    let (cut, _) = run(program, &layout, Some(&plan))?;
    for (real, cut) in real.iter().zip(&cut) {
        prop_assert_eq!(&real.trace, &cut.trace);
        prop_assert_eq!(real.stop, cut.stop);
    }
    let branches = plan.states.iter().any(|state| state.next.len() > 1);
    tally.uniform += u32::from(branches && plan.tracking == Tracking::Uniform);
    tally.per_item += u32::from(branches && plan.tracking == Tracking::PerItem);
    tally.kept += u32::from(!plan.kept.is_empty());
    tally.shared += u32::from(!plan.shared.is_empty());
    tally.recomputed += u32::from(plan.states.iter().any(|state| !state.recomputed.is_empty()));
    tally.objects += u32::from(!plan.objects.is_empty());
    tally.ended += u32::from(ended && plan.states.len() > 1);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_kernel_does_what_the_kernel_does(choices in choices()) {
        check(&choices.program(), &mut Tally::default())?;
    }

    #[test]
    fn dominators_are_what_they_should_be(choices in choices()) {
        let program = choices.program();
        let layout = Layout::of(&program.cfg);
        let (forward, expected) = (Tree::dominators(&layout), program.dominators());
        let going_on = going_on(&layout);
        let backward = Tree::post_dominators(&layout, &going_on);
        for (a, b) in (0..expected.len()).flat_map(|a| (0..expected.len()).map(move |b| (a, b))) {
            let runs = expected[b] != u64::MAX;
            prop_assert_eq!(forward.dominates(a as u32, b as u32), runs && expected[b] & (1 << a) != 0);
            if runs && going_on[a] && going_on[b] {
                prop_assert_eq!(backward.dominates(a as u32, b as u32), !may_avoid(&layout, &going_on, a, b));
            }
        }
    }
}

/// True if some path over live blocks leads from block `b` to an end without passing block `a`.
fn may_avoid(layout: &Layout<'_>, going_on: &[bool], a: usize, b: usize) -> bool {
    let block = |index: usize| BlockId(index as u32);
    let returns = |from: usize| from != a && layout.block(block(from)).returns();
    // A block that never returns counts as an end.
    let ends = |from: usize| {
        returns(from)
            || !reachable(layout, going_on, from, None).into_iter().any(|to| layout.block(block(to)).returns())
    };
    a != b && reachable(layout, going_on, b, Some(a)).into_iter().any(ends)
}

/// The blocks reachable from `from` over blocks in `going_on`, without passing `avoid`.
fn reachable(layout: &Layout<'_>, going_on: &[bool], from: usize, avoid: Option<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(block) = pending.pop() {
        if going_on[block] && Some(block) != avoid && found.insert(block) {
            pending.extend(layout.block(BlockId(block as u32)).successors.iter().map(|to| to.index()));
        }
    }
    found
}

#[test]
fn random_kernels_are_of_all_sorts() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut tally = Tally::default();
    for _ in 0..1000 {
        let choices = choices().new_tree(&mut runner).unwrap().current();
        check(&choices.program(), &mut tally).unwrap();
    }
    let Tally { uniform, per_item, kept, shared, recomputed, objects, ended } = tally;
    println!("{tally:?}");
    let all = [uniform, per_item, kept, shared, recomputed, objects, ended];
    assert!(all.iter().all(|&count| count >= 50), "{tally:?}");
}
