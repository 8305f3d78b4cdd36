//! Runs a row of a random kernel as planned, for tests.
//!
//! In: a [`LaneProgram`] and its [`RowPlan`]. Out: the lanes behind the run, which have done what
//! they do alone, or the claim of the plan that was wrong. *Invariant:* two states are kept apart:
//! each lane's own, and that of the row function, with one scalar for a uniform value, the base of
//! a linear one and the mask of each block. Whatever a lane reads, both must agree.

use super::{
    graph::{BlockId, Kind, ValueId},
    lane_items::{Item, constant, incoming},
    lane_program::{FIRST_ID, LaneProgram, PARAMETERS, cut, extended, hash},
    layout::Layout,
    operation::{Operation, Shape, Term},
    rows::{Edge, End, Mask, RowBlock, RowPlan},
};
use proptest::test_runner::TestCaseError;

pub(super) const LANES: usize = 8;
/// Lines of a row that has several.
pub(super) const LINES: usize = 2;
/// Blocks that a row may come to; beyond that it counts as endless.
const FUEL: usize = 60_000;

/// One bit for each lane.
type Lanes = u32;
const ALL: Lanes = (1 << LANES) - 1;

pub(super) type Checked<T> = Result<T, TestCaseError>;

/// A value as the row function has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    /// Not computed yet, or forgotten.
    Nothing,
    Scalar(u64),
    /// The base; that of a narrow value has 64 bits.
    Linear(u64),
    /// A scalar for each line.
    Scalars([u64; LINES]),
    /// A base for each line.
    Bases([u64; LINES]),
    Vector([u64; LANES]),
}

/// How often a run did what.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub(super) runs: usize,
    pub(super) empty: usize,
    pub(super) skipped: usize,
    pub(super) edges: usize,
    pub(super) whole: usize,
    pub(super) shared: usize,
    pub(super) linear: usize,
    pub(super) in_lines: usize,
}

/// A row.
#[derive(Debug)]
pub(super) struct Row<'p> {
    program: &'p LaneProgram,
    plan: &'p RowPlan,
    layout: Layout<'p>,
    /// The block of the plan for each block of the `Cfg`.
    places: Vec<Option<usize>>,
    pub(super) items: Vec<Item>,
    pub(super) trapped: Lanes,
    values: Vec<Stored>,
    slots: Vec<Stored>,
    /// The values of the lanes that wait, as they are.
    received: Vec<[Option<u64>; LANES]>,
    waiting: Vec<Lanes>,
    masks: Vec<Lanes>,
    /// The lanes that waited in a block the last time the row came to it.
    came: Vec<Option<Lanes>>,
    /// Moves no lanes along the edges of a branch that is not taken, rather than leaving them out.
    pub(super) all_edges: bool,
    noise: u64,
    pub(super) counts: Counts,
}

impl<'p> Row<'p> {
    pub(super) fn new(program: &'p LaneProgram, plan: &'p RowPlan) -> Self {
        let (blocks, values) = (program.cfg.blocks.len(), program.facts.len());
        let mut places = vec![None; blocks];
        plan.blocks.iter().enumerate().for_each(|(at, block)| places[block.block.index()] = Some(at));
        let mut row = Self {
            program,
            plan,
            layout: Layout::of(&program.cfg),
            places,
            items: (0..LANES as u64).map(|lane| Item::new(program, lane)).collect(),
            trapped: 0,
            values: vec![Stored::Nothing; values],
            slots: vec![Stored::Nothing; values],
            received: vec![[None; LANES]; values],
            waiting: vec![0; blocks],
            masks: vec![0; blocks],
            came: vec![None; blocks],
            all_edges: false,
            noise: 0,
            counts: Counts::default(),
        };
        (0..PARAMETERS.len()).for_each(|at| row.values[at] = row.parameter(at));
        row.waiting[0] = ALL;
        row
    }

    fn parameter(&self, at: usize) -> Stored {
        let value = |lane: usize| self.items[lane].values[at].flatten().unwrap_or_default();
        // The first lane of a line, or of the row if it has one.
        let first = |line: usize| value(line * self.program.length as usize % LANES);
        let base = |value: u64, signed: bool| extended(value, PARAMETERS[at].1, signed) as u64;
        match self.plan.shapes[at] {
            Shape::Same => Stored::Scalar(value(0)),
            Shape::Linear { signed, .. } => Stored::Linear(base(value(0), signed)),
            Shape::SameInLine => Stored::Scalars(std::array::from_fn(first)),
            Shape::LinearInLine { signed, .. } => Stored::Bases(std::array::from_fn(|line| base(first(line), signed))),
            Shape::Any => Stored::Vector(std::array::from_fn(value)),
        }
    }

    /// Runs to the end.
    pub(super) fn run(&mut self) -> Checked<()> {
        let mut block = BlockId(0);
        for _ in 0..FUEL {
            match self.visit(block)? {
                Some(next) => block = next,
                None => return Ok(()),
            }
        }
        Err(TestCaseError::fail("the row never ends"))
    }

    /// Comes to a block; returns the next one.
    fn visit(&mut self, block: BlockId) -> Checked<Option<BlockId>> {
        let Some(place) = self.places[block.index()] else { return fail(format!("{block:?} is not planned")) };
        let plan: &'p RowPlan = self.plan;
        let planned = &plan.blocks[place];
        let mask = self.mask(planned)?;
        self.came[block.index()] = Some(mask);
        if mask == 0
            && let Some(skip) = planned.skip
        {
            self.counts.skipped += 1;
            return Ok(Some(skip));
        }
        self.waiting[block.index()] = 0;
        self.masks[block.index()] = 0;
        self.counts.runs += 1;
        self.counts.empty += usize::from(mask == 0);
        self.counts.shared += usize::from(matches!(planned.mask, Mask::Of(_)));
        planned.forgotten.iter().for_each(|value| self.values[value.index()] = Stored::Nothing);
        self.take_phis(block, mask)?;
        self.execute(block, mask)?;
        self.go_on(planned, mask)
    }

    /// The lanes that run a block, which must be those that wait in it.
    fn mask(&self, planned: &RowBlock) -> Checked<Lanes> {
        let mask = match planned.mask {
            Mask::Entry => ALL,
            Mask::Of(other) => match self.came[other.index()] {
                Some(mask) => mask,
                None => return fail(format!("{:?} needs the mask of {other:?}, which never ran", planned.block)),
            },
            Mask::Slot => self.masks[planned.block.index()],
        };
        let waiting = self.waiting[planned.block.index()];
        if mask != waiting {
            return fail(format!("{:?} runs with lanes {mask:b}, not {waiting:b}", planned.block));
        }
        Ok(mask)
    }

    /// Reads the slots of a block's phis.
    fn take_phis(&mut self, block: BlockId, mask: Lanes) -> Checked<()> {
        for (phi, instruction) in self.layout.instructions(block) {
            if matches!(instruction.kind, Kind::Phi(_)) {
                for lane in lanes(mask) {
                    self.items[lane].values[phi.index()] = Some(self.received[phi.index()][lane]);
                }
                self.values[phi.index()] = self.slots[phi.index()];
                self.agree(phi, mask, block)?;
            }
        }
        Ok(())
    }

    /// Checks that the row has a value as the lanes have it.
    fn agree(&self, value: ValueId, mask: Lanes, at: BlockId) -> Checked<()> {
        for lane in lanes(mask) {
            let Some(own) = self.items[lane].values[value.index()] else {
                return fail(format!("lane {lane} reads {value:?} before it is computed"));
            };
            let bits = self.program.facts[value.index()].bits;
            let shape = self.plan.shapes[value.index()];
            let (number, line) = self.place(lane);
            let is_sum = |own: u64, base: u64, step: i64, signed: bool| {
                let sum = base.wrapping_add((step as u64).wrapping_mul(number as u64));
                if bits >= 64 { sum == own } else { sum == extended(own, bits, signed) as u64 }
            };
            let right = own.is_none_or(|own| match (self.values[value.index()], shape) {
                (Stored::Scalar(scalar), Shape::Same) => scalar == own,
                (Stored::Linear(base), Shape::Linear { step, signed }) => is_sum(own, base, step, signed),
                (Stored::Scalars(scalars), Shape::SameInLine) => scalars[line] == own,
                (Stored::Bases(bases), Shape::LinearInLine { step, signed }) => is_sum(own, bases[line], step, signed),
                (Stored::Vector(vector), Shape::Any) => vector[lane] == own,
                _ => false,
            });
            if !right {
                let stored = self.values[value.index()];
                return fail(format!("{value:?}, {shape:?}, is {stored:x?} in {at:?}, but lane {lane} has {own:x?}"));
            }
        }
        Ok(())
    }

    /// The number of a lane in its line, and that of the line.
    fn place(&self, lane: usize) -> (usize, usize) {
        let length = self.program.length as usize;
        (lane % length, lane / length)
    }

    /// The lanes of a line.
    fn line(&self, line: usize) -> Lanes {
        lanes(ALL).filter(|lane| self.place(*lane).1 == line).map(|lane| 1 << lane).sum()
    }

    fn execute(&mut self, block: BlockId, mask: Lanes) -> Checked<()> {
        for (id, instruction) in self.layout.instructions(block) {
            let barrier = instruction.kind == Kind::Barrier;
            if mask == 0 && (barrier || self.program.facts[id.index()].needs_lane) {
                return fail(format!("{id:?} runs without a lane"));
            }
            let inside = |operand: &&ValueId| self.layout.block_of(**operand) != Some(block);
            instruction.operands.iter().filter(inside).try_for_each(|&operand| self.agree(operand, mask, block))?;
        }
        for lane in lanes(mask) {
            let item = &mut self.items[lane];
            if item.enter(self.program, &self.layout, block, None).is_err() {
                return fail("a lane uses poison");
            }
        }
        for (id, instruction) in self.layout.instructions(block) {
            if !matches!(instruction.kind, Kind::Phi(_)) {
                self.values[id.index()] = self.result(id, mask);
                let shape = self.plan.shapes[id.index()];
                self.counts.linear += usize::from(matches!(shape, Shape::Linear { .. }));
                self.counts.in_lines += usize::from(shape.is_in_lines() && self.program.length < LANES as u64);
                self.agree(id, mask, block)?;
            }
        }
        Ok(())
    }

    /// The result of an instruction as the row function computes it.
    fn result(&mut self, id: ValueId, mask: Lanes) -> Stored {
        match self.plan.shapes[id.index()] {
            Shape::Same => Stored::Scalar(self.of_base(id, 0).unwrap_or_else(|| self.of_any_lane(id, mask))),
            Shape::Linear { signed, .. } => {
                let base = self.base(id, signed, 0).unwrap_or_else(|| self.noise());
                Stored::Linear(base)
            }
            Shape::SameInLine => {
                let any = |row: &mut Self, line| row.of_any_lane(id, mask & row.line(line));
                Stored::Scalars(std::array::from_fn(|line| self.of_base(id, line).unwrap_or_else(|| any(self, line))))
            }
            Shape::LinearInLine { signed, .. } => {
                let base = |line| self.base(id, signed, line).unwrap_or_else(|| self.noise());
                Stored::Bases([0, 1].map(base))
            }
            Shape::Any => {
                let own = |row: &Self, lane: usize| row.items[lane].values[id.index()].flatten();
                let active = |row: &Self, lane: usize| if has(mask, lane) { own(row, lane) } else { None };
                Stored::Vector(std::array::from_fn(|lane| active(self, lane).unwrap_or_else(|| self.noise())))
            }
        }
    }

    /// The value of a lane that is not poison; if there is none, any.
    fn of_any_lane(&mut self, id: ValueId, mask: Lanes) -> u64 {
        lanes(mask).find_map(|lane| self.items[lane].values[id.index()].flatten()).unwrap_or_else(|| self.noise())
    }

    /// The result of an operation in which the differences between lanes do not count, from the
    /// base of its operand.
    fn of_base(&self, id: ValueId, line: usize) -> Option<u64> {
        let fact = &self.program.facts[id.index()];
        let own = |term: Term| Some(cut(self.base_of(term, fact.bits, true, line)?, fact.bits));
        match fact.operation {
            Operation::Divide { of, by } => self.linear(of, line).and(own(of)).map(|base| base / by.cast_unsigned()),
            Operation::And([a, b]) => self.linear_one([a, b], line).and(Some(own(a)? & own(b)?)),
            _ => None,
        }
    }

    fn noise(&mut self) -> u64 {
        self.noise += 1;
        hash(self.noise)
    }

    /// The base of a linear result in a line.
    fn base(&self, id: ValueId, signed: bool, line: usize) -> Option<u64> {
        let (base, fact) = (self.sum(id, signed, line)?, &self.program.facts[id.index()]);
        Some(match fact.operation {
            _ if !self.plan.cut[id.index()] => base,
            Operation::Extend { signed, from, .. } => extended(base, from, signed) as u64,
            Operation::And(_) | Operation::Xor(_) | Operation::Remainder { .. } => base,
            _ => extended(base, fact.bits, signed) as u64,
        })
    }

    /// The base before it is cut, from the scalars and bases of the operands.
    fn sum(&self, id: ValueId, signed: bool, line: usize) -> Option<u64> {
        let fact = &self.program.facts[id.index()];
        let term = |term: Term| self.base_of(term, fact.bits, signed, line);
        let both = |terms: &[Term; 2]| Some((term(terms[0])?, term(terms[1])?));
        Some(match &fact.operation {
            Operation::Lane => FIRST_ID,
            Operation::Add(terms, _) => both(terms).map(|(a, b)| a.wrapping_add(b))?,
            Operation::Sub(terms, _) => both(terms).map(|(a, b)| a.wrapping_sub(b))?,
            Operation::Mul(terms, _) => both(terms).map(|(a, b)| a.wrapping_mul(b))?,
            Operation::Shl(terms, _) => both(terms).map(|(a, b)| a.wrapping_shl(b as u32))?,
            Operation::And(terms) if self.plan.cut[id.index()] => both(terms).map(|(a, b)| a & b)?,
            Operation::And([a, b]) => self.linear_one([*a, *b], line)?,
            Operation::Xor(terms) if self.plan.cut[id.index()] => both(terms).map(|(a, b)| a ^ b)?,
            Operation::Xor([a, b]) => {
                let mask = [a, b].into_iter().find(|&&one| self.linear(one, line).is_none())?;
                term(*mask)?.wrapping_sub(self.linear_one([*a, *b], line)?)
            }
            Operation::Remainder { of, by } => cut(self.linear(*of, line)?, fact.bits) % by.cast_unsigned(),
            Operation::Extend { of, .. } | Operation::Truncate { of, .. } | Operation::Same(of) => {
                self.linear(*of, line)?
            }
            Operation::Address { base, indices } => {
                let offset = |&(index, scale): &(Term, i64)| {
                    let bits = if let Term::Value(id) = index { self.program.facts[id.index()].bits } else { 64 };
                    Some(self.base_of(index, bits, true, line)?.wrapping_mul(scale as u64))
                };
                let mut sum = self.base_of(*base, 64, true, line)?;
                for index in indices {
                    sum = sum.wrapping_add(offset(index)?);
                }
                sum
            }
            Operation::Select { condition, values } => {
                let condition = match condition {
                    Term::Value(value) => self.scalar(*value, line),
                    _ => Some(cut(99, 64)),
                };
                // Equal values need no condition.
                let way = condition.map_or(0, |condition| hash((id, condition)) % 2);
                term(values[way as usize])?
            }
            Operation::Private { size, .. } => 0x10_0000 + line as u64 * self.program.length * size,
            _ => return None,
        })
    }

    fn scalar(&self, value: ValueId, line: usize) -> Option<u64> {
        match self.values[value.index()] {
            Stored::Scalar(scalar) => Some(scalar),
            Stored::Scalars(scalars) => Some(scalars[line]),
            _ => None,
        }
    }

    /// The base of a linear operand, or a uniform one extended.
    fn base_of(&self, term: Term, bits: u32, signed: bool, line: usize) -> Option<u64> {
        match term {
            Term::Value(value) => {
                let scalar = self.scalar(value, line).map(|scalar| extended(scalar, bits, signed) as u64);
                scalar.or_else(|| self.linear(term, line))
            }
            Term::Literal(number) => Some(extended(number as u64, bits, signed) as u64),
            Term::Constant => Some(cut(99, bits)),
        }
    }

    fn linear(&self, term: Term, line: usize) -> Option<u64> {
        match term {
            Term::Value(value) => match self.values[value.index()] {
                Stored::Linear(base) => Some(base),
                Stored::Bases(bases) => Some(bases[line]),
                _ => None,
            },
            _ => None,
        }
    }

    fn linear_one(&self, terms: [Term; 2], line: usize) -> Option<u64> {
        terms.into_iter().find_map(|term| self.linear(term, line))
    }

    /// Moves the lanes on; returns the next block.
    fn go_on(&mut self, planned: &'p RowBlock, mask: Lanes) -> Checked<Option<BlockId>> {
        let block = planned.block;
        let targets = self.targets(block, mask)?;
        let next = match &planned.end {
            End::Never if mask == 0 => return fail(format!("{block:?} traps without a lane")),
            End::Never => {
                self.trapped = mask;
                return Ok(None);
            }
            End::Return => return self.finish(mask),
            End::Branch(nexts) => {
                let taken = self.taken(block, mask, &targets)?;
                let to = self.layout.block(block).successors[taken];
                self.cross_all(planned, mask, &targets, (!self.all_edges).then_some(to));
                return Ok(Some(nexts[taken]));
            }
            End::Go(next) => *next,
            End::Again { header, .. } => *header,
        };
        self.cross_all(planned, mask, &targets, None);
        Ok(Some(match planned.end {
            End::Again { header, next } if self.masks[header.index()] == 0 => next,
            _ => next,
        }))
    }

    /// For each lane that runs, the index of the edge it takes.
    fn targets(&self, block: BlockId, mask: Lanes) -> Checked<[Option<usize>; LANES]> {
        let mut targets = [None; LANES];
        let successors = &self.layout.block(block).successors;
        for lane in lanes(mask).filter(|_| !successors.is_empty()) {
            let Ok(to) = self.items[lane].next(&self.layout, block) else { return fail("a lane decides by poison") };
            targets[lane] = successors.iter().position(|other| *other == to);
        }
        Ok(targets)
    }

    /// The edge that all lanes take at a branch that remains.
    fn taken(&self, block: BlockId, mask: Lanes, targets: &[Option<usize>; LANES]) -> Checked<usize> {
        let mut taken = lanes(mask).filter_map(|lane| targets[lane]);
        let Some(first) = taken.next() else { return fail(format!("{block:?} decides without a lane")) };
        if taken.any(|other| other != first) {
            return fail(format!("lanes part in {block:?}"));
        }
        Ok(first)
    }

    /// Runs the edges of a block, or those to one block only.
    fn cross_all(&mut self, planned: &RowBlock, mask: Lanes, targets: &[Option<usize>; LANES], only: Option<BlockId>) {
        let layout_block = self.layout.block(planned.block);
        for (at, (&to, edge)) in layout_block.successors.iter().zip(&planned.edges).enumerate() {
            if only.is_none_or(|only| only == to) {
                let moving = lanes(mask).filter(|lane| targets[*lane] == Some(at)).map(|lane| 1 << lane).sum();
                self.cross(planned.block, to, *edge, moving);
            }
        }
    }

    fn cross(&mut self, from: BlockId, to: BlockId, edge: Edge, moving: Lanes) {
        self.counts.edges += 1;
        self.counts.whole += usize::from(edge.whole);
        let phis: Vec<_> = incoming(&self.layout, from, to).collect();
        let slots: Vec<_> = phis.iter().map(|&(phi, value)| self.received(phi, from, value, edge, moving)).collect();
        let own = |row: &Self, lane: usize, (phi, value)| row.items[lane].incoming(phi, from, value);
        for &(phi, value) in &phis {
            for lane in lanes(moving) {
                self.received[phi.index()][lane] = own(self, lane, (phi, value));
            }
        }
        phis.iter().zip(slots).for_each(|((phi, _), slot)| self.slots[phi.index()] = slot);
        self.waiting[to.index()] |= moving;
        if edge.mask {
            let mask = &mut self.masks[to.index()];
            *mask = if edge.whole { moving } else { *mask | moving };
        }
    }

    /// The slot of a phi behind an edge.
    fn received(&mut self, phi: ValueId, from: BlockId, value: Option<ValueId>, edge: Edge, moving: Lanes) -> Stored {
        let old = self.slots[phi.index()];
        let new = value.map_or(Stored::Scalar(constant(phi, from)), |value| self.values[value.index()]);
        let bits = self.program.facts[phi.index()].bits;
        match self.plan.shapes[phi.index()] {
            Shape::Any => {
                let vector = |row: &mut Self, lane| match new {
                    _ if !edge.whole && !has(moving, lane) => match old {
                        Stored::Vector(old) => old[lane],
                        _ => row.noise(),
                    },
                    Stored::Vector(vector) => vector[lane],
                    Stored::Scalar(scalar) => scalar,
                    Stored::Scalars(scalars) => scalars[row.place(lane).1],
                    Stored::Linear(base) => cut(base.wrapping_add(row.step(value, lane)), bits),
                    Stored::Bases(bases) => cut(bases[row.place(lane).1].wrapping_add(row.step(value, lane)), bits),
                    Stored::Nothing => row.noise(),
                };
                Stored::Vector(std::array::from_fn(|lane| vector(self, lane)))
            }
            shape if shape.is_in_lines() => self.received_in_lines(old, new, shape, (edge, moving)),
            _ if edge.whole || moving != 0 => new,
            _ => old,
        }
    }

    /// The slot of a phi with a value for each line: new in lines with a lane that moves.
    fn received_in_lines(&self, old: Stored, new: Stored, shape: Shape, (edge, moving): (Edge, Lanes)) -> Stored {
        let of = |stored: Stored, line: usize| match stored {
            Stored::Scalar(one) | Stored::Linear(one) => one,
            Stored::Scalars(all) | Stored::Bases(all) => all[line],
            _ => 0,
        };
        let pick = |line: usize| {
            let moves = edge.whole || moving & self.line(line) != 0;
            of(if moves { new } else { old }, line)
        };
        let picked = std::array::from_fn(pick);
        if shape == Shape::SameInLine { Stored::Scalars(picked) } else { Stored::Bases(picked) }
    }

    /// The difference of a linear value between a lane and the first one of its line.
    fn step(&self, value: Option<ValueId>, lane: usize) -> u64 {
        let step = value.and_then(|value| self.plan.shapes[value.index()].step());
        step.map_or(0, |step| (step as u64).wrapping_mul(self.place(lane).0 as u64))
    }

    /// Checks the end of all lanes.
    fn finish(&self, mask: Lanes) -> Checked<Option<BlockId>> {
        let left = self.waiting.iter().any(|&waiting| waiting != 0);
        if left || mask != ALL {
            return fail(format!("only lanes {mask:b} return"));
        }
        Ok(None)
    }
}

fn has(mask: Lanes, lane: usize) -> bool {
    mask & (1 << lane) != 0
}

fn lanes(mask: Lanes) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| has(mask, *lane))
}

fn fail<T>(message: impl Into<String>) -> Checked<T> {
    Err(TestCaseError::fail(message.into()))
}
