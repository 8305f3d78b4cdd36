//! The shapes of values, and where lanes part.
//!
//! In: a [`Flow`], the order of its blocks, a [`Fact`] for each value and the shapes of the
//! parameters. Out: [`Shapes`], the smallest fixpoint of three rules. A result follows from the
//! operands ([`forms`](super::forms)). Where ways from a divergent branch *join*, phis differ.
//! Where a divergent branch lets lanes leave a loop at different *times*, the loop is divergent,
//! and so is what leaves it. *Invariant:* lanes that run a block together agree on its uniform
//! values, and on the differences between lanes that its linear values claim.
//!
//! The rule for joins follows Rosemann, Moll and Hack, "An Abstract Interpretation for SPMD
//! Divergence on Reducible Control Flow Graphs" (POPL 2021).

use super::{
    flow::Flow,
    forms::{Form, operand, result},
    graph::{BlockId, Instruction, Kind, ValueId},
    loop_forest::LoopId,
    operation::{Fact, Operation, Shape},
    order::Order,
    rounds::Rounds,
};
use std::collections::BTreeMap;

/// The shapes of a function's values and its divergence.
#[derive(Debug)]
pub(super) struct Shapes {
    /// The shape of each value.
    pub(super) values: Vec<Shape>,
    /// For each value: true if its base is cut to its width and extended again.
    pub(super) cut: Vec<bool>,
    /// For each block: true if lanes may part at its end.
    pub(super) parting: Vec<bool>,
    /// For each loop: true if lanes may leave it in different rounds.
    divergent: Vec<bool>,
}

/// Draws conclusions when lanes part at the end of a block.
pub(super) type Rule = fn(&mut Analysis<'_, '_>, BlockId);

/// All rules.
pub(super) const RULES: [Rule; 2] = [|analysis, block| analysis.joins(block), |analysis, block| analysis.times(block)];

impl Shapes {
    /// The shapes by some of the [`RULES`], in lines of `length` lanes.
    pub(super) fn of(
        flow: &Flow<'_>,
        order: &Order,
        facts: &[Fact],
        (parameters, length): (&[Shape], u32),
        rules: &[Rule],
    ) -> Self {
        let mut analysis = Analysis {
            flow,
            rounds: flow.rounds(),
            order,
            facts,
            rules,
            length,
            forms: vec![None; flow.layout.values() as usize],
            mixed: vec![false; flow.layout.cfg.blocks.len()],
            parting: vec![false; flow.layout.cfg.blocks.len()],
            divergent: vec![false; flow.forest.loops.len()],
            pending: Vec::new(),
        };
        analysis.settle(parameters);
        let forms = analysis.forms.iter().map(|form| form.unwrap_or(Form::ANY));
        let (values, cut) = forms.map(|form| (form.shape, form.cut && form.shape.signed().is_some())).unzip();
        Self { values, cut, parting: analysis.parting, divergent: analysis.divergent }
    }

    /// The shapes for a row of one lane.
    pub(super) fn of_one_lane(flow: &Flow<'_>) -> Self {
        Self {
            values: vec![Shape::Same; flow.layout.values() as usize],
            cut: vec![false; flow.layout.values() as usize],
            parting: vec![false; flow.layout.cfg.blocks.len()],
            divergent: vec![false; flow.forest.loops.len()],
        }
    }

    pub(super) fn is_divergent(&self, id: LoopId) -> bool {
        self.divergent[id.0]
    }
}

/// The fixpoint while it is computed.
pub(super) struct Analysis<'a, 'c> {
    flow: &'a Flow<'c>,
    rounds: Rounds<'a>,
    order: &'a Order,
    facts: &'a [Fact],
    rules: &'a [Rule],
    /// The lanes of a line.
    length: u32,
    forms: Vec<Option<Form>>,
    /// For each block: true if lanes meet there on different ways.
    mixed: Vec<bool>,
    parting: Vec<bool>,
    divergent: Vec<bool>,
    /// The values to look at again.
    pending: Vec<ValueId>,
}

impl Analysis<'_, '_> {
    fn settle(&mut self, parameters: &[Shape]) {
        for (at, (shape, fact)) in parameters.iter().zip(self.facts).enumerate() {
            self.forms[at] = Some(Form::new(*shape, fact.range));
        }
        // The first ones last, so that they are looked at first.
        for &block in self.order.blocks().iter().rev() {
            self.pending.extend(self.flow.layout.range(block).rev().map(ValueId));
        }
        while let Some(value) = self.pending.pop() {
            self.update(value);
        }
    }

    /// Computes the form of a value; if it has changed, its users follow.
    fn update(&mut self, value: ValueId) {
        let (Some(instruction), Some(block)) = (self.flow.layout.instruction(value), self.flow.layout.block_of(value))
        else {
            return;
        };
        let Fact { bits, range, .. } = self.facts[value.index()];
        let Some(next) = self.evaluate(value, instruction, block) else { return };
        let next = next.of_width(bits, range);
        let old = self.forms[value.index()];
        let form = old.map_or(next, |old| old.or_later(next));
        if old == Some(form) {
            return;
        }
        self.forms[value.index()] = Some(form);
        self.pending.extend(self.flow.layout.uses(value).iter().map(|used| used.user));
        if form.shape != Shape::Same && value == self.flow.terminator(block) {
            self.part(block);
        }
    }

    fn evaluate(&self, value: ValueId, instruction: &Instruction, block: BlockId) -> Option<Form> {
        let fact = &self.facts[value.index()];
        match (&instruction.kind, &fact.operation) {
            (Kind::Phi(_), _) if self.mixed[block.index()] => Some(Form::ANY),
            (Kind::Phi(incoming), _) => self.phi(incoming, fact.bits),
            (Kind::Alloca, Operation::Other) => Some(Form::ANY),
            (_, Operation::Other) => self.other(&instruction.operands),
            (_, operation) => result(operation, fact.bits, self.length, |term| operand(term, |id| self.known(id))),
        }
    }

    /// The form and the width of a value.
    fn known(&self, value: ValueId) -> Option<(Form, u32)> {
        Some((self.forms[value.index()]?, self.facts[value.index()].bits))
    }

    /// A phi where lanes come on one way: the values known so far.
    fn phi(&self, incoming: &[(BlockId, Option<ValueId>)], bits: u32) -> Option<Form> {
        let taken = incoming.iter().filter(|(from, _)| self.order.contains(*from));
        let forms = taken.filter_map(|(_, value)| match value {
            Some(value) => self.forms[value.index()],
            None => Some(Form::SAME),
        });
        forms.reduce(|a, b| a.either(b, bits))
    }

    /// A function of its operands.
    fn other(&self, operands: &[ValueId]) -> Option<Form> {
        let mut same = Some(Form::SAME);
        for operand in operands {
            match self.forms[operand.index()].map(|form| form.shape) {
                Some(Shape::Same) => {}
                Some(Shape::SameInLine) => same = same.and(Some(Form::SAME_IN_LINE)),
                Some(_) => return Some(Form::ANY),
                None => same = None,
            }
        }
        same
    }

    /// Lanes part at the end of `block`.
    fn part(&mut self, block: BlockId) {
        let several = self.flow.successors(block).nth(1).is_some();
        if several && !std::mem::replace(&mut self.parting[block.index()], true) {
            self.rules.iter().for_each(|rule| rule(self, block));
        }
    }

    /// The rule for joins.
    fn joins(&mut self, block: BlockId) {
        let starts: Vec<_> = self.flow.successors(block).collect();
        self.mix_joins(&starts);
    }

    /// The rule for times.
    fn times(&mut self, block: BlockId) {
        let flow = self.flow;
        for id in flow.forest.loops_of(block) {
            if !self.divergent[id.0] && self.rounds.parts_rounds(block, id) {
                self.diverge(id);
            }
        }
    }

    /// Lanes leave a loop in different rounds.
    fn diverge(&mut self, id: LoopId) {
        if std::mem::replace(&mut self.divergent[id.0], true) {
            return;
        }
        let flow = self.flow;
        let mut exits: Vec<_> = flow.forest.get(id).exits.iter().map(|(_, to)| *to).collect();
        exits.sort_unstable();
        exits.dedup();
        exits.iter().for_each(|&exit| self.mix(exit));
        self.mix_joins(&exits);
        for outer in flow.forest.loops_of(flow.forest.get(id).header).skip(1) {
            if exits.iter().any(|&exit| !flow.forest.contains(outer, exit)) {
                self.diverge(outer);
            }
        }
    }

    /// Lanes meet in `block` with different histories.
    fn mix(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.mixed[block.index()], true) {
            let phis = self.flow.layout.instructions(block).filter(|(_, one)| matches!(one.kind, Kind::Phi(_)));
            self.pending.extend(phis.map(|(value, _)| value));
        }
    }

    /// Mixes the blocks that can be reached from two of `starts` on disjoint ways.
    fn mix_joins(&mut self, starts: &[BlockId]) {
        let flow = self.flow;
        // The blocks ahead, by their place in the order, each with the block that all ways to it
        // have passed last, of those where ways part or join.
        let mut ahead: BTreeMap<usize, BlockId> = starts.iter().map(|&start| (self.order.rank(start), start)).collect();
        while ahead.len() > 1 {
            let Some((rank, label)) = ahead.pop_first() else { return };
            for to in flow.successors(self.order.blocks()[rank]).filter(|&to| self.order.rank(to) > rank) {
                let known = ahead.entry(self.order.rank(to)).or_insert(label);
                if *known != label {
                    *known = to;
                    self.mix(to);
                }
            }
        }
    }
}
