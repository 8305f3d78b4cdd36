//! Runs one lane of a random kernel by itself, for tests.
//!
//! In: a [`LaneProgram`]. Out: an [`Item`], and facts about wrapping and bounds that are true in
//! all runs. *Invariant:* a result that wraps although a fact denies it is poison; a program whose
//! behaviour depends on poison has no run.

use super::{
    graph::{BlockId, Kind, ValueId},
    jumps::Source,
    lane_program::{FIRST_ID, LaneProgram, PARAMETERS, cut, extended, hash, parameter},
    layout::Layout,
    operation::{Exact, Operation, Term},
};

/// Blocks that one lane may enter; beyond that it counts as endless.
const FUEL: usize = 400;

/// The value of one lane; `None` is poison.
pub(super) type Lane = Option<u64>;

/// The observable events of a lane: the blocks entered and the values traced.
pub(super) type Events = Vec<(u32, Vec<u64>)>;

/// One lane.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) lane: u64,
    /// `None` for a value that was not computed.
    pub(super) values: Vec<Option<Lane>>,
    /// How often the lane has run each instruction.
    runs: Vec<u64>,
    pub(super) events: Events,
    pub(super) trapped: bool,
}

/// Results of all runs of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    wraps: Exact,
    bounds: Option<(i64, i64)>,
}

/// Why there is no run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Undefined {
    Endless,
    Poison,
}

impl Item {
    pub(super) fn new(program: &LaneProgram, lane: u64) -> Self {
        let count = program.facts.len();
        let mut values = vec![None; count];
        (0..PARAMETERS.len()).for_each(|at| values[at] = Some(Some(parameter(at, lane, program.length))));
        Self { lane, values, runs: vec![0; count], events: Vec::new(), trapped: false }
    }

    /// Runs to the end; adds to what was seen of each instruction.
    fn run(&mut self, program: &LaneProgram, layout: &Layout<'_>, seen: &mut [Option<Seen>]) -> Result<(), Undefined> {
        let mut block = BlockId(0);
        let mut phis: Vec<(ValueId, Lane)> = Vec::new();
        for _ in 0..FUEL {
            phis.drain(..).for_each(|(phi, value)| self.values[phi.index()] = Some(value));
            self.enter(program, layout, block, Some(seen))?;
            if layout.block(block).successors.is_empty() {
                self.trapped = !layout.block(block).returns();
                return Ok(());
            }
            let to = self.next(layout, block)?;
            phis = incoming(layout, block, to).map(|(phi, value)| (phi, self.incoming(phi, block, value))).collect();
            block = to;
        }
        Err(Undefined::Endless)
    }

    /// Runs the instructions of a block, except for its phis.
    pub(super) fn enter(
        &mut self,
        program: &LaneProgram,
        layout: &Layout<'_>,
        block: BlockId,
        mut seen: Option<&mut [Option<Seen>]>,
    ) -> Result<(), Undefined> {
        let silent = |kind: &Kind| matches!(kind, Kind::Phi(_) | Kind::Unreachable);
        if !layout.instructions(block).all(|(_, one)| silent(&one.kind)) {
            self.events.push((block.0, Vec::new()));
        }
        for (id, instruction) in layout.instructions(block) {
            if matches!(instruction.kind, Kind::Phi(_)) {
                continue;
            }
            if program.traces[id.index()] {
                let values = instruction.operands.iter().map(|&operand| self.get(operand)).collect::<Option<Vec<_>>>();
                self.events.push((id.0, values.ok_or(Undefined::Poison)?));
            }
            let (value, now) = self.compute(program, id, &instruction.operands);
            self.values[id.index()] = Some(value);
            self.runs[id.index()] += 1;
            if let Some(seen) = &mut seen {
                let known = &mut seen[id.index()];
                *known = Some(known.map_or(now, |known| known.and(now)));
            }
        }
        Ok(())
    }

    pub(super) fn get(&self, value: ValueId) -> Lane {
        self.values[value.index()].unwrap_or_else(|| panic!("{value:?} was not computed"))
    }

    /// The value that a phi receives from a predecessor. A constant differs from all others.
    pub(super) fn incoming(&self, phi: ValueId, from: BlockId, value: Option<ValueId>) -> Lane {
        value.map_or(Some(constant(phi, from)), |value| self.get(value))
    }

    /// The successor of a block.
    pub(super) fn next(&self, layout: &Layout<'_>, block: BlockId) -> Result<BlockId, Undefined> {
        let successors = &layout.block(block).successors;
        let end = layout.instructions(block).last().map(|(id, one)| (id, one.operands.clone()));
        let Some((id, operands)) = end.filter(|(_, operands)| !operands.is_empty()) else { return Ok(successors[0]) };
        let condition = self.get(operands[0]).ok_or(Undefined::Poison)?;
        Ok(successors[(hash((id, condition)) % successors.len() as u64) as usize])
    }

    fn term(&self, term: Term, bits: u32) -> Lane {
        match term {
            Term::Value(value) => self.get(value),
            Term::Literal(number) => Some(cut(number as u64, bits)),
            Term::Constant => Some(cut(99, bits)),
        }
    }

    fn compute(&self, program: &LaneProgram, id: ValueId, operands: &[ValueId]) -> (Lane, Seen) {
        let fact = &program.facts[id.index()];
        let bits = fact.bits;
        let mut wraps = Exact::default();
        let mut exactly = |terms: &[Term; 2], exact: &Exact, of: fn(i128, i128) -> i128| {
            let [a, b] = [self.term(terms[0], bits)?, self.term(terms[1], bits)?];
            wraps = wrapping(a, b, bits, of);
            let poison = (exact.signed && wraps.signed) || (exact.unsigned && wraps.unsigned);
            (!poison).then_some(of(i128::from(a), i128::from(b)) as u64)
        };
        let value = match &fact.operation {
            Operation::Other => self.mix(id, operands),
            Operation::Divergent => Some(hash((id, self.lane, self.runs[id.index()]))),
            Operation::Uniform => Some(hash(id)),
            Operation::Lane => Some(FIRST_ID + self.lane % program.length),
            Operation::Line => Some(60 + self.lane / program.length),
            Operation::Add(terms, exact) => exactly(terms, exact, |a, b| a + b),
            Operation::Sub(terms, exact) => exactly(terms, exact, |a, b| a - b),
            Operation::Mul(terms, exact) => exactly(terms, exact, i128::wrapping_mul),
            Operation::Shl(terms, exact) => exactly(terms, exact, |a, b| a << b),
            Operation::And([a, b]) => self.term(*a, bits).zip(self.term(*b, bits)).map(|(a, b)| a & b),
            Operation::Xor([a, b]) => self.term(*a, bits).zip(self.term(*b, bits)).map(|(a, b)| a ^ b),
            Operation::Divide { of, by } => self.term(*of, bits).map(|value| value / by.cast_unsigned()),
            Operation::Remainder { of, by } => self.term(*of, bits).map(|value| value % by.cast_unsigned()),
            Operation::Extend { of, signed, from } => {
                self.term(*of, *from).map(|value| extended(value, *from, *signed) as u64)
            }
            Operation::Truncate { of, to, exact } => self.term(*of, 64).and_then(|value| {
                let from = if let Term::Value(id) = of { program.facts[id.index()].bits } else { 64 };
                wraps.signed = extended(value, from, true) != extended(value, *to, true);
                wraps.unsigned = cut(value, from) != cut(value, *to);
                let poison = (exact.signed && wraps.signed) || (exact.unsigned && wraps.unsigned);
                (!poison).then_some(value)
            }),
            Operation::Address { base, indices } => self.address(program, *base, indices),
            Operation::Select { condition, values } => self.term(*condition, 64).and_then(|condition| {
                let way = hash((id, condition)) % 2;
                self.term(values[way as usize], bits)
            }),
            Operation::Same(term) => self.term(*term, bits),
            Operation::Exchange { lane } => self.term(*lane, 64).map(|lane| hash((id, lane))),
            Operation::Private { size, .. } => Some(0x10_0000 + self.lane * size),
        };
        let value = value.map(|value| cut(value, bits));
        let bounds = value.map(|value| extended(value, bits, true)).map(|number| (number, number));
        (value, Seen { wraps, bounds })
    }

    /// A hash, often of a few small numbers.
    fn mix(&self, id: ValueId, operands: &[ValueId]) -> Lane {
        let values = operands.iter().map(|&operand| self.get(operand)).collect::<Option<Vec<_>>>()?;
        let value = hash((id, values));
        Some(if id.0.is_multiple_of(2) { value % 50 } else { value })
    }

    fn address(&self, program: &LaneProgram, base: Term, indices: &[(Term, i64)]) -> Lane {
        indices.iter().try_fold(self.term(base, 64)?, |sum, &(term, scale)| {
            let bits = if let Term::Value(id) = term { program.facts[id.index()].bits } else { 64 };
            let index = extended(self.term(term, bits)?, bits, true);
            Some(sum.wrapping_add(index.wrapping_mul(scale) as u64))
        })
    }
}

impl Seen {
    fn and(self, other: Self) -> Self {
        let wraps = Exact {
            signed: self.wraps.signed || other.wraps.signed,
            unsigned: self.wraps.unsigned || other.wraps.unsigned,
        };
        let hull = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
        Self {
            wraps,
            bounds: self.bounds.zip(other.bounds).map_or(self.bounds.or(other.bounds), |(a, b)| Some(hull(a, b))),
        }
    }
}

/// The constant that a phi receives from a predecessor.
pub(super) fn constant(phi: ValueId, from: BlockId) -> u64 {
    hash((phi, from)) % 100
}

/// True in each reading in which an operation on two numbers wraps.
fn wrapping(a: u64, b: u64, bits: u32, of: fn(i128, i128) -> i128) -> Exact {
    let wraps = |signed: bool| {
        let number = |value: u64| match signed || bits < 64 {
            true => i128::from(extended(value, bits, signed)),
            false => i128::from(value),
        };
        let result = of(number(a), number(b));
        let low = extended(result as u64, bits, signed);
        let low = if signed || bits < 64 { i128::from(low) } else { i128::from(low as u64) };
        result != low
    };
    Exact { signed: wraps(true), unsigned: wraps(false) }
}

/// The phis of `to` and their values from `from`.
pub(super) fn incoming(
    layout: &Layout<'_>,
    from: BlockId,
    to: BlockId,
) -> impl Iterator<Item = (ValueId, Option<ValueId>)> {
    layout.instructions(to).filter_map(move |(phi, instruction)| {
        let Kind::Phi(incoming) = &instruction.kind else { return None };
        let found = incoming.iter().find(|(other, _)| *other == from);
        Some((phi, found.unwrap_or_else(|| panic!("{phi:?} has no value for {from:?}")).1))
    })
}

/// Runs each lane by itself.
fn run_all(program: &LaneProgram, lanes: u64, seen: &mut [Option<Seen>]) -> Result<Vec<Item>, Undefined> {
    let layout = Layout::of(&program.cfg);
    let run = |lane| {
        let mut item = Item::new(program, lane);
        item.run(program, &layout, seen).map(|()| item)
    };
    (0..lanes).map(run).collect()
}

/// Runs each lane by itself, and adds facts that hold in these runs. Some are wrong in lanes that
/// do not use the result, which is poison there. `None` if a lane never ends.
pub(super) fn observe(program: &mut LaneProgram, lanes: u64, source: &mut Source<'_>) -> Option<Vec<Item>> {
    let mut seen = vec![None; program.facts.len()];
    let items = run_all(program, lanes, &mut seen).ok()?;
    for (fact, seen) in program.facts.iter_mut().zip(&seen).skip(PARAMETERS.len()) {
        // An instruction that never runs may claim anything.
        let Seen { wraps, bounds } = seen.unwrap_or(Seen { wraps: Exact::default(), bounds: None });
        if let Some(exact) = exact(&mut fact.operation) {
            exact.signed = !wraps.signed && source.chance(70);
            exact.unsigned = !wraps.unsigned && source.chance(50);
        }
        if source.chance(25) {
            fact.range = bounds;
        }
    }
    let plain = program.facts.clone();
    for fact in program.facts.iter_mut() {
        if let Some(exact) = exact(&mut fact.operation) {
            exact.signed |= source.chance(8);
            exact.unsigned |= source.chance(4);
        }
    }
    match run_all(program, lanes, &mut seen) {
        Ok(items) => Some(items),
        Err(_) => {
            program.facts = plain;
            Some(items)
        }
    }
}

fn exact(operation: &mut Operation) -> Option<&mut Exact> {
    match operation {
        Operation::Add(_, exact)
        | Operation::Sub(_, exact)
        | Operation::Mul(_, exact)
        | Operation::Shl(_, exact)
        | Operation::Truncate { exact, .. } => Some(exact),
        _ => None,
    }
}
