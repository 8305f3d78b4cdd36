//! Random kernels for tests of rows.
//!
//! In: arbitrary numbers. Out: a [`LaneProgram`]: a [`Cfg`] in canonical form with a [`Fact`] for
//! each value, and the results of its instructions. *Invariant:* definitions dominate their uses,
//! and leave loops through phis only.

use super::{
    dominators::Tree,
    graph::{Block, BlockId, Cfg, Instruction, Kind, ValueId, Variation},
    jumps::{Jumps, Source},
    loop_forest::Forest,
    operation::{Exact, Fact, Operation, Shape, Term},
    row_run::LANES,
};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A function and its facts.
#[derive(Clone, Debug)]
pub(super) struct LaneProgram {
    pub(super) cfg: Cfg,
    pub(super) facts: Vec<Fact>,
    /// True for instructions that make their operands observable.
    pub(super) traces: Vec<bool>,
    /// The lanes of a line.
    pub(super) length: u64,
}

/// The lowest and the highest number, if they are known.
type Bounds = Option<(i64, i64)>;

/// The shape, the width and the bounds of each parameter.
pub(super) const PARAMETERS: [(Shape, u32, Bounds); 8] = [
    (Shape::Same, 64, None),
    (Shape::Same, 32, Some((0, 100))),
    (Shape::Linear { step: 1, signed: true }, 64, Some((0, 1 << 20))),
    (Shape::Linear { step: 3, signed: true }, 32, None),
    (Shape::Any, 64, None),
    (Shape::Linear { step: 1, signed: false }, 8, None),
    (Shape::SameInLine, 64, None),
    (Shape::LinearInLine { step: 2, signed: true }, 32, None),
];

/// The local ID of the first lane, a multiple of the length of lines. Its lowest eight bits are
/// negative if read signed.
pub(super) const FIRST_ID: u64 = 200;

/// The value of each parameter in a lane of a row with lines of `length` lanes.
pub(super) fn parameter(at: usize, lane: u64, length: u64) -> u64 {
    let (number, line) = (lane % length, lane / length);
    match at {
        0 => 0x1234_5678_9abc,
        1 => 42,
        2 => 1000 + number,
        // Negative in the first lanes.
        3 => cut(3 * number, 32).wrapping_sub(7) & u64::from(u32::MAX),
        4 => hash((at, lane)),
        // Some are negative if read signed.
        5 => 124 + number,
        6 => hash((at, line)),
        _ => cut((hash((at, line)) % 1000).wrapping_sub(500).wrapping_add(2 * number), 32),
    }
}

pub(super) fn hash(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The lowest bits.
pub(super) fn cut(value: u64, bits: u32) -> u64 {
    if bits == 0 || bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// The number that the lowest bits stand for.
pub(super) fn extended(value: u64, bits: u32, signed: bool) -> i64 {
    let value = cut(value, bits) as i64;
    let negative = signed && (1..64).contains(&bits) && value >> (bits - 1) != 0;
    if negative { value - (1 << bits) } else { value }
}

/// An instruction without operands.
#[derive(Clone, Copy, Debug)]
struct Draft {
    block: usize,
    bits: u32,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Phi,
    /// Adds to this phi.
    Step(usize),
    /// The lowest bits of this value.
    Narrow(usize),
    Mix,
    Divergent,
    Uniform,
    Lane,
    Line,
    Exchange,
    Add,
    Sub,
    Mul,
    Shl,
    And,
    Xor,
    Divide,
    Remainder,
    Extend,
    Truncate,
    Address,
    Select,
    Same,
    Private,
    Trace,
    Barrier,
    End,
}

impl LaneProgram {
    /// `None` if the control flow never ends.
    pub(super) fn new(source: &mut Source<'_>, length: u64) -> Option<Self> {
        let jumps = Jumps::new(source)?;
        let graph = jumps.graph();
        let (tree, forest) = (Tree::of(&graph, 0), Forest::of(&graph, 0));
        let calm = source.pick(&[0, 1, 4, 15]);
        let mut builder =
            Builder { source, jumps: &jumps, graph: &graph, tree, forest, calm, length, drafts: Vec::new() };
        (0..jumps.successors.len()).for_each(|block| builder.declare(block));
        Some(builder.define())
    }
}

struct Builder<'b, 'w> {
    source: &'b mut Source<'w>,
    jumps: &'b Jumps,
    graph: &'b super::dominators::Graph,
    tree: Tree,
    forest: Forest,
    /// How many of a hundred instructions differ between lanes.
    calm: usize,
    /// The lanes of a line.
    length: u64,
    drafts: Vec<Draft>,
}

impl Builder<'_, '_> {
    fn declare(&mut self, block: usize) {
        let id = BlockId(block as u32);
        let header = self.forest.headed(id).is_some();
        if !self.graph.predecessors[block].is_empty() && (header || self.source.chance(50)) {
            (0..=self.source.below(2)).for_each(|_| self.draft(block, What::Phi));
        }
        let empty = self.jumps.empty.contains(&block);
        for _ in 0..if empty { 0 } else { self.source.below(5) } {
            let what = self.what();
            self.draft(block, what);
        }
        for one in self.forest.loops.iter().filter(|one| one.latches == [id]) {
            let steps = (0..self.drafts.len()).filter(|&at| {
                let draft = &self.drafts[at];
                draft.what == What::Phi && draft.block == one.header.index()
            });
            for phi in steps.collect::<Vec<_>>() {
                let draft = Draft { block, bits: self.drafts[phi].bits, what: What::Step(phi) };
                self.drafts.push(draft);
            }
        }
        // Something to decide by.
        self.draft(block, if empty { What::End } else { What::Mix });
        if !empty {
            self.draft(block, What::End);
        }
    }

    fn what(&mut self) -> What {
        if self.source.chance(self.calm) {
            return What::Divergent;
        }
        match self.source.below(40) {
            0..=9 => What::Mix,
            10 | 11 => What::Trace,
            12..=17 => What::Add,
            18..=20 => What::Sub,
            21 | 22 => What::Mul,
            23 | 24 => What::Shl,
            25 => self.source.pick(&[What::And, What::Xor, What::Divide, What::Remainder]),
            26..=29 => What::Extend,
            30 | 31 => What::Truncate,
            32 | 33 => What::Address,
            34 | 35 => What::Select,
            36 => self.source.pick(&[What::Same, What::Exchange]),
            37 => self.source.pick(&[What::Private, What::Uniform, What::Barrier, What::Divergent]),
            38 if self.calm > 0 => self.source.pick(&[What::Lane, What::Line]),
            _ => What::Mix,
        }
    }

    fn draft(&mut self, block: usize, what: What) {
        let bits = match what {
            What::Trace | What::Barrier | What::End => 0,
            What::Lane | What::Line | What::Address | What::Private => 64,
            What::Extend => self.source.pick(&[64, 64, 32]),
            What::Truncate => self.source.pick(&[32, 32, 8]),
            _ => self.source.pick(&[64, 32, 32, 8]),
        };
        self.drafts.push(Draft { block, bits, what });
        // Sums of narrow numbers of lanes wrap, but not within a line.
        if what == What::Lane && self.source.chance(70) {
            let of = self.drafts.len() - 1;
            let bits = self.source.pick(&[8, 8, 32]);
            self.drafts.push(Draft { block, bits, what: What::Narrow(of) });
            (0..=self.source.below(2)).for_each(|_| self.drafts.push(Draft { block, bits, what: What::Add }));
            // Quotients of them are often the same within a line.
            let what = self.source.pick(&[What::Divide, What::Remainder, What::And, What::Xor]);
            self.drafts.push(Draft { block, bits, what });
        }
    }

    fn define(&mut self) -> LaneProgram {
        let mut cfg = Cfg { parameters: PARAMETERS.map(|(shape, ..)| variation(shape)).to_vec(), blocks: Vec::new() };
        let mut facts: Vec<_> =
            PARAMETERS.iter().map(|(_, bits, range)| fact(Operation::Other, *bits, *range)).collect();
        let mut traces = vec![false; facts.len()];
        for block in 0..self.jumps.successors.len() {
            let mut instructions = Vec::new();
            for at in (0..self.drafts.len()).filter(|&at| self.drafts[at].block == block).collect::<Vec<_>>() {
                let (instruction, operation) = self.instruction(at);
                instructions.push(instruction);
                let draft = self.drafts[at];
                let needs_lane = draft.what == What::Mix && self.source.chance(10);
                let cost = [1, 1, 2, 8][self.source.below(4)];
                facts.push(Fact { needs_lane, cost, ..fact(operation, draft.bits, None) });
                traces.push(draft.what == What::Trace);
            }
            let successors = self.jumps.successors[block].iter().map(|&to| BlockId(to as u32)).collect();
            cfg.blocks.push(Block { instructions, successors });
        }
        LaneProgram { cfg, facts, traces, length: self.length }
    }

    fn instruction(&mut self, at: usize) -> (Instruction, Operation) {
        let draft = self.drafts[at];
        match draft.what {
            What::Phi => {
                let kind = Kind::Phi(self.incoming(at));
                (Instruction { kind, operands: vec![] }, Operation::Other)
            }
            What::End => self.end(at),
            What::Mix | What::Trace => {
                let decides = self.drafts.get(at + 1).is_some_and(|next| next.what == What::End);
                let mut operands = vec![self.value(at, None).unwrap_or(ValueId(0))];
                operands.extend(self.value(at, None).filter(|_| decides || self.source.chance(50)));
                // A condition in a loop mostly changes from round to round.
                let phi = self.phi_around(draft.block).filter(|_| decides && self.source.chance(85));
                if phi.is_some() && self.source.chance(40) {
                    operands.clear();
                }
                operands.extend(phi);
                (Instruction { kind: Kind::Pure, operands }, Operation::Other)
            }
            What::Barrier => (Instruction { kind: Kind::Barrier, operands: vec![] }, Operation::Other),
            _ => {
                let operation = self.operation(at);
                let operands = terms(&operation).into_iter().filter_map(|term| match term {
                    Term::Value(id) => Some(id),
                    _ => None,
                });
                (Instruction { kind: Kind::Pure, operands: operands.collect() }, operation)
            }
        }
    }

    fn end(&mut self, at: usize) -> (Instruction, Operation) {
        let block = self.drafts[at].block;
        let successors = self.jumps.successors[block].len();
        let kind = match successors {
            0 if block != self.jumps.last => Kind::Unreachable,
            _ => Kind::Terminator,
        };
        let operands = if successors > 1 { vec![value(at - 1)] } else { vec![] };
        (Instruction { kind, operands }, Operation::Other)
    }

    fn operation(&mut self, at: usize) -> Operation {
        let Draft { bits, what, .. } = self.drafts[at];
        let exact = Exact::default();
        match what {
            What::Step(phi) => {
                let by = if self.source.chance(60) { self.literal(bits) } else { self.term(at, bits) };
                Operation::Add([Term::Value(value(phi)), by], exact)
            }
            What::Narrow(of) => Operation::Truncate { of: Term::Value(value(of)), to: bits, exact },
            What::Add => Operation::Add(self.terms(at, bits), exact),
            What::Sub => Operation::Sub(self.terms(at, bits), exact),
            What::Mul => Operation::Mul(self.terms(at, bits), exact),
            What::Shl => Operation::Shl([self.term(at, bits), Term::Literal(self.source.below(4) as i64)], exact),
            What::And if self.source.chance(50) => Operation::And([self.term(at, bits), Term::Literal(self.mask())]),
            What::And => Operation::And(self.terms(at, bits)),
            What::Xor => Operation::Xor([self.term(at, bits), Term::Literal(self.mask())]),
            What::Divide => Operation::Divide { of: self.term(at, bits), by: self.divisor() },
            What::Remainder => Operation::Remainder { of: self.term(at, bits), by: self.divisor() },
            What::Extend => {
                let from = if bits == 64 { self.source.pick(&[32, 32, 8]) } else { 8 };
                Operation::Extend { of: self.term(at, from), signed: self.source.chance(50), from }
            }
            What::Truncate => {
                let from = if bits == 8 { self.source.pick(&[32, 64]) } else { 64 };
                Operation::Truncate { of: self.term(at, from), to: bits, exact }
            }
            What::Address => {
                let base = self.term(at, 64);
                let index = |builder: &mut Self| {
                    let bits = builder.source.pick(&[64, 32, 8]);
                    (builder.term(at, bits), builder.source.pick(&[4, 1, -8]))
                };
                let indices = (0..=self.source.below(2)).map(|_| index(self)).collect();
                Operation::Address { base, indices }
            }
            What::Select => {
                let condition = self.value(at, None).map_or(Term::Constant, Term::Value);
                Operation::Select { condition, values: self.terms(at, bits) }
            }
            What::Same => Operation::Same(self.term(at, bits)),
            What::Exchange => Operation::Exchange { lane: self.term(at, bits) },
            What::Private => {
                Operation::Private { size: self.source.pick(&[4, 16, 0]), in_lines: self.length < LANES as u64 }
            }
            What::Uniform => Operation::Uniform,
            What::Lane => Operation::Lane,
            What::Line => Operation::Line,
            _ => Operation::Divergent,
        }
    }

    fn terms(&mut self, at: usize, bits: u32) -> [Term; 2] {
        let second = if self.source.chance(40) { self.literal(bits) } else { self.term(at, bits) };
        let first = self.term(at, bits);
        if self.source.chance(80) { [first, second] } else { [second, first] }
    }

    fn term(&mut self, at: usize, bits: u32) -> Term {
        match self.value(at, Some(bits)) {
            Some(value) => Term::Value(value),
            None => self.literal(bits),
        }
    }

    fn literal(&mut self, bits: u32) -> Term {
        let number: i64 = self.source.pick(&[1, 0, 2, 3, -1, -5, 7, 64, -16, 100, 255, 1 << 20]);
        Term::Literal(extended(number as u64, bits, true))
    }

    /// The lowest bits, those above, or some of both.
    fn mask(&mut self) -> i64 {
        self.source.pick(&[7, 15, 15, 63, 3, 23, -8, -16, -1])
    }

    /// A positive number of 8 bits.
    fn divisor(&mut self) -> i64 {
        self.source.pick(&[8, 8, 16, 4, 2, 24, 64, 3, 40])
    }

    /// A value that is available before instruction `at`.
    fn value(&mut self, at: usize, bits: Option<u32>) -> Option<ValueId> {
        self.available(self.drafts[at].block, at, bits)
    }

    /// A value that is available in `block` before instruction `before`.
    fn available(&mut self, block: usize, before: usize, bits: Option<u32>) -> Option<ValueId> {
        let fits = |own: u32| own > 0 && bits.is_none_or(|bits| bits == own);
        let mut there = Vec::new();
        if self.source.chance(35) {
            let uniform = self.calm < 2 && self.source.chance(85);
            let suits = |at: &usize| fits(PARAMETERS[*at].1) && (!uniform || PARAMETERS[*at].0 == Shape::Same);
            there.extend((0..PARAMETERS.len()).filter(suits).map(|at| ValueId(at as u32)));
        }
        for (at, draft) in self.drafts.iter().enumerate().filter(|(_, draft)| fits(draft.bits)) {
            let id = BlockId(draft.block as u32);
            let inside = self.forest.loops_of(id).all(|one| self.forest.contains(one, BlockId(block as u32)));
            let above = draft.block != block && self.tree.dominates(id.0, block as u32) && inside;
            if above || (draft.block == block && at < before) {
                there.push(value(at));
            }
        }
        // Recent values, so that long chains occur.
        let start = if self.source.chance(60) { there.len().saturating_sub(4) } else { 0 };
        if there.is_empty() { None } else { Some(self.source.pick(&there[start..])) }
    }

    /// A phi of the header of the loop around a block.
    fn phi_around(&self, block: usize) -> Option<ValueId> {
        let header = self.forest.get(self.forest.inner(BlockId(block as u32))?).header.index();
        self.drafts.iter().position(|draft| draft.block == header && draft.what == What::Phi).map(value)
    }

    fn incoming(&mut self, at: usize) -> Vec<(BlockId, Option<ValueId>)> {
        let Draft { block, bits, .. } = self.drafts[at];
        let from = self.graph.predecessors[block].clone();
        let step = self.drafts.iter().position(|draft| draft.what == What::Step(at));
        let incoming = from.into_iter().map(|from| {
            let own = step.filter(|&step| self.drafts[step].block == from as usize && self.source.chance(80));
            let other = |builder: &mut Self| {
                if builder.source.chance(75) { builder.available(from as usize, usize::MAX, Some(bits)) } else { None }
            };
            (BlockId(from), own.map(value).or_else(|| other(self)))
        });
        incoming.collect()
    }
}

fn fact(operation: Operation, bits: u32, range: Option<(i64, i64)>) -> Fact {
    Fact { operation, needs_lane: false, cost: 0, bits, range }
}

fn variation(shape: Shape) -> Variation {
    if shape == Shape::Same { Variation::Uniform } else { Variation::Divergent }
}

/// The value of a draft.
fn value(at: usize) -> ValueId {
    ValueId((PARAMETERS.len() + at) as u32)
}

/// The operands of an operation.
pub(super) fn terms(operation: &Operation) -> Vec<Term> {
    match operation {
        Operation::Other
        | Operation::Divergent
        | Operation::Uniform
        | Operation::Lane
        | Operation::Line
        | Operation::Private { .. } => vec![],
        Operation::Add(terms, _)
        | Operation::Sub(terms, _)
        | Operation::Mul(terms, _)
        | Operation::Shl(terms, _)
        | Operation::And(terms)
        | Operation::Xor(terms) => terms.to_vec(),
        Operation::Extend { of, .. }
        | Operation::Truncate { of, .. }
        | Operation::Divide { of, .. }
        | Operation::Remainder { of, .. }
        | Operation::Same(of) => vec![*of],
        Operation::Exchange { lane } => vec![*lane],
        Operation::Address { base, indices } => std::iter::once(*base).chain(indices.iter().map(|one| one.0)).collect(),
        Operation::Select { condition, values } => vec![*condition, values[0], values[1]],
    }
}
