//! Interprets a kernel: executes each statement for all items, then the next.
//!
//! In: a kernel that [`super::synchronize`] made. Out: the memory that it leaves. Items do not
//! observe each other between two barriers, so executing them statement by statement equals running
//! each of them up to the next barrier.
//! *Invariant:* that premise is checked: a race, or a divergent value where a uniform one is
//! required, panics.

use super::language::*;
use std::ops::Range;

/// Global memory of a launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    pub input: Vec<u32>,
    pub arguments: [u32; 2],
    pub output: Vec<u32>,
    /// Global array, with the slots of each group.
    pub arrays: Vec<u32>,
    pub cells: [u32; CELLS],
}

impl Memory {
    /// Contents before a launch.
    pub fn new(shape: &Shape) -> Memory {
        let items = shape.group_items() * shape.group_count();
        Memory {
            input: (0..INPUTS).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect(),
            arguments: shape.arguments,
            output: (0..items * OUTPUT_STRIDE).map(|i| 0xdead_0000 + i as u32).collect(),
            arrays: (0..items).map(|i| i as u32 * 7 + 1).collect(),
            cells: [0; CELLS],
        }
    }
}

/// Runs all groups of a launch.
pub fn interpret(kernel: &Kernel, shape: &Shape, memory: &mut Memory) {
    for group in 0..shape.group_count() {
        let items = shape.group_items();
        let mut local = vec![vec![0; items]; ARRAYS];
        local[GLOBAL_ARRAY].copy_from_slice(&memory.arrays[group * items..][..items]);
        for (number, array) in local[..GLOBAL_ARRAY].iter_mut().enumerate() {
            array.iter_mut().zip(0..).for_each(|(slot, item)| *slot = initial_slot(number, item));
        }
        let items: Vec<_> = (0..items as u32).map(Item::new).collect();
        let mut run = Group {
            part: 0..items.len(),
            kernel,
            shape,
            memory,
            number: group,
            items,
            uniforms: initial_uniforms(),
            arrays: local,
            cells: [0; CELLS],
            watch: Watch::new(shape.group_items()),
        };
        if run.block(&kernel.body) != Flow::Return {
            run.finish();
        }
        let array = std::mem::take(&mut run.arrays[GLOBAL_ARRAY]);
        memory.arrays[group * array.len()..][..array.len()].copy_from_slice(&array);
    }
}

/// Initial value of a slot of a local array.
fn initial_slot(array: usize, item: u32) -> u32 {
    item * 3 + array as u32
}

/// Initial values of uniform variables.
pub fn initial_uniforms() -> [u32; UNIFORMS] {
    [2, 3, 4]
}

struct Group<'k> {
    /// The items that run the current block: all of the group, or those of a sub-group.
    part: Range<usize>,
    kernel: &'k Kernel,
    shape: &'k Shape,
    memory: &'k mut Memory,
    number: usize,
    items: Vec<Item>,
    uniforms: [u32; UNIFORMS],
    arrays: Vec<Vec<u32>>,
    cells: [u32; CELLS],
    watch: Watch,
}

#[derive(Clone)]
struct Item {
    position: u32,
    variables: [u32; VARIABLES],
    elements: [u32; ELEMENTS as usize],
    returned: bool,
}

/// Control flow at the end of a statement.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Break,
    BreakTwo,
    Continue,
    Return,
}

impl Item {
    fn new(position: u32) -> Item {
        let elements = std::array::from_fn(|index| position + index as u32);
        Item { position, variables: std::array::from_fn(|v| v as u32 + 1), elements, returned: false }
    }
}

impl Group<'_> {
    /// A uniform block, or one of a sub-group.
    fn block(&mut self, statements: &[Statement]) -> Flow {
        for statement in statements {
            if self.items[self.part.clone()].iter().all(|item| item.returned) {
                return Flow::Return;
            }
            let flow = if statement.is_collective() { self.together(statement) } else { self.for_each(statement) };
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    /// A statement that items execute independently. If it leaves a uniform block, all of them do,
    /// or they have returned.
    fn for_each(&mut self, statement: &Statement) -> Flow {
        let mut common = None;
        for item in self.part.clone() {
            if self.items[item].returned {
                continue;
            }
            match self.alone(statement, item) {
                Flow::Return if !is_uniform_return(statement) => self.items[item].returned = true,
                flow => assert!(*common.get_or_insert(flow) == flow, "{statement:?} is not uniform"),
            }
        }
        common.unwrap_or(Flow::Next)
    }

    fn together(&mut self, statement: &Statement) -> Flow {
        match statement {
            Statement::Barrier => self.watch.phase += 1,
            Statement::AssignUniform(variable, e) => self.uniforms[*variable] = self.uniform(e),
            Statement::Group(operation, target, e) => self.group_operation(*operation, *target, e),
            Statement::Call(function, target, value, count) => self.call(*function, *target, value, count),
            Statement::If { condition, then, otherwise, .. } => {
                return if self.uniform(condition) != 0 { self.block(then) } else { self.block(otherwise) };
            }
            Statement::Loop(l) => return self.uniform_loop(l),
            Statement::SubGroup(operation, variable, e) => self.sub_group_operation(*operation, *variable, e),
            Statement::Vote { all, condition, then, otherwise } => {
                return self.by_sub_groups(|part| {
                    let votes: Vec<bool> =
                        part.values(condition).into_iter().flatten().map(|value| value != 0).collect();
                    let is_taken = if *all { !votes.contains(&false) } else { votes.contains(&true) };
                    part.block(if is_taken { then } else { otherwise })
                });
            }
            Statement::Rounds(l) => return self.by_sub_groups(|part| part.rounds(l)),
            other => unreachable!("{other:?} in a uniform block"),
        }
        Flow::Next
    }

    fn uniform_loop(&mut self, l: &Loop) -> Flow {
        let count = self.uniform(&l.count);
        let mut round = 0;
        while round < count || (l.do_while && round == 0) {
            self.uniforms[l.counter] = round;
            match self.block(&l.body) {
                Flow::Break => break,
                Flow::Return => return Flow::Return,
                Flow::Next | Flow::Continue => round += 1,
                Flow::BreakTwo => unreachable!("a loop of items leaves one that they run together"),
            }
        }
        Flow::Next
    }

    /// Runs one sub-group after another of those in the current block.
    fn by_sub_groups(&mut self, run: impl Fn(&mut Self) -> Flow) -> Flow {
        let (all, size) = (self.part.clone(), self.sub_group());
        let mut flow = Flow::Next;
        for first in all.clone().step_by(size) {
            self.part = first..all.end.min(first + size);
            if self.items[self.part.clone()].iter().all(|item| item.returned) {
                continue;
            }
            match run(self) {
                Flow::Next => {}
                Flow::Return => self.items[self.part.clone()].iter_mut().for_each(|item| item.returned = true),
                left => {
                    assert!(self.part == all, "a sub-group leaves a loop of its group");
                    flow = left;
                }
            }
        }
        self.part = all;
        flow
    }

    /// Items of a full sub-group.
    fn sub_group(&self) -> usize {
        self.shape.sub_group.expect("a size of sub-groups") as usize
    }

    /// A loop of the sub-group that runs the current block.
    fn rounds(&mut self, l: &Loop) -> Flow {
        let counts = self.values(&l.count);
        let mut round = 0;
        let goes_on = |part: &Self, round: u32| {
            part.part.clone().any(|item| !part.items[item].returned && counts[item].is_some_and(|count| round < count))
        };
        while goes_on(self, round) || (l.do_while && round == 0) {
            for item in self.part.clone().filter(|item| counts[*item].is_some()) {
                self.assign(item, l.counter, round);
            }
            match self.block(&l.body) {
                Flow::Break => break,
                Flow::Return => return Flow::Return,
                Flow::Next | Flow::Continue => round += 1,
                Flow::BreakTwo => unreachable!("a loop of items leaves one that they run together"),
            }
        }
        Flow::Next
    }

    fn sub_group_operation(&mut self, operation: GroupOperation, variable: usize, e: &Expr) {
        let (size, ty) = (self.sub_group(), self.kernel.types[variable]);
        let values = self.values(e);
        for (first, lanes) in (0..).step_by(size).zip(values.chunks(size)) {
            let running = (0..).zip(lanes).filter_map(|(lane, value)| Some((lane, ty.kept((*value)?))));
            let (places, values): (Vec<usize>, Vec<u32>) = running.unzip();
            let is_whole = places.is_empty() || places.len() == lanes.len();
            assert!(is_whole || !operation.needs_everyone(), "{operation:?} after an item returned");
            for (number, lane) in places.iter().enumerate() {
                let result = match operation {
                    GroupOperation::Ballot => ballot(&places, &values),
                    _ => group_result(operation, &values, number),
                };
                self.assign(first + lane, variable, result);
            }
        }
    }

    fn call(&mut self, number: usize, target: usize, value: &Expr, count: &Expr) {
        let mut uniforms = initial_uniforms();
        uniforms[0] = self.uniform(count);
        let values = self.values(value);
        let saved = self.items.clone();
        for (item, value) in self.items.iter_mut().zip(values) {
            let mut fresh = Item::new(item.position);
            fresh.variables[0] = self.kernel.types[0].kept(value.unwrap_or(0));
            *item = Item { returned: item.returned, ..fresh };
        }
        let uniforms = std::mem::replace(&mut self.uniforms, uniforms);
        let function = &self.kernel.functions[number];
        self.block(&function.body);
        let results = self.values(&function.result);
        (self.items, self.uniforms) = (saved, uniforms);
        for (item, result) in results.into_iter().enumerate() {
            result.into_iter().for_each(|result| self.assign(item, target, result));
        }
    }

    fn group_operation(&mut self, operation: GroupOperation, target: Target, e: &Expr) {
        assert!(self.items.iter().all(|item| !item.returned), "{operation:?} after an item returned");
        let values: Vec<u32> = self.values(e).into_iter().flatten().collect();
        let results: Vec<u32> = (0..values.len()).map(|item| group_result(operation, &values, item)).collect();
        match target {
            Target::Variable(variable) => (0..).zip(results).for_each(|(item, r)| self.assign(item, variable, r)),
            Target::Uniform(variable) => {
                assert!(results.iter().all(|result| *result == results[0]), "{operation:?} is not uniform");
                self.uniforms[variable] = results[0];
            }
        }
    }

    /// Values of an expression for all items that run the current block.
    fn values(&mut self, e: &Expr) -> Vec<Option<u32>> {
        let runs = |group: &Self, item: usize| group.part.contains(&item) && !group.items[item].returned;
        (0..self.items.len()).map(|item| runs(self, item).then(|| self.value(e, item))).collect()
    }

    /// Value of an expression that must be equal for all items that run the current block.
    fn uniform(&mut self, e: &Expr) -> u32 {
        let values: Vec<u32> = self.values(e).into_iter().flatten().collect();
        assert!(values.iter().all(|value| *value == values[0]), "{e:?} is not uniform");
        values[0]
    }

    fn assign(&mut self, item: usize, variable: usize, value: u32) {
        self.items[item].variables[variable] = self.kernel.types[variable].kept(value);
    }

    /// A statement for one item.
    fn alone(&mut self, statement: &Statement, item: usize) -> Flow {
        let value = statement.expressions().first().map_or(0, |e| self.value(e, item));
        match statement {
            Statement::Assign(variable, _) => self.assign(item, *variable, value),
            Statement::AssignElement(_, e) => {
                self.items[item].elements[(value % ELEMENTS) as usize] = self.value(e, item);
            }
            Statement::StoreOwn(array, _) => self.store(*array, item, item, value),
            Statement::StorePermuted(array, permutation, _) => {
                self.store(*array, item, permuted(*permutation, item, self.items.len()), value);
            }
            Statement::Output(number, _) => {
                let place = (self.number * self.items.len() + item) * OUTPUT_STRIDE + number;
                self.memory.output[place] = value;
            }
            Statement::Count(cell, _) => {
                self.watch.count();
                self.cells[*cell] = CELL_OPERATIONS[*cell].apply(self.cells[*cell], value);
            }
            Statement::CountGlobal(cell, _) => {
                self.memory.cells[*cell] = CELL_OPERATIONS[*cell].apply(self.memory.cells[*cell], value);
            }
            Statement::Break(_) if value != 0 => return Flow::Break,
            Statement::BreakTwo(_) if value != 0 => return Flow::BreakTwo,
            Statement::Continue(_) if value != 0 => return Flow::Continue,
            Statement::Return(_) if value != 0 => return Flow::Return,
            Statement::Break(_) | Statement::BreakTwo(_) | Statement::Continue(_) | Statement::Return(_) => {}
            Statement::Switch(_, blocks) => {
                let taken = blocks.get(value as usize % (blocks.len() + 1));
                return taken.map_or(Flow::Next, |block| self.alone_block(block, item));
            }
            Statement::If { then, otherwise, .. } => {
                return self.alone_block(if value != 0 { then } else { otherwise }, item);
            }
            Statement::Loop(l) => return self.divergent_loop(l, value, item),
            other => unreachable!("{other:?} in a divergent block"),
        }
        Flow::Next
    }

    fn alone_block(&mut self, statements: &[Statement], item: usize) -> Flow {
        for statement in statements {
            let flow = self.alone(statement, item);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    fn divergent_loop(&mut self, l: &Loop, count: u32, item: usize) -> Flow {
        let mut round = 0;
        while round < count || (l.do_while && round == 0) {
            self.assign(item, l.counter, round);
            match self.alone_block(&l.body, item) {
                Flow::Break => break,
                Flow::BreakTwo => return Flow::Break,
                Flow::Return => return Flow::Return,
                Flow::Next | Flow::Continue => round += 1,
            }
        }
        Flow::Next
    }

    fn store(&mut self, array: usize, item: usize, slot: usize, value: u32) {
        self.watch.write(array, slot, item);
        self.arrays[array][slot] = value;
    }

    fn load(&mut self, array: usize, item: usize, slot: usize) -> u32 {
        self.watch.read(array, slot, item);
        self.arrays[array][slot]
    }

    fn value(&mut self, e: &Expr, item: usize) -> u32 {
        let size = self.items.len() as u32;
        match e {
            Expr::Constant(value) => *value,
            Expr::Variable(variable) => self.items[item].variables[*variable],
            Expr::Uniform(variable) => self.uniforms[*variable],
            Expr::Argument(number) => self.memory.arguments[*number],
            Expr::Element(index) => {
                let index = self.value(index, item) % ELEMENTS;
                self.items[item].elements[index as usize]
            }
            Expr::LocalId(dimension) => local_id(self.shape, item, *dimension),
            Expr::LocalLinear => item as u32,
            Expr::GroupSize => size,
            Expr::GroupLinear => self.number as u32,
            Expr::Input(index) => {
                let index = self.value(index, item) % INPUTS;
                self.memory.input[index as usize]
            }
            Expr::Own(array) => self.load(*array, item, item),
            Expr::Slot(array, index) => {
                let slot = self.value(index, item) % size;
                self.load(*array, item, slot as usize)
            }
            Expr::Cell(cell) => {
                self.watch.read_cell();
                self.cells[*cell]
            }
            Expr::SubGroup(query) => {
                let width = self.sub_group();
                let first = item / width * width;
                (match query {
                    Query::Lane => item - first,
                    Query::Size => width.min(self.items.len() - first),
                    Query::Number => item / width,
                    Query::Count => self.items.len().div_ceil(width),
                }) as u32
            }
            Expr::Mixed(inner) => self.value(inner, item).wrapping_mul(5) ^ local_id(self.shape, item, 0),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a, item), self.value(b, item));
                op.apply(a, b)
            }
        }
    }

    /// Each item that reaches the end writes its variables.
    fn finish(&mut self) {
        for (item, state) in self.items.iter().enumerate().filter(|(_, state)| !state.returned) {
            let row = &mut self.memory.output[(self.number * self.items.len() + item) * OUTPUT_STRIDE..];
            row[OUTPUTS..OUTPUTS + VARIABLES].copy_from_slice(&state.variables);
            row[OUTPUTS + VARIABLES..][..UNIFORMS].copy_from_slice(&self.uniforms);
        }
    }
}

/// True if all items take a `return` together.
fn is_uniform_return(statement: &Statement) -> bool {
    matches!(statement, Statement::Return(e) if e.is_uniform())
}

fn local_id(shape: &Shape, item: usize, dimension: usize) -> u32 {
    let below: u32 = shape.group[..dimension].iter().product();
    item as u32 / below % shape.group[dimension]
}

fn permuted(permutation: Permutation, item: usize, items: usize) -> usize {
    match permutation {
        Permutation::Reverse => items - 1 - item,
        Permutation::Rotate(steps) => (item + steps as usize) % items,
    }
}

fn group_result(operation: GroupOperation, values: &[u32], item: usize) -> u32 {
    let combined = |combine: Combine, values: &[u32]| values.iter().copied().reduce(|a, b| combine.apply(a, b));
    let at = |place: Option<usize>| place.and_then(|place| values.get(place)).copied().unwrap_or(0);
    match operation {
        GroupOperation::Reduce(combine) => combined(combine, values).unwrap_or(0),
        GroupOperation::InclusiveScan(combine) => combined(combine, &values[..=item]).unwrap_or(0),
        GroupOperation::ExclusiveScan(combine) => values[..item].iter().fold(5, |all, v| combine.apply(all, *v)),
        GroupOperation::Broadcast(sender) => values[sender as usize % values.len()],
        GroupOperation::Any => u32::from(values.iter().any(|v| v & 1 == 1)),
        GroupOperation::All => u32::from(values.iter().all(|v| v & 1 == 1)),
        GroupOperation::None => u32::from(values.iter().all(|v| v & 1 == 0)),
        GroupOperation::ShiftLeft(steps) => at(Some(item + steps as usize)),
        GroupOperation::ShiftRight(steps) => at(item.checked_sub(steps as usize)),
        GroupOperation::Permute(mask) => at(Some(item ^ mask as usize)),
        GroupOperation::SelectReverse => values[values.len() - 1 - item],
        GroupOperation::Select => values[values[item] as usize % values.len()],
        GroupOperation::Ballot => unreachable!("a ballot needs the positions of the items"),
    }
}

/// The vote of items at these positions, as [`super::llvm_group`] has it.
fn ballot(places: &[usize], values: &[u32]) -> u32 {
    let votes = places.iter().zip(values).map(|(place, value)| u64::from(value & 1) << place).sum::<u64>();
    votes as u32 ^ ((votes >> 32) as u32).wrapping_mul(BALLOT_FACTOR)
}

/// Detects races: records the accesses to each slot since the last barrier.
struct Watch {
    phase: u32,
    slots: Vec<Vec<Slot>>,
    counted: u32,
    cell_read: u32,
}

/// Phase of the last accesses, and the items that made them; `usize::MAX` for several.
#[derive(Clone, Copy, Default)]
struct Slot {
    read: (u32, usize),
    written: (u32, usize),
}

impl Watch {
    fn new(items: usize) -> Watch {
        Watch { phase: 1, slots: vec![vec![Slot::default(); items]; ARRAYS], counted: 0, cell_read: 0 }
    }

    fn read(&mut self, array: usize, slot: usize, item: usize) {
        let phase = self.phase;
        let Slot { read, written } = &mut self.slots[array][slot];
        assert!(written.0 != phase || written.1 == item, "item {item} reads what another one writes");
        *read = (phase, if read.0 == phase && read.1 != item { usize::MAX } else { item });
    }

    fn write(&mut self, array: usize, slot: usize, item: usize) {
        let phase = self.phase;
        let Slot { read, written } = &mut self.slots[array][slot];
        for other in [*read, *written] {
            assert!(other.0 != phase || other.1 == item, "item {item} writes what another one uses");
        }
        *written = (phase, item);
    }

    fn count(&mut self) {
        assert!(self.cell_read != self.phase, "a cell changes while it is read");
        self.counted = self.phase;
    }

    fn read_cell(&mut self) {
        assert!(self.counted != self.phase, "a cell is read while it changes");
        self.cell_read = self.phase;
    }
}
